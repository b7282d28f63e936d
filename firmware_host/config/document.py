"""A TOML text as a value: what it says, and where."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from typing import Any, NamedTuple

from firmware_host.config.lines import Lines, find_lines
from firmware_host.config.tape import Slip
from firmware_host.config.words import clean
from firmware_host.errors import BadSettings

_POSITION = re.compile(r" \(at (?:line (?P<line>[0-9]+), column [0-9]+|end of document)\)")
_PLAINER = {
    "Unescaped '\\' in a string": "a text has a single \\; allowed: \\\\, or the text in ' instead of \"",
    "Invalid initial character for a key part": "a name is missing; allowed: { and } in one line, "
    "with NAME = VALUE between them and no comma at the end",
}


class Document(NamedTuple):
    """The settings of one file; faults call it by its name."""

    name: str
    data: dict[str, Any]
    lines: Lines


def parse_document(text: str, name: str, known: Collection[str] = ()) -> Document:
    """What a TOML text says; BadSettings has the line of the first thing in it that is no TOML.

    `known` are names of settings, one of which may be meant by what is no name at all.
    """
    text = text.removeprefix("\ufeff")
    try:
        return Document(name, tomllib.loads(text), find_lines(text))
    except (ValueError, RecursionError) as error:
        line, words = _slip(text, error, known)
        raise BadSettings([f"{name}:{line}: {words}"]) from None


def _slip(text: str, error: Exception, known: Collection[str]) -> tuple[int, str]:
    """Where a text is no TOML, and why."""
    try:
        find_lines(text, known)
    except Slip as slip:
        return slip.line, slip.words
    except RecursionError:
        return 1, "lists are too deep in each other"
    message = str(error)
    position = _POSITION.search(message)
    if position is None:
        return 1, f"this is no TOML: {clean(message)}"
    line = int(position["line"] or len(text.rstrip().splitlines()))
    reason = message[: position.start()]
    return line, _PLAINER.get(reason) or f"this is no TOML: {reason}"
