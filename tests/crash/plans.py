"""What careful people play: every play of a match, and so what it has to come to, known beforehand.

A plan is made of chance, but once made it is fixed. Each play is made again until the table has taken it, so
neither a fault nor a crash changes how a match ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from firmware_host.model.places import ALL_SLOTS, CARD_NUMBERS, Card, Colour, Slot
from firmware_host.model.times import MS

SEATS = (1, 2, 3, 4)
DICE_EACH = 3
LIGRETTO_PILE = 10
ROUNDS = 2
CARDS_A_ROUND = 9
POINTS_LOST_A_CARD = 2
RIVALRY = 0.35
SIDE_SHOWS = 0.3


@dataclass(frozen=True, slots=True)
class FalseClaim:
    """A seat slaps for nothing."""

    seat: int


@dataclass(frozen=True, slots=True)
class WrongPlace:
    """A seat puts a die where it does not belong, slaps, and takes it off again."""

    seat: int
    slot: Slot


@dataclass(frozen=True, slots=True)
class WrongCard:
    """A card on a pad where it means nothing: somebody else's, or one that was played already."""

    pad: int
    card: Card


@dataclass(frozen=True, slots=True)
class WrongStop:
    """A seat calls stop that has Ligretto cards left, shows them, and the round goes on."""

    seat: int


SideShow = FalseClaim | WrongPlace | WrongCard | WrongStop
"""Something that comes to nothing, and happens before a play."""


