"""A TOML text as a value: the settings and their lines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firmware_host.model.errors import BadSettings, TableError
from firmware_host.model.plain_text import clean, meant, nearest, shortened

# The line of each setting in a TOML text.
#
# `tomllib` says what a text means, and whether it is TOML at all, but not where its settings are. So a text
# that it has read is scanned once more. That can be short: there are no errors left to find, so it is enough
# to distinguish names, texts, brackets and commas.
#
# The path of a setting has the names of the sections and keys that lead to it, and for an entry of a
# list its index, counted from 0. So `[banks.left]` and `address = 0x20` below it are
# ("banks", "left") and ("banks", "left", "address"), and the second pin of a row is ("slots", "red", 1).


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


_POSITION = re.compile(r" \(at (?:line (?P<line>[0-9]+), column [0-9]+|end of document)\)")
_NO_QUOTES = re.compile(
    r"""(?P<name>[\w.-]{1,40}[ ]{0,9}=[ ]{0,9})(?!0[0-9])(?P<value>[^\s"'\[{#=][^"'#=]{0,60}?)\s*(?:\#|$)"""
)
_CURLY = "“”„‘’«»"
_NO_VALUE = "expected a text in quotes, a number, or a list in [ ]"
_NO_NAME = "expected NAME = VALUE, with a name of a-z, 0-9 and -"
_TWICE = "it is there a second time"
_PLAINER = {
    "Invalid value": _NO_VALUE,
    "Expected newline or end of document": _NO_VALUE,
    "Expected '='": _NO_NAME,
    "Invalid statement": _NO_NAME,
    "Invalid initial character for a key part": "expected a name; { and } have to be in one line, "
    "with NAME = VALUE between them and no comma at the end",
    "Expected ']'": "expected a name in [ ], as in [timing]",
    "Unclosed array": "expected a comma, or ] after the last entry of a list",
    "Unclosed inline table": "expected a comma, or } in the same line",
    "Cannot overwrite a value": _TWICE,
    "Cannot declare": _TWICE,
    "Duplicate inline table key": _TWICE,
    "Illegal character '\\n'": "the quote at the end of a text is missing",
    "Unescaped '\\' in a string": "write \\\\ for \\, or put the text in ' instead of \"",
}
"""The messages of tomllib, by how they begin, in words for people who don't know TOML."""


class Document(NamedTuple):
    """The settings of one file; its name is for the messages."""

    name: str
    data: dict[str, Any]
    lines: dict[KeyPath, int]

    def line_near(self, path: KeyPath) -> int:
        """The line of a path, or of the closest section around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def renamed(self, old: str, new: str) -> Document:
        """The same with a new name for a section; if both names are there, without the old one."""
        data = {name: value for name, value in self.data.items() if name != old}
        if old not in self.data or new in self.data:
            return self._replace(data=data)
        lines = {(new, *path[1:]) if path[0] == old else path: line for path, line in self.lines.items()}
        return self._replace(data={**data, new: self.data[old]}, lines=lines)


def parse_document(text: str, name: str) -> Document:
    """The document of a TOML text; BadSettings has the first thing that is not TOML, or is too large."""
    text = text.removeprefix("\ufeff")
    try:
        data = tomllib.loads(f"{text}\n")
        return Document(name, data, find_lines(text))
    except tomllib.TOMLDecodeError as error:
        fault = _syntax_error(text, str(error))
    except OversizedSetting as oversized:
        fault = f":{oversized.line}: {oversized}"
    except RecursionError:
        fault = f": lists are nested too deeply; allowed: up to {MOST_DEEP} brackets"
    except ValueError:  # only a number with thousands of digits, and tomllib does not say where
        fault = f": a number is too long; allowed: up to {MOST_DIGITS} digits"
    raise BadSettings([f"{name}{fault}"])


def _syntax_error(text: str, message: str) -> str:
    """The line where a text is not TOML, and what is wrong. An error at the end may be due to any line."""
    reason = _POSITION.sub("", message)
    plain = next((words for start, words in _PLAINER.items() if reason.startswith(start)), clean(reason))
    position = _POSITION.search(message)
    if not position or not position["line"]:
        return f": syntax error at the end of the file: {plain}"
    line = text.split("\n")[int(position["line"]) - 1].strip()
    if line.startswith("[") and plain == _NO_VALUE:
        plain += "; or a list further up has no ]"
    bare = _NO_QUOTES.match(line) if plain == _NO_VALUE else None
    near = meant(f'{bare["name"]}"{bare["value"].strip(_CURLY)}"') if bare else ""
    return f":{position['line']}: syntax error in '{clean(line)}': {plain}{near}"


@dataclass(frozen=True, slots=True)
class FileSetting:
    """A setting in a file; its value is None if it is missing."""

    path: KeyPath
    value: Any = None
    muted: bool = False  # the reason why it is missing has been reported

    def __str__(self) -> str:
        return name_of(self.path)

    @property
    def name(self) -> str:
        """Its own name, without the names of the sections around it."""
        return str(self.path[-1])

    @property
    def entries(self) -> list[FileSetting]:
        """The entries of a list."""
        return [FileSetting((*self.path, number), value) for number, value in enumerate(self.value)]


class Section(Mapping[str, FileSetting]):
    """The settings of a section by their right names; a missing one can be asked for, too."""

    def __init__(self, path: KeyPath, found: Mapping[str, FileSetting], *, muted: bool = False) -> None:
        self.path = path
        self._found = dict(found)
        self.muted = muted
        """Whether it can't be read, and that has been reported."""

    @property
    def whole(self) -> FileSetting:
        """The section as a setting, for faults of the whole section."""
        return FileSetting(self.path, dict(self._found), self.muted)

    def __getitem__(self, name: str) -> FileSetting:
        return self._found.get(name) or FileSetting((*self.path, name), None, self.muted)

    def __contains__(self, name: object) -> bool:
        return name in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


# The settings that a kind of file may have, and those of a file that are in the wrong section.
#
# In TOML a setting belongs to the header above it. So a setting below a wrong header, or one that
# has lost its header, is unknown where it is. Its name shows where it should be.


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The names of settings: those above all sections, and those within each.

    `banks.*` stands for each of the sections in [banks], `build.board` for one of those in [build].
    Only the settings in `lists` are lists.
    """

    top: Collection[str]
    inner: Mapping[str, Collection[str]]
    lists: Collection[str] = field(default=())

    def knows(self, setting: FileSetting) -> bool:
        """Whether a setting is known where it is."""
        if len(setting.path) == 1:
            return setting.name in self.top
        section, *deeper = map(str, setting.path[:-1])
        names = self.inner.get(f"{section}.*" if deeper else section)
        if names is not None:
            return setting.name in names
        if not deeper and section not in self.top and nearest(section, self.top) is None:
            return False  # nothing in there is read
        return isinstance(setting.value, dict) or f"{section}.*" not in self.inner

    def homes(self, setting: FileSetting, data: Mapping[str, Any]) -> list[str]:
        """The kinds of sections that know a setting and lack it; an empty name is for above all sections."""
        name, value = setting.name, setting.value
        if isinstance(value, dict):
            kinds = [kind for kind, names in self.inner.items() if value and set(value) <= set(names)]
            found = [kind.removesuffix(".*") for kind in kinds if kind.endswith(".*")]
        else:
            kinds = [kind for kind, names in self.inner.items() if name in names]
            found = [kind for kind in kinds if isinstance(value, list) == (kind in self.lists)]
            found.sort(key=lambda kind: kind.endswith(".*"))
            if name in self.top and name not in data:
                found.insert(0, "")
        return [section for section in found if not _has(data, section, name)]


def _has(data: Mapping[str, Any], section: str, name: str) -> bool:
    inside: Any = data
    for part in section.split("."):
        inside = inside.get(part) if isinstance(inside, dict) else None
    return isinstance(inside, dict) and name in inside


class Misplaced(NamedTuple):
    """Settings that are together in a wrong place; `home` is the right one, such as `banks.*`."""

    settings: list[FileSetting]
    home: str


def find_misplaced(data: Mapping[str, Any], layout: Layout) -> Iterator[Misplaced]:
    """All settings of a file that are unknown where they are, and known elsewhere."""
    moved: set[KeyPath] = set()
    for path, section in _sections((), data):
        if path in moved:
            continue  # with everything in it
        here = [FileSetting((*path, name), value) for name, value in section.items()]
        strange = [(each, layout.homes(each, data)) for each in here if not layout.knows(each)]
        while homes := [home for _, its in strange for home in its if len(strange) > 1 or "*" not in home]:
            home = max(homes, key=homes.count)  # where most of them belong: their header is missing
            misplaced = Misplaced([each for each, its in strange if home in its], home)
            moved |= {each.path for each in misplaced.settings}
            yield misplaced
            strange = [(each, its) for each, its in strange if home not in its]


def _sections(path: KeyPath, section: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    yield path, section
    for name, value in section.items():
        if isinstance(value, dict):
            yield from _sections((*path, name), value)
