"""How wide what a command prints may be."""

from __future__ import annotations

import shutil
import sys
import textwrap

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
