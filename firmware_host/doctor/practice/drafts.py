"""The parts of a bundle before anything was taken out of them.

What one part gives away may stand bare in another. So all of them are learned from before the first is
written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from firmware_host.doctor.findings import Finding
from firmware_host.doctor.practice.bundle import Part
from firmware_host.doctor.redaction import Redactor
from firmware_host.doctor.report import text_lines

LAST_LINES = 1000


class Draft(Protocol):
    """A part with everything that is in it."""

    def teach(self, redactor: Redactor) -> None:
        """Have the redactor learn from all of it."""

    def part(self, redactor: Redactor) -> Part:
        """It, as it may leave the machine."""


def redacted(drafts: Iterable[Draft], redactor: Redactor) -> list[Part]:
    """All parts without the secrets of any of them."""
    drafts = list(drafts)
    for draft in drafts:
        draft.teach(redactor)
    return [draft.part(redactor) for draft in drafts]


@dataclass(frozen=True, slots=True)
class DataDraft:
    """Something that programs read, too."""

    name: str
    data: Any
    words: str

    def teach(self, redactor: Redactor) -> None:
        redactor.learn(self.data)

    def part(self, redactor: Redactor) -> Part:
        text = json.dumps(redactor.data(self.data), indent=2, ensure_ascii=False)
        return Part(self.name, f"{text}\n".encode(), self.words)


@dataclass(frozen=True, slots=True)
class LinesDraft:
    """Something for people; the last lines of it leave the machine."""

    name: str
    lines: Sequence[str]
    words: str

    def teach(self, redactor: Redactor) -> None:
        redactor.learn(list(self.lines))

    def part(self, redactor: Redactor) -> Part:
        last = map(redactor.text, self.lines[-LAST_LINES:])
        return Part(self.name, "".join(f"{line}\n" for line in last).encode(), self.words)


@dataclass(frozen=True, slots=True)
class ReportDraft:
    """Findings for people; redacted before they are broken into lines, which may go through a name."""

    name: str
    findings: Sequence[Finding]
    words: str

    def teach(self, redactor: Redactor) -> None:
        redactor.learn([[finding.subject, finding.seen, finding.advice] for finding in self.findings])

    def part(self, redactor: Redactor) -> Part:
        told = [
            replace(
                finding,
                subject=redactor.text(finding.subject),
                seen=redactor.text(finding.seen),
                advice=redactor.text(finding.advice),
            )
            for finding in self.findings
        ]
        return Part(self.name, "".join(f"{line}\n" for line in text_lines(told)).encode(), self.words)
