"""Simulated lamps: they keep what was shown on them, and how a person would see it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from hw.ports import LOUDEST_VOLUME, Clip


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
