"""What is said to a PN532 and what its replies mean, byte for byte as others have seen it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.rfid.frames import (
    FIELD_OFF,
    FIELD_ON,
    FIRMWARE,
    FROM_CHIP,
    LIST,
    RELEASE,
    RETRIES,
    SAM,
    UID_LENGTHS,
    WAKE,
    DataFrame,
    Firmware,
    Parser,
    Pn532Command,
    Target,
    firmware,
    targets,
)

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


def test_a_reply_bears_the_next_number() -> None:
    assert (SAM.reply, FIRMWARE.reply, LIST.reply) == (0x15, 0x03, 0x4B)


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
