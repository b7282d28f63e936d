"""Log lines for a bundle: when, who, and what this program's own words in them are."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from firmware_host.doctor.practice.wordings import wording

LAST_LINES = 1000
_WHEN = (
    r"(?:[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}|20[0-9]{2}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]{8,15})"
)
_LINE = re.compile(
    rf"(?:(?P<when>{_WHEN}).*? )?(?:(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) +)?"
    r"(?P<logger>(?:firmware_host|hw)[a-z0-9_.]*): (?P<message>.*)"
)
_FRAME = re.compile(
    r'.*File ".*?(?P<file>(?:firmware_host|hw)/[a-z0-9_/]+\.py)", line (?P<line>[0-9]{1,5}), in .*'
)
_ERROR = re.compile(r"(?:.*? )?(?P<name>[A-Z]\w+)(?:: .*)?")


def harmless_lines(lines: Iterable[str]) -> Iterator[str]:
    """The last lines as far as they are known to be harmless, and how many are left out."""
    last = list(lines)[-LAST_LINES:]
    told = [line for line in map(_told, last) if line]
    yield from told
    yield f"{len(last) - len(told)} of {len(last)} lines are left out"


def _told(line: str) -> str:
    """What may be told of a line; empty if that is nothing."""
    if (match := _LINE.fullmatch(line)) and match["logger"] in _modules():
        parts = (match["when"], match["level"], f"{match['logger']}: {wording(match['message'])}")
        return " ".join(part for part in parts if part)
    if (match := _FRAME.fullmatch(line)) and match["file"] in _modules():
        return f"  {match['file']}:{match['line']}"
    if (match := _ERROR.fullmatch(line)) and isinstance(getattr(builtins, match["name"], None), type):
        return match["name"]
    return ""


@cache
def _modules() -> frozenset[str]:
    """All files of this program, by their paths and as loggers are called."""
    root = Path(__file__).parents[3]
    files = [
        str(path.relative_to(root))
        for name in ("firmware_host", "hw")
        for path in (root / name).rglob("*.py")
    ]
    return frozenset(files) | {file[:-3].replace("/", ".").removesuffix(".__init__") for file in files}
