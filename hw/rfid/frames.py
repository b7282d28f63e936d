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
