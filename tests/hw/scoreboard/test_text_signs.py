"""Bytes for displays of one's own making."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.charset import LATIN_1
from hw.scoreboard.cursor_signs import vt100_sign
from hw.scoreboard.text import TextSign, encode

PAGE = ("Runde 1/12", "läuft")


def test_text_is_a_form_feed_and_lines() -> None:
    (frame,) = TextSign().change(PAGE)
    assert frame.data == b"\x0cRunde 1/12\r\nlauft\r\n"
    assert TextSign(charset=LATIN_1).change(PAGE)[0].data == b"\x0cRunde 1/12\r\nl\xe4uft\r\n"


@given(st.tuples(st.text(max_size=30), st.text(max_size=30)), st.integers(20, 80))
def test_text_is_the_same_as_from_the_plain_scoreboard(page: tuple[str, str], columns: int) -> None:
    (frame,) = TextSign(columns).change(page)
    assert frame.data == encode(page, columns)


def test_text_that_stands_there_is_not_sent_again_unless_it_is_to_be_repainted() -> None:
    sign = TextSign()
    frames = sign.change(PAGE)
    assert sign.change(PAGE) == []
    assert sign.repaint(PAGE) == frames
    sign.blank()
    assert sign.change(PAGE) == frames


def test_text_is_blanked_by_a_form_feed() -> None:
    assert [frame.data for frame in TextSign().start()] == [b"\x0c"]
    assert TextSign().blank() == b"\x0c"


def test_vt100_goes_to_the_lines_that_differ() -> None:
    sign = vt100_sign(20)
    (frame,) = sign.change(PAGE)
    assert frame.data == b"\x1b[1;1HRunde 1/12          " + b"\x1b[2;1Hlauft               "
    (frame,) = sign.change(("Runde 1/12", "Pause"))
    assert frame.data == b"\x1b[2;1HPause               "
    assert sign.change(("Runde 1/12", "Pause")) == []


def test_vt100_is_cleared_once_and_hides_its_cursor_and_does_not_wrap() -> None:
    assert [frame.data for frame in vt100_sign().start()] == [b"\x18\x1b[0m\x1b[?7l\x1b[?25l\x1b[2J"]
    (frame,) = vt100_sign().repaint(PAGE)
    assert frame.data.startswith(b"\x18\x1b[0m\x1b[?7l\x1b[?25l\x1b[1;1H")
    assert b"\x1b[2J" not in frame.data
    assert vt100_sign().blank().endswith(b"\x1b[2J")
