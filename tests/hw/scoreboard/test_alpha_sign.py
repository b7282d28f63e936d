"""Frames for Alpha signs, against bytes that others have published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.alpha import ALPHA, CLEARED_NS, PAUSE_NS, AlphaSign, frame

STX, ETX = 0x02, 0x03


def body(data: bytes) -> bytes:
    """The command in a frame."""
    return data[data.index(STX) + 1 : data.index(ETX)]


def bodies(sign: AlphaSign, page: tuple[str, ...]) -> list[bytes]:
    return [body(each.data) for each in sign.change(page)]


def test_a_frame_is_the_one_in_the_manual() -> None:
    published = "00 00 00 00 00 01 5A 30 30 02 41 41 1B 20 62 48 45 4C 4C 4F 03 30 32 39 38 04"
    assert frame(b"AA\x1b bHELLO") == bytes.fromhex(published)


@pytest.mark.parametrize(
    ("command", "published"),
    [
        (b"E$AAU000AFF00!AL04BAFF00", b"0583"),  # a memory layout recorded from the maker's program
        (b"E2!A1", b"010F"),  # from the same record
        (b"GaREAD ME", b"027B"),  # a STRING file as a sign sent it back
    ],
)
def test_checksums_are_those_that_real_signs_and_programs_have_sent(command: bytes, published: bytes) -> None:
    assert frame(command).endswith(command + b"\x03" + published + b"\x04")


def test_the_memory_is_cleared_and_laid_out_before_anything_is_written() -> None:
    frames = AlphaSign(20, colours=("red", "green")).start()
    assert [body(each.data) for each in frames] == [
        b"E$",
        b"E$" + b"AAU0040FF00" + b"aBL00280000" + b"bBL00280000",
        b"A0",
        b"AA" + b"\x1b0b" + b"\x1c1\x10a" + b"\r" + b"\x1c2\x10b",
        b"E.SUA",
    ]
    assert [each.rest_ns for each in frames] == [CLEARED_NS] + 4 * [PAUSE_NS]


def test_on_a_sign_with_one_row_the_lines_run_past_behind_each_other() -> None:
    text = AlphaSign(tall=False).start()[3]
    assert body(text.data) == b"AA" + b"\x1b a" + b"\x10a" + b"   " + b"\x10b"


def test_a_page_writes_a_string_for_each_line() -> None:
    assert bodies(AlphaSign(), ("Runde 1/12", "1:3 2:4")) == [b"GaRunde 1/12", b"Gb1:3 2:4"]


def test_only_lines_that_differ_are_written() -> None:
    sign = AlphaSign()
    sign.change(("Runde 1/12", "1:3 2:4"))
    assert bodies(sign, ("Runde 1/12", "1:3 2:3")) == [b"Gb1:3 2:3"]
    assert sign.change(("Runde 1/12", "1:3 2:3 ")) == []


def test_every_frame_is_followed_by_a_pause() -> None:
    assert {each.rest_ns for each in AlphaSign().change(("a", "b"))} == {PAUSE_NS}


def test_a_repaint_writes_all_strings_and_no_text() -> None:
    sign = AlphaSign()
    sign.change(("a", "b"))
    assert [body(each.data) for each in sign.repaint(("a", "b"))] == [b"Gaa", b"Gbb"]


def test_an_empty_line_is_a_blank() -> None:
    assert bodies(AlphaSign(), ()) == [b"Ga ", b"Gb "]


def test_one_frame_blanks_it() -> None:
    assert body(AlphaSign().blank()) == b"AA\x1b0b "


@pytest.mark.parametrize(
    ("letter", "published"),
    [("Ç", "08 20"), ("ü", "08 21"), ("ä", "08 24"), ("ö", "08 34"), ("ñ", "08 44"), ("¿", "08 48"),
     ("°", "08 49"), ("¡", "08 4A"), ("Á", "08 5A"), ("É", "08 30"), ("ù", "08 37"), ("Ü", "08 3A")],
)  # fmt: skip
def test_letters_beyond_ascii_go_as_two_bytes(letter: str, published: str) -> None:
    assert b"".join(ALPHA.encode(letter)) == bytes.fromhex(published)


def test_letters_that_it_lacks_become_their_nearest() -> None:
    assert ALPHA.spell("Ëß~œ") == "Es-o"


@given(st.text(max_size=100), st.integers(20, 80))
def test_a_string_always_fits_in_its_place_and_on_a_line_of_seven_bits(text: str, columns: int) -> None:
    sign = AlphaSign(columns)
    layout = body(sign.start()[1].data)
    size = int(layout[16:20], 16)
    string = bodies(sign, (text,))[0]
    assert string.startswith(b"Ga")
    assert 1 <= len(string) - 2 <= min(size, 125)
    assert max(string) < 0x80


def test_a_line_of_letters_that_take_two_bytes_is_cut_before_it_empties_its_file() -> None:
    assert bodies(AlphaSign(80), ("ü" * 80,))[0] == b"Ga" + b"\x08\x21" * 62
