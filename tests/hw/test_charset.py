"""Any text in ASCII, column for column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.charset import to_ascii

LETTERS = "äöüß àâæçéèêëîïôœùûüÿ àèéìíîòóùú áéíóúñü ëïéèóö"
"""The letters of German, French, Italian, Spanish and Dutch beyond those of English."""


@given(st.text())
def test_any_text_becomes_printable_ascii_of_the_same_length(text: str) -> None:
    plain = to_ascii(text)
    assert len(plain) == len(text)
    assert plain.isascii()
    assert plain.isprintable()


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_ascii_stays_as_it_is(text: str) -> None:
    assert to_ascii(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Zum Spielen drücken", "Zum Spielen drucken"),
        ("Place 3 a terminé ¡olé!", "Place 3 a termine !ole!"),
        ("¿Sitio 2 tiene 3?", "?Sitio 2 tiene 3?"),
        ("c’est – ça", "c'est - ca"),
        ("größer", "groser"),
        ("骰子", "??"),
        ("a\nb\x0cc", "a?b?c"),
    ],
)
def test_letters_go_to_their_nearest(text: str, plain: str) -> None:
    assert to_ascii(text) == plain


def test_every_letter_of_the_six_languages_has_a_nearest() -> None:
    assert "?" not in to_ascii(LETTERS)


def test_every_capital_of_the_six_languages_has_a_nearest() -> None:
    assert "?" not in to_ascii("ÄÖÜẞÀÂÆÇÉÈÊËÎÏÔŒÙÛŸÌÍÒÓÚÁÑ")
