"""German words on displays without umlauts, and everybody else's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.charset import ASCII, LATIN_1, PC850, respelled, to_ascii
from hw.scoreboard.cursor_signs import CursorSign, cd5220_sign, vt100_sign
from hw.scoreboard.serial_sign import SerialScoreboard
from hw.scoreboard.text import PlainScoreboard
from hw.sim.outputs import SimTextDisplay


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
    plain.show(("Würfel abräumen", "Prüfen"), "de")
    assert [line.rstrip() for line in display.lines] == ["Wuerfel abraeumen", "Pruefen"]
    plain.show(("Würfel abräumen", "Prüfen"))
    assert [line.rstrip() for line in display.lines] == ["Wurfel abraumen", "Prufen"]


@pytest.mark.parametrize(
    ("sign", "sent"), [(cd5220_sign(), b"Wuerfel"), (vt100_sign(charset="latin-1"), b"W\xfcrfel")]
)
def test_a_sign_is_sent_what_it_can_show(sign: CursorSign, sent: bytes) -> None:
    board = SerialScoreboard("scoreboard", sign)
    board.opened(0)
    board.show(("Würfel", ""), "de")
    data = b""
    now_ns = 0
    for _ in range(8):
        board.step(now_ns)
        data += board.take_outgoing()
        now_ns += 1_000_000_000
    assert sent in data
