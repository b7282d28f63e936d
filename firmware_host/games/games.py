"""The two games: who can play them, and what each seat starts a round with.

A seat is dealt what it has to get rid of: its dice, or the cards of its Ligretto pile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from firmware_host.model.errors import IllegalMove
from firmware_host.model.places import DICE, MOST_PILES_A_SEAT


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What does not change while the table runs: its game, its construction, the rules of its matches."""

    game: Game = DICE_GAME
    seats: int = 4
    rounds: int | None = None
    deal: tuple[int, ...] | None = None
    handicap: tuple[int, ...] = ()  # how many fewer each seat is dealt (negative: more) if nothing was agreed
    closed: frozenset[int] = frozenset()  # the seats that may not be taken
    expert: bool = False  # cards may go from the Ligretto pile to the own row at any time
    call_buttons: bool = False
    pads: bool = False
    identified: bool = False  # readers at the slots tell which die lies there
    owned_by_tag: bool = False  # ... and whose it is, so that no slap is needed

    @property
    def open_seats(self) -> int:
        """How many seats can be taken."""
        return self.seats - len(self.closed)

    def usual_deal(self, present: Sequence[bool]) -> tuple[int, ...]:
        """The deal to the seats that are present if none was agreed."""
        handicap = (*self.handicap, *(0,) * self.seats)[: self.seats]
        return self.game.handicapped_deal(present, handicap)

    @property
    def piles(self) -> int:
        """The places for piles of cards: every seat can open four."""
        return MOST_PILES_A_SEAT * self.seats if self.game is CARD_GAME else 0


def dice_scores(leftovers: Sequence[int], finisher: int) -> tuple[int, ...]:
    """A point for the finisher for each die that the others have left, and they lose as many."""
    others = sum(leftovers) - leftovers[finisher - 1]
    return tuple(others if seat == finisher else -held for seat, held in enumerate(leftovers, start=1))


POINTS_LOST_A_CARD = 2


def card_scores(in_centre: Sequence[int], leftovers: Sequence[int]) -> tuple[int, ...]:
    """A point for each of a seat's cards in the centre, less two for each left in its Ligretto pile."""
    return tuple(
        played - POINTS_LOST_A_CARD * left for played, left in zip(in_centre, leftovers, strict=True)
    )


def ranking(totals: Sequence[int], playing: Sequence[bool]) -> list[tuple[int, int, int]]:
    """(rank, seat, total) of every playing seat, best first; equal totals share a rank."""
    rows = sorted(
        ((total, seat) for seat, total in enumerate(totals, start=1) if playing[seat - 1]),
        key=lambda row: (-row[0], row[1]),
    )
    ranked: list[tuple[int, int, int]] = []
    for place, (total, seat) in enumerate(rows, start=1):
        rank = ranked[-1][0] if ranked and ranked[-1][2] == total else place
        ranked.append((rank, seat, total))
    return ranked


def winners(totals: Sequence[int], playing: Sequence[bool]) -> tuple[int, ...]:
    """The seats with the best total."""
    return tuple(seat for rank, seat, _ in ranking(totals, playing) if rank == 1)


@dataclass(frozen=True, slots=True)
class Match:
    """The deal of every round, the number of rounds, and the scores so far."""

    deal: tuple[int, ...]
    rounds: int
    scores: tuple[tuple[int, ...], ...] = ()

    @property
    def playing(self) -> tuple[bool, ...]:
        return tuple(count > 0 for count in self.deal)

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of the seats that play."""
        return tuple(seat for seat, count in enumerate(self.deal, start=1) if count)

    @property
    def round_number(self) -> int:
        """The number of the present round, or of the last one."""
        return min(len(self.scores) + 1, self.rounds)

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(sum(scores[i] for scores in self.scores) for i in range(len(self.deal)))

    @property
    def over(self) -> bool:
        return len(self.scores) >= self.rounds

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the best total; none before the match is over."""
        return winners(self.totals, self.playing) if self.over else ()

    @property
    def ranking(self) -> list[tuple[int, int, int]]:
        """(rank, seat, total), best first."""
        return ranking(self.totals, self.playing)

    def scored(self, points: tuple[int, ...]) -> Match:
        """The match with one more round settled."""
        if self.over:
            raise IllegalMove(f"score a round: all {self.rounds} rounds are played")
        return replace(self, scores=(*self.scores, points))


def new_match(game: Game, deal: tuple[int, ...], rounds: int | None = None) -> Match:
    """A match of as many rounds as were agreed, or as are usual for the game."""
    dealt = game.checked_deal(deal)
    if rounds is not None and rounds < 1:
        raise IllegalMove(f"start a match of {rounds} rounds: it needs at least one")
    playing = sum(1 for count in dealt if count)
    return Match(dealt, game.usual_rounds(playing) if rounds is None else rounds)
