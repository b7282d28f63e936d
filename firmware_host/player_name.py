"""A player's name: the text as it is kept, and when two texts are the same name.

People type names on phones, and anybody may type one. So a name is one short line in which everything can be
seen: nothing invisible, nothing that turns the text around, no tower of accents.
"""

from __future__ import annotations

import unicodedata

from firmware_host.errors import MalformedText

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
