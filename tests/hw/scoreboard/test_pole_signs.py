"""Bytes for pole displays, against the command tables of their manuals."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.charset import PC437, PC850, Charset
from hw.scoreboard.cursor_signs import CursorSign, cd5220_sign, dmd_sign

ROUND = "52 75 6E 64 65 20 31 2F 31 32" + 10 * " 20"
COUNTS = "31 3A 33 20 32 3A 34" + 13 * " 20"
PAGE = ("Runde 1/12", "1:3 2:4")
POLES = [cd5220_sign, dmd_sign]


def data(sign: CursorSign, page: tuple[str, ...]) -> bytes:
    return b"".join(frame.data for frame in sign.change(page))


def test_cd5220_writes_whole_lines() -> None:
    # ESC Q A, twenty characters, CR; the same with B for the lower line
    assert data(cd5220_sign(), PAGE) == bytes.fromhex(f"1B 51 41 {ROUND} 0D 1B 51 42 {COUNTS} 0D")


def test_cd5220_is_cleared_before_it_is_set_up_since_it_may_be_in_string_mode() -> None:
    # display selected, clear, initialise, overwrite mode, cursor off
    (frame,) = cd5220_sign().start()
    assert frame.data == bytes.fromhex("1B 3D 02  0C  1B 40  1B 11  1B 5F 00")
    assert frame.rest_ns > 0


def test_cd5220_has_only_ascii_unless_it_gets_the_charset_of_its_maker() -> None:
    assert data(cd5220_sign(), ("drücken", ""))[3:10] == b"drucken"
    assert data(cd5220_sign(charset="pc437"), ("drücken", ""))[3:10] == b"dr\x81cken"


def test_dmd_goes_to_the_start_of_a_line_and_writes_over_it() -> None:
    # US $, column, row, twenty characters
    assert data(dmd_sign(), PAGE) == bytes.fromhex(f"1F 24 01 01 {ROUND} 1F 24 01 02 {COUNTS}")


def test_dmd_is_set_up_with_the_code_page_that_has_the_accents() -> None:
    # display selected, initialise, clear; code table 2, nation 0, overwrite mode, cursor off
    first, second = dmd_sign().start()
    assert first.data == bytes.fromhex("1B 3D 02  1B 40  0C")
    assert first.rest_ns > 0
    assert second.data == bytes.fromhex("1B 74 02  1B 52 00  1F 01  1F 43 00")
    assert dmd_sign(charset="pc437").start()[1].data.startswith(bytes.fromhex("1B 74 00"))


def test_dmd_letters_are_those_of_the_code_page() -> None:
    assert data(dmd_sign(), ("Áñü¿", ""))[4:8] == bytes.fromhex("B5 A4 81 A8")
    assert data(dmd_sign(charset="pc437"), ("Áñü¿", ""))[4:8] == bytes.fromhex("41 A4 81 A8")


def test_a_repaint_of_a_dmd_restores_its_modes_without_clearing_it() -> None:
    sign = dmd_sign()
    sign.change(PAGE)
    (frame,) = sign.repaint(PAGE)
    # code table, nation, overwrite, no blinking, no reverse, then both lines
    modes = "1B 3D 02  1B 74 02  1B 52 00  1F 01  1F 45 00  1F 72 00"
    assert frame.data == bytes.fromhex(f"{modes} 1F 24 01 01 {ROUND} 1F 24 01 02 {COUNTS}")


def test_a_repaint_of_a_cd5220_is_both_lines() -> None:
    sign = cd5220_sign()
    sign.change(PAGE)
    assert sign.repaint(PAGE) == cd5220_sign().change(PAGE)


@pytest.mark.parametrize("kind", POLES)
def test_they_are_blanked_by_the_clear_code(kind: Callable[[], CursorSign]) -> None:
    assert kind().blank() == b"\x0c"


@pytest.mark.parametrize("kind", POLES)
def test_only_lines_that_differ_are_written(kind: Callable[[], CursorSign]) -> None:
    sign = kind()
    sign.change(PAGE)
    assert len(data(sign, (PAGE[0], "1:3 2:3"))) == len(data(kind(), PAGE)) // 2
    assert sign.change((PAGE[0], "1:3 2:3", "no third line")) == []


@pytest.mark.parametrize("kind", POLES)
@given(page=st.lists(st.text(max_size=30), max_size=3).map(tuple))
def test_a_page_is_one_frame_of_fixed_length_without_stray_commands(
    kind: Callable[[], CursorSign], page: tuple[str, ...]
) -> None:
    (frame,) = kind().change(page)
    assert len(frame.data) == 48
    text = frame.data[3:23] if kind is cd5220_sign else frame.data[4:24]
    assert min(text) >= 0x20


@pytest.mark.parametrize(("charset", "codec"), [(PC437, "cp437"), (PC850, "cp850")])
def test_code_pages_are_what_their_names_say(charset: Charset, codec: str) -> None:
    assert len(charset.codes) > 40
    for letter, code in charset.codes.items():
        assert code.decode(codec) == letter
