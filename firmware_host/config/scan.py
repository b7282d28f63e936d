"""Goes through a TOML text: where everything stands in it, and every slip.

A slip must not hide those below it. So after one it goes on where the next statement seems to begin, and
keeps quiet of what may only be its consequence: the rest of a list that was never closed, settings that
are there again since the header between them is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from firmware_host.config.lines import KeyPath, Lines, name_of
from firmware_host.config.tape import Slip, Tape
from firmware_host.config.words import meant, nearest

MOST_SLIPS = 10
"""After so many it is hardly meant to be TOML."""
MOST_DEEP = 16
"""So many lists and inline sections can be in each other; no setting needs more than two."""
_HALF_A_HEADER = re.compile(r".?\[*[^=[\n#]*\][ \t]*(?:#|\n|\Z)")
_HEADER_LINE = re.compile(r"[ \t]*\[")
_STATEMENT_LINE = re.compile(r"""[ \t]*(?:(?:[A-Za-z0-9_.-]+|"[^"\n]*"|'[^'\n]*')[ \t]*[=:]|\[+[A-Za-z_])""")
_LIKE_A_NAME = re.compile(r"""([^"':=\[\]{},]+?)[ \t]*=""")
"""What seems to be meant as a name, and can't be read as one."""


def find_lines(text: str) -> Lines:
    """Where everything stands in a TOML text; Slip says where it is none, if that can be seen."""
    scan = scanned(text)
    if scan.slips:
        raise scan.slips[0]
    return Lines(scan.lines)


def scanned(text: str, known: Collection[str] = ()) -> Scan:
    """A text that was gone through; `known` are names of settings, for slips in names."""
    scan = Scan(Tape(text), known)
    scan.statements()
    return scan


