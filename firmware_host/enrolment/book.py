"""A tags file as its owner wrote it, and what it says.

An entry that is new goes where the order of the file wants it; one that changes stays in its line. All other
lines stay as they are, and no comment is lost: if the entry before it goes, the comment stays, with the
name of what it was about.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from firmware_host.config.tags import HEADER, Enrolled, Registry, parse_registry
from firmware_host.places import DieFace
from firmware_host.tag_text import format_tag

_ENTRY = re.compile(r"(?P<entry>[^#]*?)(?P<rest>\s*(?:#.*)?)", re.DOTALL)


class Book:
    """The text of a tags file; it never changes, but others can be made of it.

    BadSettings has a line for each fault of the text. An empty text is that of a file that is yet to come.
    """

    __slots__ = ("_line_of", "_lines", "name", "registry")

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self._lines = (text if text.strip() else f"{HEADER}\n").removesuffix("\n").split("\n")
        self.registry: Registry = parse_registry(self.text, name)
        self._line_of = {uid: line - 1 for uid, line in entry_lines(self.text).items()}

    @property
    def text(self) -> str:
        """The file."""
        return "".join(f"{line}\n" for line in self._lines)

    def line_of(self, uid: str) -> int:
        """In which line a tag is, counted from 1."""
        return self._line_of[uid] + 1

    def uid_of(self, item: Enrolled) -> str | None:
        """The tag that stands for this, if there is one."""
        return next((uid for uid, each in self.registry.items() if each == item), None)

    def with_tag(self, uid: str, item: Enrolled) -> Book:
        """The same with this tag for this; what either was with before has no more to do with it."""
        known = self.registry.get(uid)
        if known == item:
            return self
        if known is not None:
            return self.without([known]).with_tag(uid, item)
        old = self.uid_of(item)
        entry = f"{uid},{format_tag(item)}"
        lines = list(self._lines)
        if old is None:
            at = self._place_for(item)
            lines.insert(at, entry + ("\r" if lines[at - 1].endswith("\r") else ""))
        else:
            at = self._line_of[old]
            lines[at] = entry + _rest(lines[at])
        return self._with(lines)

    def without(self, items: Collection[Enrolled]) -> Book:
        """The same without the tags of these."""
        going = {self._line_of[uid]: item for uid, item in self.registry.items() if item in items}
        lines = []
        for number, line in enumerate(self._lines):
            comment = _rest(line).lstrip()
            if number not in going:
                lines.append(line)
            elif comment:
                lines.append(f"# {format_tag(going[number])}: {comment.removeprefix('#').lstrip()}")
        return self._with(lines)

    def _with(self, lines: Sequence[str]) -> Book:
        return Book("".join(f"{line}\n" for line in lines), self.name)

    def _place_for(self, item: Enrolled) -> int:
        """Behind the last line of those that come before it, or else right behind the header."""
        before = [self._line_of[uid] for uid, each in self.registry.items() if _order(each) < _order(item)]
        return max(before, default=self._header) + 1

    @property
    def _header(self) -> int:
        return next(number for number, line in enumerate(self._lines) if _entry(line))


def entry_lines(text: str) -> dict[str, int]:
    """In which line each tag of a text comes first, counted from 1."""
    lines: dict[str, int] = {}
    for line, raw in enumerate(text.split("\n"), start=1):
        if entry := _entry(raw):
            lines.setdefault(entry.partition(",")[0].strip().lower(), line)
    return lines


def _order(item: Enrolled) -> tuple[bool | int, ...]:
    return isinstance(item, DieFace), *item


def _entry(line: str) -> str:
    return line.removeprefix("\ufeff").partition("#")[0].strip()


def _rest(line: str) -> str:
    """What stands behind an entry: blanks and a comment."""
    parts = _ENTRY.fullmatch(line)
    assert parts is not None, "whatever stands there, each part may be empty"
    return parts["rest"]
