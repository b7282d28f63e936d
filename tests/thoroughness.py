"""How much the tests try: a few examples with each change, many before a release (`make test-long`)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

T = TypeVar("T")

_many = False


def try_many() -> None:
    """Let this run try as many examples as a release asks for; before any test is collected."""
    global _many
    _many = True


def tries(few: int, many: int) -> int:
    """How many of them this run tries."""
    return many if _many else few


def some(few: int, cases: Iterable[T]) -> list[T | ParameterSet]:
    """The cases of a parametrised test: so many of them each time, evenly chosen; all with `--long`."""
    every = list(cases)
    chosen = {n * len(every) // few for n in range(few)}
    return [case if n in chosen else _only_long(case) for n, case in enumerate(every)]


def one_of_each(kind: Callable[[Any], Hashable], cases: Iterable[T]) -> list[T | ParameterSet]:
    """The cases of a parametrised test: the first of each kind each time; all with `--long`."""
    every = list(cases)
    kinds = [kind(case) for case in every]
    return [_only_long(case) if kinds[n] in kinds[:n] else case for n, case in enumerate(every)]


def _only_long(case: object) -> ParameterSet:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
