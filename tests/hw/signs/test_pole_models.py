"""The simulated pole displays, against the command tables of their manuals."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.cursor_signs import CursorSign, cd5220_sign, dmd_sign
from hw.sim.pole_displays import Cd5220Model, DmdModel, PoleModel, Writing

MODELS = [Cd5220Model, DmdModel]
PAIRS = [(cd5220_sign, Cd5220Model), (dmd_sign, DmdModel)]
SCROLL = {Cd5220Model: (b"\x1b\x12", b"\x1b\x13"), DmdModel: (b"\x1f\x02", b"\x1f\x03")}
GO_TO = {Cd5220Model: b"\x1bl", DmdModel: b"\x1f$"}
UP = {Cd5220Model: b"\x1b[A", DmdModel: b"\x1f\x0a"}
RIGHT_END = {Cd5220Model: b"\x1b[R", DmdModel: b"\x1f\x0d"}
BRIGHTNESS = {Cd5220Model: b"\x1b*", DmdModel: b"\x1fX"}


@pytest.fixture(params=MODELS, ids=lambda model: model.__name__)
def model(request: pytest.FixtureRequest) -> PoleModel:
    return request.param()  # type: ignore[no-any-return]


def lines(model: PoleModel, data: bytes) -> tuple[str, ...]:
    model.received(data, 0)
    return model.lines


def of(table: dict[type, bytes], model: PoleModel) -> bytes:
    return table[type(model)]


def test_it_begins_blank_at_the_start(model: PoleModel) -> None:
    assert model.lines == ("", "")
    assert lines(model, b"Hello") == ("Hello", "")


def test_writing_goes_on_in_the_other_line(model: PoleModel) -> None:
    assert lines(model, b"a" * 20 + b"b" * 20) == ("a" * 20, "b" * 20)
    assert lines(model, b"c") == ("c" + "a" * 19, "b" * 20)


def test_the_cursor_can_be_moved(model: PoleModel) -> None:
    assert lines(model, b"ab\x08c") == ("ac", "")
    assert lines(model, b"\rx") == ("xc", "")
    assert lines(model, b"\x09y") == ("xcy", "")
    assert lines(model, b"\x0az") == ("xcy", "   z")
    assert lines(model, of(UP, model) + b"w") == ("xcy w", "   z")
    assert lines(model, b"\x0b1") == ("1cy w", "   z")
    assert lines(model, of(RIGHT_END, model) + b"2") == ("1cy w" + " " * 14 + "2", "   z")


def test_the_cursor_goes_to_a_place_counted_from_one(model: PoleModel) -> None:
    assert lines(model, of(GO_TO, model) + b"\x03\x02x") == ("", "  x")


def test_a_place_that_is_not_there_is_ignored(model: PoleModel) -> None:
    for place in (b"\x00\x01", b"\x15\x01", b"\x01\x00", b"\x01\x03"):
        model.received(of(GO_TO, model) + b"\x02\x02" + of(GO_TO, model) + place, 0)
    assert lines(model, b"x") == ("", " x")


def test_it_is_cleared(model: PoleModel) -> None:
    assert lines(model, b"a" * 20 + b"b\x18c") == ("a" * 20, "c")
    assert lines(model, b"\x0cd") == ("d", "")
    assert lines(model, b"\x1b@e") == ("e", "")


def test_vertical_scrolling(model: PoleModel) -> None:
    mode = SCROLL[type(model)][0]
    assert lines(model, mode + b"a" * 20 + b"b" * 20 + b"c") == ("b" * 20, "c")
    assert model.writing is Writing.VERTICAL
    assert lines(model, b"\r\x0ad") == ("c", "d")


def test_horizontal_scrolling(model: PoleModel) -> None:
    mode = SCROLL[type(model)][1]
    assert lines(model, mode + b"a" * 19 + b"bcd") == ("a" * 17 + "bcd", "")


def test_brightness_has_four_steps(model: PoleModel) -> None:
    model.received(of(BRIGHTNESS, model) + b"\x02", 0)
    assert model.brightness == 2
    model.received(of(BRIGHTNESS, model) + b"\x09", 0)
    assert model.brightness == 2


def test_it_does_not_listen_while_a_printer_is_spoken_to(model: PoleModel) -> None:
    assert lines(model, b"\x1b=\x01printed\x0c\x1b=\x02shown") == ("shown", "")


def test_letters_of_ones_own_are_not_shown_as_text(model: PoleModel) -> None:
    define = b"\x1b&\x01AB" + b"\x05ABCDE" + b"\x05FGHIJ"
    assert lines(model, define + b"\x1b%\x01\x1b?Axy") == ("xy", "")


def test_a_definition_that_is_none_is_text(model: PoleModel) -> None:
    assert lines(model, b"\x1b&Zx") == ("Zx", "")


def test_unknown_sequences_are_dropped_and_the_next_one_counts(model: PoleModel) -> None:
    assert lines(model, b"\x1b\x01a\x1b\x1b@b\x1f\x10c") == ("bc", "")
    assert lines(model, b"\x0cok") == ("ok", "")


def test_without_power_it_shows_and_hears_nothing_and_forgets(model: PoleModel) -> None:
    model.received(b"old" + SCROLL[type(model)][0], 0)
    model.closed(0)
    assert lines(model, b"unheard") == ("", "")
    model.opened(0)
    assert model.writing is Writing.OVERWRITE
    assert lines(model, b"new") == ("new", "")


@pytest.mark.parametrize(("sign", "model"), PAIRS)
@given(noise=st.lists(st.one_of(st.binary(max_size=30), st.sampled_from([
    b"\x1b&\x01 \xff", b"\x1bQA", b"\x1bQD", b"\x1b=\x01", b"\x1fE\xff", b"\x1bW", b"\x1b", b"\x1f",
    b"\x1f$", b"\x1bt\x13", b"\x1bR\x02", b"\x1b\x13",
])), max_size=8))  # fmt: skip
def test_any_bytes_are_survived_and_the_display_can_be_set_up_again(
    sign: Callable[[], CursorSign], model: type[PoleModel], noise: list[bytes]
) -> None:
    display, encoder = model(), sign()
    for piece in noise:
        display.received(piece, 0)
        assert all(len(line) <= 20 for line in display.lines)
        assert len(display.lines) == 2
    # The beginning may be taken for what the noise had left open: letters of one's own, at worst.
    for _ in range(30):
        for frame in (*encoder.start(), *encoder.repaint(("Runde 1/12", "12 lauft"))):
            display.received(frame.data, 0)
    assert display.lines == ("Runde 1/12", "12 lauft")


@pytest.mark.parametrize("model", MODELS)
@given(data=st.binary(max_size=200), size=st.integers(1, 7))
def test_it_does_not_matter_in_which_pieces_bytes_arrive(
    model: type[PoleModel], data: bytes, size: int
) -> None:
    whole, pieces = model(), model()
    whole.received(data, 0)
    for start in range(0, len(data), size):
        pieces.received(data[start : start + size], 0)
    assert pieces.lines == whole.lines


# -- CD5220


def test_cd5220_shows_whole_lines() -> None:
    upper = bytes.fromhex("1B 51 41") + b"upper line" + b"\r"
    lower = bytes.fromhex("1B 51 42") + b"lower line, which is too long" + b"\r"
    assert lines(Cd5220Model(), upper + lower) == ("upper line", "lower line, which is")


def test_cd5220_in_string_mode_takes_only_lines_and_clears() -> None:
    model = Cd5220Model()
    assert lines(model, b"\x1bQAupper\r") == ("upper", "")
    assert lines(model, b"text\x1b@\x1b*\x01\x1bl\x01\x02more\x0b\x1b=\x01") == ("upper", "")
    assert model.brightness == 4
    assert lines(model, b"\x1bQBlower\r") == ("upper", "lower")
    assert lines(model, b"\x18") == ("", "lower")
    assert lines(model, b"text") == ("text", "lower")


def test_cd5220_line_without_an_end_is_given_up_for_the_next_command() -> None:
    assert lines(Cd5220Model(), b"\x1bQAlost\x1bQBfound\r") == ("", "found")


def test_cd5220_scrolls_a_message_in_the_upper_line() -> None:
    model = Cd5220Model()
    assert lines(model, b"\x1bQDa message that is longer than the line\r")[0] == "a message that is lo"
    assert model.scrolls == "a message that is longer than the line"
    assert lines(model, b"\x0c") == ("", "")
    assert model.scrolls == ""


def test_cd5220_has_the_letters_of_its_maker() -> None:
    assert lines(Cd5220Model(), b"\x81") == ("\N{REPLACEMENT CHARACTER}", "")
    assert lines(Cd5220Model("cp437"), b"\x81") == ("ü", "")


def test_cd5220_moves_its_cursor_by_other_names_too() -> None:
    assert lines(Cd5220Model(), b"\x1b[Kc\x1b[Hb\x1b[Ca\x1b[Dd\x1b[B\x1b[Le") == ("b d", "e")


def test_cd5220_cursor() -> None:
    model = Cd5220Model()
    seen = [model.cursor]
    for command in (b"\x1b_\x00", b"\x1b_\x01"):
        model.received(command, 0)
        seen.append(model.cursor)
    assert seen == [True, False, True]


# -- DM-D


@pytest.mark.parametrize(
    ("table", "code", "letter"),
    [(0, 0x81, "ü"), (2, 0xB5, "Á"), (2, 0xD5, "ı"), (16, 0xE1, "á"), (19, 0xD5, "€"), (1, 0xB1, "\ufffd")],
)
def test_dmd_code_tables(table: int, code: int, letter: str) -> None:
    assert lines(DmdModel(), bytes([0x1B, 0x74, table, code])) == (letter, "")


def test_dmd_nations() -> None:
    assert lines(DmdModel(), b"\x1bR\x02[x]\x1bR\x01{\x1bR\x00[\x1bR\x63]") == ("ÄxÜé[]", "")


def test_dmd_is_dark_or_blinks() -> None:
    model = DmdModel()
    assert lines(model, b"x\x1fE\xff") == ("", "")
    assert lines(model, b"\x1fE\x0a") == ("x", "")
    assert model.blinks == 10
    assert lines(model, b"\x1fE\x00") == ("x", "")


def test_dmd_reverse_and_cursor() -> None:
    model = DmdModel()
    seen = [(model.reverse, model.cursor)]
    for command in (b"\x1fr\x01", b"\x1fC\x01", b"\x1fr\x00", b"\x1fC\x00"):
        model.received(command, 0)
        seen.append((model.reverse, model.cursor))
    assert seen == [(False, False), (True, False), (True, True), (False, True), (False, False)]


def test_dmd_commands_with_parameters_do_not_spill_over() -> None:
    data = b"\x1bW\x01\x01ABCDa\x1bW\x01\x00b\x1f#ABc\x1f.d\x1f,\x02\x1f@e\x1fBf"
    assert lines(DmdModel(), data) == ("e", "f")
