"""Reading settings on after a fault, so that all faults are told at once."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class FaultyReader:
    """Takes values out of a TOML document and keeps a message for each that can't be right."""

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        self.faults: list[str] = []
        self.data = data
        self._name = name

    def fault(self, key: str, found: object, allowed: str) -> None:
        """Keep one message."""
        seen = f"is {found!r}" if found is not None else "is missing"
        self.faults.append(f"{self._name}: {key} {seen}; allowed: {allowed}")

    def say(self, message: str) -> None:
        """Keep a message of its own form."""
        self.faults.append(f"{self._name}: {message}")

    def section(self, name: str, known: Iterable[str] | None = None) -> dict[str, Any]:
        """A section, empty if it is not there; `known` are the keys that it may have."""
        where: dict[str, Any] = self.data
        for part in name.split("."):
            inner = where.get(part, {})
            if not isinstance(inner, dict):
                self.fault(name, inner, f"a section [{name}]")
                return {}
            where = inner
        if known is not None:
            self.check_keys(name, where, tuple(known))
        return where

    def check_keys(self, section: str, keys: Iterable[str], known: tuple[str, ...]) -> None:
        for key in keys:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"
                self.say(
                    f"'{section}.{key}' is unknown; {hint}" if section else f"'{key}' is unknown; {hint}"
                )

    def text(self, key: str, value: object, default: str | None = None) -> str:
        if value is None and default is not None:
            return default
        if isinstance(value, str) and value:
            return value
        self.fault(key, value, "a text")
        return ""

    def one_of(self, key: str, value: object, allowed: tuple[str, ...]) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        self.fault(key, value, " or ".join(allowed))
        return ""

    def number(
        self, key: str, value: object, least: int, most: int, *, form: str = "{}", why: str = ""
    ) -> int:
        """A number of that range; -1 if it is none. `why` says what the range comes from."""
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        span = f"a number from {form.format(least)} to {form.format(most)}"
        because = f": {why}" if why else ""
        self.fault(key, value, (span if least < most else f"only {least}") + because)
        return -1
