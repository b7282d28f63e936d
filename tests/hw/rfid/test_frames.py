"""Frames of the PN532: what a chip and its host have said elsewhere, and whatever noise there is."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.rfid.frames import (
    FIELD_OFF,
    FIELD_ON,
    FIRMWARE,
    FROM_CHIP,
    FROM_HOST,
    LIST,
    LONGEST,
    RELEASE,
    RETRIES,
    SAM,
    START,
    SYNTAX_ERROR,
    UID_LENGTHS,
    WAKE,
    ControlFrame,
    DataFrame,
    Firmware,
    Item,
    LineNoise,
    Parser,
    Pn532Command,
    Target,
    firmware,
    framed,
    targets,
)

ACK = "0000FF00FF00"
# Seen on the lines of real chips, and put down by those who looked.
RECORDED = [
    (ACK, ControlFrame.ACK),
    ("0000FFFF0000", ControlFrame.NACK),
    ("0000FF01FF7F8100", ControlFrame.ERROR),
    ("0000FF02FED5151600", DataFrame(FROM_CHIP, 0x15, b"")),
    ("0000FF02FED533F800", DataFrame(FROM_CHIP, 0x33, b"")),
    ("0000FF03FDD54B00E000", DataFrame(FROM_CHIP, 0x4B, b"\x00")),
    ("0000FF03FDD54500E600", DataFrame(FROM_CHIP, 0x45, b"\x00")),
    ("0000FF06FAD50332010607E800", DataFrame(FROM_CHIP, 0x03, bytes.fromhex("32010607"))),
    (
        "0000FF0CF4D54B010100040804078CFC4FF000",
        DataFrame(FROM_CHIP, 0x4B, bytes.fromhex("010100040804078CFC4F")),
    ),
    (
        "0000FF0CF4D54B0101000408049D44A3460400",
        DataFrame(FROM_CHIP, 0x4B, bytes.fromhex("0101000408049D44A346")),
    ),
    (
        "0000FF0FF1D54B01010044000704416D412B0289EA00",
        DataFrame(FROM_CHIP, 0x4B, bytes.fromhex("01010044000704416D412B0289")),
    ),
    (
        "0000FF16EAD54B0101120101010112EC23AA1F0136428247459AFFBE00",
        DataFrame(FROM_CHIP, 0x4B, bytes.fromhex("0101120101010112EC23AA1F0136428247459AFF")),
    ),
]


def parsed(data: bytes, origin: int = FROM_CHIP) -> list[Item]:
    parser = Parser(origin)
    return parser.feed(data) + parser.flush()


def quiet(items: list[Item]) -> list[Item]:
    """All but the noise."""
    return [item for item in items if not isinstance(item, LineNoise)]


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[first:last] for first, last in pairwise(places)]


codes = st.integers(0, 0xFF)
bodies = st.binary(max_size=LONGEST - 2)
replies = st.builds(DataFrame, st.just(FROM_CHIP), codes, bodies)
said = st.one_of(replies, st.sampled_from(ControlFrame))
noises = st.lists(
    st.one_of(
        st.binary(max_size=12),
        st.sampled_from([START, b"\x00", b"\xff", b"\x00\xff\xff\xff", b"\x00\xff\x06\xfa\xd5", b"\x55\x55"]),
    ),
    max_size=8,
).map(b"".join)


def bytes_of(item: DataFrame | ControlFrame) -> bytes:
    return item.value if isinstance(item, ControlFrame) else framed(item.origin, item.code, item.body)


# -- what others have seen


@pytest.mark.parametrize(("recorded", "meant"), RECORDED)
def test_what_was_recorded_is_understood(recorded: str, meant: DataFrame | ControlFrame) -> None:
    assert parsed(bytes.fromhex(recorded)) == [meant]


# -- building


def test_a_long_frame_takes_the_extended_form() -> None:
    data = framed(FROM_HOST, 0x00, bytes(range(254)))
    assert data[:8] == bytes.fromhex("0000FFFFFF0100FF")
    assert parsed(data, FROM_HOST) == [DataFrame(FROM_HOST, 0x00, bytes(range(254)))]


def test_more_than_a_frame_can_hold_is_refused() -> None:
    framed(FROM_HOST, 0x00, bytes(LONGEST - 2))
    with pytest.raises(ValueError, match="at most 265"):
        framed(FROM_HOST, 0x00, bytes(LONGEST - 1))


@given(codes, bodies)
def test_what_is_built_adds_up(code: int, body: bytes) -> None:
    data = framed(FROM_HOST, code, body)
    head = 8 if data[3:5] == b"\xff\xff" else 5
    assert sum(data[head - 3 if head == 8 else 3 : head]) % 0x100 == 0
    assert sum(data[head:-1]) % 0x100 == 0
    assert data[-1] == 0


# -- finding


@given(st.lists(said, max_size=5), st.lists(st.integers(0)))
def test_it_does_not_matter_how_the_bytes_are_cut(
    items: list[DataFrame | ControlFrame], cuts: list[int]
) -> None:
    data = b"".join(map(bytes_of, items))
    parser = Parser(FROM_CHIP)
    assert [item for piece in pieces(data, cuts) for item in parser.feed(piece)] == items


@given(noises, st.lists(st.integers(0)))
def test_nor_does_it_with_noise(data: bytes, cuts: list[int]) -> None:
    whole, cut = Parser(FROM_CHIP), Parser(FROM_CHIP)
    at_once = quiet(whole.feed(data))
    bit_by_bit = quiet([item for piece in pieces(data, cuts) for item in cut.feed(piece)])
    assert bit_by_bit == at_once
    assert quiet(cut.flush()) == quiet(whole.flush())


@given(st.binary(max_size=2000), st.booleans())
def test_any_bytes_do_no_harm_and_take_little_room(data: bytes, ended: bool) -> None:
    parser = Parser(FROM_CHIP)
    for byte in data:
        parser.feed(bytes((byte,)))
        assert parser.held <= LONGEST + 8
    if ended:
        parser.flush()
        assert parser.held == 0


@given(noises, said, noises)
def test_every_frame_is_found_between_noise(
    before: bytes, item: DataFrame | ControlFrame, after: bytes
) -> None:
    """Unless the noise and the head of the frame make up a frame themselves."""
    data = before + bytes_of(item)
    if any(ends > len(before) and begins < len(before) for begins, ends in accidents(data)):
        return
    assert item in parsed(data + after)


def accidents(data: bytes) -> list[tuple[int, int]]:
    """Every stretch of the bytes that adds up to a frame, found by trying them all."""
    found = []
    for begin in range(len(data)):
        head = data[begin : begin + 7]
        if head[:2] != START:
            continue
        if head[2:4] in (b"\x00\xff", b"\xff\x00"):
            found.append((begin, begin + 4))
        lengths = [(4, data[begin + 2])] if len(head) > 3 and not sum(head[2:4]) % 0x100 else []
        if head[2:4] == b"\xff\xff" and len(head) == 7 and not sum(head[4:7]) % 0x100:
            lengths.append((7, head[4] * 0x100 + head[5]))
        for offset, length in lengths:
            end = begin + offset + length + 1
            if length and end <= len(data) and not sum(data[begin + offset : end]) % 0x100:
                found.append((begin, end))
    return found


@pytest.mark.parametrize(
    "false_start",
    [
        "00FF",
        "00FF00",
        "00FFFFFF",
        "00FFFFFF01",
        "00FFFFFF0109F6",
        "00FFFFFF0109F6D5",
        "00FF06FA",
        "00FF20E0D5",
        "00FFFE02D54B",
        "00FF01FF",
        "00FF01FF7F",
        "00FF01FF7F00",
    ],
)
def test_a_false_start_swallows_nothing(false_start: str) -> None:
    """Its length may reach over the good frames behind it: they are found as soon as it is known false."""
    item = DataFrame(FROM_CHIP, 0x4B, bytes.fromhex("010100040804078CFC4F"))
    good = ControlFrame.ACK.value + framed(*item)
    parser = Parser(FROM_CHIP)
    found = parser.feed(bytes.fromhex(false_start)) + parser.feed(good) + parser.flush()
    assert quiet(found) == [ControlFrame.ACK, item]
    found = Parser(FROM_CHIP).feed(bytes.fromhex(false_start) + 12 * good)
    assert quiet(found) == 12 * [ControlFrame.ACK, item], "later bytes show it, too"


def test_the_data_of_a_frame_may_look_like_frames() -> None:
    """A tag may have any number; while its frame is coming in, nothing in it is believed."""
    inner = ControlFrame.ACK.value + framed(FROM_CHIP, 0x33)
    outer = framed(FROM_CHIP, 0x4B, inner)
    parser = Parser(FROM_CHIP)
    assert [item for byte in outer for item in parser.feed(bytes((byte,)))] == [
        DataFrame(FROM_CHIP, 0x4B, inner)
    ]


@given(bodies, st.integers(0), st.integers(1, 0xFF))
def test_a_changed_byte_is_noticed(body: bytes, place: int, change: int) -> None:
    data = bytearray(framed(FROM_CHIP, 0x4B, body))
    data[1 + place % (len(data) - 2)] ^= change  # the outermost zeros mean nothing
    assert DataFrame(FROM_CHIP, 0x4B, body) not in parsed(bytes(data))


def test_noise_is_reported_with_its_size() -> None:
    assert parsed(b"\x12\x00\x34" + ControlFrame.ACK.value + b"\x56") == [
        LineNoise(2),
        ControlFrame.ACK,
        LineNoise(1),
    ]


def test_the_parser_of_a_host_hears_what_it_says_itself() -> None:
    own = framed(FROM_HOST, 0x02)
    assert parsed(own) == [DataFrame(FROM_HOST, 0x02, b"")]
    assert quiet(parsed(framed(FROM_CHIP, 0x03), FROM_HOST)) == []


def test_only_an_error_may_begin_like_an_error() -> None:
    assert quiet(parsed(framed(SYNTAX_ERROR, 0x00, b"\x01"))) == []


PUBLISHED = [
    (SAM, "0000FF05FBD4140100001700"),
    (FIRMWARE, "0000FF02FED4022A00"),
    (LIST, "0000FF04FCD44A0200E000"),
    (Pn532Command("list of one tag", 0x4A, b"\x01\x00"), "0000FF04FCD44A0100E100"),
    (RETRIES, "0000FF06FAD43205000001F400"),
    (Pn532Command("retries, once for ATR", 0x32, b"\x05\x01\x00\x01"), "0000FF06FAD43205010001F300"),
    (FIELD_OFF, "0000FF04FCD4320100F900"),
    (FIELD_ON, "0000FF04FCD4320101F800"),
    (RELEASE, "0000FF03FDD45200DA00"),
    (Pn532Command("retries for ever", 0x32, b"\x05\xff\xff\xff"), "0000FF06FAD43205FFFFFFF800"),
    (Pn532Command("deselect", 0x44, b"\x00"), "0000FF03FDD44400E800"),
    (Pn532Command("short SAM configuration", 0x14, b"\x01"), "0000FF03FDD414011700"),
]


# Replies of real chips with real cards before them.
MIFARE = Target(bytes.fromhex("078CFC4F"), b"\x00\x04", 0x08)
LISTED = [
    ("0000FF03FDD54B00E000", []),
    ("0000FF0CF4D54B010100040804078CFC4FF000", [MIFARE]),
    ("0000FF0CF4D54B010100040804CB98A605C000", [MIFARE._replace(uid=bytes.fromhex("CB98A605"))]),
    ("0000FF0CF4D54B01010004080463314706ED00", [MIFARE._replace(uid=bytes.fromhex("63314706"))]),
    ("0000FF0CF4D54B010100040804B0864D252600", [MIFARE._replace(uid=bytes.fromhex("B0864D25"))]),
    ("0000FF0CF4D54B0101000218048A4CB5122300", [Target(bytes.fromhex("8A4CB512"), b"\x00\x02", 0x18)]),
    (
        "0000FF0FF1D54B010100440007047BCB51962280C000",
        [Target(bytes.fromhex("047BCB51962280"), b"\x00\x44", 0x00)],
    ),
    (
        "0000FF0FF1D54B01010044000704416D412B0289EA00",
        [Target(bytes.fromhex("04416D412B0289"), b"\x00\x44", 0x00)],
    ),
    (
        "0000FF1CE4D54B010100042804FDE60899107880900220900000000000FDE608995C00",
        [Target(bytes.fromhex("FDE60899"), b"\x00\x04", 0x28)],
    ),
]
ats = st.binary(max_size=20).map(lambda rest: bytes((len(rest) + 1,)) + rest)
uids = st.sampled_from(UID_LENGTHS).flatmap(lambda size: st.binary(min_size=size, max_size=size))
tags = st.builds(
    Target, uids, st.binary(min_size=2, max_size=2), st.integers(0, 0xFF).map(lambda b: b & ~0x20)
)
smart_tags = st.builds(Target, uids, st.binary(min_size=2, max_size=2), st.just(0x20))


def described(number: int, target: Target, extra: bytes = b"") -> bytes:
    return bytes((number, *target.atqa, target.sak, len(target.uid), *target.uid)) + extra


@pytest.mark.parametrize(("command", "published"), PUBLISHED, ids=lambda value: getattr(value, "name", ""))
def test_commands_are_those_that_are_published(command: Pn532Command, published: str) -> None:
    assert command.frame.hex().upper() == published


def test_the_chip_is_woken_by_two_bytes_and_a_pause() -> None:
    assert WAKE.hex() == "5555" + 14 * "00"


@pytest.mark.parametrize(
    ("recorded", "listed"), LISTED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_recorded_lists_are_read(recorded: str, listed: list[Target]) -> None:
    [reply] = Parser(FROM_CHIP).feed(bytes.fromhex(recorded))
    assert isinstance(reply, DataFrame)
    assert reply.code == LIST.reply
    assert targets(reply.body) == listed


def test_the_version_of_the_usual_chip() -> None:
    assert firmware(bytes.fromhex("32010607")) == Firmware(0x32, 1, 6, 7)
    assert str(Firmware(0x32, 1, 6, 7)) == "PN532 1.6"
    assert firmware(b"\x32") is None


@given(st.lists(tags, max_size=2))
def test_up_to_two_tags_are_read(listed: list[Target]) -> None:
    body = bytes((len(listed),))
    for number, target in enumerate(listed, start=1):
        body += described(number, target)
    assert targets(body) == listed


@given(smart_tags, ats, tags)
def test_a_tag_may_say_more_before_the_next_one(smart: Target, more: bytes, plain: Target) -> None:
    body = b"\x02" + described(1, smart, more) + described(2, plain)
    assert targets(body) == [smart, plain]


@given(smart_tags, tags)
def test_a_tag_that_could_say_more_may_keep_silent(smart: Target, plain: Target) -> None:
    assert targets(b"\x01" + described(1, smart)) == [smart]
    assert targets(b"\x02" + described(1, plain) + described(2, smart)) == [plain, smart]
    assert targets(b"\x02" + described(1, smart) + described(2, plain)) == [smart, plain]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "01",
        "03",
        "0001",
        "0101000408",
        "010100040803010203",
        "010100040804010203",
        "01010004080401020304FF",
        "0201000408040102030402000408",
    ],
)
def test_what_is_no_list_is_none(body: str) -> None:
    assert targets(bytes.fromhex(body)) is None


@given(st.binary(max_size=60))
def test_any_body_is_a_list_or_none(body: bytes) -> None:
    listed = targets(body)
    if listed is not None:
        assert len(listed) == body[0]
        assert all(len(target.uid) in UID_LENGTHS for target in listed)
