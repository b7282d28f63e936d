"""The way to the terminal: whatever is printed, no control character of a file, a name or a store gets there.

All that is printed goes through the standard streams, so these are where it is made visible. Pictures need
control characters of their own: they go through a `console`, which makes each text in them visible.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import select
import shutil
import signal
import sys
import termios
import textwrap
import threading
import tty
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType, TracebackType
from typing import IO, TYPE_CHECKING, Any, TextIO

from firmware_host.model.effects import Verdict
from firmware_host.model.places import Colour
from firmware_host.model.plain_text import visible
from firmware_host.show.lamps import Tint

if TYPE_CHECKING:
    from rich.console import Console


class VisibleStream(io.TextIOWrapper):
    """A stream that writes every character so that it can be seen; `real` is the one behind it."""

    def __init__(self, real: TextIO) -> None:
        encoding = "utf-8" if codecs.lookup(real.encoding).name == "ascii" else real.encoding
        super().__init__(
            real.buffer, encoding, real.errors, line_buffering=getattr(real, "line_buffering", False)
        )
        self.real = real

    def write(self, text: str) -> int:
        super().write(visible(text))
        return len(text)


@contextmanager
def visible_output() -> Iterator[None]:
    """Within, whatever is printed is visible."""
    with ExitStack() as closing:
        for name in ("stdout", "stderr"):
            real = getattr(sys, name)
            if hasattr(real, "buffer") and not isinstance(real, VisibleStream):
                closing.callback(_restore, name, real)
                real.flush()
                setattr(sys, name, VisibleStream(real))
        yield


def _restore(name: str, real: TextIO) -> None:
    stream = getattr(sys, name)
    setattr(sys, name, real)
    with suppress(OSError):  # nobody reads it any more
        stream.flush()
    if isinstance(stream, VisibleStream):
        with suppress(OSError):
            stream.detach()  # or it would close what is behind it


def console(*, file: TextIO | None = None, stderr: bool = False, **options: Any) -> Console:
    """A console of rich that may use colours and move about; the texts in its pictures can't."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class VisibleConsole(Console):
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(visible(segment.text), segment.style)

    return VisibleConsole(file=_real(file or (sys.stderr if stderr else sys.stdout)), **options)


def print_for_now(line: str) -> None:
    """Print a line that the next one is printed over."""
    real = _real(sys.stdout)
    real.write(f"{visible(line)}\r")
    real.flush()


def _real(stream: TextIO) -> TextIO:
    stream.flush()
    return stream.real if isinstance(stream, VisibleStream) else stream


MOST = 64


class Keyboard:
    """Inside `with`, keys come without Enter; without a terminal there are none."""

    def __init__(self) -> None:
        self._descriptor: int | None = None
        self._before: list[Any] = []

    def __enter__(self) -> Keyboard:
        with contextlib.suppress(OSError, ValueError, termios.error):  # it may be closed, or none at all
            descriptor = sys.stdin.fileno()
            self._before = termios.tcgetattr(descriptor)
            tty.setcbreak(descriptor)
            self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            with contextlib.suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)
        self._descriptor = None

    @property
    def descriptors(self) -> list[int]:
        """What is readable when a key was pressed."""
        return [] if self._descriptor is None else [self._descriptor]

    def read(self) -> str:
        """The keys that were pressed since the last call."""
        if self._descriptor is None or not select.select([self._descriptor], (), (), 0)[0]:
            return ""
        try:
            keys = os.read(self._descriptor, MOST)
        except OSError:
            keys = b""
        if not keys:  # nobody is there any more
            self._descriptor = None
        return keys.decode("ascii", "ignore").lower()


_DUMB = ("", "dumb", "unknown")


def can_draw(stream: IO[str]) -> bool:
    """Whether a picture can be redrawn there: on a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in _DUMB


NARROWEST = 40
"""Nothing is laid out for less; a terminal that is narrower breaks lines itself."""


def columns_for(usual: int) -> int:
    """As many columns as usual, or fewer if the terminal has fewer; files and pipes have what is usual."""
    return max(NARROWEST, min(usual, shutil.get_terminal_size((usual, 24)).columns))


def for_terminal(line: str, indent: int = 2) -> list[str]:
    """A line of any length, wrapped if it goes to a terminal; files and pipes get it whole."""
    return wrapped(line, shutil.get_terminal_size().columns, indent) if sys.stdout.isatty() else [line]


def wrapped(words: str, columns: int, indent: int = 2) -> list[str]:
    """The words on as many lines as they need, broken only at spaces; the later lines are indented."""
    return textwrap.wrap(
        words, columns, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )


STYLE = {Colour.RED: "red", Colour.YELLOW: "yellow", Colour.GREEN: "green", Colour.BLUE: "bright_blue"}
LIGHT = {1: "bright_blue", 2: "green", 3: "cyan", 4: "red", 5: "magenta", 6: "yellow", 7: "bright_white"}
"""By the value of a lamp."""
LIGHT_LETTER = {tint.value: tint.name[0] for tint in Tint if tint is not Tint.OFF}
"""The same without colour."""

VERDICT_STYLE = {
    Verdict.ACCEPTED: "green",
    Verdict.TOO_LATE: "yellow",
    Verdict.ILLEGAL: "red",
    Verdict.FALSE_CLAIM: "red",
    Verdict.LOCKED: "red",
    Verdict.NOT_RUNNING: "bright_black",
    Verdict.TAKEN_BACK: "white",
    Verdict.REPEATED: "bright_black",
    Verdict.DEAD_HEAT_WON: "cyan",
    Verdict.DEAD_HEAT_LOST: "magenta",
}


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Within, SIGTERM and SIGHUP stop the command as Ctrl-C does, so that nothing stays lit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {each: signal.signal(each, stop) for each in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
