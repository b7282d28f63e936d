"""The rules as a table for the docs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firmware_host.building.sense.findings import Rule, Strength
from firmware_host.building.sense.rules import RULES

_VALUE = r'(?:"[^"]*"|\[[^]]*\]|[0-9.]*[0-9])'
_SETTING = re.compile(rf"([a-z0-9-]+ = {_VALUE}|dtoverlay=\S+|dtparam=\S+|/dev/\w+|/boot/\S+\w)")
"""What is code in the docs: keys with their values, and paths."""
_HEADS = {Strength.ERROR: "Errors", Strength.WARNING: "Warnings"}


def rule_tables() -> Iterator[str]:
    """The lines of a Markdown table for each strength, errors first."""
    for strength, head in _HEADS.items():
        yield from (f"### {head}", "", "| what | why | what to do |", "|---|---|---|")
        yield from (_row(rule) for rule in RULES if rule.strength is strength)
        yield ""


def _row(rule: Rule) -> str:
    cells = (rule.what, rule.why, rule.right)
    return "| " + " | ".join(_sentence(cell) for cell in cells) + " |"


def _sentence(text: str) -> str:
    """A cell, with keys and their values as code; it begins with a capital, unless a key comes first."""
    marked = _SETTING.sub(r"`\1`", text)
    return marked[0].upper() + marked[1:] if marked.split()[0].isalpha() else marked
