"""The sounds of a table on a speaker: when a step is heard, and which card it is heard on."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from firmware_host.games.games import Table
from firmware_host.model.events import StartMatch
from firmware_host.model.settings import Settings
from firmware_host.model.times import S, exactly
from firmware_host.referee import Referee
from firmware_host.run.devices import SPEAKER, card_soundboard, clips_for, soundboard_on
from firmware_host.run.equipment import STALE_NS, Soundboard
from firmware_host.run.shell import Shell
from firmware_host.show.sounds import FELT, Heard, Sound, all_sounds, notes_of
from hw.ports import Condition, Health
from hw.sim.outputs import SimSpeaker
from tests.hw.sound.alsa import CARD, FileCard, needs_aplay, stretches, strongest
from tests.hw.uart.pty_bench import wait_until
from tests.run.test_shell import Diary

RATE = 48_000


class Playing:
    """A shell with a speaker."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.speaker = SimSpeaker(lambda: self.now_ns)
        self.soundboard = soundboard_on(self.speaker, 4)
        referee = Referee(Table(), Settings(), Random(1), 0)
        self.diary = Diary()
        self.shell = Shell(
            referee, self.diary, (self.diary, self.diary), [self.diary.look_on], self.soundboard
        )
        self.shell.command(StartMatch((6, 6, 6, 6), exactly(1 * S)))

    def advance(self, now_ns: int) -> list[str]:
        self.now_ns = now_ns
        before = len(self.speaker.history)
        self.shell.advance(now_ns)
        return [played.clip.name for played in list(self.speaker.history)[before:]]


def test_a_step_is_heard_after_it_was_written_and_shown_and_before_it_is_told() -> None:
    playing = Playing()
    playing.speaker.play = lambda clip: playing.diary.calls.append(("heard", clip.name))  # type: ignore[method-assign]
    playing.shell.advance(1 * S)
    words = [word for word, _ in playing.diary.calls]
    at = words.index("heard")
    assert "written" in words[:at] and "shown" in words[:at]
    assert words[at:].count("heard") == 1 and words[at + 1] == "told"


def test_what_is_decided_late_is_heard_only_while_it_is_news() -> None:
    assert Playing().advance(1 * S + STALE_NS) == ["countdown"]
    assert Playing().advance(1 * S + STALE_NS + 1) == []
    assert Playing().advance(4 * S + 1) == ["start"]


def test_a_shell_that_is_disconnected_is_silent() -> None:
    playing = Playing()
    playing.shell.disconnect()
    assert playing.advance(1 * S) == []
    playing.shell.connect(playing.diary, playing.diary, playing.soundboard)
    assert playing.advance(2 * S) == ["countdown"]
    playing.shell.connect(playing.diary, playing.diary)
    assert playing.advance(3 * S) == []


def test_a_press_may_be_answered_at_once() -> None:
    playing = Playing()
    playing.soundboard.play(FELT)
    assert playing.speaker.since(0) == ["felt"]
    playing.soundboard.close()
    playing.soundboard.play(FELT)
    assert playing.speaker.since(0) == ["felt"]


# -- every sound there is, on every table


@pytest.mark.parametrize("seats", [2, 4, 12])
def test_every_sound_has_a_clip_of_a_few_kilobytes_with_its_own_pitch_first(seats: int) -> None:
    clips = clips_for(seats)
    assert list(clips) == all_sounds(seats)
    pitches = [note.hertz for each in clips for note in notes_of(each, seats)[:1]]
    for heard, clip in clips.items():
        first = notes_of(heard, seats)[0]
        sounding = clip.samples[: 24_000 * first.ms // 1000]
        if heard != FELT:  # too short for an ear
            near = [hertz for hertz in pitches if abs(hertz - first.hertz) > 60]
            assert strongest(sounding, [*near, first.hertz]) == first.hertz, heard.name
        assert clip.name == heard.name
        assert 500 < 2 * len(clip.samples) < 60_000
        assert abs(clip.samples[0]) + abs(clip.samples[-1]) < 50
    assert 2 * sum(len(clip.samples) for clip in clips.values()) < 300_000


def test_the_clips_of_a_big_table_are_made_in_a_moment() -> None:
    began = time.process_time()
    clips_for(12)
    assert time.process_time() - began < 0.5  # some 20 ms on a PC, ten times as long on a small Pi


# -- on a card


def played(card: FileCard, soundboard: Soundboard, *heard: Heard) -> list[tuple[int, int]]:
    """Play these one after another; from where to where something sounds."""
    for each in heard:
        before = len(card.heard)
        wait_until(lambda before=before: len(card.heard) > before + RATE // 20)  # type: ignore[misc]
        soundboard.play(each)
        length = RATE * sum(note.ms for note in notes_of(each, 4)) // 1000
        before = len(card.heard)
        wait_until(lambda before=before, length=length: len(card.heard) > before + length + RATE // 5)  # type: ignore[misc]
    soundboard.close()
    return stretches(card.heard, RATE, pause_ms=80)  # notes that die away


@needs_aplay
def test_all_sounds_reach_the_card_at_the_volume_that_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, reports = FileCard(tmp_path, monkeypatch), list[Health]()
    soundboard = card_soundboard(CARD, 4, reports.append)
    assert soundboard is not None
    soundboard.set_volume(4)
    sounds = [Heard(Sound.START), Heard(Sound.COUNTED, 4), Heard(Sound.STOP)]
    found = played(card, soundboard, *sounds)
    assert len(found) == len(sounds)
    for each, (begin, _) in zip(sounds, found, strict=True):
        first = notes_of(each, 4)[0]
        sounding = card.heard[begin : begin + RATE * first.ms // 1000]
        assert strongest(sounding, [first.hertz / 1.2, first.hertz, first.hertz * 1.2], RATE) == first.hertz
        assert max(sounding) == pytest.approx(10_000 * first.level * 0.126, rel=0.25)
    assert reports == []


@needs_aplay
def test_a_card_that_is_missing_is_reported_and_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FileCard(tmp_path, monkeypatch).unplug()
    reports: list[Health] = []
    soundboard = card_soundboard(CARD, 4, reports.append)
    assert soundboard is not None
    wait_until(lambda: reports)
    soundboard.play(FELT)
    soundboard.close()
    assert [(each.name, each.condition) for each in reports] == [(SPEAKER, Condition.DEGRADED)]


def test_where_no_card_is_wanted_there_is_no_speaker() -> None:
    assert card_soundboard("none", 4, lambda health: None) is None
