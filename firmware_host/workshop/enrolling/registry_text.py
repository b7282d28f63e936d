"""The text of a registry of tags. Edits keep the lines and comments of its owner.

A new entry goes to its place in the order, and a changed one stays in its line. No other line changes.
When an entry is removed, its comment stays, with the name of the card or face that it was about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from firmware_host.model.errors import BadSettings
from firmware_host.model.places import DieFace, format_tag
from firmware_host.profile.tags import HEADER, Enrolled, Registry, parse_registry


class RegistryText:
    """An immutable text and its registry; BadSettings has a line for each fault.

    An empty text stands for a file that does not exist yet.
    """

    __slots__ = ("_line_of", "_lines", "name", "registry")

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self._lines = (text if text.strip() else HEADER).removesuffix("\n").split("\n")
        self.registry: Registry = parse_registry(self.text, name)
        self._line_of = entry_lines(self.text)

    @property
    def text(self) -> str:
        """The whole file."""
        return "".join(f"{line}\n" for line in self._lines)

    def line_of(self, uid: str) -> int:
        """The line of a tag, counted from 1."""
        return self._line_of[uid]

    def uid_of(self, item: Enrolled) -> str | None:
        """The tag of this card or face, if it has one."""
        return next((uid for uid, each in self.registry.items() if each == item), None)

    def with_tag(self, uid: str, item: Enrolled) -> RegistryText:
        """The text in which this tag stands for this item, and both for no other."""
        known, old = self.registry.get(uid), self.uid_of(item)
        if known == item:
            return self
        if known is not None:
            return self.without([known]).with_tag(uid, item)
        entry, lines = f"{uid},{format_tag(item)}", list(self._lines)
        if old is not None:
            at = self._line_of[old] - 1
            lines[at] = entry + _comment(lines[at])
        else:
            before = [each for each, other in self.registry.items() if _order(other) < _order(item)]
            at = max(self._line_of[each] for each in ("uid", *before))  # the header begins with "uid"
            lines.insert(at, entry + ("\r" if lines[at - 1].endswith("\r") else ""))
        return self._with(lines)

    def without(self, items: Collection[Enrolled]) -> RegistryText:
        """The text without the tags of these items."""
        removed = {self._line_of[uid]: item for uid, item in self.registry.items() if item in items}
        lines = []
        for number, line in enumerate(self._lines, start=1):
            comment = _comment(line).lstrip()
            if number not in removed:
                lines.append(line)
            elif comment:
                lines.append(f"# {format_tag(removed[number])}: {comment.removeprefix('#').lstrip()}")
        return self._with(lines)

    def merged(self, other: RegistryText) -> RegistryText:
        """The text with the tags of the other one added; BadSettings names every line that contradicts it."""
        faults = []
        for uid, item in other.registry.items():
            where = f"{other.name}:{other.line_of(uid)}"
            known, taken = self.registry.get(uid), self.uid_of(item)
            if known not in (None, item):
                ours = f"'{format_tag(known)}' in {self.name}:{self.line_of(uid)}"
                faults.append(f"{where}: {uid} is '{format_tag(item)}' here, but {ours}")
            elif taken not in (None, uid):
                ours = f"{taken} in {self.name}:{self.line_of(taken)}"
                faults.append(f"{where}: '{format_tag(item)}' is {uid} here, but {ours}")
        if faults:
            raise BadSettings(faults)
        both = self
        for uid, item in other.registry.items():
            both = both.with_tag(uid, item)
        return both

    def _with(self, lines: Iterable[str]) -> RegistryText:
        return RegistryText("".join(f"{line}\n" for line in lines), self.name)


def entry_lines(text: str) -> dict[str, int]:
    """The line in which each tag of a text comes first, counted from 1; also that of the header, as `uid`."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if uid := line.partition("#")[0].partition(",")[0].strip().lower():
            lines.setdefault(uid, number)
    return lines


def changes(before: Registry, after: Registry) -> str:
    """How many cards and faces have got, changed, lost and kept their tag."""
    old = {item: uid for uid, item in before.items()}
    new = {item: uid for uid, item in after.items()}
    both = old.keys() & new.keys()
    same = sum(old[item] == new[item] for item in both)
    gone = len(old) - len(both)
    return f"{len(new) - len(both)} new, {len(both) - same} changed, {gone} gone, {same} as before"


def _order(item: Enrolled) -> tuple[bool | int, ...]:
    return isinstance(item, DieFace), *item


def _comment(line: str) -> str:
    """The text after an entry: spaces and a comment."""
    return line[len(line.partition("#")[0].rstrip()) :]
