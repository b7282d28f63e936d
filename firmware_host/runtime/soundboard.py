"""The sounds of one table on its speaker."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.durations import MS
from firmware_host.referee.step import Step
from firmware_host.show.sounds import Heard, Sound, sounds_of
from firmware_host.table.session import Session
from hw.ports import Clip, Speaker

STALE_NS = 250 * MS
"""What was decided so long ago is not sounded any more: after a stall it would all sound at once."""
SAMPLE = Heard(Sound.COUNTED, 1)
"""What is played to show how loud it is."""


class Soundboard:
    """Plays sounds; their clips were made when the table was put together."""

    def __init__(self, speaker: Speaker, clips: Mapping[Heard, Clip], close: Callable[[], None]) -> None:
        self.speaker = speaker
        self._clips = clips
        self._close = close

    def play(self, heard: Heard) -> None:
        """Play it now; this never waits."""
        self.speaker.play(self._clips[heard])

    def follow(self, step: Step, session: Session, now_ns: int) -> None:
        """Play what is heard of a step that was just shown."""
        if now_ns - step.t_ns > STALE_NS:
            return
        for heard in sounds_of(session, step.effects, step.t_ns, step.page is not None):
            self.play(heard)

    def set_volume(self, volume: int) -> None:
        """From 0, which is silent, to 10."""
        self.speaker.set_volume(volume)

    def close(self) -> None:
        """Fall silent; may be called again."""
        self._close()
