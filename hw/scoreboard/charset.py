"""Letters for displays that know only some of them: one column stays one column."""

from __future__ import annotations

import unicodedata

_SPECIAL = str.maketrans("ßẞ¡¿’‘“”«»–—œŒæÆøØ", 'sS!?\'\'""""--oOaAoO')


def to_ascii(text: str) -> str:
    """The text with every letter replaced by the nearest of ASCII, `?` where there is none."""
    if text.isascii() and text.isprintable():
        return text
    plain = []
    for letter in unicodedata.normalize("NFC", text).translate(_SPECIAL):
        base = unicodedata.normalize("NFKD", letter)[0]
        plain.append(base if " " <= base <= "~" else "?")
    return "".join(plain)
