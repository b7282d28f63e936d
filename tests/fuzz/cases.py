"""What a sequence of inputs begins with: a table of each kind, its settings, and a position near an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from firmware_host.games.cards.cards import CardsPosition
from firmware_host.games.dice.dice import DicePosition
from firmware_host.games.games import GAMES
from firmware_host.lab.scenarios.reading import owned
from firmware_host.lab.scenarios.wording import Scenario, Statement
from firmware_host.model.places import CARD_NUMBERS, DICE, PLACES_PER_ROW, Card, Colour
from firmware_host.model.settings import CHOICES, TIMINGS, Settings, contradictions
from firmware_host.profile.profile import Profile
from firmware_host.run.table_files import load_profile


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table, and of rules."""

    profile: str
    ownership: str = ""
    variants: tuple[bool, ...] = (False,)


KINDS = {
    "dice": Kind("dice4"),
    "dice-readers": Kind("dice4-rfid"),
    "dice-by-tag": Kind("dice4-rfid", "tag"),
    "cards4": Kind("cards4", variants=(False, True)),
    "cards12": Kind("cards12", variants=(False, True)),
    "cards2-piles": Kind("cards2-piles", variants=(False, True)),
}


@cache
def profile_of(profile: str, ownership: str) -> Profile:
    """The table of a scenario."""
    return owned(load_profile(profile), ownership)


def new_case(kind: Kind, chance: Random, name: str) -> Scenario:
    """A table before its first input; the sequence that follows is up to somebody else."""
    profile = profile_of(kind.profile, kind.ownership)
    playing = chance.random() < 0.85
    deal, position = _deal(profile, chance), ""
    if playing and chance.random() < 0.85:
        deal, position = (_dice if profile.game == "dice" else _cards)(profile, chance)
    return Scenario(
        name=name,
        title=f"Shrunk from {name}.",
        profile=kind.profile,
        ownership=kind.ownership,
        deal=deal,
        rounds=chance.choice((None, 1, 1, 2)),
        expert=chance.choice(kind.variants),
        seed=chance.randrange(100),
        settings=some_settings(chance),
        position=position,
        playing=playing,
    )


def with_statements(case: Scenario, statements: Sequence[Statement]) -> Scenario:
    """The same case with these inputs."""
    return replace(case, statements=tuple(statements))


def some_settings(chance: Random) -> Settings:
    """Mostly the usual settings, or a few others; now and then everything at random or at its limits."""
    mood = chance.random()
    share = 0 if mood < 0.3 else 0.3 if mood < 0.9 else 0.9
    choices: dict[str, Any] = {name: chance.choice(words) for name, words in CHOICES.items()}
    settings = replace(Settings(), **choices)
    for name, timing in TIMINGS.items():
        if chance.random() >= share:
            continue
        field = f"{name.replace('-', '_')}_ns"
        near_ns = int(getattr(settings, field) * 2 ** chance.uniform(-4, 4))
        value_ns = chance.choice((near_ns, near_ns, near_ns, near_ns, timing.least_ns, timing.most_ns))
        value_ns = min(max(value_ns, timing.least_ns), timing.most_ns)
        value: dict[str, Any] = {field: value_ns}
        changed = replace(settings, **value)
        if not contradictions(changed):
            settings = changed
    return settings


def _seats(profile: Profile, chance: Random) -> list[bool]:
    """Who plays: mostly all."""
    here = [chance.random() < 0.7 for _ in range(profile.seats)]
    return here if sum(here) >= 2 else [True] * profile.seats


def _deal(profile: Profile, chance: Random) -> tuple[int, ...]:
    here = _seats(profile, chance)
    if chance.random() < 0.5:
        return GAMES[profile.game].standard_deal(here)
    return tuple(chance.randint(1, 3) if each else 0 for each in here)


def _dice(profile: Profile, chance: Random) -> tuple[tuple[int, ...], str]:
    """Rows as high as may be, and hands with few dice left: so an end is near."""
    here = _seats(profile, chance)
    usual = chance.choice(((1, 2, 3), (4, 5, 6), (4, 5, 6)))
    left = [chance.choice(usual) if each else 0 for each in here]
    left[chance.choice([seat for seat, each in enumerate(here) if each])] = 1
    free = DICE - sum(left)
    heights = [0, 0, 0, 0]
    for _ in range(chance.randint(0, free)):
        rows = [row for row in Colour if heights[row] < PLACES_PER_ROW]
        heights[chance.choice(rows)] += 1
    dealt = left[:]
    seats = [seat for seat, each in enumerate(here) if each]
    for _ in range(sum(heights)):
        dealt[chance.choice(seats)] += 1
    red, yellow, green, blue = heights
    return tuple(dealt), str(DicePosition((red, yellow, green, blue), tuple(dealt), tuple(left)))


def _cards(profile: Profile, chance: Random) -> tuple[tuple[int, ...], str]:
    """Piles of some height, and few Ligretto cards for each seat."""
    here = _seats(profile, chance)
    dealt = tuple(chance.choice((1, 1, 2, 3, 10)) if each else 0 for each in here)
    position = CardsPosition(dealt)
    seats = [seat for seat, count in enumerate(dealt, start=1) if count]
    for _ in range(chance.choice((0, 5, 20, 60))):
        card = next_card(position, seats, chance)
        if card is not None:
            position = position.played(card, position.places_for(card)[0])
    return dealt, str(position)


def next_card(position: CardsPosition, seats: Sequence[int], chance: Random) -> Card | None:
    """A card that one of these seats could play now, if one is found."""
    for _ in range(4):
        seat = chance.choice(seats)
        piles = [pile for pile in position.piles if pile is not None and not pile.full]
        if piles and chance.random() < 0.8:
            pile = chance.choice(piles)
            card = Card(seat, pile.colour, pile.height + 1)
        else:
            card = Card(seat, chance.choice(list(Colour)), 1)
        if position.plays(seat) and not position.is_in_centre(card) and position.places_for(card):
            return card
    return None


def some_card(seats: int, chance: Random) -> Card:
    """Any card of any seat."""
    return Card(chance.randint(1, seats), chance.choice(list(Colour)), chance.randint(1, CARD_NUMBERS))
