"""Findings as people read them, and as programs do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from firmware_host.doctor.findings import Finding, State, counts, in_order, worst

FORMAT = 1
"""Grows when a key of the machine-readable form goes away or changes its meaning."""
MARK = {State.OK: "ok  ", State.NOTE: "note", State.WARN: "WARN", State.FAIL: "FAIL"}
INDENT, ARROW = " " * 9, "-> "


def text_lines(findings: Sequence[Finding], width: int = 100) -> Iterator[str]:
    """The report line by line, area by area, and what it comes to."""
    for area, those in groupby(in_order(findings), key=lambda finding: finding.area):
        yield area.value
        for finding in those:
            head = f"  {MARK[finding.state]}   {finding.subject}: {finding.seen}"
            yield from wrap(head, width, subsequent_indent=INDENT, break_on_hyphens=False)
            if finding.advice:
                indent = INDENT + " " * len(ARROW)
                yield from wrap(
                    finding.advice,
                    width,
                    initial_indent=INDENT + ARROW,
                    subsequent_indent=indent,
                    break_on_hyphens=False,
                    break_long_words=False,
                )


def total_line(findings: Sequence[Finding]) -> str:
    """How many findings there are of each state."""
    counted = counts(findings)
    parts = [f"{counted[state]} {state.value}" for state in reversed(State)]
    return ", ".join(parts)


def as_data(findings: Sequence[Finding], facts: dict[str, Any]) -> dict[str, Any]:
    """The same for programs; `facts` come first."""
    return {
        "format": FORMAT,
        **facts,
        "state": worst(findings).value,
        "counts": {state.value: count for state, count in counts(findings).items()},
        "findings": [
            {
                "area": finding.area.value,
                "subject": finding.subject,
                "state": finding.state.value,
                "seen": finding.seen,
                "advice": finding.advice,
            }
            for finding in in_order(findings)
        ],
    }
