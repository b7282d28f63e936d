"""A speaker through a player process: `aplay`, which takes raw samples from a pipe and gives them to a card.

It runs as long as the table does: one that has to be started for each sound would come too late. It has a
session of its own, so that Ctrl-C at a terminal does not reach it before the table has closed it, and it ends
with its pipe if the table is killed.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import subprocess
import sys
import termios
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Protocol

from hw.ports import LOUDEST_VOLUME, Clip, Condition, Health, Tell
from hw.sound.clips import CHANNELS, RATE, REPEAT, Mixer, spread
from hw.work import Backoff, nobody_to_wake

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
_FORMAT = "S16_LE" if sys.byteorder == "little" else "S16_BE"


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
        PROGRAM, "--quiet", "--device", card, "--file-type", "raw", "--format", _FORMAT,
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


# A speaker that feeds a player, block by block, with silence where nothing sounds.
#
# Silence is fed all the time for three reasons. A player that runs dry stops the card, and many amplifiers
# answer each stop and start with a pop. HDMI and some USB devices swallow the first tenths of a second
# after a pause. And samples that are shorter than a period would wait in the player until more come.
#
# The price is latency: a sound queues behind what was fed before. So as little as possible is ahead of it:
# one block in the pipe, one in the player's hands, and the two periods of the card's buffer, 16 ms in all.
# The next block is written as soon as the player has taken the last one, so that the card sets the pace: no
# clock has to match the card's. A player that takes everything at once (a null device) is held to the pace
# of real time.
#
# Where nothing has sounded for a minute, five blocks of silence are fed at a time: the thread rests, and
# the first sound after that may come 16 ms later than others.
#
# What can't be played now is dropped: a sound that comes late is worse than none.


PERIOD_NS = PERIOD * 1_000_000_000 // RATE
PACE_NS = PERIOD_NS * 98 // 100
"""From one block to the next: a little less than a period, so that the player never waits for its table."""
TAKEN_NS = PERIOD_NS // 4
"""How soon to look again whether the player has taken its block."""
AHEAD_NS = (1 + PERIODS) * PERIOD_NS
"""What a block has ahead of it when it is written: the player's hands and the card's buffer."""
MOST_MISSED = 4
RESTING_NS = 60_000_000_000
RESTING_BLOCKS = 5
"""As many as go into the pipe."""
STALLED_NS = 3_000_000_000
LISTEN_NS = 1_000_000_000
"""How often the player is listened to: what it says of gaps must not fill up its pipe."""
STEADY_NS = 1_000_000_000
MOST_ASKED = 32
SILENCE = bytes(BLOCK_BYTES)
_SAMPLES = PERIOD // REPEAT
ADVICE = "`ligretto-table doctor` lists the cards that play; name one of them"
COMPLAINTS = {
    "No such file or directory": ("there is no such card", ADVICE),
    "No such device": ("there is no such card", ADVICE),
    "Device or resource busy": ("another program uses the card", "end it, or name another card"),
    "Permission denied": ("this user may not open the card", "add the user to the group audio"),
    "Operation not permitted": ("this user may not open the card", "add the user to the group audio"),
}
_STALLED = ("the card takes no sound", "unplug the card and plug it in again")
OnStart = Callable[[Clip, int], None]
"""Gets each clip whose first samples were just written, and when."""


class PlayerSpeaker:
    """A `Speaker` for the loop, and the work of its owner."""

    def __init__(
        self,
        name: str,
        open_player: Callable[[], Player],
        tell: Tell,
        on_start: OnStart | None = None,
    ) -> None:
        self.name = name
        self.wake: Callable[[], None] = nobody_to_wake
        self._open_player = open_player
        self._tell = tell
        self._on_start = on_start
        self._asked: deque[Clip] = deque(maxlen=MOST_ASKED)
        self._volume = LOUDEST_VOLUME
        self._mixer = Mixer()
        self._player: Player | None = None
        self._backoff = Backoff()
        self._retry_ns = 0
        self._opened_ns = 0
        self._next_ns = 0
        self._moved_ns = 0
        self._listen_ns = 0
        self._sounded_ns = 0
        self._reported: tuple[str, str] | None = None

    # -- for the loop, from any thread

    def play(self, clip: Clip) -> None:
        self._asked.append(clip)
        self.wake()

    def set_volume(self, volume: int) -> None:
        self._volume = volume

    # -- for its owner

    def step(self, now_ns: int) -> int | None:
        if self._player is None and (now_ns < self._retry_ns or not self._open(now_ns)):
            self._asked.clear()
            return self._retry_ns
        assert self._player is not None
        try:
            due_ns = self._feed(self._player, now_ns)
        except OSError:
            self._lose(self._player, self._player.complaint(), now_ns)
            return self._retry_ns
        if now_ns - self._moved_ns > STALLED_NS:
            self._lose(self._player, None, now_ns)
            return self._retry_ns
        if now_ns - self._opened_ns > STEADY_NS:
            self._backoff.reset()
            self._report(None)
        return due_ns

    def descriptors(self) -> list[int]:
        return []

    def report_again(self) -> None:
        self._tell(_health(self.name, self._reported))

    def close(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            player.close()

    # -- inside

    def _open(self, now_ns: int) -> bool:
        """Start a player; whether there is one."""
        try:
            self._player = self._open_player()
        except OSError as error:
            missing = error.errno == errno.ENOENT
            seen = (
                f"{PROGRAM} is not installed" if missing else f"{PROGRAM} can't be started: {error.strerror}"
            )
            self._report((seen, f"sudo apt install {PACKAGE}" if missing else "see the system's log"))
            self._retry_ns = self._backoff.after(now_ns)
            return False
        self._opened_ns = self._next_ns = self._moved_ns = self._sounded_ns = now_ns
        self._mixer.clear()
        return True

    def _feed(self, player: Player, now_ns: int) -> int:
        """Write what is due, if the player has taken what it was given; when to look again."""
        if now_ns >= self._listen_ns:
            self._listen_ns = now_ns + LISTEN_NS
            player.complaint()
        if player.waiting():
            self._next_ns = max(self._next_ns, now_ns)  # the card is behind, and not this thread
            return now_ns + TAKEN_NS if self._asked else max(self._next_ns, now_ns + TAKEN_NS)
        self._moved_ns = now_ns
        missed = (now_ns - self._next_ns) // PACE_NS
        if self._asked:
            self._sounded_ns = now_ns
        elif missed < 0:
            return self._next_ns
        resting = now_ns - self._sounded_ns > RESTING_NS
        for _ in range(RESTING_BLOCKS if resting else max(1, min(1 + missed, MOST_MISSED))):
            self._write_block(player, now_ns)
        self._next_ns = max(self._next_ns, now_ns)
        return self._next_ns

    def _write_block(self, player: Player, now_ns: int) -> None:
        self._mixer.set_volume(self._volume)
        started = []
        while self._asked:
            started.append(self._asked.popleft())
            self._mixer.add(started[-1])
        block = self._mixer.block(_SAMPLES)
        player.write(SILENCE if block is None else spread(block))
        self._next_ns += PACE_NS
        if self._on_start is not None:
            for clip in started:
                self._on_start(clip, now_ns)

    def _lose(self, player: Player, complaint: str | None, now_ns: int) -> None:
        """End a player that has ended or takes nothing; another one is started after a while."""
        self._player = None
        player.close()
        self._asked.clear()
        if complaint is None:
            self._report(_STALLED)
        else:
            seen = f"{PROGRAM} has ended{': ' * bool(complaint)}{complaint}"
            self._report(COMPLAINTS.get(complaint, (seen, ADVICE)))
        self._retry_ns = self._backoff.after(now_ns)

    def _report(self, wrong: tuple[str, str] | None) -> None:
        if wrong != self._reported:
            self._reported = wrong
            self._tell(_health(self.name, wrong))


def _health(name: str, wrong: tuple[str, str] | None) -> Health:
    """How the speaker is. It is never lost to the table, which plays as well without it: only degraded."""
    return Health(name, Condition.OK) if wrong is None else Health(name, Condition.DEGRADED, *wrong)
