"""All rules of electrical sense, and what they find at a table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firmware_host.profile.profile import Profile
from firmware_host.workshop.electrical import bus, lamps, lines, links, power
from firmware_host.workshop.electrical.built import (
    Built,
    ElectricalFinding,
    ElectricalRule,
    Strength,
    built_of,
)
from firmware_host.workshop.plan.planning import wiring_plan

RULES = tuple(
    each
    for module in (bus, lines, lamps, links, power)
    for each in vars(module).values()
    if isinstance(each, ElectricalRule)
)
"""In the order in which they stand in their files, which is that in which a table is wired."""
_SECTIONS = {"pull_ups_ohm": "pull-ups", "cables_mm": "cables"}
"""The choices of `[build]` that are sections of their own, with shorter names."""


def judged(profile: Profile) -> tuple[ElectricalFinding, ...]:
    """What is electrically wrong at a table, errors first."""
    built = built_of(profile, wiring_plan(profile))
    found = [finding for rule in RULES for finding in _findings_of(rule, built)]
    return tuple(sorted(found, key=lambda finding: finding.strength is not Strength.ERROR))


def _findings_of(rule: ElectricalRule, built: Built) -> Iterator[ElectricalFinding]:
    stated = {choice.partition(".")[0] for choice in built.choices.given}
    known = not rule.rests_on or not stated.isdisjoint(rule.rests_on)
    strength = rule.strength if known else Strength.WARNING
    assumed = () if known else tuple(map(key_of, rule.rests_on))
    for where, wrong in rule.look(built):
        yield ElectricalFinding(rule=rule, where=where, wrong=wrong, strength=strength, assumed=assumed)


def key_of(choice: str) -> str:
    """The key of a choice in a profile."""
    return f"build.{_SECTIONS.get(choice, choice.replace('_', '-'))}"


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


def _row(rule: ElectricalRule) -> str:
    cells = (rule.what, rule.why, rule.right)
    return "| " + " | ".join(_sentence(cell) for cell in cells) + " |"


def _sentence(text: str) -> str:
    """A cell, with keys and their values as code; it begins with a capital, unless a key comes first."""
    marked = _SETTING.sub(r"`\1`", text)
    return marked[0].upper() + marked[1:] if marked.split()[0].isalpha() else marked
