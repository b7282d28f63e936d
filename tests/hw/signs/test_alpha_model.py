"""The simulated Alpha sign: as strict as a real one, whatever it is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.alpha import AlphaSign
from hw.sim.alpha_sign import AlphaModel

SECOND = 1_000_000_000
LAYOUT = b"E$AAU0040FF001BL00100000"
PUBLISHED = bytes.fromhex("0000000000 01 5A3030 02 41411B2062 48454C4C4F 03 30323938 04")


class Sender:
    """Sends commands to a sign, a second apart, in frames made here and nowhere else."""

    def __init__(self, sign: AlphaModel | None = None) -> None:
        self.sign = sign or AlphaModel()
        self.now_ns = 0

    def send(self, *commands: bytes, to: bytes = b"Z00", checksums: bool = True) -> None:
        bodies = b""
        for command in commands:
            body = b"\x02" + command + (b"\x03" if checksums else b"")
            bodies += body + (b"%04X" % (sum(body) & 0xFFFF) if checksums else b"")
        self.raw(b"\x00\x01" + to + bodies + b"\x04")

    def raw(self, data: bytes, wait_ns: int = 2 * SECOND) -> None:
        self.now_ns += wait_ns
        self.sign.received(data, self.now_ns)

    def set_up(self) -> None:
        """One TEXT, and the STRING that it calls."""
        self.send(b"E$")
        self.send(LAYOUT)
        self.send(b"AA\x1b b\x101")


@pytest.fixture
def sender() -> Sender:
    return Sender()


def test_the_frame_in_the_manual_is_shown(sender: Sender) -> None:
    sender.raw(PUBLISHED)
    assert sender.sign.lines == ("HELLO", "")
    assert sender.sign.rendered.mode == "b"
    assert sender.sign.rendered.position == " "


def test_a_frame_without_a_checksum_is_good_too(sender: Sender) -> None:
    sender.send(b"AA\x1b bHELLO", checksums=False)
    assert sender.sign.lines == ("HELLO", "")


def test_a_wrong_checksum_is_counted_and_ignored(sender: Sender) -> None:
    sender.raw(PUBLISHED.replace(b"0298", b"0299"))
    assert sender.sign.lines == ("", "")
    assert sender.sign.errors == 1


def test_a_byte_that_went_wrong_spoils_its_frame_but_not_the_next_one(sender: Sender) -> None:
    sender.raw(PUBLISHED.replace(b"HELLO", b"JELLO"))
    assert sender.sign.lines == ("", "")
    sender.raw(PUBLISHED)
    assert sender.sign.lines == ("HELLO", "")


def test_several_commands_may_be_in_one_frame(sender: Sender) -> None:
    sender.send(b"E$")
    sender.send(LAYOUT, b"AA\x1b b\x101", b"G1five")
    assert sender.sign.lines == ("five", "")


def test_frames_for_other_signs_are_not_its_business() -> None:
    sender = Sender(AlphaModel(kind=b"^", address=b"05"))
    for to in (b"Z06", b"f05", b"f00"):
        sender.send(b"AA\x1b bno", to=to)
        assert sender.sign.lines == ("", "")
    for to in (b"^05", b"^00", b"Z05", b"!00"):
        sender.send(b"AA\x1b b" + to, to=to)
        assert sender.sign.lines == (to.decode(), "")


def test_a_string_file_without_a_place_in_memory_is_refused(sender: Sender) -> None:
    sender.send(b"AA\x1b b<\x101>")
    sender.send(b"G1five")
    assert sender.sign.strings == {}
    assert sender.sign.lines == ("<>", "")
    sender.set_up()
    sender.send(b"G2six")
    sender.send(b"GAsix")
    assert sender.sign.strings == {}
    sender.send(b"G1five")
    assert sender.sign.lines == ("five", "")


def test_a_text_file_without_a_place_in_memory_is_refused(sender: Sender) -> None:
    sender.send(b"AB\x1b bno")
    sender.send(b"E.SUB")
    assert sender.sign.lines == ("", "")
    sender.set_up()
    sender.send(b"A1\x1b bno")  # that is the STRING's place
    assert list(sender.sign.texts) == [b"A"]


def test_a_string_does_not_blink_and_a_text_does(sender: Sender) -> None:
    sender.set_up()
    before = sender.sign.blinks
    sender.send(b"G1five")
    assert sender.sign.blinks == before
    sender.send(b"AA\x1b bnew")
    assert sender.sign.blinks == before + 1


def test_a_string_written_past_its_place_is_empty(sender: Sender) -> None:
    sender.set_up()
    sender.send(b"G1" + b"x" * 16)
    assert sender.sign.lines == ("x" * 16, "")
    sender.send(b"G1" + b"x" * 17)
    assert sender.sign.lines == ("", "")


def test_a_text_larger_than_its_place_is_refused(sender: Sender) -> None:
    sender.set_up()
    sender.send(b"AA" + b"x" * 65)
    assert sender.sign.texts[b"A"] == b"\x1b b\x101"


def test_a_layout_over_another_one_is_not_shown_unless_the_memory_is_cleared_first(sender: Sender) -> None:
    sender.set_up()
    sender.send(LAYOUT)
    sender.send(b"AA\x1b bdark")
    assert sender.sign.lines == ("", "")
    sender.set_up()
    sender.send(b"G1light")
    assert sender.sign.lines == ("light", "")


def test_a_layout_with_a_mistake_changes_nothing(sender: Sender) -> None:
    sender.set_up()
    for mistake in (
        b"E$AAU0040FF00?BL00100000",
        b"E$AXU0040FF00",
        b"E$1BU00100000",
        b"E$AAU0040FF001",
        b"E$AAU00g0FF00",
    ):
        sender.send(mistake)
        assert sender.sign.texts == {b"A": b"\x1b b\x101"}


def test_the_priority_text_stands_before_all_others_until_it_is_taken_back(sender: Sender) -> None:
    sender.set_up()
    sender.send(b"G1five")
    sender.send(b"A0\x1b bFIRE")
    assert sender.sign.lines == ("FIRE", "")
    sender.send(b"A0\x1b b")  # that is a blank message, and no end of it
    assert sender.sign.lines == ("", "")
    sender.send(b"A0" + b"x" * 126)
    sender.send(b"E.SUA")
    assert sender.sign.lines == ("", "")
    sender.send(b"A0")
    assert sender.sign.lines == ("five", "")


def test_the_run_sequence_says_which_text_is_shown(sender: Sender) -> None:
    sender.send(b"E$")
    sender.send(b"E$AAU0040FF00BAU0040FF00")
    sender.send(b"AA\x1b bone")
    sender.send(b"AB\x1b btwo")
    assert sender.sign.lines == ("one", "")
    sender.send(b"E.SUB")
    assert sender.sign.lines == ("two", "")
    sender.send(b"E.XUA")
    assert sender.sign.lines == ("two", "")


def test_colours_and_modes_are_kept_and_outlast_the_string_they_are_set_in(sender: Sender) -> None:
    sender.send(b"E$")
    sender.send(LAYOUT)
    sender.send(b"AA\x1b0b\x1c1top\rstill\r\x101\rafter\r\x1c3end")
    sender.send(b"G1\x1c2green")
    rendered = sender.sign.rendered
    assert rendered.lines == ("top", "still", "green", "after", "end")
    assert rendered.colours == ("red", "red", "green", "green", "amber")
    assert (rendered.position, rendered.mode) == ("0", "b")


def test_letters_beyond_ascii(sender: Sender) -> None:
    sender.send(b"AA\x1b b\x08\x21\x08\x24\x08\x49\x08\x4a\x08\x64~.")
    assert sender.sign.lines == ("üä°¡? .", "")


def test_codes_that_change_how_letters_look_show_nothing(sender: Sender) -> None:
    sender.send(b"AA\x1b ba\x1a3b\x1d01c\x1e1d\x070e\x15f\x12g\x0b9h\x13i")
    assert sender.sign.lines == ("abcdefghi", "")


def test_what_is_cut_off_at_its_end_does_no_harm() -> None:
    for text in (
        b"AA\x1b",
        b"AA\x1b ",
        b"AA\x1b b\x08",
        b"AA\x1b b\x10",
        b"AA\x1b b\x1c",
        b"A",
        b"G",
        b"",
        b"E$A",
    ):
        sender = Sender()
        sender.send(text)
        assert sender.sign.lines == ("", "")


def test_a_string_can_call_no_other_one(sender: Sender) -> None:
    sender.set_up()
    sender.send(b"G1x\x101x")
    assert sender.sign.lines == ("x1x", "")


def test_in_one_row_the_lines_run_past() -> None:
    sender = Sender(AlphaModel(rows=1, columns=4))
    sender.send(b"AA\x1b along and longer")
    assert sender.sign.lines == ("long and longer",)
    sender.send(b"AA\x1b blong and longer")
    assert sender.sign.lines == ("long",)


def test_a_frame_too_soon_after_another_one_is_lost(sender: Sender) -> None:
    sender.send(b"AA\x1b bone")
    sender.raw(PUBLISHED, wait_ns=99_000_000)
    assert sender.sign.lines == ("one", "")
    sender.raw(PUBLISHED, wait_ns=100_000_000)
    assert sender.sign.lines == ("HELLO", "")


def test_after_its_memory_was_cleared_it_is_deaf_for_a_while(sender: Sender) -> None:
    for reset in (b"E$", b"E,"):
        sender.send(b"AA\x1b bone")
        sender.send(reset)
        sender.raw(PUBLISHED, wait_ns=SECOND - 1)
        assert sender.sign.lines != ("HELLO", "")
        sender.raw(PUBLISHED)
        assert sender.sign.lines == ("HELLO", "")


def test_a_pause_in_a_frame_ends_it(sender: Sender) -> None:
    sender.raw(PUBLISHED[:15])
    sender.raw(PUBLISHED[15:], wait_ns=SECOND + 1)
    assert sender.sign.lines == ("", "")
    sender.raw(PUBLISHED[:15])
    sender.raw(PUBLISHED[15:], wait_ns=SECOND)
    assert sender.sign.lines == ("HELLO", "")


def test_without_power_it_shows_and_hears_nothing_but_remembers(sender: Sender) -> None:
    sender.raw(PUBLISHED)
    sender.sign.closed(sender.now_ns)
    assert sender.sign.lines == ("", "")
    sender.send(b"AA\x1b bno")
    sender.sign.opened(sender.now_ns)
    assert sender.sign.lines == ("HELLO", "")
    sender.raw(PUBLISHED.replace(b"0298", b"0000"), wait_ns=1)
    assert sender.sign.errors == 0  # it was busy with itself


def test_one_that_keeps_no_memory_begins_with_none() -> None:
    sender = Sender(AlphaModel(keeps_memory=False))
    sender.set_up()
    sender.sign.closed(sender.now_ns)
    sender.sign.opened(sender.now_ns)
    sender.send(b"G1five")
    assert sender.sign.places is None
    assert sender.sign.lines == ("", "")


@given(st.lists(st.binary(max_size=80), max_size=10), st.booleans())
def test_any_bytes_are_survived_and_the_next_good_frames_count(pieces: list[bytes], marked: bool) -> None:
    sender = Sender()
    for piece in pieces:
        sender.raw(b"\x01Z00\x02" + piece if marked else piece, wait_ns=10_000_000)
        assert len(sender.sign.lines) == 2
    sign = AlphaSign()
    sender.now_ns += SECOND
    for frame in (*sign.start(), *sign.change(("Runde 1/12", "läuft"))):
        sender.raw(frame.data, wait_ns=0)
        sender.now_ns += frame.rest_ns
    assert sender.sign.lines == ("Runde 1/12", "läuft")


@given(st.binary(max_size=200), st.integers(1, 7))
def test_it_does_not_matter_in_which_pieces_bytes_arrive(noise: bytes, size: int) -> None:
    whole, pieces = AlphaModel(), AlphaModel()
    data = noise + PUBLISHED
    whole.received(data, SECOND)
    for start in range(0, len(data), size):
        pieces.received(data[start : start + size], SECOND)
    assert pieces.lines == whole.lines


def test_a_frame_that_never_ends_is_given_up(sender: Sender) -> None:
    sender.raw(b"\x01Z00\x02AA" + b"x" * 5000 + b"\x04")
    assert sender.sign.lines == ("", "")
    sender.raw(PUBLISHED)
    assert sender.sign.lines == ("HELLO", "")


def test_a_second_position_in_a_text_begins_another_line(sender: Sender) -> None:
    sender.send(b'AA\x1b"btop\x1b&bbottom')
    assert sender.sign.lines == ("top", "bottom")
