"""A profile of one's own: cards for six, on other pins than those of any shipped profile."""

from __future__ import annotations

import re

import wiring
from firmware_host.profile.keys import example_profile
from firmware_host.profile.profile_reading import parse_profile

LINES = (4, 17, 27, 22, 10, 9)
CALLS = (11, 5, 6, 13, 19, 26)


def six_seats(text: str) -> str:
    """The text of a new profile, changed by hand: six seats, other pins, another chip."""
    sections = {
        "buttons": "\n".join(f"{seat} = {line}" for seat, line in enumerate(LINES, start=1)),
        "calls": "\n".join(f"{seat} = {line}" for seat, line in enumerate(CALLS, start=1)),
        "lamps": "piles = [{}]\nseats = [{}]".format(
            ", ".join(f'"piles-{1 + pile // 8} {pile % 8 * 16}"' for pile in range(24)),
            ", ".join(f'"piles-1 {13 + 16 * seat} {14 + 16 * seat} {15 + 16 * seat}"' for seat in range(6)),
        ),
        "readers": "\n".join(
            f'pad-{seat} = {{ seat = {seat}, port = "/dev/ttyUSB{seat}", group = {seat} }}'
            for seat in range(1, 7)
        ),
        "leds.piles-2": "address = 0x72\n[leds.piles-3]\naddress = 0x74",
        "build.pull-ups": "piles-2 = 0\npiles-3 = 0",
    }
    for name, body in sections.items():
        pattern = rf"(?ms)^\[{re.escape(name)}\].*?(?=^\[|^# All keys|\Z)"
        text, count = re.subn(pattern, f"[{name}]\n{body}\n\n", text)
        assert count == 1, name
    return text.replace("piles = 16 ", "piles = 24 ").replace("Cards for four", "Cards for six")


def own_table() -> str:
    """That profile, as `wiring new --from cards4` begins it and somebody goes on."""
    text = wiring.profile_file("cards4").read_text(encoding="utf-8")
    return six_seats(example_profile(text, parse_profile(text, "cards4")))
