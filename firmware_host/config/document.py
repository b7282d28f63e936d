"""A TOML text as a value: what it says, and where."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from firmware_host.config.lines import Lines
from firmware_host.config.scan import Scan, find_lines, scanned
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
    slips: Sequence[Slip] = ()
    """What in it is no TOML; the rest was read without that."""


def parse_document(text: str, name: str, known: Collection[str] = ()) -> Document:
    """What a TOML text says, but for what in it is no TOML; BadSettings if nothing can be made of it.

    `known` are names of settings, one of which may be meant by what is no name at all.
    """
    text = text.removeprefix("\ufeff")
    scan = scanned(text, known)
    if scan.slips:
        return _without_slips(text, name, scan)
    try:
        return Document(name, tomllib.loads(text), Lines(scan.lines))
    except ValueError as error:
        line, words = _seen_by_tomllib(text, error)
        raise BadSettings([f"{name}:{line}: {words}"]) from None


def _without_slips(text: str, name: str, scan: Scan) -> Document:
    """What can be read of a text that is no TOML."""
    try:
        rest = scan.without_slips(text)
        return Document(name, tomllib.loads(rest), find_lines(rest), scan.slips)
    except (ValueError, Slip):
        raise BadSettings([f"{name}:{slip.line}: {slip.words}" for slip in scan.slips]) from None


def _seen_by_tomllib(text: str, error: Exception) -> tuple[int, str]:
    """Where a text is no TOML, and why, if only the reader itself can tell."""
    message = str(error)
    position = _POSITION.search(message)
    line = int(position["line"]) if position and position["line"] else len(text.rstrip().splitlines()) or 1
    reason = _POSITION.sub("", message)
    return line, _PLAINER.get(reason) or f"this is no TOML: {clean(reason)}"
