"""The guide to scoreboards shows the bytes that the code sends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.profile.device_kinds import SIGNS
from hw.scoreboard.alpha import AlphaSign
from hw.scoreboard.cursor_signs import vt100_sign
from hw.scoreboard.serial_sign import SerialSign
from hw.scoreboard.text import TextSign

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
