"""What every driver of the speaker port does alike. Another speaker is another subject."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hw.ports import Clip, Speaker
from hw.sim.agenda import Agenda, AgendaOwner
from hw.sim.outputs import SimPlayer, SimSpeaker
from hw.sound.clips import synthesised
from hw.sound.player import AplayProcess, PlayerSpeaker
from hw.work import OwnerThread
from tests.hw.sound.alsa import CARD, FileCard, needs_aplay, stretches, strongest
from tests.hw.uart.pty_bench import wait_until

PITCHES = (392, 659, 1047, 1760)
CLIPS = {hertz: synthesised(f"{hertz}", 1, [(hertz, 60, 1.0, "bell")]) for hertz in PITCHES}
RATE = 48_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardSpeaker:
    """A speaker, a listener who tells its sounds by their pitches, and the time that a sound needs."""

    speaker: Speaker
    heard: Callable[[], list[int]]
    wait: Callable[[], None]
    close: Callable[[], None]


def pitches_in(samples: array[int]) -> list[int]:
    """What a listener hears, as far as it does not begin together."""
    return [
        round(strongest(samples[begin : begin + RATE // 25], PITCHES, RATE))
        for begin, _ in stretches(samples, RATE)
    ]


def sim_speaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HeardSpeaker:
    speaker = SimSpeaker(lambda: 0)
    return HeardSpeaker(
        speaker=speaker,
        heard=lambda: [int(played.clip.name) for played in speaker.history if played.volume],
        wait=lambda: None,
        close=speaker.close,
    )


def on_simulated_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HeardSpeaker:
    agenda = Agenda()
    player = SimPlayer(lambda: agenda.now_ns)
    speaker = PlayerSpeaker("speaker", lambda: player, lambda health: pytest.fail(str(health)))
    owner = AgendaOwner(speaker, agenda)
    return HeardSpeaker(
        speaker=speaker,
        heard=lambda: pitches_in(player.samples),
        wait=lambda: agenda.run(agenda.now_ns + 100_000_000),
        close=owner.close,
    )


def on_aplay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HeardSpeaker:
    card = FileCard(tmp_path, monkeypatch)
    started: list[Clip] = []
    speaker = PlayerSpeaker(
        "speaker",
        lambda: AplayProcess(CARD),
        lambda health: pytest.fail(str(health)),
        lambda clip, t_ns: started.append(clip),
    )
    owner = OwnerThread(speaker, lambda health: pytest.fail(str(health)))
    before = len(card.heard)

    def wait() -> None:
        nonlocal before
        wait_until(lambda: len(card.heard) > before + RATE // 10)
        before = len(card.heard)

    return HeardSpeaker(speaker=speaker, heard=lambda: pitches_in(card.heard), wait=wait, close=owner.close)


@pytest.fixture(params=[sim_speaker, on_simulated_player, pytest.param(on_aplay, marks=needs_aplay)])
def subject(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HeardSpeaker]:
    made: HeardSpeaker = request.param(tmp_path, monkeypatch)
    yield made
    made.close()


def test_each_sound_is_heard_once_and_in_order(subject: HeardSpeaker) -> None:
    for hertz in (659, 392, 1760, 1047, 392):
        subject.wait()
        subject.speaker.play(CLIPS[hertz])
    subject.wait()
    subject.close()
    assert subject.heard() == [659, 392, 1760, 1047, 392]


def test_at_volume_zero_nothing_is_heard(subject: HeardSpeaker) -> None:
    subject.wait()
    subject.speaker.set_volume(0)
    subject.speaker.play(CLIPS[392])
    subject.wait()
    subject.speaker.set_volume(10)
    subject.speaker.play(CLIPS[659])
    subject.wait()
    subject.close()
    assert subject.heard() == [659]


def test_it_may_be_closed_twice_and_plays_nothing_then(subject: HeardSpeaker) -> None:
    subject.wait()
    subject.close()
    subject.close()
    subject.speaker.play(CLIPS[392])
    subject.speaker.set_volume(3)
    assert subject.heard() == []
