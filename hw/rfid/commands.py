"""The commands that a PN532 gets, and how its replies are read."""

from __future__ import annotations

from typing import NamedTuple

from hw.rfid.frames import FROM_HOST, framed

WAKE = b"\x55\x55" + bytes(14)
"""Wakes the chip's serial line; the zeros are the time that it takes."""

MOST_TARGETS = 2
"""The most tags that the chip lists at a time, however many there are."""

UID_LENGTHS = (4, 7, 10)
HEAD = 5
"""Number, ATQA (two bytes), SAK and the length of the UID stand before the UID."""
SAYS_MORE = 0x20
"""The bit in SAK of a tag that the chip asks for an ATS, too."""


class Pn532Command(NamedTuple):
    """A command, and its name in messages."""

    name: str
    code: int
    params: bytes = b""

    @property
    def frame(self) -> bytes:
        return framed(FROM_HOST, self.code, self.params)

    @property
    def reply(self) -> int:
        """The code of its reply."""
        return self.code + 1


FIRMWARE = Pn532Command("firmware version", 0x02)
SAM = Pn532Command("SAM configuration", 0x14, b"\x01\x00\x00")
"""Normal mode: leaves the mode of low battery, in which the chip begins."""
FIELD_OFF = Pn532Command("field off", 0x32, b"\x01\x00")
FIELD_ON = Pn532Command("field on", 0x32, b"\x01\x01")
RETRIES = Pn532Command("retries", 0x32, b"\x05\x00\x00\x01")
"""ATR 0, PSL 0, passive 1. By default the chip would look for a tag until it finds one."""
LIST = Pn532Command("list of tags", 0x4A, bytes((MOST_TARGETS, 0x00)))
"""Switches the field on, if need be, and leaves it on."""
RELEASE = Pn532Command("release", 0x52, b"\x00")


class Target(NamedTuple):
    """A tag as the chip describes it."""

    uid: bytes
    atqa: bytes
    sak: int


class Firmware(NamedTuple):
    """The chip's version, as it reports it."""

    chip: int
    version: int
    revision: int
    supports: int

    def __str__(self) -> str:
        return f"PN5{self.chip:02X} {self.version}.{self.revision}"


def firmware(body: bytes) -> Firmware | None:
    """The version in a reply, or None if the reply has none."""
    return Firmware(*body) if len(body) == 4 else None


def targets(body: bytes) -> list[Target] | None:
    """The tags that a reply lists, or None if it is not a list."""
    if not body or body[0] > MOST_TARGETS:
        return None
    return _targets(body[1:], body[0])


def _targets(data: bytes, count: int) -> list[Target] | None:
    if count == 0:
        return None if data else []
    end = HEAD + data[4] if len(data) >= HEAD else 0
    if end > len(data) or end - HEAD not in UID_LENGTHS:
        return None
    target = Target(data[HEAD:end], data[1:3], data[3])
    ends = [end]
    if target.sak & SAYS_MORE and len(data) > end:
        ends.insert(0, end + data[end])  # an ATS counts its own length; not every such tag sent one
    for each in ends:
        others = _targets(data[each:], count - 1) if each <= len(data) else None
        if others is not None:
            return [target, *others]
    return None
