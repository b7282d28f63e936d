"""Judges the scoreboard by what came of a test page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.doctor.findings import Area, Finding, State
from firmware_host.doctor.subjects.port_findings import SerialPort, which_port


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFacts:
    """What came of showing a test page on the scoreboard."""

    port: str
    kind: str
    line: str = ""
    """How the sign likes its serial line, such as '9600 8N1'."""
    there: bool = False
    page: tuple[str, ...] = ()
    """What should be seen on it, row by row."""
    seen: str = ""
    advice: str = ""


def judge_sign(sign: SignFacts, ports: Sequence[SerialPort]) -> Finding:
    """Whether the scoreboard's port took the test page, and what should have been seen."""
    if not sign.port:
        seen = "no port is named for it: the table plays without a scoreboard"
        return Finding(Area.SCOREBOARD, "sign", State.NOTE, seen)
    if sign.seen:
        advice = sign.advice if sign.there else which_port(ports)
        return Finding(Area.SCOREBOARD, sign.kind, State.FAIL, f"{sign.seen} ({sign.port})", advice)
    rows = " and ".join(f"[{row}]" for row in sign.page)
    seen = f"{sign.port} took the test page; a sign never answers. It showed {rows}"
    advice = (
        f"if it stayed dark: check its power, its cable, and that it is set to {sign.line}; if it showed "
        "something else: check 'sign' and 'columns' in [scoreboard]"
    )
    return Finding(Area.SCOREBOARD, sign.kind, State.NOTE, seen, advice)
