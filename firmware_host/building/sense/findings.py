"""What is wrong with the wiring of a table, and the rules that find it.

A rule is a row: what it finds, why that is wrong, what would be right, and a function that yields each
place where it is so. Reason and advice are the same at each place, so the docs are made from the same
rows.

Some rules rest on choices of `[build]`. If the profile makes none of these choices, the usual parts are
assumed, and the table may have others. So a finding that rests on assumptions alone is never more than a
warning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from firmware_host.building.sense.built import Built

_SECTIONS = {"pull_ups_ohm": "pull-ups", "cables_mm": "cables"}
"""The choices that are sections of their own, with shorter names."""


class Strength(Enum):
    """How bad a finding is."""

    ERROR = "error"  # it would damage something, or can't work
    WARNING = "warning"  # it may not work reliably


class Trouble(NamedTuple):
    """A place where a rule is broken."""

    where: str
    """The key of the profile."""
    wrong: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing that can be wrong."""

    name: str
    strength: Strength
    what: str
    """What it finds, for the docs."""
    why: str
    """The physics, in a sentence."""
    right: str
    rests_on: tuple[str, ...] = ()
    """The choices of `[build]` on which it rests; empty if the wiring alone is enough."""
    look: Callable[[Built], Iterator[Trouble]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is wrong at one place of a profile."""

    rule: Rule
    where: str
    wrong: str
    strength: Strength
    assumed: tuple[str, ...] = ()
    """The keys of the choices that the profile leaves open, if the finding rests on nothing else."""

    @property
    def lines(self) -> list[str]:
        """What is printed."""
        lines = [f"{self.strength.value}: {self.where}: {self.wrong}"]
        lines += [f"  why: {self.rule.why}", f"  right: {self.rule.right}"]
        if self.assumed:
            lines.append(f"  assumed, as the profile does not say: {', '.join(self.assumed)}")
        return lines


def key_of(choice: str) -> str:
    """The key of a choice in a profile."""
    return f"build.{_SECTIONS.get(choice, choice.replace('_', '-'))}"


def _stated(built: Built, choice: str) -> bool:
    """Whether the profile makes a choice, or a part of one that is a section."""
    return any(each == choice or each.startswith(f"{choice}.") for each in built.choices.given)


def findings_of(rule: Rule, built: Built) -> Iterator[Finding]:
    """What a rule finds."""
    open_ones = tuple(map(key_of, rule.rests_on))
    known = not rule.rests_on or any(_stated(built, choice) for choice in rule.rests_on)
    for where, wrong in rule.look(built):
        yield Finding(
            rule=rule,
            where=where,
            wrong=wrong,
            strength=rule.strength if known else Strength.WARNING,
            assumed=() if known else open_ones,
        )
