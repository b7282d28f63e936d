"""The opened devices of a table: what is active now, and what they do if nobody says otherwise."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import Table
from firmware_host.model import states
from firmware_host.model.events import (
    DeviceChanged,
    SignalsLost,
    StartMatch,
    TagSeen,
    Withdrawn,
    format_event,
    parse_event,
)
from firmware_host.model.places import Button, Call, Card, Colour, Pad, Pile, Slot, Source, Stranger
from firmware_host.model.settings import Settings
from firmware_host.model.states import DeviceCondition
from firmware_host.model.times import MS, S, Stamp, exactly
from firmware_host.profile.tags import Registry
from firmware_host.referee import Referee
from firmware_host.run.devices import SPEAKER, card_soundboard, clips_for, soundboard_on
from firmware_host.run.equipment import STALE_NS, Equipment, Intake, Soundboard
from firmware_host.run.shell import Shell
from firmware_host.run.table_files import load_profile
from firmware_host.show.sounds import FELT, Heard, Sound, all_sounds, notes_of
from hw.ports import Condition, Edge, Gap, Health, TagRead
from hw.scoreboard.text import PlainScoreboard
from hw.sim.agenda import VirtualClock
from hw.sim.outputs import SimLedPanel, SimSpeaker, SimTextDisplay
from tests.hw.sound.alsa import CARD, FileCard, needs_aplay, stretches, strongest
from tests.hw.uart.pty_bench import wait_until
from tests.run.rooms import Room
from tests.run.test_shell import Diary

RED_1 = Slot(Colour.RED, 1)
PROFILE = replace(load_profile("dice4-direct"), lines={1: Button(1), 2: Button(2), 3: RED_1})


class Levels:
    """Lines that stand as a test wants them."""

    uncertainty_ns = 0

    def __init__(self, **levels: bool) -> None:
        self._levels = {int(name[1:]): high for name, high in levels.items()}

    def read(self) -> list[Edge]:
        return []

    def levels(self) -> dict[int, bool]:
        return self._levels

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        """There is nothing to let go of."""


def equipment(*lines: Levels) -> Equipment:
    clock = VirtualClock()
    scoreboard = PlainScoreboard(SimTextDisplay().write)
    return Equipment(PROFILE, clock, 0, lines=lines, leds=SimLedPanel(4, clock.now_ns), scoreboard=scoreboard)


def test_what_is_active_is_asked_of_all_lines_each_time() -> None:
    expander = Levels(_3=False)
    table = equipment(Levels(_1=False, _2=True), expander)
    assert table.active == [Button(1), RED_1]
    expander.levels()[3] = True
    assert table.active == [Button(1)]


def test_a_line_that_means_nothing_is_never_active() -> None:
    assert equipment(Levels(_1=True, _99=False)).active == []


def test_what_a_table_does_not_have_is_not_missed() -> None:
    table = equipment()
    table.dim(7)
    table.close()
    assert table.stuck() == [] and table.checks == () and table.others == ()
    assert table.waits_for_devices


def test_a_real_one_is_dark_and_blank_after_its_end_however_often_it_is_closed() -> None:
    room = Room("dice4")
    table = room.open()
    table.leds.show(bytes([7] * len(room.frame)))
    table.scoreboard.show(("Round 1/2", "1:12 2:12"))
    room.wait()
    assert all(room.frame[:4]) and room.sign == ("Round 1/2", "1:12 2:12")
    table.close()
    table.close()
    assert room.is_dark


def test_all_its_chips_are_dimmed() -> None:
    room = Room("dice4")
    table = room.open()
    table.leds.show(bytes([7] * len(room.frame)))
    room.wait()
    table.dim(3)
    room.wait()
    assert {chip.brightness for chip in room.site.led_chips.values()} == {3}


LINES: dict[int, Source] = {5: Button(1), 6: Call(1), 7: Slot(Colour.RED, 1)}
UID = bytes.fromhex("ca010001")
REGISTRY = Registry({"ca010001": Card(1, Colour.RED, 1)})


@pytest.fixture
def intake() -> Intake:
    return Intake(LINES, 100, {"pad-1": 1, "left": 0}, (Pad(1), Pile(3)), REGISTRY)


def test_a_low_line_is_a_button_that_is_down(intake: Intake) -> None:
    down = intake.source_edge(Edge(5, False, 1000, 7))
    assert (down.source, down.active, down.stamp, down.seq) == (Button(1), True, Stamp(900, 1100), 7)
    up = intake.source_edge(Edge(6, True, 2000, 8))
    assert (up.source, up.active) == (Call(1), False)


def test_an_edge_that_was_found_by_looking_again_has_a_wide_stamp(intake: Intake) -> None:
    assert intake.source_edge(Edge(7, False, 1000, 1, wide_ns=300)).stamp == Stamp(600, 1100)


def test_each_line_may_have_a_doubt_of_its_own() -> None:
    intake = Intake(LINES, {5: 10, 6: 20, 7: 30})
    widths = [intake.source_edge(Edge(line, False, 1000, 1)).stamp for line in LINES]
    assert widths == [Stamp(990, 1010), Stamp(980, 1020), Stamp(970, 1030)]


def test_sources_that_are_active_at_power_on(intake: Intake) -> None:
    assert intake.active({5: False, 6: True, 7: False, 99: False}) == [Button(1), Slot(Colour.RED, 1)]
    assert intake.active({}) == []


def test_a_tag_is_what_it_is_enrolled_for(intake: Intake) -> None:
    card = Card(1, Colour.RED, 1)
    assert intake.tag(TagRead(0, UID, True, 100, 200)) == TagSeen(Pad(1), card, Stamp(100, 200))
    assert intake.tag(TagRead(1, UID, False, 300, 400)) == Withdrawn(Pile(3), card, Stamp(300, 400))


def test_a_tag_that_nobody_has_enrolled_is_a_stranger(intake: Intake) -> None:
    event = intake.tag(TagRead(0, b"\x04\xa1\xb2\xc3", True, 100, 200))
    assert event == TagSeen(Pad(1), Stranger("04a1b2c3"), Stamp(100, 200))
    bare = Intake({}, 0, spots=(Pad(2),))
    assert bare.tag(TagRead(0, UID, True, 0, 1)) == TagSeen(Pad(2), Stranger("ca010001"), Stamp(0, 1))


def test_a_gap_says_how_many_and_since_when(intake: Intake) -> None:
    assert intake.loss(Gap(3, 10 * MS, 25 * MS)) == SignalsLost(3, 15 * MS, exactly(25 * MS))


@pytest.mark.parametrize(
    ("device", "needed", "seat"), [("pad-1", True, 1), ("left", True, 0), ("sign", False, 0)]
)
def test_a_device_is_needed_by_all_by_one_seat_or_by_nobody(
    intake: Intake, device: str, needed: bool, seat: int
) -> None:
    change = intake.change(Health(device, Condition.LOST, "no answer", "look at its cable"), 500)
    lost = DeviceCondition(device, states.Condition.LOST, "no answer", "look at its cable")
    assert change == DeviceChanged(lost, needed, exactly(500), seat)


@pytest.mark.parametrize(
    ("seen", "advice", "words"),
    [
        ("", "", ""),
        ("", "clean it", "clean it"),
        ("garbled", "", "garbled"),
        (" no  answer\n", "look at\nits cable", "no answer; look at its cable"),
        ("[Errno 5]", "name it in [store]", "[Errno 5]; name it in [store]"),
        ("(a) -> (b)", "do -> (c)", "(a), (b); do -> (c)"),
    ],
)
def test_what_a_device_says_is_one_line_that_reads_back(
    intake: Intake, seen: str, advice: str, words: str
) -> None:
    change = intake.change(Health("left", Condition.DEGRADED, seen, advice), 500)
    assert change.device.words == words
    assert parse_event(format_event(change)) == change


def test_where_nothing_is_named_nothing_is_needed() -> None:
    change = Intake(LINES, 0).change(Health("left", Condition.LOST), 1)
    assert (change.needed, change.seat) == (False, 0)


@given(st.integers(-(10**15), 10**15))
def test_every_stamp_is_moved_by_the_shift_and_nothing_else_is(shift_ns: int) -> None:
    intake = Intake(LINES, 100, {}, (Pad(1), Pile(3)), REGISTRY)

    def moved(stamp: Stamp) -> Stamp:
        return Stamp(stamp.earliest_ns + shift_ns, stamp.latest_ns + shift_ns)

    edge = Edge(7, False, 1000, 1, wide_ns=300)
    signal = intake.source_edge(edge)
    assert intake.source_edge(edge, shift_ns) == signal._replace(stamp=moved(signal.stamp))
    read = TagRead(0, UID, True, 100, 200)
    shown = intake.tag(read)
    assert intake.tag(read, shift_ns) == replace(shown, stamp=moved(shown.stamp))
    gap = Gap(3, 10 * MS, 25 * MS)
    lost = intake.loss(gap)
    assert intake.loss(gap, shift_ns) == replace(lost, stamp=moved(lost.stamp))


def test_a_doubt_that_is_widened_is_never_narrowed() -> None:
    intake = Intake(LINES, {5: 10, 6: 20, 7: 30})
    intake.widen(20)
    widths = [intake.source_edge(Edge(line, False, 1000, 1)).stamp for line in LINES]
    assert widths == [Stamp(980, 1020), Stamp(980, 1020), Stamp(970, 1030)]
    intake.widen(5)
    assert intake.source_edge(Edge(5, False, 1000, 1)).stamp == Stamp(980, 1020)


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
