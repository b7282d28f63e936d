"""A simulated speaker: it keeps what was played on it, and when."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from hw.ports import LOUDEST_VOLUME, Clip


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
