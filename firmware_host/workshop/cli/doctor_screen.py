"""Where a walk of the doctor is seen: a picture in a terminal, or line by line."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TextIO

from firmware_host.cli.terminal import Keyboard, console
from firmware_host.workshop.doctor.walk import Walk

NEWS = 4
"""So many lines of what happened last stand below the picture."""
TICKED = "[x]"
NEXT = "\r\n "
PAUSE_S = 0.05


class PlainScreen:
    """Prints what is new line by line, and at the end how far the walk came."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._keys = Keyboard()
        self._walk: Walk | None = None

    def __enter__(self) -> PlainScreen:
        self._keys.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._keys.__exit__(kind, error, trace)
        if self._walk is not None:
            for line in self._walk.picture():
                self._say(line)

    @property
    def descriptors(self) -> Sequence[int]:
        return self._keys.descriptors

    def show(self, walk: Walk) -> None:
        self._walk = walk
        for line in walk.take_news():
            self._say(line)

    def wants_next(self) -> bool:
        return any(key in NEXT for key in self._keys.read())


class LiveScreen:
    """Paints the whole picture again and again."""

    def __init__(self, stream: TextIO) -> None:
        from rich.live import Live

        self._live = Live(console=console(file=stream, highlight=False), auto_refresh=False)
        self._keys = Keyboard()
        self._news: deque[str] = deque(maxlen=NEWS)

    def __enter__(self) -> LiveScreen:
        self._keys.__enter__()
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)
        self._keys.__exit__(kind, error, trace)

    @property
    def descriptors(self) -> Sequence[int]:
        return self._keys.descriptors

    def show(self, walk: Walk) -> None:
        from rich.text import Text

        self._news.extend(walk.take_news())
        picture = fitted(walk.picture(), self._live.console.height - NEWS - 2)
        self._live.update(Text("\n".join([*picture, "", *self._news])), refresh=True)

    def wants_next(self) -> bool:
        return any(key in NEXT for key in self._keys.read())


def fitted(picture: list[str], room: int) -> list[str]:
    """As much of a picture as there is room for: what is ticked off goes first, and the last line never."""
    lines = list(picture)
    while len(lines) > max(room, 1):
        ticked = next((at for at, line in enumerate(lines[:-1]) if line.startswith(TICKED)), len(lines) - 2)
        del lines[ticked]
    return lines


def page_stand(seconds: float, say: Callable[[str], None]) -> Callable[[tuple[str, ...]], None]:
    """Keeps a page on the scoreboard for that long, or until a key is pressed."""

    def stand(page: tuple[str, ...]) -> None:
        if not seconds:
            return
        say(f"for {seconds:g} s the scoreboard should show:")
        for row in page:
            say(f"  [{row}]")
        until = time.monotonic() + seconds
        with Keyboard() as keys:
            while time.monotonic() < until and not keys.read():
                time.sleep(min(PAUSE_S, max(0.0, until - time.monotonic())))

    return stand
