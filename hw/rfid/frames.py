"""Frames of the PN532: built, and found in whatever comes in.

A frame is `00 FF`, a length with its checksum, that many bytes, and a checksum over them. Any
number of zeros may stand before and after it. Two frames have no bytes in them: ACK and NACK.

Noise may look like the start of a frame, and of a long one at that. So nothing is skipped until
its checksum has been seen: if it is wrong, the search goes on at the very next byte, and a good
frame that a false start had claimed for itself is found. While a start waits for the rest of
its bytes, nothing behind it is used, since the data of a frame may contain anything. Only the
caller knows that no more bytes will come; after `flush` the parser looks behind each false start.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

FROM_HOST = 0xD4
FROM_CHIP = 0xD5
SYNTAX_ERROR = 0x7F

START = b"\x00\xff"
LONGEST = 265
"""The most bytes that the chip puts into a frame; more than 255 need the extended form."""


class ControlFrame(Enum):
    """A frame without data: its bytes are its whole meaning."""

    ACK = bytes.fromhex("0000FF00FF00")  # a frame has come through; from the host: stop what you do
    NACK = bytes.fromhex("0000FFFF0000")  # say that again
    ERROR = bytes.fromhex("0000FF01FF7F8100")  # the chip makes no sense of a command


class DataFrame(NamedTuple):
    """A command or a reply: its sender, its code, and its data."""

    origin: int
    code: int
    body: bytes


class LineNoise(NamedTuple):
    """Bytes that belong to no frame; zeros do not count."""

    size: int


Item = ControlFrame | DataFrame | LineNoise

CONTROL_FRAMES = {b"\x00\xff": ControlFrame.ACK, b"\xff\x00": ControlFrame.NACK}


def framed(origin: int, code: int, body: bytes = b"") -> bytes:
    """The bytes of a frame."""
    data = bytes((origin, code)) + body
    if len(data) > LONGEST:
        raise ValueError(f"a frame holds at most {LONGEST} bytes, not {len(data)}")
    if len(data) > 0xFF:
        high, low = divmod(len(data), 0x100)
        head = bytes((0xFF, 0xFF, high, low, -(high + low) & 0xFF))
    else:
        head = bytes((len(data), -len(data) & 0xFF))
    return b"\x00" + START + head + data + bytes((-sum(data) & 0xFF, 0x00))


class _Start(Enum):
    """What a start is that has no frame to show."""

    FALSE = "no frame starts there"
    OPEN = "the rest has not come yet"


class Parser:
    """Takes bytes in any pieces and gives frames, signals, and the number of bytes of noise between them."""

    def __init__(self, origin: int) -> None:
        """`origin` is the sender whose frames are read."""
        self._origins = {FROM_HOST, origin}  # a host with its wires crossed receives itself
        self._bytes = bytearray()

    @property
    def held(self) -> int:
        """How many bytes wait for the rest of their frame; never more than one frame has."""
        return len(self._bytes)

    def feed(self, data: bytes) -> list[Item]:
        """The items that are complete with these bytes."""
        self._bytes += data
        return self._scan(at_end=False)

    def flush(self) -> list[Item]:
        """The items behind false starts, once no more bytes will come for what has begun."""
        return self._scan(at_end=True)

    def _scan(self, at_end: bool) -> list[Item]:
        items: list[Item] = []
        noise = place = 0
        while (start := self._bytes.find(START, place)) >= 0:
            noise += _noise(self._bytes[place:start])
            place = start
            found = self._read(start)
            if isinstance(found, tuple):
                items += [*_complaint(noise), found[0]]
                noise, place = 0, found[1]
            elif found is _Start.FALSE or at_end:
                noise += 1  # its FF
                place += len(START)
            else:
                break
        else:
            # A zero at the end may be the first half of a start.
            rest = len(self._bytes) - (0 if at_end or not self._bytes.endswith(b"\x00") else 1)
            noise += _noise(self._bytes[place:rest])
            place = max(place, rest)
        del self._bytes[:place]
        return items + _complaint(noise)

    def _read(self, start: int) -> tuple[Item, int] | _Start:
        """What starts there, and where it ends."""
        data = self._bytes
        head = start + len(START)
        signal = CONTROL_FRAMES.get(bytes(data[head : head + 2]))
        if signal is not None:
            return signal, head + 2
        extent = self._extent(head)
        if isinstance(extent, _Start):
            return extent
        first, length = extent
        if len(data) > first and not self._may_say(data[first], length):
            return _Start.FALSE
        end = first + length + 1
        if len(data) < end:
            return _Start.OPEN
        if sum(data[first:end]) & 0xFF:
            return _Start.FALSE
        if data[first] == SYNTAX_ERROR:
            return ControlFrame.ERROR, end
        return DataFrame(data[first], data[first + 1], bytes(data[first + 2 : end - 1])), end

    def _extent(self, head: int) -> tuple[int, int] | _Start:
        """Where the data of a frame begin, and how many they are."""
        short, extended = self._bytes[head : head + 2], self._bytes[head + 2 : head + 5]
        if len(short) < 2:
            return _Start.OPEN
        if short != b"\xff\xff":
            return (head + 2, short[0]) if short[0] and not sum(short) & 0xFF else _Start.FALSE
        if len(extended) < 3:
            return _Start.OPEN
        length = extended[0] * 0x100 + extended[1]
        return (head + 5, length) if 0 < length <= LONGEST and not sum(extended) & 0xFF else _Start.FALSE

    def _may_say(self, origin: int, length: int) -> bool:
        """Whether a frame may begin like this, so that a false start is found early."""
        if origin == SYNTAX_ERROR:
            return length == 1
        return origin in self._origins and length > 1


def _noise(data: bytes | bytearray) -> int:
    return len(data) - data.count(0)


def _complaint(noise: int) -> list[Item]:
    return [LineNoise(noise)] if noise else []


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
