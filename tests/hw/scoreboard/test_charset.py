"""Letters on displays that lack some of them: one column stays one column, and German may take two."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.phrases import LANGUAGES, TEXTS
from firmware_host.run.devices import sign_driver
from hw.scoreboard.alpha import ALPHA
from hw.scoreboard.charset import ASCII, CHARSETS, LATIN_1, PC850, UTF_8, Charset, respelled, to_ascii
from hw.scoreboard.cursor_signs import CursorSign, cd5220_sign, vt100_sign
from hw.scoreboard.serial_sign import SerialScoreboard
from hw.scoreboard.text import PlainScoreboard
from hw.sim.outputs import SimTextDisplay
from hw.sim.text_displays import Vt100Model

ALL_CHARSETS = [*CHARSETS.values(), ALPHA]
WORDS = {
    language: [re.sub("[?¿]", "", getattr(row, language)) for row in TEXTS.values()] for language in LANGUAGES
}
WESTERN = ("de", "en", "fr", "it", "nl", "es")
"""The languages that displays with an 8-bit charset can show letter by letter."""


@given(st.text(max_size=100))
def test_any_text_becomes_printable_ascii_of_the_same_length(text: str) -> None:
    plain = to_ascii(text)
    assert len(plain) == len(text)
    assert plain.isascii() and plain.isprintable()
    if text.isascii() and text.isprintable():
        assert plain == text


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
        ("▲●■◆", "^o#*"),
        ("äöüß àâæçéèêëîïôœùûüÿ àèéìíîòóùú áéíóúñü ëïéèóö",
         "aous aaaceeeeiioouuuy aeeiiioouu aeiounu eieeoo"),
        ("ÄÖÜẞÀÂÆÇÉÈÊËÎÏÔŒÙÛŸÌÍÒÓÚÁÑ", "AOUSAAACEEEEIIOOUUYIIOOUAN"),
    ],
)  # fmt: skip
def test_letters_go_to_their_nearest(text: str, plain: str) -> None:
    assert to_ascii(text) == plain


def test_a_charset_shows_the_symbols_that_it_has() -> None:
    assert UTF_8.spell("▲●■◆") == "▲●■◆"
    assert PC850.spell("▲●■◆") == "^o■*"


@pytest.mark.parametrize("charset", ALL_CHARSETS, ids=lambda charset: charset.name)
@given(text=st.text(max_size=60))
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


# -- a letter as two


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("de", "Würfel abräumen", "Wuerfel abraeumen"),
        ("de", "größer, weiß", "groesser, weiss"),
        ("de", "Übung Ärger Öl", "Uebung Aerger Oel"),
        ("de", "ÜBUNG FÜR GRÖẞE", "UEBUNG FUER GROESSE"),
        ("de", "TÜ Ü", "TUE Ue"),
        ("de", "Wu\N{COMBINING DIAERESIS}rfel", "Wuerfel"),
        ("de", "Café", "Cafe"),
        ("es", "pingüino, éxito", "pinguino, exito"),
        ("nl", "beëindigen", "beeindigen"),
        ("fr", "déjà, maïs", "deja, mais"),
        ("", "Würfel", "Wurfel"),
    ],
)
def test_only_german_writes_a_letter_as_two(language: str, text: str, read: str) -> None:
    assert ASCII.spell(respelled(text, language, ASCII, 40)) == read


def test_a_display_that_has_the_letter_shows_it() -> None:
    for charset in (LATIN_1, PC850):
        assert respelled("Würfel, weiß", "de", charset, 40) == "Würfel, weiß"


def test_a_line_that_would_get_too_long_keeps_to_one_letter_for_one() -> None:
    assert respelled("Würfel abräumen", "de", ASCII, 17) == "Wuerfel abraeumen"
    assert ASCII.spell(respelled("Würfel abräumen", "de", ASCII, 16)) == "Wurfel abraumen"


@given(st.text(max_size=30), st.sampled_from(["de", "en", ""]), st.integers(20, 40))
def test_any_text_stays_readable_and_no_line_gets_longer_than_it_may(
    text: str, language: str, columns: int
) -> None:
    read = to_ascii(respelled(text, language, ASCII, columns))
    assert len(read) <= max(columns, len(text))
    if language != "de":
        assert read in (to_ascii(text), to_ascii(text)[:columns])


def test_scoreboards_spell_each_page_in_its_language() -> None:
    display = SimTextDisplay(rows=2, columns=20)
    plain = PlainScoreboard(display.write)
    for language, read in (("de", ("Wuerfel abraeumen", "Pruefen")), ("", ("Wurfel abraumen", "Prufen"))):
        plain.show(("Würfel abräumen", "Prüfen"), language)
        assert display.lines == read


@pytest.mark.parametrize(
    ("sign", "sent"), [(cd5220_sign(), b"Wuerfel"), (vt100_sign(charset="latin-1"), b"W\xfcrfel")]
)
def test_a_sign_is_sent_what_it_can_show(sign: CursorSign, sent: bytes) -> None:
    board = SerialScoreboard("scoreboard", sign)
    board.opened(0)
    board.show(("Würfel", ""), "de")
    data = b""
    for second in range(8):
        board.step(second * 1_000_000_000)
        data += board.take_outgoing()
    assert sent in data
