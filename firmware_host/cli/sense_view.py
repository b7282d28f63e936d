"""What is electrically wrong with a profile, as `check` and `wiring` print it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.building.sense.findings import Finding, Strength
from firmware_host.cli.widths import wrapped

WRONG = 2
"""The exit code if something would be damaged or can't work."""
SENSE_WIDTH = 100
_INDENT = 4


def errors_of(findings: Sequence[Finding]) -> int:
    """How many of the findings are errors."""
    return sum(finding.strength is Strength.ERROR for finding in findings)


def sense_lines(findings: Sequence[Finding], columns: int) -> Iterator[str]:
    """The lines of all findings. What several have in common is printed after the last of them."""
    for number, finding in enumerate(findings):
        first, *reasons = finding.lines
        yield from wrapped(first, columns, _INDENT)
        following = findings[number + 1].lines[1:] if number + 1 < len(findings) else None
        if reasons != following:
            for line in reasons:
                yield from (f"  {part}" for part in wrapped(line.strip(), columns - 2, _INDENT))
