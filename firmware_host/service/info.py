"""What the panel gets when it opens, and what it gives back when it closes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.states import DeviceCondition

Choice = str | int | tuple[int, ...] | None
"""A chosen value; None stands for the brightness of the wiring profile, or the usual rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelInfo:
    """The table as it is when service mode opens."""

    seats: int
    piles: int = 0
    """The places for piles of cards; a table without them is one of dice."""
    language: str = "en"
    brightness: int | None = None
    """0 to 15; None if LED chips have the brightness of the profile."""
    volume: int | None = None
    """0 to 10; None if there is no speaker."""
    game: str = "dice"
    games: tuple[str, ...] = ("dice",)
    """The games that the table has a wiring for, the present one among them."""
    rounds: int | None = None
    """The rounds of a match; None for as many as are usual."""
    open_seats: tuple[int, ...] = ()
    """The seats that may be played at; empty for all."""
    handicap: tuple[int, ...] = ()
    """How many fewer each seat is dealt, or more if negative; seats that are not listed have no handicap."""
    round_running: bool = False
    match_running: bool = False
    audits: tuple[tuple[str, str], ...] = ()
    """Labels and values; a label that `labels.AUDIT_NAMES` knows is shown in the table's language."""
    health: tuple[DeviceCondition, ...] = ()
    slots: bool = True
    """Whether the places have sensors."""
    readers: bool = False
    call_buttons: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was decided in service mode."""

    void_round: bool = False
    end_match: bool = False
    choices: Mapping[str, Choice] = field(default_factory=dict)
    """Only what differs from before: `language`, `brightness`, `volume`, `game`, `rounds`, `seats` (the open
    ones), `handicap` (of every seat)."""
