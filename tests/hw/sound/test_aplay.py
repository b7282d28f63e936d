"""The speaker on a real `aplay`, in real time: what a card is given, and when."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hw.ports import Clip, Condition, Health
from hw.sound.clips import LOUDEST, RATE, synthesised
from hw.sound.player import PERIOD, SILENCE, AplayProcess, PlayerSpeaker, complaint_in
from hw.work import OwnerThread
from tests.hw.sound.alsa import CARD, FileCard, needs_aplay
from tests.hw.sound.listening import QUIET, stretches, strongest
from tests.hw.uart.pty_bench import wait_until

pytestmark = needs_aplay

PITCHES = (392, 659, 1047, 1760)
BLOCKS = 45
"""A bell of 120 ms and a pause, in blocks of 4 ms."""
BELLS = {hertz: synthesised(f"{hertz}", 1, [(hertz, 120, 1.0, "bell")]) for hertz in PITCHES}


class CountedPlayer(AplayProcess):
    """A player that counts the blocks that it is given."""

    blocks = 0

    def write(self, data: bytes) -> None:
        super().write(data)
        self.blocks += 1


class Room:
    """A speaker that plays on the card of the test."""

    def __init__(self, card: FileCard, name: str = CARD) -> None:
        self.card = card
        self.health: list[Health] = []
        self.players: list[CountedPlayer] = []
        self.started: list[tuple[str, int]] = []
        self._name = name
        self.speaker = PlayerSpeaker("speaker", self._open, self.health.append, self._note)
        self.owner = OwnerThread(self.speaker, self.health.append)

    def _open(self) -> CountedPlayer:
        self.players.append(CountedPlayer(self._name))
        return self.players[-1]

    def _note(self, clip: Clip, t_ns: int) -> None:
        self.started.append((clip.name, t_ns))

    def play(self, hertz: int) -> None:
        """Play a bell, and wait until it is over."""
        before = len(self.started)
        self.speaker.play(BELLS[hertz])
        wait_until(lambda: len(self.started) > before)
        player = self.players[-1]
        over = player.blocks + BLOCKS
        wait_until(lambda: player.blocks > over)

    def wait_for(self, condition: Condition) -> Health:
        wait_until(lambda: bool(self.health) and self.health[-1].condition is condition)
        return self.health[-1]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    made = Room(FileCard(tmp_path, monkeypatch))
    wait_until(lambda: bool(made.players))
    yield made
    made.owner.close()


def test_a_card_is_given_each_sound_once_with_silence_between(room: Room) -> None:
    for hertz in PITCHES:
        room.play(hertz)
    room.owner.close()
    heard = room.card.heard
    found = stretches(heard, RATE)
    assert len(found) == len(PITCHES)
    for hertz, (begin, end) in zip(PITCHES, found, strict=True):
        assert strongest(heard[begin : begin + RATE // 12], PITCHES, RATE) == hertz
        assert (end - begin) / RATE == pytest.approx(0.12, abs=0.03)
        assert LOUDEST * 0.8 < max(heard[begin:end]) <= LOUDEST
    assert max(map(abs, heard[: found[0][0]])) <= QUIET
    assert room.health == []


def test_they_are_heard_when_they_were_asked_for(room: Room) -> None:
    for hertz in PITCHES:
        room.play(hertz)
    room.owner.close()
    begins = [begin / RATE for begin, _ in stretches(room.card.heard, RATE)]
    asked = [t_ns / 1e9 for _, t_ns in room.started]
    # This card is fed 2 % faster than real time, on a busy machine later, and then up to 16 ms at once.
    for begin, moment in zip(begins, asked, strict=True):
        assert begin - begins[0] <= (moment - asked[0]) * 1.03 + 0.03
    for sooner, later in pairwise(begins):
        assert later - sooner >= BLOCKS * PERIOD / RATE


def test_sounds_together_are_mixed_and_not_cut_off(room: Room) -> None:
    for hertz in PITCHES[:3]:
        room.speaker.play(BELLS[hertz])
    room.play(PITCHES[3])
    room.owner.close()
    heard = room.card.heard
    ((begin, _),) = stretches(heard, RATE)
    sounding = heard[begin : begin + RATE // 20]
    for hertz in PITCHES:
        assert strongest(sounding, [hertz / 1.12, hertz, hertz * 1.12], RATE) == hertz
    assert LOUDEST < max(map(abs, sounding)) < 32_767


def test_a_player_that_is_killed_is_started_again(room: Room) -> None:
    room.play(PITCHES[0])
    os.kill(room.players[0].pid, signal.SIGKILL)
    assert room.wait_for(Condition.DEGRADED).seen == "aplay has ended"
    room.wait_for(Condition.OK)
    room.play(PITCHES[1])
    room.owner.close()
    heard = room.card.heard  # the plugin begins a new file
    ((begin, _),) = stretches(heard, RATE)
    assert strongest(heard[begin : begin + RATE // 12], PITCHES, RATE) == PITCHES[1]


def test_a_card_that_is_plugged_in_later_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = FileCard(tmp_path, monkeypatch)
    card.unplug()
    room = Room(card)
    try:
        assert room.wait_for(Condition.DEGRADED).seen == "there is no such card"
        assert not room.owner.stuck
        card.plug_in()
        room.wait_for(Condition.OK)
        room.play(PITCHES[2])
    finally:
        room.owner.close()
    assert len(stretches(card.heard, RATE)) == 1


def test_a_card_of_this_machine_that_is_not_there_is_named_as_missing() -> None:
    player = AplayProcess("plughw:CARD=NotThere")
    try:
        wait_until(lambda: not _is_at_work(player))
        assert player.complaint() == "No such device"
    finally:
        player.close()


def test_ctrl_c_at_a_terminal_does_not_reach_the_player(room: Room) -> None:
    assert os.getsid(room.players[0].pid) != os.getsid(0)


def test_what_the_player_prints_of_gaps_is_no_complaint() -> None:
    assert complaint_in("underrun!!! (at least 12.3 ms long)\n") == ""
    assert (
        complaint_in("aplay: set_params:1456: Channels count non available\n")
        == "Channels count non available"
    )


def _is_at_work(player: AplayProcess) -> bool:
    try:
        player.write(SILENCE)
    except BlockingIOError:
        return True  # it has not come to read anything yet
    except BrokenPipeError:
        return False
    return True
