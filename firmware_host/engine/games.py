"""The two games: who can play them, and what each seat starts a round with.

A seat is dealt what it has to get rid of: its dice, or the cards of its Ligretto pile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.errors import IllegalMove
from firmware_host.places import DICE


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: how many may play, and what can be dealt to them."""

    name: str
    things: str
    fewest_seats: int
    most_seats: int
    most_each: int
    most_in_all: int
    rounds: int
    rounds_a_seat: bool = False

    def usual_rounds(self, playing: int) -> int:
        """The rounds of a match if nothing else was agreed."""
        return self.rounds * playing if self.rounds_a_seat else self.rounds

    def standard_deal(self, present: Sequence[bool]) -> tuple[int, ...]:
        """The usual deal to the seats that are present: equal parts of all, or all that a seat can have."""
        playing = sum(present)
        if not self.fewest_seats <= playing <= self.most_seats:
            wanted = f"{self.fewest_seats} to {self.most_seats} players"
            raise IllegalMove(f"{self.name} need {wanted}, not {playing}")
        share = min(self.most_each, self.most_in_all // playing)
        return tuple(share if here else 0 for here in present)

    def handicapped_deal(self, present: Sequence[bool], handicap: Sequence[int]) -> tuple[int, ...]:
        """The deal to the seats that are present; `handicap` is how many fewer each has, negative: more.

        If nobody is dealt more, each seat has the usual deal less its handicap. Otherwise as much is dealt
        as can be with exactly these differences. Each seat has at least one.
        """
        usual = max(self.standard_deal(present))
        offsets = [-less for here, less in zip(present, handicap, strict=True) if here]
        most_more = max(0, *offsets)

        def dealt(base: int) -> tuple[int, ...]:
            counts = iter(max(1, base + offset) for offset in offsets)
            return tuple(next(counts) if here else 0 for here in present)

        first = self.most_each if most_more else usual
        deals = map(dealt, range(first, -most_more, -1))  # in the last one every seat has one
        return next(deal for deal in deals if not self.deal_faults(deal))

    def deal_faults(self, deal: Sequence[int]) -> list[str]:
        """Everything wrong with a custom deal, one line each; 0 marks an empty seat."""
        faults = []
        text = ",".join(map(str, deal))
        playing = sum(1 for count in deal if count)
        if any(count < 0 for count in deal):
            faults.append(f"deal {text}: a seat has a negative number of {self.things}")
        if not self.fewest_seats <= playing <= self.most_seats:
            allowed = f"{self.fewest_seats} to {self.most_seats}"
            faults.append(f"deal {text}: {playing} playing, allowed are {allowed}")
        if self.most_each < self.most_in_all and max(deal, default=0) > self.most_each:
            faults.append(f"deal {text}: a seat has more than {self.most_each} {self.things}")
        if sum(deal) > self.most_in_all:
            faults.append(f"deal {text}: {sum(deal)} {self.things} in all, there are only {self.most_in_all}")
        return faults

    def checked_deal(self, deal: Sequence[int]) -> tuple[int, ...]:
        """The deal as a tuple, or IllegalMove with every fault in it."""
        faults = self.deal_faults(deal)
        if faults:
            raise IllegalMove("; ".join(faults))
        return tuple(deal)


LIGRETTO_PILE = 10
"""How many cards a seat has to get rid of."""

STANDARD, EXPERT = VARIANTS = ("standard", "expert")
"""The rules of cards: experts may lay cards of their Ligretto pile onto the stacks of their own row."""

DICE_GAME = Game(
    name="dice",
    things="dice",
    fewest_seats=2,
    most_seats=4,
    most_each=DICE,
    most_in_all=DICE,
    rounds=3,
    rounds_a_seat=True,
)
CARD_GAME = Game(
    name="cards",
    things="Ligretto cards",
    fewest_seats=2,
    most_seats=12,
    most_each=LIGRETTO_PILE,
    most_in_all=12 * LIGRETTO_PILE,
    rounds=4,
)
GAMES = {game.name: game for game in (DICE_GAME, CARD_GAME)}
