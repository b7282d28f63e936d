"""Texts without control characters, so that the name of an event can't control somebody's terminal."""

from __future__ import annotations

import stat
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

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
_LONGEST = 60


def shortened(text: str) -> str:
    """The text, cut where it would fill the screen."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


_SHORT_LIST = 40


def clean(text: str) -> str:
    """A text as part of a line: it is cut if it is long."""
    return in_a_line(shortened(text))


def shown(value: object) -> str:
    """A value as it is written in a file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return repr(shortened(value))
    if isinstance(value, dict):
        return "a section"
    if isinstance(value, list):
        entries = ", ".join(map(shown, value))
        return f"[{entries}]" if len(entries) <= _SHORT_LIST else f"a list of {len(value)}"
    return clean(str(value))


def either(choices: Sequence[str]) -> str:
    """`a, b or c`."""
    return _joined(choices, "or")


def both(things: Sequence[str]) -> str:
    """`a, b and c`."""
    return _joined(things, "and")


def _joined(words: Sequence[str], link: str) -> str:
    *others, last = words
    return f"{', '.join(others)} {link} {last}" if others else last


def nearest(word: object, known: Iterable[str]) -> str | None:
    """The known name that was probably meant; None if none is similar."""
    near = _near(word, known)
    return near[0] if near else None


def only_near(word: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, if only one is similar."""
    near = _near(word, known)
    return near[0] if len(near) == 1 else None


def _near(word: object, known: Iterable[str]) -> list[str]:
    names = {name.lower(): name for name in known}
    near = get_close_matches(word.strip().lower(), names, n=2) if isinstance(word, str) else []
    return [names[each] for each in near]


def because(why: str) -> str:
    """The reason for what is allowed; empty if there is none."""
    return f": {why}" if why else ""


def meant(name: str | None) -> str:
    """The end of a fault that suggests that name; empty without one."""
    return f"; did you mean '{name}'?" if name else ""
