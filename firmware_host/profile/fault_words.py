"""The words of faults: what was found, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from firmware_host.model.places import shortened
from firmware_host.model.plain_text import in_a_line

_SHORT_LIST = 40


def clean(text: str) -> str:
    """A text as part of a line: it is cut if it is long."""
    return in_a_line(shortened(text))


def shown(value: object) -> str:
    """A value as it is written in a file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return repr(shortened(value))
    if isinstance(value, dict):
        return "a section"
    if isinstance(value, list):
        entries = ", ".join(map(shown, value))
        return f"[{entries}]" if len(entries) <= _SHORT_LIST else f"a list of {len(value)}"
    return clean(str(value))


def either(choices: Sequence[str]) -> str:
    """`a, b or c`."""
    return _joined(choices, "or")


def both(things: Sequence[str]) -> str:
    """`a, b and c`."""
    return _joined(things, "and")


def _joined(words: Sequence[str], link: str) -> str:
    *others, last = words
    return f"{', '.join(others)} {link} {last}" if others else last


def nearest(word: object, known: Iterable[str]) -> str | None:
    """The known name that was probably meant; None if none is similar."""
    near = _near(word, known)
    return near[0] if near else None


def only_near(word: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, if only one is similar."""
    near = _near(word, known)
    return near[0] if len(near) == 1 else None


def _near(word: object, known: Iterable[str]) -> list[str]:
    names = {name.lower(): name for name in known}
    near = get_close_matches(word.strip().lower(), names, n=2) if isinstance(word, str) else []
    return [names[each] for each in near]


def because(why: str) -> str:
    """The reason for what is allowed; empty if there is none."""
    return f": {why}" if why else ""


def meant(name: str | None) -> str:
    """The end of a fault that suggests that name; empty without one."""
    return f"; did you mean '{name}'?" if name else ""
