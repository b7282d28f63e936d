"""The player process: `aplay`, which takes raw samples from a pipe and gives them to a card.

It runs as long as the table does: one that has to be started for each sound would come too late. It has a
session of its own, so that Ctrl-C at a terminal does not reach it before the table has closed it, and it ends
with its pipe if the table is killed.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import termios
from contextlib import suppress
from typing import NamedTuple, Protocol

RATE = 48_000
CHANNELS = 2
FRAME_BYTES = 2 * CHANNELS
PERIOD = RATE * 4 // 1000
"""4 ms in frames: what is fed at a time, and what the card is asked to take at a time."""
BLOCK_BYTES = PERIOD * FRAME_BYTES
PERIODS = 2
"""The card's buffer. `aplay` needs two periods; each more would make everything sound 4 ms later."""

PROGRAM = "aplay"
PACKAGE = "alsa-utils"
_ENDING_S = 0.5
_PIPE_BYTES = 4096
_LAST_WORDS = 2000
_PLACE = re.compile(rf"^{PROGRAM}: (\w+:\d+: )?(.*error: )?")
_SAMPLES = "S16_LE" if sys.byteorder == "little" else "S16_BE"


class Player(Protocol):
    """Whatever takes samples at the pace of a card. `waiting` and `write` raise OSError when it is gone."""

    def waiting(self) -> int:
        """How many bytes it was given and has not taken yet."""

    def write(self, data: bytes) -> None:
        """Give it a block; this never waits."""

    def complaint(self) -> str:
        """What it says is wrong, in one line; empty if it has said nothing."""

    def close(self) -> None:
        """End it."""


def aplay_command(card: str) -> list[str]:
    """The command that plays raw samples from its standard input on a card."""
    return [
        PROGRAM, "--quiet", "--device", card, "--file-type", "raw", "--format", _SAMPLES,
        "--channels", str(CHANNELS), "--rate", str(RATE),
        "--period-size", str(PERIOD), "--buffer-size", str(PERIOD * PERIODS), "-",
    ]  # fmt: skip


def complaint_in(said: str) -> str:
    """What is wrong, by what the player has printed: its last error, without the place in its code."""
    errors = [line for line in said.splitlines() if line.startswith(f"{PROGRAM}: ")]
    return _PLACE.sub("", errors[-1]).strip() if errors else ""


class AplayProcess:
    """One `aplay` at work; FileNotFoundError if it is not installed."""

    def __init__(self, card: str) -> None:
        self._process = subprocess.Popen(
            aplay_command(card),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, "LC_ALL": "C"},
        )
        assert self._process.stdin is not None and self._process.stderr is not None
        self._stdin, self._stderr = self._process.stdin, self._process.stderr
        self._said = b""
        self._pipe = self._stdin.fileno()
        os.set_blocking(self._pipe, False)
        os.set_blocking(self._stderr.fileno(), False)
        with suppress(OSError):  # a smaller pipe only guards against a mistake here
            fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def waiting(self) -> int:
        held = int.from_bytes(fcntl.ioctl(self._pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
        if held and self._process.poll() is not None:
            raise BrokenPipeError("the player has ended")
        return held

    def write(self, data: bytes) -> None:
        os.write(self._pipe, data)

    def complaint(self) -> str:
        with suppress(BlockingIOError):
            while said := os.read(self._stderr.fileno(), _LAST_WORDS):
                self._said = (self._said + said)[-_LAST_WORDS:]
        return complaint_in(self._said.decode(errors="replace"))

    def close(self) -> None:
        self._stdin.close()  # it plays what it has, and ends
        try:
            self._process.wait(_ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            with suppress(
                subprocess.TimeoutExpired
            ):  # a driver that hangs holds it; the kernel ends it later
                self._process.wait(_ENDING_S)
        self._stderr.close()


# The sound cards of this machine, and which of them a table plays on if nobody names one.
#
# A card that is named is opened by itself and not through ALSA's default, which on many systems mixes several
# programs in periods of 21 ms and more: a table has its card for itself, and is heard sooner.


CARDS_FILE = "/proc/asound/cards"
DEVICES_FILE = "/proc/asound/pcm"

AUTO = "auto"
NONE = "none"

_CARD = re.compile(r"^\s*(\d+) \[(\S+)\s*\]: (.*)$", re.MULTILINE)
_PLAYS = re.compile(r"^(\d+)-\d+:.*\bplayback\b", re.MULTILINE)


class SoundCard(NamedTuple):
    """A card that can play: its short name, and the driver and name that it has for people."""

    name: str
    title: str

    @property
    def is_usb(self) -> bool:
        return "USB" in self.title

    @property
    def is_hdmi(self) -> bool:
        """Whether it is heard only through a monitor."""
        return "hdmi" in f"{self.name} {self.title}".lower()

    @property
    def device(self) -> str:
        """What ALSA calls it. A Pi's HDMI takes only what its own default makes of the samples."""
        return f"{'sysdefault' if self.is_hdmi else 'plughw'}:CARD={self.name}"


def playing_cards(cards: str, devices: str) -> list[SoundCard]:
    """The cards that can play, by the contents of CARDS_FILE and DEVICES_FILE."""
    plays = {int(number) for number in _PLAYS.findall(devices)}
    return [SoundCard(name, title) for number, name, title in _CARD.findall(cards) if int(number) in plays]


def usual_card(cards: list[SoundCard]) -> SoundCard | None:
    """The card to play on if nobody names one: of USB if there is one, and never a monitor."""
    heard = [card for card in cards if not card.is_hdmi]
    return next((card for card in heard if card.is_usb), heard[0] if heard else None)


def device_for(named: str, cards: list[SoundCard]) -> str:
    """What ALSA has to open for a card that the table.toml names; empty for none."""
    if named in (AUTO, NONE):
        card = usual_card(cards) if named == AUTO else None
        return card.device if card else ""
    return next((card.device for card in cards if card.name == named), named)