class Scan:
    """Goes through a text once and notes the line of whatever gets a name there, and all slips."""

    def __init__(self, tape: Tape, known: Collection[str]) -> None:
        self.lines: dict[KeyPath, int] = {}
        self.slips: list[Slip] = []
        self._spoilt: list[range] = []
        self._tape = tape
        self._known = known
        self._said: set[KeyPath] = set()
        self._lengths: dict[KeyPath, int] = {}
        self._reading: KeyPath | None = None
        self._unread: set[KeyPath] = set()
        self._headless = False
        self._depth = 0
        """In so many lists and inline sections is what is being read."""
        self._rest_line = 0

    def statements(self) -> None:
        """Go through all of it."""
        section: KeyPath = ()
        while self._tape.more() and len(self.slips) < MOST_SLIPS:
            line, said = self._tape.line, len(self._said)
            below = self._tape.sees("[") or self._tape.looks_like(_HALF_A_HEADER)
            try:
                section = self._statement(section)
            except Slip as slip:
                again = self._reading is not None and len(self._said) == said
                if not self._follows(line, again):
                    self.slips.append(slip)
                self._headless = self._headless or (again and bool(section))
                if self._reading is not None and not again:
                    self._unread.add(self._reading)
                self._recover(line, below)

    def _statement(self, section: KeyPath) -> KeyPath:
        """One setting, or a header; the section after it."""
        self._reading = None
        if not self._tape.sees("["):
            self._setting(section)
            return section
        self._headless = False
        return self._header()

    def _follows(self, line: int, again: bool) -> bool:
        """Whether a slip comes of one that has been told.

        A setting is there `again` where a header is lost, or where the first one can't be read; and what
        comes after one that is open may be its rest.
        """
        if again:
            return self._headless or self._reading in self._unread
        return line == self._rest_line

    def without_slips(self, text: str) -> str:
        """The text with empty lines for whatever can't be read."""
        lines = text.replace("\r\n", "\n").split("\n")
        for spoilt in self._spoilt:
            for line in spoilt:
                lines[line - 1] = ""
        return "\n".join(lines)

    def _recover(self, line: int, below: bool) -> None:
        """Go to where the next statement seems to begin; if all `below` is lost, to the next header."""
        tape, begins = self._tape, _HEADER_LINE if below else _STATEMENT_LINE
        if tape.line == line or not tape.sees_line(begins):
            tape.go_on(at=begins)
        self._rest_line = tape.line if self._depth else 0
        self._depth = 0
        self._spoilt.append(range(line, tape.line if tape.more() else tape.line + 1))

    # -- headers

    def _header(self) -> KeyPath:
        tape, line, whole = self._tape, self._tape.line, self._tape.rest()
        ends = "]]" if tape.took("[[") else "]"
        if ends == "]":
            tape.took("[")
        key = tape.key()
        if not key or not tape.took(ends):
            raise Slip(line, f"'{whole}' is no section; allowed: a name in [ ], as in [windows]")
        tape.end_of_line(f"the section [{name_of(key)}]")
        return self._section(key, line) if ends == "]" else self._next_of_many(key, line)

    def _section(self, key: KeyPath, line: int) -> KeyPath:
        path = self._inside(key[:-1], line) + key[-1:]
        self._note(path, line, f"[{name_of(path)}]")
        return path

    def _next_of_many(self, key: KeyPath, line: int) -> KeyPath:
        """`[[key]]` is one more entry of a list of sections."""
        path = self._inside(key[:-1], line) + key[-1:]
        number = self._lengths.get(path, 0)
        if number == 0:
            self._note(path, line, f"[{name_of(path)}]")
        self._lengths[path] = number + 1
        self.lines[*path, number] = line
        return (*path, number)

    def _inside(self, key: KeyPath, line: int) -> KeyPath:
        """The path that a header's key leads to: where there are many of a name, their last is meant."""
        path: KeyPath = ()
        for name in key:
            path = (*path, name)
            self.lines.setdefault(path, line)
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
        return path

    # -- settings and their values

    def _setting(self, section: KeyPath) -> None:
        path = self._pair(section, "NAME = VALUE, or [SECTION]")
        self._tape.end_of_line(name_of(path))

    def _pair(self, section: KeyPath, allowed: str) -> KeyPath:
        """A key and its value."""
        tape, line, whole = self._tape, self._tape.line, self._tape.rest()
        key = tape.key()
        if not key or not tape.took("="):
            raise Slip(line, self._no_setting(whole, allowed))
        for end in range(1, len(key)):
            self.lines.setdefault(section + key[:end], line)
        path = section + key
        self._reading = self._reading or path
        self._note(path, line, name_of(path))
        self._value(path)
        return path

    def _no_setting(self, whole: str, allowed: str) -> str:
        """What is wrong with something that has no key: its name, or all of it."""
        like = _LIKE_A_NAME.match(whole)
        if like is None:
            return f"'{whole}' is no setting; allowed: {allowed}"
        near = nearest(like[1].rpartition(".")[2], self._known)
        return f"'{like[1]}' is no name; allowed: a-z, 0-9 and -{meant(near)}"

    def _value(self, path: KeyPath) -> None:
        self._tape.blanks()
        self._depth += self._tape.sees("\n")  # it may be in the next line, where it can't be read
        if self._tape.took("["):
            self._list(path)
        elif self._tape.took("{"):
            self._inline(path)
        else:
            self._tape.scalar(name_of(path))

    def _list(self, path: KeyPath) -> None:
        for number in self._entries(path, "]"):
            self.lines[*path, number] = self._tape.line
            self._value((*path, number))

    def _inline(self, path: KeyPath) -> None:
        for _ in self._entries(path, "}"):
            self._pair(path, "NAME = VALUE between { and }")

    def _entries(self, path: KeyPath, end: str) -> Iterator[int]:
        """Count the entries of a list or an inline section; each is read when it has been counted."""
        tape, opened = self._tape, self._tape.line
        self._depth += 1
        if self._depth > MOST_DEEP:
            whole = name_of(self._reading or path)
            raise Slip(
                opened, f"{whole} is nested too deeply; allowed: up to {MOST_DEEP} [ or {{ in each other"
            )
        number = -1
        while not (tape.more() and tape.took(end)):
            self._check_open(path, end, opened, at_entry=True)
            number += 1
            yield number
            if tape.more() and tape.took(","):
                continue
            self._check_open(path, end, opened, at_entry=False)
            if not tape.sees(end):
                follows = f"'{tape.rest()}' follows an entry of {name_of(path)}"
                raise Slip(tape.line, f"{follows}; allowed: a comma before it")
        self._depth -= 1

    def _check_open(self, path: KeyPath, end: str, opened: int, *, at_entry: bool) -> None:
        """Slip if it was never closed: the text is over, or something else begins in a line below."""
        tape = self._tape
        other = tape.line > opened and tape.sees_statement() and not (end == "}" and at_entry)
        if other or not tape.more():
            raise Slip(opened, f"{name_of(path)} has no end; allowed: {end} after its last entry")

    def _note(self, path: KeyPath, line: int, what: str) -> None:
        if path in self._said:
            raise Slip(
                line, f"{what} is there a second time, first in line {self.lines[path]}; allowed: once"
            )
        self._said.add(path)
        self.lines.setdefault(path, line)
