"""The line of each setting in a TOML text.

`tomllib` says what a text means, and whether it is TOML at all, but not where its settings are. So a text
that it has read is scanned once more. That can be short: there are no errors left to find, so it is enough
to distinguish names, texts, brackets and commas.

The path of a setting has the names of the sections and keys that lead to it, and for an entry of a
list its index, counted from 0. So `[banks.left]` and `address = 0x20` below it are
("banks", "left") and ("banks", "left", "address"), and the second pin of a row is ("slots", "red", 1).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from firmware_host.config.fault_words import clean
from firmware_host.errors import TableError
from firmware_host.tag_text import shortened

KeyPath = tuple[str | int, ...]
MOST_DEEP = 16
"""The most names and indexes of a path; no setting has more than three."""
MOST_DIGITS = 100
"""The most digits of a number; no meaningful one has more than six."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5} | "(?:[^"\\]|\\.)*"
    |  \'\'\'(?:[^']|'{1,2}(?!'))*'{3,5} | '[^']*'
    |  \#[^\n]* | [^\s\[\]{},="'#]+ | \S | \n''',
    re.DOTALL | re.VERBOSE,
)
"""A text, a comment, a name or a value without quotes, a mark, or the end of a line."""


class OversizedSetting(TableError):
    """A setting that is too large for any table: its line, and what is too large."""

    def __init__(self, line: int, words: str) -> None:
        self.line = line
        super().__init__(words)


def name_of(path: KeyPath) -> str:
    """A path as people write it, entries of lists counted from 1: `slots.red[2]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            short = shortened(part)
            text += ("." if text else "") + (part if _BARE.fullmatch(short) else repr(short))
    return text


def find_lines(text: str) -> dict[KeyPath, int]:
    """The line of each path in a text that tomllib has read, counted from 1; raises OversizedSetting."""
    finder = _LineFinder(text)
    finder.statements()
    return finder.lines


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """All tokens except comments, each with the line in which it begins."""
    line = 1
    for match in _TOKEN.finditer(text):
        if not match[0].startswith("#"):
            yield match[0], line
        line += match[0].count("\n")


class _LineFinder:
    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._tokens = _tokens(text)
        self._last: dict[KeyPath, int] = {}  # the index of the present entry in each list of sections

    def statements(self) -> None:
        """Scan the whole text."""
        section: KeyPath = ()
        begins = True
        for token, line in self._tokens:
            if token == "\n":
                begins = True
            elif begins:
                begins = False
                if token == "[":
                    section = self._header(line)
                else:
                    self._pair(section, token, line)

    def _header(self, line: int) -> KeyPath:
        """The path of `[name]`, or of one more entry for `[[name]]`."""
        token, _ = next(self._tokens)
        many = token == "["
        *outer, last = self._key("]", "" if many else token)
        path = (*self._follow((), outer, line), last)
        if many:
            self._last[path] = self._last.get(path, -1) + 1
        return self._follow(path[:-1], [last], line)

    def _follow(self, path: KeyPath, names: list[str], line: int) -> KeyPath:
        """The path that names lead to from a path; a list of sections stands for its last entry."""
        for name in names:
            path = self._note((*path, name), line)
            if path in self._last:
                path = self._note((*path, self._last[path]), line)
        return path

    def _pair(self, section: KeyPath, token: str, line: int) -> None:
        path = self._follow(section, self._key("=", token), line)
        self._value(path, *next(self._tokens))

    def _key(self, end: str, token: str) -> list[str]:
        """The names of a key that begins with this token."""
        names: list[str] = []
        while token != end:
            if token.startswith(('"', "'")):
                names.append(tomllib.loads(f"name = {token}")["name"])
            else:
                names += [name for name in token.split(".") if name]
            token, _ = next(self._tokens)
        return names

    def _value(self, path: KeyPath, token: str, line: int) -> None:
        if token in ("[", "{"):
            self._entries(path, "]" if token == "[" else "}")
        elif len(token) > MOST_DIGITS and not token.startswith(('"', "'")):
            words = f"{name_of(path)} is {clean(token)}; allowed: up to {MOST_DIGITS} digits"
            raise OversizedSetting(line, words)

    def _entries(self, path: KeyPath, end: str) -> None:
        """Scan the entries of a list, or the settings of a section in { }."""
        number, begins = 0, True
        while (found := next(self._tokens))[0] != end:
            token, line = found
            if token == ",":
                number, begins = number + 1, True
            elif begins and token != "\n":
                begins = False
                if end == "]":
                    self._value(self._note((*path, number), line), token, line)
                else:
                    self._pair(path, token, line)

    def _note(self, path: KeyPath, line: int) -> KeyPath:
        if len(path) > MOST_DEEP:
            words = f"{name_of(path[:2])} is nested too deeply; allowed: up to {MOST_DEEP} names and brackets"
            raise OversizedSetting(line, words)
        self.lines.setdefault(path, line)
        return path
