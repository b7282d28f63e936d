"""Simulated lamps, displays and players: they keep what they were given, as a person would see or hear it."""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from hw.ports import LOUDEST_VOLUME, Clip
from hw.sound.clips import CHANNELS, RATE
from hw.sound.player import BLOCK_BYTES, PERIOD, PERIODS


class ShownFrame(NamedTuple):
    """One frame and when it was shown."""

    t_ns: int
    frame: bytes


class SimLedPanel:
    """Lamps that remember their frames, all of them or as many as `keep` says."""

    def __init__(self, length: int, now_ns: Callable[[], int], keep: int | None = None) -> None:
        self.frame = bytes(length)
        self.history: deque[ShownFrame] = deque(maxlen=keep)
        self.shown = 0
        self._now_ns = now_ns

    def show(self, frame: bytes) -> None:
        if len(frame) != len(self.frame):
            raise ValueError(f"a frame of {len(frame)} lamps for a panel of {len(self.frame)}")
        self.frame = frame
        self.shown += 1
        self.history.append(ShownFrame(self._now_ns(), frame))

    def close(self) -> None:
        if any(self.frame):
            self.show(bytes(len(self.frame)))

    def rhythm(self, lamp: int, since_ns: int) -> tuple[int, ...]:
        """The values one lamp took on since then, as an eye follows it."""
        values: list[int] = [] if self.history else [self.frame[lamp]]
        for t_ns, frame in reversed(self.history):
            if not values or values[-1] != frame[lamp]:
                values.append(frame[lamp])
            if t_ns <= since_ns:
                break
        return tuple(reversed(values))


_PIECES = re.compile(r"[^\x00-\x1f]+|\x0c|\n")
"""Text, a form feed or a line feed; other control codes show nothing."""


class SimTextDisplay:
    """Decodes plain text with form feeds; `lines` is what it shows now."""

    def __init__(self, rows: int = 2, columns: int = 20, keep: int | None = None) -> None:
        self._rows, self._columns = rows, columns
        self._screen = [""] * rows
        self._row = 0
        self.bytes_taken = 0
        self.history: deque[bytes] = deque(maxlen=keep)

    @property
    def lines(self) -> tuple[str, ...]:
        """The text on the display."""
        return tuple(self._screen)

    def write(self, data: bytes) -> None:
        """Take bytes from the line, whole pages or pieces."""
        self.bytes_taken += len(data)
        self.history.append(data)
        for piece in _PIECES.findall(data.decode("ascii", "replace")):
            if piece == "\x0c":
                self._screen = [""] * self._rows
                self._row = 0
            elif piece == "\n":
                self._row += 1
            elif self._row < self._rows:
                self._screen[self._row] = (self._screen[self._row] + piece)[: self._columns]


class PlayedClip(NamedTuple):
    """A clip, when it was played, and how loud."""

    t_ns: int
    clip: Clip
    volume: int


class SimSpeaker:
    """A speaker that remembers its clips, all of them or as many as `keep` says."""

    def __init__(self, now_ns: Callable[[], int], keep: int | None = None) -> None:
        self.history: deque[PlayedClip] = deque(maxlen=keep)
        self.volume = LOUDEST_VOLUME
        self._now_ns = now_ns
        self._closed = False

    def play(self, clip: Clip) -> None:
        if not self._closed:
            self.history.append(PlayedClip(self._now_ns(), clip, self.volume))

    def set_volume(self, volume: int) -> None:
        self.volume = volume

    def close(self) -> None:
        self._closed = True

    def since(self, t_ns: int) -> list[str]:
        """The names of the clips that were played from that moment on."""
        return [played.clip.name for played in self.history if played.t_ns >= t_ns]


# A simulated player with a card behind it: it takes samples as `aplay` does, at the pace of its own clock.
#
# A block goes from the pipe into the player's hands when those are empty, and from there into the card's
# buffer when a period of it is free. Each sample is kept with the moment at which it leaves the card.


SECOND_NS = 1_000_000_000


class HeardBlock(NamedTuple):
    """The first channel of a block, when it was written, and when it began to leave the card."""

    written_ns: int
    heard_ns: int
    samples: array[int]


class SimPlayer:
    """A player whose card is `faster` parts in a million faster than the clock of its table."""

    def __init__(self, now_ns: Callable[[], int], faster: int = 0) -> None:
        self.heard: list[HeardBlock] = []
        self.gaps = 0
        """How often the card ran dry."""
        self.ended = False
        self.said = ""
        """What it says is wrong."""
        self.stalled = False
        self.closed = False
        self._now_ns = now_ns
        self._period_ns = PERIOD * SECOND_NS * 1_000_000 // (RATE * (1_000_000 + faster))
        self._pipe: list[HeardBlock] = []
        self._free_ns = 0  # when the card has played everything that it was given

    def waiting(self) -> int:
        if self.ended:
            raise BrokenPipeError(self.said)
        now_ns = self._now_ns()
        if not self.stalled:
            # A block is taken when the one before it goes into the buffer, where two are ahead of it then.
            ahead_ns = PERIODS * self._period_ns
            self._pipe = [block for block in self._pipe if block.heard_ns - ahead_ns > now_ns]
        return len(self._pipe) * BLOCK_BYTES

    def write(self, data: bytes) -> None:
        if self.closed or self.ended:
            raise BrokenPipeError(self.said)
        now_ns = self._now_ns()
        samples = array("h", data)[::CHANNELS]
        for at in range(0, len(samples), PERIOD):
            if self._free_ns <= now_ns:
                self.gaps += bool(self.heard)
                self._free_ns = now_ns + (PERIODS - 1) * self._period_ns  # it starts when its buffer is full
            block = HeardBlock(now_ns, self._free_ns, samples[at : at + PERIOD])
            self._free_ns += self._period_ns
            self._pipe.append(block)
            self.heard.append(block)

    def complaint(self) -> str:
        return self.said

    def close(self) -> None:
        self.closed = True

    @property
    def samples(self) -> array[int]:
        """All that was given to the card, in the first channel."""
        return array("h", [sample for block in self.heard for sample in block.samples])
