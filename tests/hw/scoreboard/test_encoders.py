"""The bytes of each sign, against the command tables of manuals and bytes that others have published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.profile.device_kinds import SIGNS
from firmware_host.run.devices import sign_driver
from hw.scoreboard.alpha import ALPHA, CLEARED_NS, PAUSE_NS, AlphaSign, frame
from hw.scoreboard.charset import LATIN_1, PC437, PC850, Charset, to_ascii
from hw.scoreboard.cursor_signs import cd5220_sign, dmd_sign, vt100_sign
from hw.scoreboard.serial_sign import SerialSign
from hw.scoreboard.text import PlainScoreboard, TextSign, encode
from hw.sim.outputs import SimTextDisplay

PAGE = ("Runde 1/12", "läuft")
UPPER, LOWER = "52 75 6E 64 65 20 31 2F 31 32" + 10 * " 20", "6C 61 75 66 74" + 15 * " 20"
LOWER_850 = "6C 84 75 66 74" + 15 * " 20"


def sent(frames: object) -> bytes:
    return b"".join(each.data for each in frames)  # type: ignore[attr-defined]


MODES = "1B 3D 02  1B 74 02  1B 52 00  1F 01"
VT100_MODES = b"\x18\x1b[0m\x1b[?7l\x1b[?25l"
SIGN_BYTES: dict[str, tuple[Callable[[], SerialSign], bytes, bytes, bytes, bytes]] = {
    # Display selected, clear (it may be in string mode), initialise, overwrite mode, cursor off.
    # ESC Q A, twenty characters, CR; the same with B for the lower line.
    "cd5220": (
        cd5220_sign,
        bytes.fromhex("1B 3D 02  0C  1B 40  1B 11  1B 5F 00"),
        bytes.fromhex(f"1B 51 41 {UPPER} 0D 1B 51 42 {LOWER} 0D"),
        bytes.fromhex(f"1B 51 41 {UPPER} 0D 1B 51 42 {LOWER} 0D"),
        b"\x0c",
    ),
    # Display selected, initialise, clear; code table 2, nation 0, overwrite mode, cursor off. US $, column,
    # row, twenty characters. A repaint restores its modes (no blinking, no reverse) without clearing it.
    "dm-d": (
        dmd_sign,
        bytes.fromhex("1B 3D 02  1B 40  0C  1B 74 02  1B 52 00  1F 01  1F 43 00"),
        bytes.fromhex(f"1F 24 01 01 {UPPER} 1F 24 01 02 {LOWER_850}"),
        bytes.fromhex(f"{MODES}  1F 45 00  1F 72 00  1F 24 01 01 {UPPER} 1F 24 01 02 {LOWER_850}"),
        b"\x0c",
    ),
    # It is cleared once, hides its cursor and does not wrap.
    "vt100": (
        vt100_sign,
        VT100_MODES + b"\x1b[2J",
        b"\x1b[1;1HRunde 1/12          \x1b[2;1Hlauft               ",
        VT100_MODES + b"\x1b[1;1HRunde 1/12          \x1b[2;1Hlauft               ",
        b"\x18\x1b[2J",
    ),
    "text": (
        TextSign,
        b"\x0c",
        b"\x0cRunde 1/12\r\nlauft\r\n",
        b"\x0cRunde 1/12\r\nlauft\r\n",
        b"\x0c",
    ),
}


@pytest.mark.parametrize("name", SIGN_BYTES)
def test_set_up_page_repaint_and_blank(name: str) -> None:
    make, set_up, page, repaint, blank = SIGN_BYTES[name]
    sign = make()
    assert sent(sign.start()) == set_up
    assert sent(sign.change(PAGE)) == page
    assert sign.change((*PAGE, "no third line")) == []
    assert sent(sign.repaint(PAGE)) == repaint
    assert sign.blank() == blank
    assert sent(sign.change(PAGE)) == page  # after a blank it is written again


@pytest.mark.parametrize("make", [cd5220_sign, dmd_sign, vt100_sign])
def test_only_lines_that_differ_are_written(make: Callable[[], SerialSign]) -> None:
    sign = make()
    both = sent(sign.change(PAGE))
    assert len(sent(sign.change((PAGE[0], "Pause")))) == len(both) // 2


@pytest.mark.parametrize("make", [cd5220_sign, dmd_sign])
def test_poles_have_a_pause_after_they_were_initialised(make: Callable[[], SerialSign]) -> None:
    assert make().start()[0].rest_ns > 0


@pytest.mark.parametrize(
    ("sign", "line", "letters"),
    [
        (cd5220_sign(), "drücken", b"drucken"),
        (cd5220_sign(charset="pc437"), "drücken", b"dr\x81cken"),
        (dmd_sign(), "Áñü¿", bytes.fromhex("B5 A4 81 A8")),
        (dmd_sign(charset="pc437"), "Áñü¿", bytes.fromhex("41 A4 81 A8")),
        (TextSign(charset=LATIN_1), "läuft", b"l\xe4uft"),
    ],
)
def test_letters_are_those_of_the_charset(sign: SerialSign, line: str, letters: bytes) -> None:
    assert letters in sent(sign.change((line, "")))


def test_a_dmd_is_told_its_code_table() -> None:
    assert dmd_sign(charset="pc437").start()[1].data.startswith(bytes.fromhex("1B 74 00"))


@pytest.mark.parametrize(("charset", "codec"), [(PC437, "cp437"), (PC850, "cp850")])
def test_code_pages_are_what_their_names_say(charset: Charset, codec: str) -> None:
    assert len(charset.codes) > 40
    for letter, code in charset.codes.items():
        assert code.decode(codec) == letter


# -- Alpha


def body(data: bytes) -> bytes:
    """The command in a frame."""
    return data[data.index(0x02) + 1 : data.index(0x03)]


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
    assert body(AlphaSign(tall=False).start()[3].data) == b"AA\x1b a\x10a   \x10b"


def test_a_page_writes_a_string_for_each_line_that_differs_and_a_repaint_all_and_no_text() -> None:
    sign = AlphaSign()
    assert bodies(sign, ()) == [b"Ga ", b"Gb "]  # an empty line is a blank
    assert bodies(sign, ("Runde 1/12", "1:3 2:4")) == [b"GaRunde 1/12", b"Gb1:3 2:4"]
    assert {each.rest_ns for each in sign.change(("Runde 1/12", "1:3 2:3"))} == {PAUSE_NS}
    assert bodies(sign, ("Runde 1/12", "1:3 2:2")) == [b"Gb1:3 2:2"]
    assert sign.change(("Runde 1/12", "1:3 2:2 ")) == []
    assert [body(each.data) for each in sign.repaint(("a", "b"))] == [b"Gaa", b"Gbb"]
    assert body(sign.blank()) == b"AA\x1b0b "


@pytest.mark.parametrize(
    ("letter", "published"),
    [("Ç", "08 20"), ("ü", "08 21"), ("ä", "08 24"), ("ö", "08 34"), ("ñ", "08 44"), ("¿", "08 48"),
     ("°", "08 49"), ("¡", "08 4A"), ("Á", "08 5A"), ("É", "08 30"), ("ù", "08 37"), ("Ü", "08 3A"),
     ("Ë", "45"), ("ß", "73"), ("~", "2D"), ("œ", "6F")],  # those it lacks become their nearest
)  # fmt: skip
def test_letters_of_an_alpha_sign_beyond_ascii_go_as_two_bytes(letter: str, published: str) -> None:
    assert b"".join(ALPHA.encode(letter)) == bytes.fromhex(published)


@given(st.text(max_size=100), st.integers(20, 80))
def test_a_string_always_fits_in_its_place_and_on_a_line_of_seven_bits(text: str, columns: int) -> None:
    sign = AlphaSign(columns)
    size = int(body(sign.start()[1].data)[16:20], 16)
    string = bodies(sign, (text,))[0]
    assert string.startswith(b"Ga")
    assert 1 <= len(string) - 2 <= min(size, 125)
    assert max(string) < 0x80


def test_a_line_of_letters_that_take_two_bytes_is_cut_before_it_empties_its_file() -> None:
    assert bodies(AlphaSign(80), ("ü" * 80,))[0] == b"Ga" + b"\x08\x21" * 62


# -- the plain scoreboard


@pytest.mark.parametrize(
    ("page", "columns", "data"),
    [
        (PAGE, 20, b"\x0cRunde 1/12\r\nlauft\r\n"),
        (("0123456789", "ab        z"), 5, b"\x0c01234\r\nab\r\n"),
        ((), 20, b"\x0c"),
    ],
)
def test_plain_pages_are_cleared_and_sent_line_by_line(
    page: tuple[str, ...], columns: int, data: bytes
) -> None:
    assert encode(page, columns) == data


def test_the_plain_scoreboard_writes_each_page_and_ends_blank() -> None:
    written: list[bytes] = []
    board = PlainScoreboard(written.append, columns=16)
    board.show(("Paused",))
    board.close()
    board.close()
    assert board.columns == 16
    assert written == [b"\x0cPaused\r\n", b"\x0c"]


@given(st.tuples(st.text(max_size=30), st.text(max_size=30)), st.integers(20, 80))
def test_text_is_the_same_as_from_the_plain_scoreboard_and_reads_so(
    page: tuple[str, str], columns: int
) -> None:
    data = sent(TextSign(columns).change(page))
    assert data == encode(page, columns)
    display = SimTextDisplay(rows=2, columns=columns)
    display.write(data)
    assert list(display.lines) == [to_ascii(line)[:columns].rstrip() for line in page]


# -- every sign that a profile can name


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


@pytest.mark.parametrize("name", list(SIGNS))
@given(text=st.text(st.characters(max_codepoint=0x17F), max_size=30))
def test_no_text_holds_a_byte_that_the_sign_takes_for_a_command(name: str, text: str) -> None:
    """Below 20, 7F, for a terminal 80 to 9F; an Alpha sign has its 08 before a letter, and seven bits."""
    for each in SIGNS[name].charsets:
        sign = sign_driver(name, 40, each)
        for cell in sign.charset.encode(text):
            letter = cell[1:] if sign.charset is ALPHA and cell[0] == 0x08 else cell
            assert min(letter) >= 0x20 and 0x7F not in letter
            assert sign.bits == 8 or max(cell) < 0x7F
            if name == "vt100" and sign.charset.name != "utf-8":
                assert not 0x80 <= cell[0] < 0xA0


GUIDE = Path(__file__).parents[3] / "docs" / "scoreboards.md"
FIRST = ("Runde 1/12", "1:10 2:10 3:10")
SECOND = ("Runde 1/12", "1:10 2:9 3:10")


def dump(data: bytes) -> str:
    """Bytes as people look at them: in hexadecimal, and as text where they are some."""
    rows = []
    for start in range(0, len(data), 16):
        piece = data[start : start + 16]
        text = "".join(chr(code) if 0x20 <= code < 0x7F else "." for code in piece)
        rows.append(f"{piece.hex(' ').upper():<48} {text}".rstrip())
    return "\n".join(rows)


def set_up(sign: SerialSign) -> bytes:
    return b"".join(frame.data for frame in sign.start())


def first(sign: SerialSign) -> bytes:
    return b"".join(frame.data for frame in sign.change(FIRST))


def second(sign: SerialSign) -> bytes:
    sign.change(FIRST)
    return b"".join(frame.data for frame in sign.change(SECOND))


EXAMPLES = [
    (TextSign, first),
    (vt100_sign, set_up),
    (vt100_sign, first),
    (vt100_sign, second),
    (AlphaSign, second),
]


@pytest.mark.parametrize(("make", "example"), EXAMPLES)
def test_the_bytes_in_the_guide_are_those_that_are_sent(
    make: Callable[[], SerialSign], example: Callable[[SerialSign], bytes]
) -> None:
    expected = f"```\n{dump(example(make()))}\n```"
    assert expected in GUIDE.read_text(encoding="utf-8"), f"the guide should have:\n{expected}"


def test_the_guide_has_every_sign_that_a_profile_can_name() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for name in SIGNS:
        assert f"`{name}`" in text
