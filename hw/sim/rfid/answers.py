"""The answers of a PN532 about itself, without a look at its tags."""

from __future__ import annotations

from collections.abc import Sequence

from hw.rfid.commands import FIRMWARE

DIAGNOSE, STATUS, PARAMETERS = 0x00, 0x04, 0x12
LINE_TEST, ROM_TEST, RAM_TEST = b"\x00", b"\x01", b"\x02"
VERSION = bytes.fromhex("32010607")
GOOD = b"\x00"
TYPE_A = bytes(3)
"""106 kbit/s either way, and a tag by ISO 14443 type A."""


def answer(code: int, body: bytes, listed: Sequence[int]) -> bytes | None:
    """The body of its reply, or None if it is another command. `listed` are the tags that it holds."""
    if code == FIRMWARE.code and not body:
        return VERSION
    if code == DIAGNOSE and body[:1] == LINE_TEST:
        return body  # all that has come goes back
    if code == DIAGNOSE and body in (ROM_TEST, RAM_TEST):
        return GOOD
    if code == STATUS and not body:  # no error, nobody else's field, the tags, and nothing from a SAM
        tags = b"".join(bytes((number,)) + TYPE_A for number in listed)
        return bytes((0, 0, len(listed))) + tags + b"\x00"
    if code == PARAMETERS and len(body) == 1:
        return b""
    return None
