"""What the table shows: passed on to lamps and scoreboard, and summed up in a digest.

Two runs with the same digest have shown the same frames and the same pages, in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b

from hw.ports import LedPanel, Scoreboard

DIGEST_BYTES = 8


class _Lamps:
    def __init__(self, take: Callable[[bytes], None]) -> None:
        self.show = take

    def close(self) -> None:
        """The real lamps are closed by their owner."""


class _Board:
    def __init__(self, columns: int, take: Callable[[tuple[str, ...], str], None]) -> None:
        self.columns = columns
        self._take = take

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        self._take(lines, language)

    def close(self) -> None:
        """The real scoreboard is closed by its owner."""


class Exhibition:
    """Takes frames and pages for devices that may be connected later, or for a while not be."""

    def __init__(self, columns: int) -> None:
        self.leds: LedPanel = _Lamps(self._frame)
        self.scoreboard: Scoreboard = _Board(columns, self._page)
        self.frame = b""
        self.page: tuple[str, ...] = ()
        self.language = ""
        self.lit: Counter[int] = Counter()
        """How often each lamp went on; whoever counts on may clear it."""
        self._sum = blake2b(digest_size=DIGEST_BYTES)
        self._devices: tuple[LedPanel, Scoreboard] | None = None

    @property
    def digest(self) -> str:
        """The sum of all that was shown so far."""
        return self._sum.hexdigest()

    def connect(self, leds: LedPanel, scoreboard: Scoreboard) -> None:
        """From now on these show it; they begin with what is shown now."""
        self._devices = leds, scoreboard
        if self.frame:
            leds.show(self.frame)
        if self.page:
            scoreboard.show(self.page, self.language)

    def disconnect(self) -> None:
        """Nobody sees it for a while."""
        self._devices = None

    def _frame(self, frame: bytes) -> None:
        before, self.frame = self.frame or bytes(len(frame)), frame
        self.lit.update(lamp for lamp, burns in enumerate(frame) if burns and not before[lamp])
        self._sum.update(b"lamps" + frame)
        if self._devices is not None:
            self._devices[0].show(frame)

    def _page(self, page: tuple[str, ...], language: str) -> None:
        self.page, self.language = page, language
        self._sum.update("\n".join(("page", *page, "")).encode())
        if self._devices is not None:
            self._devices[1].show(page, language)
