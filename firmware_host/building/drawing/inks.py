"""The colours of wires: how each is drawn, and its letters by IEC 60757, so that no colour stands alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Ink(NamedTuple):
    """One colour of insulation, or a cable with plugs, which has the colour that it has."""

    code: str
    paint: str


INKS: Mapping[str, Ink] = {
    "black": Ink("BK", "#1a1a1a"),
    "red": Ink("RD", "#d62728"),
    "orange": Ink("OG", "#ff8c1a"),
    "yellow": Ink("YE", "#ffd92f"),
    "green": Ink("GN", "#2ca02c"),
    "blue": Ink("BU", "#1f6fd6"),
    "violet": Ink("VT", "#8e44ad"),
    "grey": Ink("GY", "#9aa0a6"),
    "white": Ink("WH", "#ffffff"),
    "brown": Ink("BN", "#8c564b"),
    "pink": Ink("PK", "#f48fb1"),
    "turquoise": Ink("TQ", "#26c6c6"),
}
_PLUGGED = "#5b6472"
PLUGGED: Mapping[str, Ink] = {
    "USB cable": Ink("USB", _PLUGGED),
    "audio cable": Ink("AUD", _PLUGGED),
    "its own cable": Ink("PLUG", _PLUGGED),
}
"""Cables that are bought with plugs at both ends."""


def inks_of(colour: str) -> tuple[Ink, ...]:
    """The inks of a wire; two for one with a stripe, such as 'yellow-red'."""
    if colour in PLUGGED:
        return (PLUGGED[colour],)
    return tuple(INKS[name] for name in colour.split("-"))


def code_of(colour: str) -> str:
    """The letters of a wire's colour: 'BU', or 'YERD' for yellow with a red stripe."""
    return "".join(ink.code for ink in inks_of(colour))
