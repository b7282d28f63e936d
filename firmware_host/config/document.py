"""A TOML text as a value: the settings and their lines."""

from __future__ import annotations

import re
import tomllib
from typing import Any, NamedTuple

from firmware_host.config.fault_words import clean, meant
from firmware_host.config.setting_lines import (
    MOST_DEEP,
    MOST_DIGITS,
    KeyPath,
    OversizedSetting,
    find_lines,
)
from firmware_host.errors import BadSettings

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
