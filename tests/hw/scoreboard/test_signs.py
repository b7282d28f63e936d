"""The signs that a profile can name."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.phrases import LANGUAGES, TEXTS
from firmware_host.profile.device_kinds import SIGNS
from firmware_host.run.devices import sign_driver
from hw.scoreboard.alpha import ALPHA
from hw.scoreboard.charset import CHARSETS, LATIN_1, PC850, UTF_8, Charset, to_ascii
from hw.sim.text_displays import Vt100Model

ALL_CHARSETS = [*CHARSETS.values(), ALPHA]
WORDS = {
    language: [re.sub("[?¿]", "", getattr(row, language)) for row in TEXTS.values()] for language in LANGUAGES
}
WESTERN = ("de", "en", "fr", "it", "nl", "es")
"""The languages that displays with an 8-bit charset can show letter by letter."""


def test_the_names() -> None:
    assert set(SIGNS) == {"alpha", "betabrite", "cd5220", "dm-d", "text", "vt100"}


@pytest.mark.parametrize("name", list(SIGNS))
def test_each_can_be_made_in_every_width_and_charset_it_claims(name: str) -> None:
    kind = SIGNS[name]
    assert sign_driver(name, kind.fewest_columns).charset.name == kind.charsets[0]
    for columns in {kind.fewest_columns, kind.most_columns}:
        for charset in kind.charsets:
            sign = sign_driver(name, columns, charset)
            assert (sign.columns, sign.charset.name) == (columns, charset)
            assert (sign.parity != "N") is kind.parity
            (*_, last) = sign.repaint(("ü" * 100, "x" * 100))
            assert b"x" * columns in last.data


@pytest.mark.parametrize("charset", ALL_CHARSETS, ids=lambda charset: charset.name)
@given(text=st.text())
def test_one_letter_is_one_column_and_what_is_read_can_be_shown(charset: Charset, text: str) -> None:
    read = charset.spell(text)
    cells = charset.encode(text)
    assert len(read) == len(cells)
    assert charset.spell(read) == read
    for letter, cell in zip(read, cells, strict=True):
        assert cell == charset.codes.get(letter, letter.encode())
        assert min(cell) >= 0x20 or charset is ALPHA


@pytest.mark.parametrize(
    ("charset", "language"),
    [(UTF_8, language) for language in LANGUAGES]
    + [(charset, language) for charset in (LATIN_1, PC850) for language in WESTERN],
    ids=lambda each: each.name if isinstance(each, Charset) else each,
)
def test_the_better_charsets_have_every_letter_the_table_uses(charset: Charset, language: str) -> None:
    for word in WORDS[language]:
        assert charset.spell(word) == word


@pytest.mark.parametrize("charset", ALL_CHARSETS, ids=lambda charset: charset.name)
def test_no_word_of_the_table_gets_a_question_mark(charset: Charset) -> None:
    for word in chain.from_iterable(WORDS.values()):
        assert "?" not in charset.spell(word)


@pytest.mark.parametrize("name", list(SIGNS))
@given(text=st.text(st.characters(max_codepoint=0x17F), max_size=30))
def test_no_text_holds_a_byte_that_the_sign_takes_for_a_command(name: str, text: str) -> None:
    """Below 20, 7F, for a terminal 80 to 9F; an Alpha sign has its 08 before a letter, and seven bits."""
    for each in SIGNS[name].charsets:
        sign = sign_driver(name, 40, each)
        charset = sign.charset
        for cell in sign.charset.encode(text):
            letter = cell[1:] if charset is ALPHA and cell[0] == 0x08 else cell
            assert min(letter) >= 0x20 and 0x7F not in letter
            assert sign.bits == 8 or max(cell) < 0x7F
            if name == "vt100" and charset.name != "utf-8":
                assert not 0x80 <= cell[0] < 0xA0


@pytest.mark.parametrize(
    ("charset", "read"), [("pc437", "Ore 3 U e"), ("pc850", "Ore 3 U e"), ("latin-1", "Øre 3 Ü é")]
)
def test_a_terminal_shows_every_letter_that_it_is_sent(charset: str, read: str) -> None:
    """In the code pages of a PC most accents are where a terminal has its commands."""
    sign = sign_driver("vt100", 20, charset)
    model = Vt100Model(codec={"pc437": "cp437", "pc850": "cp850"}.get(charset, charset))
    for frame in [*sign.start(), *sign.change(("Øre 3 Ü é", "second line"))]:
        model.received(frame.data, 0)
    assert model.lines == (read, "second line")


def test_row_symbols_have_different_replacements() -> None:
    assert to_ascii("▲●■◆") == "^o#*"
    assert UTF_8.spell("▲●■◆") == "▲●■◆"
    assert PC850.spell("▲●■◆") == "^o■*"
