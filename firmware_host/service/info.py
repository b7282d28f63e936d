"""What the panel is told when it opens, and what it hands back when it closes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.states import DeviceCondition

Choice = str | int | tuple[int, ...] | None
"""What was chosen; None is what the wiring profile says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelInfo:
    """The table as it is when service mode opens."""

    seats: int
    piles: int = 0
    """The places for piles of cards; a table without them is one of dice."""
    language: str = "en"
    brightness: int | None = None
    """0 to 15; None if every LED chip burns as its profile says."""
    game: str = "dice"
    games: tuple[str, ...] = ("dice",)
    """The games that the table has a wiring for, the present one among them."""
    open_seats: tuple[int, ...] = ()
    """The seats that may be played at; none named means all."""
    handicap: tuple[int, ...] = ()
    """So many fewer each seat is dealt; the seats not named have none."""
    round_running: bool = False
    match_running: bool = False
    audits: tuple[tuple[str, str], ...] = ()
    """Labels and values; a label that `labels.AUDIT_NAMES` knows is shown in the table's language."""
    health: tuple[DeviceCondition, ...] = ()
    slots: bool = True
    """Whether places feel that something lies on them."""
    readers: bool = False
    call_buttons: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was decided in service mode."""

    void_round: bool = False
    end_match: bool = False
    choices: Mapping[str, Choice] = field(default_factory=dict)
    """Only what is otherwise than before: `language`, `brightness`, `game`, `seats` (those that are open),
    `handicap` (of every seat)."""
