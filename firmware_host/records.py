"""Dataclasses made from the plain values of a file, which may be anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from firmware_host.errors import MalformedText
from firmware_host.tag_text import shortened

T = TypeVar("T")
MOST = 2**63 - 1
"""The greatest whole number that a store can hold."""


def from_record(kind: type[T], record: Mapping[str, Any]) -> T:
    """A dataclass with these values in its fields; MalformedText names a field that can't have its value."""
    hashable: Any = kind
    tests, needed = _fields(hashable)
    for name, value in record.items():
        if name not in tests:
            raise MalformedText(f"'{shortened(name)}' is unknown")
        if not tests[name](value):
            raise MalformedText(f"{name} can't be {shortened(repr(value))}")
    missing = needed - record.keys()
    if missing:
        raise MalformedText(f"{min(missing)} is missing")
    return kind(**record)


@cache
def _fields(kind: Any) -> tuple[dict[str, Callable[[Any], bool]], frozenset[str]]:
    """The test for each field, and the fields without a default."""
    hints = get_type_hints(kind)
    needed = {each.name for each in fields(kind) if each.default is MISSING}
    return {name: _test(hint) for name, hint in hints.items()}, frozenset(needed)


def _test(hint: Any) -> Callable[[Any], bool]:
    """The test whether a value is of that type; True is not a number here."""
    if hint is int:
        return lambda value: type(value) is int and -MOST <= value <= MOST
    origin = get_origin(hint)
    if origin is UnionType:
        tests = [_test(each) for each in get_args(hint)]
        return lambda value: any(test(value) for test in tests)
    if origin in (tuple, frozenset):
        test = _test(get_args(hint)[0])
        return lambda value: isinstance(value, origin) and all(map(test, value))
    if hint is NoneType:
        return lambda value: value is None
    return lambda value: isinstance(value, hint)
