"""How a text is spelled for a display that lacks some of its letters.

German has a spelling of its own for that: "Würfel" is "Wuerfel" then, and never "Wurfel". The other
languages of the table leave the mark out, and so does the display's charset, letter by letter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from hw.scoreboard.charset import Charset

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
