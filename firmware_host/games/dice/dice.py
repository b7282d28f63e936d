"""A round of Ligretto Dice as the referee knows it.

The referee sees the board and keeps a count for each seat; it never sees a die in a
cup. A die counts in two steps, since a hall sensor can't tell whose die it
detects: first it is *placed* (the row grows), then a seat *claims* it (that seat's
count drops). A round is over when a claim takes a count to zero. The stamps, not the
rules, decide whether something happened before or after that moment.

The one-line text form is `r3y0g6b2 4/6,0/6,-,6/6 won=2`: the height of each row,
then dice left and dealt for each seat (`-` for an empty one), then who finished.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from firmware_host.games.games import DICE_GAME
from firmware_host.model.errors import IllegalMove, MalformedText
from firmware_host.model.places import PLACES_PER_ROW, Colour, Slot

_TEXT = re.compile(r"r([0-9])y([0-9])g([0-9])b([0-9]) (\S+)(?: won=([0-9]{1,2}))?")
_HAND = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class DicePosition:
    """Heights of the four rows, dice dealt to and left with each seat, and the finisher."""

    heights: tuple[int, int, int, int]
    dealt: tuple[int, ...]
    left: tuple[int, ...]
    finisher: int | None = None

    @property
    def claimed(self) -> int:
        """How many dice have been claimed."""
        return sum(self.dealt) - sum(self.left)

    @property
    def unclaimed(self) -> int:
        """How many dice on the board have no owner."""
        return sum(self.heights) - self.claimed

    @property
    def board(self) -> set[Slot]:
        """Every place with a die on it."""
        return {Slot(colour, number) for colour in Colour for number in range(1, self.heights[colour] + 1)}

    def at_table_of(self, seats: int) -> DicePosition:
        """The same position with empty seats up to that number."""
        empty = (0,) * (seats - len(self.dealt))
        return DicePosition(self.heights, self.dealt + empty, self.left + empty, self.finisher)

    def plays(self, seat: int) -> bool:
        """Whether this seat was dealt any dice."""
        return 1 <= seat <= len(self.dealt) and self.dealt[seat - 1] > 0

    def __str__(self) -> str:
        r, y, g, b = self.heights
        hands = ",".join(
            f"{left}/{dealt}" if dealt else "-" for left, dealt in zip(self.left, self.dealt, strict=True)
        )
        won = "" if self.finisher is None else f" won={self.finisher}"
        return f"r{r}y{y}g{g}b{b} {hands}{won}"


def opening(deal: tuple[int, ...]) -> DicePosition:
    """The position at the start call."""
    dealt = DICE_GAME.checked_deal(deal)
    return DicePosition((0, 0, 0, 0), dealt, dealt)


def parse_position(text: str) -> DicePosition:
    """The position of a one-line text; MalformedText if it is not one."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        wanted = "it looks like 'r3y0g6b2 4/6,2/6,-,6/6' with ' won=2' when over"
        raise MalformedText(f"'{text[:80]}' is no dice position; {wanted}")
    r, y, g, b = (int(match[i]) for i in range(1, 5))
    left, dealt = _parse_hands(match[5])
    position = DicePosition((r, y, g, b), dealt, left, int(match[6]) if match[6] else None)
    fault = _fault(position)
    if fault:
        raise MalformedText(f"'{text}': {fault}")
    return position


def _parse_hands(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    hands = []
    for word in text.split(","):
        hand = _HAND.fullmatch(word)
        if hand is None and word != "-":
            raise MalformedText(f"'{word[:40]}' is no hand; it looks like '4/6' (left/dealt) or '-'")
        hands.append((int(hand[1]), int(hand[2])) if hand else (0, 0))
    return tuple(left for left, _ in hands), tuple(dealt for _, dealt in hands)


def _fault(position: DicePosition) -> str | None:
    if max(position.heights) > PLACES_PER_ROW:
        return f"a row has at most {PLACES_PER_ROW} dice"
    try:
        DICE_GAME.checked_deal(position.dealt)
    except IllegalMove as error:
        return str(error)
    if any(left > dealt for left, dealt in zip(position.left, position.dealt, strict=True)):
        return "a seat has more dice left than it was dealt"
    if position.unclaimed < 0:
        return f"{position.claimed} dice are claimed and only {sum(position.heights)} lie on the board"
    finished = [s for s in range(1, len(position.left) + 1) if position.plays(s) and not position.left[s - 1]]
    if position.finisher is None and finished:
        seat = finished[0]
        return f"seat {seat} has no dice left, so the round is over: leave it a die, or add won={seat}"
    if position.finisher is not None and position.finisher not in finished:
        return f"seat {position.finisher} has not placed all its dice"
    return None
