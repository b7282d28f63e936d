"""Letters for displays that know only some of them: one column stays one column."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

_SPECIAL = str.maketrans("ßẞ¡¿’‘“”«»–—œŒæÆøØ▲●■◆", 'sS!?\'\'""""--oOaAoO^o#*')

Cells = tuple[bytes, ...]
"""The bytes of a line, column by column."""


def to_ascii(text: str) -> str:
    """The text with every letter replaced by the nearest of ASCII, `?` where there is none."""
    if text.isascii() and text.isprintable():
        return text
    plain = []
    for letter in unicodedata.normalize("NFC", text).translate(_SPECIAL):
        base = unicodedata.normalize("NFKD", letter)[0]
        plain.append(base if " " <= base <= "~" else "?")
    return "".join(plain)


@dataclass(frozen=True)
class Charset:
    """What one kind of display can show: ASCII, and the letters that have a code there.

    `instead` has what to show for a letter of ASCII that the display lacks.
    """

    name: str
    codes: Mapping[str, bytes] = field(default_factory=dict)
    instead: Mapping[str, str] = field(default_factory=dict)

    def spell(self, text: str) -> str:
        """The text as a person reads it on the display."""
        return "".join(map(self._spell, unicodedata.normalize("NFC", text)))

    def encode(self, text: str) -> Cells:
        """The bytes of each column."""
        return tuple(self.codes.get(letter) or letter.encode("ascii") for letter in self.spell(text))

    def _spell(self, letter: str) -> str:
        if letter in self.codes:
            return letter
        plain = to_ascii(letter)
        return self.instead.get(plain, plain)


_WANTED = "".join(letter for letter in map(chr, range(0xA1, 0x100)) if letter.isprintable()) + "œŒŸ▲●■◆"
"""The letters of the six languages and more, all one column wide."""


def _of_codec(name: str, codec: str) -> Charset:
    """The wanted letters that this codec has, except for codes that a display would take for commands."""
    codes = {letter: letter.encode(codec, "ignore") for letter in _WANTED}
    return Charset(name, {letter: code for letter, code in codes.items() if code and min(code) >= 0x80})


def for_terminals(charset: Charset) -> Charset:
    """The charset without the codes that a terminal takes for commands, 80 to 9F.

    Where a letter has several bytes, the terminal knows which are parts of one.
    """
    codes = {letter: code for letter, code in charset.codes.items() if len(code) > 1 or code[0] >= 0xA0}
    return replace(charset, codes=codes)


ASCII = Charset("ascii")
PC437 = _of_codec("pc437", "cp437")
PC850 = _of_codec("pc850", "cp850")
LATIN_1 = _of_codec("latin-1", "latin-1")
UTF_8 = _of_codec("utf-8", "utf-8")

CHARSETS = {charset.name: charset for charset in (ASCII, PC437, PC850, LATIN_1, UTF_8)}


# How a text is spelled for a display that lacks some of its letters.
#
# German has a spelling of its own for that: "Würfel" is "Wuerfel" then, and never "Wurfel". The other
# languages of the table leave the mark out, and so does the display's charset, letter by letter.


IN_TWO: Mapping[str, Mapping[str, str]] = {"de": {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}}
"""The letters that a language may write as two."""


def respelled(text: str, language: str, charset: Charset, columns: int) -> str:
    """The text with those letters in two that its language writes so and the display does not have.

    It stays as it is if it would then be too long for a line.
    """
    if text.isascii():
        return text
    pairs = IN_TWO.get(language, {})
    letters = unicodedata.normalize("NFC", text)
    longer = "".join(
        _in_two(letters, place, pairs[letter.lower()])
        if letter.lower() in pairs and letter not in charset.codes
        else letter
        for place, letter in enumerate(letters)
    )
    return longer if len(longer) <= columns else text


def _in_two(text: str, place: int, pair: str) -> str:
    """The pair for the letter at that place: `Ü` in `Übung` is `Ue`, in `ÜBUNG` it is `UE`."""
    if text[place].islower():
        return pair
    before, after = text[max(0, place - 1) : place], text[place + 1 : place + 2]
    neighbour = after if after.isalpha() else before
    return pair.upper() if neighbour.isupper() else pair.capitalize()
