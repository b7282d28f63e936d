"""Texts have the widths that the font has, and are shortened or broken where they are too wide."""

import string

import pytest

from firmware_host.workshop.drawing.shapes import shortened, text_lines, text_width
from tests.workshop.drawing.drawn import font_width


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("letter", string.digits + string.ascii_letters + string.punctuation + " ")
def test_each_letter_is_as_wide_as_in_the_font(letter: str, bold: bool) -> None:
    assert text_width(letter, 1000, bold=bold) == pytest.approx(font_width(letter, 1000, bold), abs=1)


@pytest.mark.parametrize("letter", "→×ØÄé…·µ")
def test_other_letters_are_never_wider_than_assumed(letter: str) -> None:
    assert text_width(letter, 1000) >= font_width(letter, 1000)


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert shortened("red 1", text_width("red 1", 3), 3) == "red 1"


def test_a_text_that_is_too_wide_ends_with_an_ellipsis_and_fits() -> None:
    assert shortened("terminal strip of ground", 30, 3) == "terminal strip of g…"
    assert text_width("terminal strip of g…", 3) <= 30


def test_there_is_no_space_before_an_ellipsis() -> None:
    assert shortened("red 1 2", text_width("red …", 3), 3) == "red…"


def test_nothing_but_an_ellipsis_is_left_where_nothing_fits() -> None:
    assert shortened("red 1", 1, 3) == "…"


def test_a_text_is_broken_between_words() -> None:
    assert text_lines("Keep the bus short.", 22, 3) == ["Keep the bus", "short."]


def test_a_word_that_is_too_wide_has_a_line_of_its_own() -> None:
    assert text_lines("see /dev/serial/by-path there", 20, 3) == ["see", "/dev/serial/by-path", "there"]
    assert text_lines("", 20, 3) == []