@dataclass(frozen=True, slots=True)
class Play:
    """A seat plays a die or a card with a slap; a rival's slap comes a moment later."""

    seat: int
    what: Slot | Card
    slap_ns: int
    rival: int = 0
    rival_card: Card | None = None
    lag_ns: int = 0
    before: SideShow | None = None


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """One round: its plays in their order, who ends it, and what is left with whom."""

    plays: tuple[Play, ...]
    finisher: int
    left: tuple[int, ...]
    scores: tuple[int, ...]
    left_cards: tuple[tuple[Card, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A whole match, and its standings."""

    game: str
    profile: str
    rounds: tuple[RoundPlan, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat after all rounds."""
        return tuple(map(sum, zip(*(each.scores for each in self.rounds), strict=True)))

    @property
    def winners(self) -> tuple[int, ...]:
        best = max(self.totals)
        return tuple(seat for seat, total in zip(SEATS, self.totals, strict=True) if total == best)


def plan_match(game: str, seed: int) -> MatchPlan:
    """The match of that seed."""
    chance = Random(f"{game} {seed}")
    if game == "dice":
        return MatchPlan("dice", "dice4", tuple(_dice_round(chance) for _ in range(ROUNDS)))
    return MatchPlan("cards", "cards4", tuple(_card_round(chance) for _ in range(ROUNDS)))


# -- dice


def _dice_round(chance: Random) -> RoundPlan:
    """Seats play in any order, but so that one of them is the first without dice."""
    finisher = chance.choice(SEATS)
    counts = {seat: DICE_EACH if seat == finisher else chance.randrange(DICE_EACH) for seat in SEATS}
    order = [seat for seat in SEATS for _ in range(counts[seat])]
    order.remove(finisher)
    chance.shuffle(order)
    order.append(finisher)
    heights = dict.fromkeys(Colour, 0)
    plays = []
    for number, seat in enumerate(order):
        colour = chance.choice([colour for colour in Colour if heights[colour] < 6])
        rival = 0
        if number < len(order) - 1 and chance.random() < RIVALRY:
            rival = chance.choice([other for other in SEATS if other != seat])
        before = _dice_side_show(chance, heights, seat) if chance.random() < SIDE_SHOWS else None
        heights[colour] += 1
        slot = Slot(colour, heights[colour])
        # Of two slaps from before the die both are judged in one moment, and the sign can tell of only one.
        slap_ns = chance.randint(10 if rival else -60, 400) * MS
        plays.append(Play(seat, slot, slap_ns, rival, None, _lag_ns(chance), before))
    left = tuple(DICE_EACH - counts[seat] for seat in SEATS)
    scores = tuple(sum(left) if seat == finisher else -left[seat - 1] for seat in SEATS)
    return RoundPlan(tuple(plays), finisher, left, scores)


def _dice_side_show(chance: Random, heights: dict[Colour, int], seat: int) -> SideShow:
    wrong = [slot for slot in ALL_SLOTS if slot.number > heights[slot.colour] + 1]
    who = chance.choice(SEATS)
    return WrongPlace(who, chance.choice(wrong)) if chance.random() < 0.6 else FalseClaim(who)


def _lag_ns(chance: Random) -> int:
    return chance.randint(1500, 40_000) * 1000


# -- cards


@dataclass(slots=True)
class _Centre:
    """The piles as they grow."""

    piles: list[tuple[Colour, list[int]]] = field(default_factory=list)

    def places(self, card: Card) -> int:
        """How many piles want it."""
        return sum(colour is card.colour and len(owners) + 1 == card.number for colour, owners in self.piles)

    def holds(self, card: Card) -> bool:
        return any(
            colour is card.colour and len(owners) >= card.number and owners[card.number - 1] == card.seat
            for colour, owners in self.piles
        )

    def lay(self, card: Card) -> None:
        if card.number == 1:
            self.piles.append((card.colour, [card.seat]))
            return
        for colour, owners in self.piles:
            if colour is card.colour and len(owners) + 1 == card.number:
                owners.append(card.seat)
                return

    @property
    def cards(self) -> list[Card]:
        return [
            Card(seat, colour, number)
            for colour, owners in self.piles
            for number, seat in enumerate(owners, start=1)
        ]


_ALL_CARDS = [
    Card(seat, colour, number) for seat in SEATS for colour in Colour for number in range(1, CARD_NUMBERS + 1)
]


def _card_round(chance: Random) -> RoundPlan:
    caller = chance.choice(SEATS)
    centre = _Centre()
    counts = {seat: 0 if seat == caller else chance.randint(0, 2) for seat in SEATS}
    plays: list[Play] = []
    while len(plays) < CARDS_A_ROUND:
        play = _card_play(chance, centre)
        if chance.random() < SIDE_SHOWS:
            play = _with(play, _card_side_show(chance, centre, counts, play))
        assert isinstance(play.what, Card)
        centre.lay(play.what)
        plays.append(play)
    in_centre = [sum(card.seat == seat for card in centre.cards) for seat in SEATS]
    left_cards = tuple(
        tuple(chance.sample([Card(seat, colour, 10) for colour in Colour], counts[seat])) for seat in SEATS
    )
    left = tuple(counts[seat] for seat in SEATS)
    scores = tuple(played - POINTS_LOST_A_CARD * held for played, held in zip(in_centre, left, strict=True))
    return RoundPlan(tuple(plays), caller, left, scores, left_cards)


def _card_play(chance: Random, centre: _Centre) -> Play:
    """A card that exactly one place wants, or a one; a rival holds the same of its own."""
    fitting = [
        card
        for card in _ALL_CARDS
        if not centre.holds(card) and (card.number == 1 or centre.places(card) == 1)
    ]
    higher = [card for card in fitting if card.number > 1]
    card = chance.choice(higher if higher and chance.random() < 0.7 else fitting)
    rivals = [each for each in higher if each[1:] == card[1:] and each.seat != card.seat]
    slap_ns = chance.randint(50, 500) * MS
    if rivals and chance.random() < RIVALRY:
        other = chance.choice(rivals)
        return Play(card.seat, card, slap_ns, other.seat, other, _lag_ns(chance))
    return Play(card.seat, card, slap_ns)


def _card_side_show(chance: Random, centre: _Centre, counts: dict[int, int], play: Play) -> SideShow:
    unhappy = [seat for seat in SEATS if counts[seat]]
    if unhappy and chance.random() < 0.3:
        return WrongStop(chance.choice(unhappy))
    if centre.cards and chance.random() < 0.5:
        again = chance.choice(centre.cards)
        return WrongCard(again.seat, again)
    foreign = Card(chance.choice(SEATS), chance.choice(list(Colour)), 9)
    return WrongCard(chance.choice([seat for seat in SEATS if seat != foreign.seat]), foreign)


def _with(play: Play, before: SideShow) -> Play:
    return Play(play.seat, play.what, play.slap_ns, play.rival, play.rival_card, play.lag_ns, before)
