"""Colours of the terminal for those of the table."""

from __future__ import annotations

from firmware_host.effects import Verdict
from firmware_host.places import Colour
from firmware_host.show.lamps import Tint

STYLE = {Colour.RED: "red", Colour.YELLOW: "yellow", Colour.GREEN: "green", Colour.BLUE: "bright_blue"}
LIGHT = {1: "bright_blue", 2: "green", 3: "cyan", 4: "red", 5: "magenta", 6: "yellow", 7: "bright_white"}
"""By the value of a lamp."""
LIGHT_LETTER = {tint.value: tint.name[0] for tint in Tint if tint is not Tint.OFF}
"""The same without colour."""

VERDICT_STYLE = {
    Verdict.ACCEPTED: "green",
    Verdict.TOO_LATE: "yellow",
    Verdict.ILLEGAL: "red",
    Verdict.FALSE_CLAIM: "red",
    Verdict.LOCKED: "red",
    Verdict.NOT_RUNNING: "bright_black",
    Verdict.TAKEN_BACK: "white",
    Verdict.REPEATED: "bright_black",
    Verdict.DEAD_HEAT_WON: "cyan",
    Verdict.DEAD_HEAT_LOST: "magenta",
}
