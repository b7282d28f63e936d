"""The simulated Alpha sign: as strict as a real one, whatever it is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.scoreboard.alpha import AlphaSign
from hw.sim.alpha_sign import AlphaModel

SECOND = 1_000_000_000
LAYOUT = b"E$AAU0040FF001BL00100000"
SET_UP = (b"E$", LAYOUT, b"AA\x1b b\x101")
"""One TEXT, and the STRING that it calls."""
PUBLISHED = bytes.fromhex("0000000000 01 5A3030 02 41411B2062 48454C4C4F 03 30323938 04")


class Sender:
    """Sends commands to a sign, a second apart, in frames made here and nowhere else."""

    def __init__(self, sign: AlphaModel | None = None) -> None:
        self.sign = sign or AlphaModel()
        self.now_ns = 0

    def send(self, *commands: bytes, to: bytes = b"Z00", checksums: bool = True) -> None:
        """Commands in one frame."""
        bodies = b""
        for command in commands:
            body = b"\x02" + command + (b"\x03" if checksums else b"")
            bodies += body + (b"%04X" % (sum(body) & 0xFFFF) if checksums else b"")
        self.raw(b"\x00\x01" + to + bodies + b"\x04")

    def raw(self, data: bytes, wait_ns: int = 2 * SECOND) -> None:
        self.now_ns += wait_ns
        self.sign.received(data, self.now_ns)

    def set_up(self) -> None:
        for command in SET_UP:
            self.send(command)


@pytest.fixture
def sender() -> Sender:
    return Sender()


@pytest.mark.parametrize(
    "steps",
    [
        [b"E$", (LAYOUT, b"AA\x1b b\x101", b"G1five"), "five"],  # several in one frame
        # A STRING file without a place in memory is refused, and so is a TEXT file in a STRING's place.
        [b"AA\x1b b<\x101>", b"G1five", "<>", *SET_UP, b"G2six", b"GAsix", "", b"G1five", "five"],
        [b"AB\x1b bno", b"E.SUB", "", *SET_UP, b"A1\x1b bno", b"G1five", "five"],
        # A STRING that is written past its place is empty; a TEXT that is larger than its place is refused.
        [*SET_UP, b"G1" + b"x" * 16, "x" * 16, b"G1" + b"x" * 17, ""],
        [*SET_UP, b"G1five", b"AA" + b"x" * 65, "five"],
        # A layout over another one is not shown unless the memory is cleared first.
        [*SET_UP, LAYOUT, b"AA\x1b bdark", "", *SET_UP, b"G1light", "light"],
        # A layout with a mistake changes nothing.
        [*SET_UP, b"G1five", b"E$AAU0040FF00?BL00100000", b"E$AXU0040FF00", "five"],
        [*SET_UP, b"G1five", b"E$1BU00100000", b"E$AAU0040FF001", b"E$AAU00g0FF00", "five"],
        # The priority text stands before all others until it is taken back; an empty one is a blank message.
        [*SET_UP, b"G1five", b"A0\x1b bFIRE", "FIRE", b"A0\x1b b", "", b"A0", "five"],
        [*SET_UP, b"G1five", b"A0" + b"x" * 125, "x" * 20, b"A0\x1b b", b"A0" + b"x" * 126, b"E.SUA", ""],
        # The run sequence says which text is shown.
        [b"E$", b"E$AAU0040FF00BAU0040FF00", b"AA\x1b bone", b"AB\x1b btwo", "one", b"E.SUB", "two",
         b"E.XUA", "two"],
        [b"AA\x1b b\x08\x21\x08\x24\x08\x49\x08\x4a\x08\x64~.", "üä°¡? ."],  # letters beyond ASCII
        [b"AA\x1b ba\x1a3b\x1d01c\x1e1d\x070e\x15f\x12g\x0b9h\x13i", "abcdefghi"],  # codes that show nothing
        [*SET_UP, b"G1x\x101x", "x1x"],  # a STRING can call no other one
    ],
)  # fmt: skip
def test_after_these_commands_a_person_reads(
    sender: Sender, steps: list[bytes | tuple[bytes, ...] | str]
) -> None:
    for step in steps:
        if isinstance(step, str):
            assert sender.sign.lines == (step, "")
        else:
            sender.send(*([step] if isinstance(step, bytes) else step))


@pytest.mark.parametrize(
    "text",
    [b"AA\x1b", b"AA\x1b ", b"AA\x1b b\x08", b"AA\x1b b\x10", b"AA\x1b b\x1c", b"A", b"G", b"", b"E$A"],
)
def test_what_is_cut_off_at_its_end_does_no_harm(sender: Sender, text: bytes) -> None:
    sender.send(text)
    assert sender.sign.lines == ("", "")


def test_the_frame_in_the_manual_is_shown_and_a_spoilt_one_is_not(sender: Sender) -> None:
    for spoilt in (PUBLISHED.replace(b"0298", b"0299"), PUBLISHED.replace(b"HELLO", b"JELLO")):
        sender.raw(spoilt)
        assert sender.sign.lines == ("", "")
    assert sender.sign.errors == 2
    sender.raw(PUBLISHED)
    assert sender.sign.lines == ("HELLO", "")
    assert (sender.sign.rendered.mode, sender.sign.rendered.position) == ("b", " ")


def test_a_frame_without_a_checksum_is_good_too(sender: Sender) -> None:
    sender.send(b"AA\x1b bHELLO", checksums=False)
    assert sender.sign.lines == ("HELLO", "")


def test_frames_for_other_signs_are_not_its_business() -> None:
    sender = Sender(AlphaModel(kind=b"^", address=b"05"))
    for to in (b"Z06", b"f05", b"f00"):
        sender.send(b"AA\x1b bno", to=to)
        assert sender.sign.lines == ("", "")
    for to in (b"^05", b"^00", b"Z05", b"!00"):
        sender.send(b"AA\x1b b" + to, to=to)
        assert sender.sign.lines == (to.decode(), "")


def test_a_string_does_not_blink_and_a_text_does(sender: Sender) -> None:
    sender.set_up()
    before = sender.sign.blinks
    sender.send(b"G1five")
    assert sender.sign.blinks == before
    sender.send(b"AA\x1b bnew")
    assert sender.sign.blinks == before + 1


def test_colours_and_modes_are_kept_and_outlast_the_string_they_are_set_in(sender: Sender) -> None:
    sender.send(b"E$")
    sender.send(LAYOUT)
    sender.send(b"AA\x1b0b\x1c1top\rstill\r\x101\rafter\r\x1c3end")
    sender.send(b"G1\x1c2green")
    rendered = sender.sign.rendered
    assert rendered.lines == ("top", "still", "green", "after", "end")
    assert rendered.colours == ("red", "red", "green", "green", "amber")
    assert (rendered.position, rendered.mode) == ("0", "b")


def test_a_second_position_in_a_text_begins_another_line(sender: Sender) -> None:
    sender.send(b'AA\x1b"btop\x1b&bbottom')
    assert sender.sign.lines == ("top", "bottom")


def test_in_one_row_the_lines_run_past() -> None:
    sender = Sender(AlphaModel(rows=1, columns=4))
    sender.send(b"AA\x1b along and longer")
    assert sender.sign.lines == ("long and longer",)
    sender.send(b"AA\x1b blong and longer")
    assert sender.sign.lines == ("long",)


@pytest.mark.parametrize(
    ("before", "deaf_ns"), [(b"AA\x1b bone", SECOND // 10), (b"E$", SECOND), (b"E,", SECOND)]
)
def test_after_a_frame_it_is_deaf_for_a_while_and_longer_after_a_reset(
    sender: Sender, before: bytes, deaf_ns: int
) -> None:
    sender.send(before)
    sender.raw(PUBLISHED, wait_ns=deaf_ns - 1)
    assert sender.sign.lines != ("HELLO", "")
    sender.raw(PUBLISHED, wait_ns=1)
    assert sender.sign.lines == ("HELLO", "")


def test_a_pause_in_a_frame_ends_it(sender: Sender) -> None:
    for pause_ns, line in ((SECOND + 1, ""), (SECOND, "HELLO")):
        sender.raw(PUBLISHED[:15])
        sender.raw(PUBLISHED[15:], wait_ns=pause_ns)
        assert sender.sign.lines == (line, "")


def test_a_frame_that_never_ends_is_given_up(sender: Sender) -> None:
    sender.raw(b"\x01Z00\x02AA" + b"x" * 5000 + b"\x04")
    assert sender.sign.lines == ("", "")
    sender.raw(PUBLISHED)
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
