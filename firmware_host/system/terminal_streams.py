"""The way to the terminal: whatever is printed, no control character of a file, a name or a store gets there.

All that is printed goes through the standard streams, so these are where it is made visible. Pictures need
control characters of their own: they go through a `console`, which makes each text in them visible.
"""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from firmware_host.visible import visible

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
