"""Texts without control characters, so that the name of an event can't control somebody's terminal."""

from __future__ import annotations

import stat
import unicodedata
from collections.abc import Iterator

from firmware_host.model.errors import MalformedText


def _obeyed() -> Iterator[int]:
    """All characters that a terminal takes for a command, or that turn the direction of the text."""
    yield from (code for code in range(0x20) if chr(code) not in "\t\n")
    yield from range(0x7F, 0xA0)  # DEL, and the commands of 8 bits
    yield from (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x2070))
    yield from (0xFEFF, *range(0xFFF9, 0xFFFC))
    yield from range(0xD800, 0xE000)  # bytes that were no text when they were read


_ESCAPES = {code: f"\\u{code:04x}" for code in _obeyed()}


def visible(text: str) -> str:
    """The text with a JSON escape for each such character; line ends and tabs stay."""
    return text.translate(_ESCAPES)


def in_a_line(text: str) -> str:
    """The text with an escape for each character that would be invisible, or would begin another line."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


MOST_DIGITS = 9


def whole_number(text: str) -> int | None:
    """The number in a text; None if it is not a number, or is absurdly long."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return None
    return int(text)


# A player's name: the text as it is kept, and when two texts are the same name.
#
# People type names on phones, and anybody may type one. So a name is one short line in which everything can
# be seen: nothing invisible, nothing that turns the text around, no tower of accents.


LONGEST_NAME = 20
"""As many letters as the narrowest scoreboard has in a line."""
_MOST_ACCENTS = 2
"""More marks on one letter are not a name in any language."""
_EMOJI_STYLES = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Keyboards put these after an emoji; they can't be seen."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""They count as printable, and nothing is to be seen of them."""
_MARK = "M"


def checked_name(text: str) -> str:
    """The name as it is kept; MalformedText says what is wrong with it."""
    words = " ".join(text.split())
    name = unicodedata.normalize("NFC", "".join(letter for letter in words if letter not in _EMOJI_STYLES))
    if not name:
        raise MalformedText("the name is missing")
    if len(name) > LONGEST_NAME:
        raise MalformedText(f"a name has up to {LONGEST_NAME} letters, and this one has {len(name)}")
    if not name.isprintable() or _BLANK & set(name) or _is_heaped(name):
        raise MalformedText("a name has only letters and signs that can be seen")
    if name.isdecimal():
        raise MalformedText("a name is more than a number")
    return name


def name_key(name: str) -> str:
    """The same text for names that people take for the same one: Anna, ANNA."""
    return unicodedata.normalize("NFKC", name).casefold()


def _is_heaped(name: str) -> bool:
    """Whether there are marks without a letter, or too many on one."""
    marks = _MOST_ACCENTS
    for letter in name:
        marks = marks + 1 if unicodedata.category(letter).startswith(_MARK) else 0
        if marks > _MOST_ACCENTS:
            return True
    return False


KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
