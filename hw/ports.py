"""One narrow port per kind of device, and the raw records that pass through.

Every driver of a port, real or simulated, behaves alike: it never blocks the caller,
it stamps at the source, and `close` may be called any number of times.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol


class Edge(NamedTuple):
    """One change of a line's level, stamped in CLOCK_MONOTONIC nanoseconds by its source.

    An interrupt's stamp is a moment. A change that was only found by looking again happened
    up to `wide_ns` before `t_ns`.
    """

    line: int
    high: bool
    t_ns: int
    seq: int
    wide_ns: int = 0


class Gap(NamedTuple):
    """Edges were lost: `lost` of them (0: unknown how many), between those two moments.

    After a gap the driver reads its lines and reports what has changed as wide edges.
    """

    lost: int
    since_ns: int
    until_ns: int


class TagRead(NamedTuple):
    """A tag came to a reader or went away, somewhere between those two moments."""

    reader: int
    uid: bytes
    present: bool
    earliest_ns: int
    latest_ns: int


class Condition(StrEnum):
    """The condition of a device. Logs, stores and `--json` have its value."""

    OK = "ok"
    DEGRADED = "degraded"  # it works, but something is wrong with it
    LOST = "lost"  # it does not work; its driver keeps trying


@dataclass(frozen=True, slots=True)
class Health:
    """How a device is, what was seen, and what to do about it: one value from driver to health page."""

    name: str
    condition: Condition
    seen: str = ""
    advice: str = ""

    @property
    def words(self) -> str:
        """What was seen and what to do about it, in one text."""
        return "; ".join(part for part in (self.seen, self.advice) if part)


Tell = Callable[[Health], None]
"""Where a driver reports its health whenever it changes; may be called from any thread."""


class EdgeSource(Protocol):
    """Lines that report edges."""

    @property
    def uncertainty_ns(self) -> int:
        """How far a stamp of this driver may be from the truth, either way."""

    def read(self) -> Sequence[Edge | Gap]:
        """What arrived since the last call, in the order of its arrival."""

    def levels(self) -> dict[int, bool]:
        """The level of each line now."""

    def fileno(self) -> int:
        """A descriptor that is readable while `read` has something."""

    def close(self) -> None:
        """Release the lines."""


class TagReader(Protocol):
    """A reader of RFID tags that reports when tags come and go."""

    def read(self) -> Sequence[TagRead]:
        """What arrived since the last call."""

    def fileno(self) -> int:
        """A descriptor that is readable while `read` has something."""

    def close(self) -> None:
        """Switch the field off."""


class LedWire(NamedTuple):
    """An LED: its lamp's place in the frame, the colours (bits of that byte) it burns for, its number."""

    lamp: int
    colours: int
    led: int


class LedPanel(Protocol):
    """All lamps of the table as one frame."""

    def show(self, frame: bytes) -> None:
        """Burn like this from now on: a byte a lamp; bit 2 is red, bit 1 green, bit 0 blue."""

    def close(self) -> None:
        """Switch all lamps off."""


class Scoreboard(Protocol):
    """A display for a few short lines."""

    @property
    def columns(self) -> int:
        """How many characters fit in a line."""

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        """Show these lines from now on; the language says how to spell letters that the display lacks."""

    def close(self) -> None:
        """Leave a blank display behind."""


CLIP_RATE = 24_000
"""The samples a second of a clip."""
LOUDEST_VOLUME = 10


class Clip(NamedTuple):
    """A short sound: 16-bit samples of one channel. Where too many sound at once, the highest ranks do."""

    name: str
    rank: int
    samples: array[int]


class Speaker(Protocol):
    """A loudspeaker for short sounds that may overlap."""

    def play(self, clip: Clip) -> None:
        """Play this now, together with what sounds already; while the speaker is lost it is dropped."""

    def set_volume(self, volume: int) -> None:
        """Play everything that loud from now on, from 0 (silent) to 10."""

    def close(self) -> None:
        """Fall silent and release the card."""


class Panels:
    """Shows each frame on all its panels; each of them takes the lamps that it has."""

    def __init__(self, panels: Sequence[LedPanel]) -> None:
        self._panels = tuple(panels)

    def show(self, frame: bytes) -> None:
        for panel in self._panels:
            panel.show(frame)

    def close(self) -> None:
        for panel in self._panels:
            panel.close()


class NoScoreboard:
    """A scoreboard that shows nothing, for a table without one."""

    def __init__(self, columns: int) -> None:
        self.columns = columns

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
