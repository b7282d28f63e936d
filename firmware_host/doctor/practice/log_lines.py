"""Log lines for a bundle: when, who, and what this program's own words in them are."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Sequence

from firmware_host.doctor.practice.redaction import Redaction
from firmware_host.doctor.practice.vocabulary import modules

LAST_LINES = 1000
_WHEN = r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|20\d\d-\d\d-\d\d[T ][\d:.,]{8,15}"
_LINE = re.compile(
    rf"(?:(?P<when>{_WHEN}).*? )?(?:(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) +)?"
    r"(?P<logger>(?:firmware_host|hw)[a-z0-9_.]*): (?P<message>.*)"
)
_FRAME = re.compile(
    r'.*File ".*?(?P<file>(?:firmware_host|hw)/[a-z0-9_/]+\.py)", line (?P<line>\d{1,5}), in .*'
)
_ERROR = re.compile(r"(?:.*? )?(?P<name>[A-Z]\w+)(?:: .*)?")


def redacted_log(lines: Sequence[str], redaction: Redaction) -> Iterator[str]:
    """The last lines as far as they may be passed on, and how many are left out."""
    last = lines[-LAST_LINES:]
    kept = [line for line in (_redacted_line(line, redaction) for line in last) if line]
    yield from kept
    yield f"{len(last) - len(kept)} of {len(last)} lines are left out"


def _redacted_line(line: str, redaction: Redaction) -> str:
    """What may be passed on of a line; empty if that is nothing."""
    if (match := _LINE.fullmatch(line)) and match["logger"] in modules():
        parts = (match["when"], match["level"], f"{match['logger']}: {redaction.text(match['message'])}")
        return " ".join(filter(None, parts))
    if (match := _FRAME.fullmatch(line)) and match["file"] in modules():
        return f"  {match['file']}:{match['line']}"
    match = _ERROR.fullmatch(line)
    return match["name"] if match and isinstance(getattr(builtins, match["name"], None), type) else ""
