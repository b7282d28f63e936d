"""The simulated pole displays, terminals and text displays, against the command tables of their manuals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.alpha import AlphaSign
from hw.scoreboard.cursor_signs import CursorSign, cd5220_sign, dmd_sign, vt100_sign
from hw.scoreboard.serial_sign import SerialSign
from hw.scoreboard.text import TextSign
from hw.serial_port import SerialEnd
from hw.sim.alpha_sign import AlphaModel
from hw.sim.outputs import SimTextDisplay
from hw.sim.pole_displays import Cd5220Model, DmdModel, PoleModel, Writing
from hw.sim.text_displays import TextModel, Vt100Model

PAGE = ("Runde 1/12", "12 lauft")
LOST = "\N{REPLACEMENT CHARACTER}"


class Display(SerialEnd, Protocol):
    """A simulated display."""

    @property
    def lines(self) -> tuple[str, ...]: ...


def lines(model: Display, data: bytes) -> tuple[str, ...]:
    model.received(data, 0)
    return model.lines


# -- what all pole displays do; {names} stand for the commands that differ

COMMANDS: dict[type[PoleModel], dict[bytes, bytes]] = {
    Cd5220Model: {b"{vertical}": b"\x1b\x12", b"{horizontal}": b"\x1b\x13", b"{go}": b"\x1bl",
                  b"{bright}": b"\x1b*"},
    DmdModel: {b"{vertical}": b"\x1f\x02", b"{horizontal}": b"\x1f\x03", b"{go}": b"\x1f$",
               b"{bright}": b"\x1fX"},
}  # fmt: skip


def of(model: PoleModel, data: bytes) -> bytes:
    """The bytes of this display for such a text."""
    for name, command in COMMANDS[type(model)].items():
        data = data.replace(name, command)
    return data


@pytest.fixture(params=COMMANDS, ids=lambda model: model.__name__)
def pole(request: pytest.FixtureRequest) -> PoleModel:
    return request.param()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "steps",
    [
        [(b"", "", ""), (b"Hello", "Hello", "")],
        # Writing goes on in the other line.
        [(b"a" * 20 + b"b" * 20, "a" * 20, "b" * 20), (b"c", "c" + "a" * 19, "b" * 20)],
        # The cursor can be moved.
        [(b"ab\x08c", "ac", ""), (b"\rx", "xc", ""), (b"\x09y", "xcy", ""), (b"\x0az", "xcy", "   z"),
         (b"\x0b1", "1cy", "   z")],
        # It goes to a place counted from one, and ignores one that is not there.
        [(b"{go}\x03\x02x", "", "  x")],
        [(b"{go}\x02\x02{go}" + place + b"x", "", " x") for place in (b"\x00\x01",)],
        [(b"{go}\x02\x02{go}\x15\x01x", "", " x")],
        [(b"{go}\x02\x02{go}\x01\x00x", "", " x")],
        [(b"{go}\x02\x02{go}\x01\x03x", "", " x")],
        # It is cleared: a line, all, and with everything else.
        [(b"a" * 20 + b"b\x18c", "a" * 20, "c"), (b"\x0cd", "d", ""), (b"\x1b@e", "e", "")],
        [(b"{vertical}" + b"a" * 20 + b"b" * 20 + b"c", "b" * 20, "c"), (b"\r\x0ad", "c", "d")],
        [(b"{horizontal}" + b"a" * 19 + b"bcd", "a" * 17 + "bcd", "")],
        # It does not listen while a printer is spoken to.
        [(b"\x1b=\x01printed\x0c\x1b=\x02shown", "shown", "")],
        # Letters of one's own are not shown as text; a definition that is none is.
        [(b"\x1b&\x01AB\x05ABCDE\x05FGHIJ\x1b%\x01\x1b?Axy", "xy", "")],
        [(b"\x1b&Zx", "Zx", "")],
        # Unknown sequences are dropped, and the next one counts.
        [(b"\x1b\x01a\x1b\x1b@b\x1f\x10c", "bc", ""), (b"\x0cok", "ok", "")],
    ],
)  # fmt: skip
def test_what_a_pole_display_shows(pole: PoleModel, steps: list[tuple[bytes, str, str]]) -> None:
    for data, upper, lower in steps:
        assert lines(pole, of(pole, data)) == (upper, lower)


def test_brightness_has_four_steps(pole: PoleModel) -> None:
    for step, brightness in ((2, 2), (9, 2), (0, 2), (1, 1), (4, 4)):
        pole.received(of(pole, b"{bright}") + bytes([step]), 0)
        assert pole.brightness == brightness


def test_without_power_it_shows_and_hears_nothing_and_forgets(pole: PoleModel) -> None:
    pole.received(of(pole, b"old{vertical}"), 0)
    before = pole.writing
    pole.closed(0)
    assert lines(pole, b"unheard") == ("", "")
    pole.opened(0)
    assert (before, pole.writing) == (Writing.VERTICAL, Writing.OVERWRITE)
    assert lines(pole, b"new") == ("new", "")


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        # Whole lines, cut to the display.
        (b"\x1bQAupper line\r\x1bQBlower line, which is too long\r", ("upper line", "lower line, which is")),
        # After one it is in string mode: it takes only lines and clears.
        (b"\x1bQAupper\rtext\x1b@\x1bl\x01\x02more\x0b\x1b=\x01\x1bQBlower\r", ("upper", "lower")),
        (b"\x1bQAupper\r\x1bQBlower\r\x0b\x18", ("", "lower")),
        (b"\x1bQAupper\r\x1bQBlower\r\x0b\x18text", ("text", "lower")),
        # A line without an end is given up for the next command.
        (b"\x1bQAlost\x1bQBfound\r", ("", "found")),
        (b"\x81", (LOST, "")),
    ],
)
def test_what_a_cd5220_shows(data: bytes, shown: tuple[str, str]) -> None:
    model = Cd5220Model()
    assert lines(model, data) == shown
    assert model.brightness == 4


def test_a_cd5220_has_the_letters_of_its_maker() -> None:
    assert lines(Cd5220Model("cp437"), b"\x81") == ("ü", "")


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        # The tables of ESC t.
        (b"\x1bt\x00\x81", "ü"), (b"\x1bt\x02\xb5", "Á"), (b"\x1bt\x02\xd5", "ı"), (b"\x1bt\x10\xe1", "á"),
        (b"\x1bt\x13\xd5", "€"), (b"\x1bt\x01\xb1", LOST),
        (b"\x1bR\x02[x]\x1bR\x01{\x1bR\x00[\x1bR\x63]", "ÄxÜé[]"),  # nations
        (b"x\x1fE\xff", ""), (b"x\x1fE\xff\x1fE\x0a", "x"), (b"x\x1fE\x00", "x"),  # dark, or blinking
    ],
)  # fmt: skip
def test_what_a_dmd_shows(data: bytes, shown: str) -> None:
    assert lines(DmdModel(), data) == (shown, "")


@pytest.mark.parametrize(
    ("model", "name", "command", "values"),
    [
        (Cd5220Model, "cursor", b"\x1b_", [True, False, True]),
        (DmdModel, "cursor", b"\x1fC", [False, False, True]),
        (DmdModel, "reverse", b"\x1fr", [False, False, True]),
        (DmdModel, "blinks", b"\x1fE", [0, 0, 1]),
    ],
)
def test_modes_are_kept(model: type[PoleModel], name: str, command: bytes, values: list[object]) -> None:
    display = model()
    seen = [getattr(display, name)]
    for parameter in (b"\x00", b"\x01"):
        display.received(command + parameter, 0)
        seen.append(getattr(display, name))
    assert seen == values


# -- plain text


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", ("", "")),
        (b"\x0cone\r\ntwo\r\n", ("one", "two")),
        (b"old\r\nold\x0cnew", ("new", "")),
        (b"a line of text, too long\r\nx\r\ny\r\nz", ("a line of text, too ", "x")),
        (b"a\x00\x1b\x07b\xff", (f"ab{LOST}", "")),
    ],
)
def test_what_a_text_display_shows(data: bytes, shown: tuple[str, str]) -> None:
    display = SimTextDisplay()
    display.write(data)
    assert display.lines == shown


def test_a_text_display_keeps_what_came_over_the_line() -> None:
    display = SimTextDisplay(keep=2)
    for data in (b"a", b"bc", b"d"):
        display.write(data)
    assert list(display.history) == [b"bc", b"d"]
    assert display.bytes_taken == 4


@pytest.mark.parametrize("model", [TextModel(rows=2), Vt100Model()])
def test_text_is_lost_with_the_power(model: TextModel | Vt100Model) -> None:
    assert lines(model, b"old\x0cone \r\ntwo" if isinstance(model, TextModel) else b"one\r\ntwo") == (
        "one",
        "two",
    )
    model.closed(0)
    assert lines(model, b"unheard") == ("", "")
    model.opened(0)
    assert lines(model, b"new") == ("new", "")


# -- VT100, with two rows of five


def terminal(codec: str = "ascii") -> Vt100Model:
    return Vt100Model(rows=2, columns=5, codec=codec)


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        # The cursor.
        (b"\x1b[2;3Hx", ("", "  x")), (b"\x1b[2Hx", ("", "x")), (b"\x1b[;4fx", ("   x", "")),
        (b"\x1b[Hx", ("x", "")), (b"\x1b[9;9Hx", ("", "    x")), (b"abc\x1b[2Dx\x1b[Cy", ("axcy", "")),
        (b"a\x1b[Bb\x1b[Ac", ("a c", " b")), (b"abc\rx", ("xbc", "")), (b"abc\x08x", ("abx", "")),
        (b"abc\x1b[2G", ("abc", "")),  # not one of those it knows
        # Erasing.
        (b"abcdefghij\x1b[2;3H\x1b[K", ("abcde", "fg")), (b"abcdefghij\x1b[2;3H\x1b[1K", ("abcde", "   ij")),
        (b"abcdefghij\x1b[2;3H\x1b[2K", ("abcde", "")), (b"abcdefghij\x1b[2;3H\x1b[J", ("abcde", "fg")),
        (b"abcdefghij\x1b[2;3H\x1b[1J", ("", "   ij")), (b"abcdefghij\x1b[2;3H\x1b[2J", ("", "")),
        (b"abcdefghij\x1b[2;3H\x1b[7J\x1b[7K", ("abcde", "fghij")),
        (b"abcdefghij\x1b[1;3H\x1b[J", ("ab", "")),
        # A new line begins only with the letter after the last column, and without wrapping never.
        (b"abcde", ("abcde", "")), (b"abcdef", ("abcde", "f")), (b"abcdefghij", ("abcde", "fghij")),
        (b"abcdefghijk", ("fghij", "k")), (b"abcde\rx", ("xbcde", "")),
        (b"\x1b[?7labcdefg", ("abcdg", "")), (b"\x1b[?7l\x1b[?7habcdef", ("abcde", "f")),
        (b"one\r\ntwo\r\nthree", ("two", "three")),
        # Sequences can be broken off, unknown ones are dropped, and control codes work within them.
        (b"\x1b[12\x18a", ("a", "")), (b"\x1b[1\x1b[2;1Hb", ("", "b")),
        (b"\x1b(Bc\x1b[31;1md\x1b=e\x1b[?1;2xf", ("cdef", "")), (b"abc\x1b[2\r;2Hx", ("abc", " x")),
    ],
)  # fmt: skip
def test_what_a_vt100_shows(data: bytes, shown: tuple[str, str]) -> None:
    assert lines(terminal(), data) == shown


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
def test_a_vt100_takes_80_to_9f_for_commands_unless_a_letter_has_several_bytes(
    data: bytes, shown: tuple[str, ...]
) -> None:
    for codec in ("ascii", "latin-1", "cp437", "cp850"):
        assert lines(terminal(codec), data) == shown
    assert lines(terminal("utf-8"), "Äé".encode()) == ("Äé", "")


def test_a_vt100_reads_its_own_charset() -> None:
    assert lines(terminal(), b"\xfc") == (LOST, "")
    assert lines(terminal("latin-1"), b"\xfc") == ("ü", "")
    assert lines(terminal("utf-8"), "ü●".encode()) == ("ü●", "")
    assert lines(terminal("utf-8"), b"\xc3\r\xbc")[0] == LOST


def test_a_vt100_sequence_that_never_ends_is_given_up() -> None:
    assert lines(terminal(), b"\x1b[" + b"1" * 100 + b"H\x18\x1b[1;1Hg")[0].startswith("g")


def test_the_cursor_of_a_vt100_can_be_hidden_and_all_be_reset() -> None:
    model = Vt100Model()
    seen = []
    for data in (b"x\x1b[?25l\x1b[?7l", b"\x1bc"):
        model.received(data, 0)
        seen.append((model.cursor, model.wraps, model.lines))
    assert seen == [(False, False, ("x", "")), (True, True, ("", ""))]


# -- any bytes

PAIRS: list[tuple[Callable[[], SerialSign], Callable[[], Display]]] = [
    (cd5220_sign, Cd5220Model),
    (dmd_sign, DmdModel),
    (TextSign, TextModel),
    (vt100_sign, Vt100Model),
    (vt100_sign, lambda: Vt100Model(codec="utf-8")),
]
pieces = st.lists(st.one_of(st.binary(max_size=30), st.sampled_from([
    b"\x1b&\x01 \xff", b"\x1bQA", b"\x1bQD", b"\x1b=\x01", b"\x1fE\xff", b"\x1bW", b"\x1b", b"\x1f",
    b"\x1f$", b"\x1bt\x13", b"\x1bR\x02", b"\x1b\x13",
])), max_size=8)  # fmt: skip


@pytest.mark.parametrize(("sign", "model"), PAIRS)
@given(noise=pieces)
def test_any_bytes_are_survived_and_the_display_can_be_set_up_again(
    sign: Callable[[], CursorSign], model: Callable[[], Display], noise: list[bytes]
) -> None:
    display, encoder = model(), sign()
    for piece in noise:
        display.received(piece, 0)
        assert all(len(line) <= 20 for line in display.lines)
        assert len(display.lines) == 2
    # The beginning may be taken for what the noise had left open: letters of one's own, at worst.
    for _ in range(30 if isinstance(display, PoleModel) else 1):
        for frame in (*encoder.start(), *encoder.repaint(PAGE)):
            display.received(frame.data, 0)
    assert display.lines == PAGE


@pytest.mark.parametrize("model", [*(model for _, model in PAIRS), AlphaModel])
@given(noise=st.binary(max_size=200), size=st.integers(1, 7))
def test_it_does_not_matter_in_which_pieces_bytes_arrive(
    model: Callable[[], Display], noise: bytes, size: int
) -> None:
    whole, cut = model(), model()
    sign = AlphaSign()
    data = noise + sign.start()[3].data + sign.change(("a", "b"))[0].data
    whole.received(data, 10**9)
    for start in range(0, len(data), size):
        cut.received(data[start : start + size], 10**9)
    assert cut.lines == whole.lines
