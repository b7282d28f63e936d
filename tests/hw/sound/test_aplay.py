"""The speaker on a real `aplay`, in real time: what a card is given, and when."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.ports import Clip, Condition, Health
from hw.sound.clips import LOUDEST, RATE, synthesised
from hw.sound.player import (
    SILENCE,
    AplayProcess,
    PlayerSpeaker,
    SoundCard,
    complaint_in,
    device_for,
    playing_cards,
    usual_card,
)
from hw.work import OwnerThread
from tests.hw.sound.alsa import CARD, QUIET, FileCard, needs_aplay, stretches, strongest
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


CARDS = """\
 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
 2 [Mic            ]: USB-Audio - USB Microphone
                      Maker USB Microphone at usb-3f980000.usb-1.2, full speed
 3 [Device         ]: USB-Audio - USB Audio Device
                      C-Media Electronics Inc. USB Audio Device at usb-3f980000.usb-1.3, full speed
"""
DEVICES = """\
00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
01-00: bcm2835 Headphones : bcm2835 Headphones : playback 8
02-00: USB Audio : USB Audio : capture 1
03-00: USB Audio : USB Audio : playback 1 : capture 1
"""
HDMI, HEADPHONES, USB = ALL = playing_cards(CARDS, DEVICES)


def test_a_microphone_can_not_play() -> None:
    assert [card.name for card in ALL] == ["vc4hdmi0", "Headphones", "Device"]
    assert [card.is_hdmi for card in ALL] == [True, False, False]
    assert [card.is_usb for card in ALL] == [False, False, True]


@pytest.mark.parametrize("text", ["", "--- no soundcards ---\n", "\0garbage [ ]: "])
def test_without_cards_there_is_none(text: str) -> None:
    assert playing_cards(text, DEVICES) == []
    assert playing_cards(CARDS, text) == []


@pytest.mark.parametrize(
    ("cards", "usual"),
    [(ALL, USB), ([HDMI, HEADPHONES], HEADPHONES), ([HDMI], None), ([], None), ([USB, HEADPHONES], USB)],
)
def test_usb_is_taken_first_and_a_monitor_never(cards: list[SoundCard], usual: SoundCard | None) -> None:
    assert usual_card(cards) == usual


@pytest.mark.parametrize(
    ("named", "device"),
    [
        ("auto", "plughw:CARD=Device"),
        ("none", ""),
        ("Headphones", "plughw:CARD=Headphones"),
        ("vc4hdmi0", "sysdefault:CARD=vc4hdmi0"),
        ("default", "default"),
        ("plughw:1,0", "plughw:1,0"),
    ],
)
def test_a_card_may_be_named_by_its_name_or_as_alsa_calls_it(named: str, device: str) -> None:
    assert device_for(named, ALL) == device


def test_without_a_card_nothing_is_opened_unless_it_is_named() -> None:
    assert device_for("auto", []) == ""
    assert device_for("plughw:1", []) == "plughw:1"
