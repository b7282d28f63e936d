"""The simulated displays of one's own making."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.cursor_signs import vt100_sign
from hw.scoreboard.text import TextSign
from hw.sim.text_displays import TextModel, Vt100Model

PAGE = ("Runde 1/12", "1:3 2:4")


def lines(data: bytes, model: Vt100Model | TextModel | None = None) -> tuple[str, ...]:
    model = model or Vt100Model(rows=2, columns=5)
    model.received(data, 0)
    return model.lines


def test_text_is_shown_after_a_form_feed() -> None:
    assert lines(b"old\x0cone \r\ntwo\r\n", TextModel()) == ("one", "two")


def test_text_loses_all_with_its_power() -> None:
    model = TextModel(rows=3)
    model.received(b"one", 0)
    model.closed(0)
    assert lines(b"unheard", model) == ("", "", "")
    model.opened(0)
    assert lines(b"new", model) == ("new", "", "")


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"\x1b[2;3Hx", ("", "  x")),
        (b"\x1b[2Hx", ("", "x")),
        (b"\x1b[;4fx", ("   x", "")),
        (b"\x1b[Hx", ("x", "")),
        (b"\x1b[9;9Hx", ("", "    x")),
        (b"abc\x1b[2Dx\x1b[Cy", ("axcy", "")),
        (b"a\x1b[Bb\x1b[Ac", ("a c", " b")),
        (b"abc\rx", ("xbc", "")),
        (b"abc\x08x", ("abx", "")),
        (b"abc\x1b[2G", ("abc", "")),  # not one of those it knows
    ],
)
def test_vt100_cursor(data: bytes, shown: tuple[str, ...]) -> None:
    assert lines(data) == shown


@pytest.mark.parametrize(
    ("erase", "shown"),
    [
        (b"\x1b[K", ("abcde", "fg")),
        (b"\x1b[1K", ("abcde", "   ij")),
        (b"\x1b[2K", ("abcde", "")),
        (b"\x1b[J", ("abcde", "fg")),
        (b"\x1b[1J", ("", "   ij")),
        (b"\x1b[2J", ("", "")),
        (b"\x1b[7J\x1b[7K", ("abcde", "fghij")),
    ],
)
def test_vt100_erasing(erase: bytes, shown: tuple[str, ...]) -> None:
    assert lines(b"abcdefghij\x1b[2;3H" + erase) == shown


def test_vt100_erases_below_and_keeps_the_line_before_the_cursor() -> None:
    assert lines(b"abcdefghij\x1b[1;3H\x1b[J") == ("ab", "")


def test_vt100_begins_a_new_line_only_with_the_letter_after_the_last_column() -> None:
    assert lines(b"abcde") == ("abcde", "")
    assert lines(b"abcdef") == ("abcde", "f")
    assert lines(b"abcdefghij") == ("abcde", "fghij")
    assert lines(b"abcdefghijk") == ("fghij", "k")
    assert lines(b"abcde\rx") == ("xbcde", "")


def test_vt100_without_wrapping_writes_over_the_last_column() -> None:
    assert lines(b"\x1b[?7labcdefg") == ("abcdg", "")
    assert lines(b"\x1b[?7l\x1b[?7habcdef") == ("abcde", "f")


def test_vt100_scrolls_at_the_end() -> None:
    assert lines(b"one\r\ntwo\r\nthree") == ("two", "three")


def test_vt100_cursor_can_be_hidden_and_all_be_reset() -> None:
    model = Vt100Model()
    seen = []
    for data in (b"x\x1b[?25l\x1b[?7l", b"\x1bc"):
        model.received(data, 0)
        seen.append((model.cursor, model.wraps, model.lines))
    assert seen == [(False, False, ("x", "")), (True, True, ("", ""))]


def test_vt100_sequences_can_be_broken_off_and_unknown_ones_are_dropped() -> None:
    assert lines(b"\x1b[12\x18a") == ("a", "")
    assert lines(b"\x1b[1\x1b[2;1Hb") == ("", "b")
    assert lines(b"\x1b(Bc\x1b[31;1md\x1b=e\x1b[?1;2xf") == ("cdef", "")
    assert lines(b"\x1b[" + b"1" * 100 + b"H\x18\x1b[1;1Hg")[0].startswith("g")


def test_vt100_control_codes_work_within_a_sequence() -> None:
    assert lines(b"abc\x1b[2\r;2Hx") == ("abc", " x")


def test_vt100_reads_its_own_charset() -> None:
    assert lines(b"\xfc") == ("\N{REPLACEMENT CHARACTER}", "")
    assert lines(b"\xfc", Vt100Model(codec="latin-1")) == ("ü", "")
    assert lines("ü●".encode(), Vt100Model(codec="utf-8")) == ("ü●", "")
    assert lines(b"\xc3\r\xbc", Vt100Model(codec="utf-8"))[0] == "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"abc\x9b2;1Hx", ("abc", "x")),  # a sequence
        (b"\x9dre 3 and more", ("", "")),  # a text for the terminal: Ø in a code page of a PC
        (b"\x90re\x9c3", ("3", "")),
        (b"\x9dre\x073", ("3", "")),
        (b"\x9dre\x1b[2;1H3", ("", "3")),
        (b"ab\x85c\x84d", ("c", " d")),
        (b"ab\r\ncd\x8de", ("abe", "cd")),
        (b"a\x80\x8d\x9cb", ("ab", "")),
    ],
)
def test_vt100_takes_80_to_9f_for_commands_unless_a_letter_has_several_bytes(
    data: bytes, shown: tuple[str, ...]
) -> None:
    for codec in ("ascii", "latin-1", "cp437", "cp850"):
        assert lines(data, Vt100Model(columns=5, codec=codec)) == shown
    assert lines("Äé".encode(), Vt100Model(columns=5, codec="utf-8")) == ("Äé", "")


def test_vt100_loses_all_with_its_power() -> None:
    model = Vt100Model()
    model.received(b"one", 0)
    model.closed(0)
    assert lines(b"unheard", model) == ("", "")
    model.opened(0)
    assert lines(b"new", model) == ("new", "")


@given(st.binary(max_size=100))
def test_any_bytes_are_survived_and_the_next_page_counts(noise: bytes) -> None:
    for encoder, model in (
        (TextSign(), TextModel()),
        (vt100_sign(), Vt100Model()),
        (vt100_sign(), Vt100Model(codec="utf-8")),
    ):
        model.received(noise, 0)
        assert len(model.lines) == 2
        assert all(len(line) <= 20 for line in model.lines)
        for frame in encoder.repaint(PAGE):
            model.received(frame.data, 0)
        assert model.lines == PAGE


@given(st.binary(max_size=100), st.integers(1, 5))
def test_it_does_not_matter_in_which_pieces_bytes_arrive(data: bytes, size: int) -> None:
    for whole, pieces in ((TextModel(), TextModel()), (Vt100Model(), Vt100Model(codec="ascii"))):
        whole.received(data, 0)
        for start in range(0, len(data), size):
            pieces.received(data[start : start + size], 0)
        assert pieces.lines == whole.lines
