"""The people of a long evening: clumsy, moody, sometimes one fewer."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from firmware_host.lab.bots.belongings import Decks, Dice
from firmware_host.lab.bots.card_person import CardPerson
from firmware_host.lab.bots.dice_person import DicePerson
from firmware_host.lab.bots.person import Crowd, Person
from firmware_host.lab.bots.skill import SKILLS, with_rates
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.party import even_deal
from firmware_host.model.places import Call
from firmware_host.profile.profile import Profile
from tests.soak.moods import EVERYBODY, MOODS, Moods, MoodyReader

CLUMSY = with_rates(SKILLS["regular"], early=0.05, twice=0.05, wrong=0.05, misplace=0.03, knock=0.03)
COMPANIES = sorted({mood.players for mood in MOODS})


class SharedDice(Dice):
    """Dice that are dealt to as many as play."""

    def use(self, deal: tuple[int, ...]) -> None:
        """From now on deal like this."""
        self.dealt_to = deal
        self.dealt = False


class SharedDecks(Decks):
    """Cards that are dealt to as many as play."""

    def use(self, deal: tuple[int, ...]) -> None:
        """From now on deal like this."""
        self._deal = deal
        self.dealt = False


def invite(profile: Profile, world: SimulatedTable, spelled: Callable[[str], str], seed: str) -> Moods:
    """Let them come to that table; the mood of their evening."""
    chance = Random(f"{seed} people")
    moods = Moods(lambda: world.now_ns, spelled, chance.randrange(len(MOODS)))
    deal = even_deal(profile, len(EVERYBODY))
    cards = profile.game == "cards"
    things = SharedDecks(deal, profile.piles, chance) if cards else SharedDice(deal, chance)
    calls = any(isinstance(source, Call) for source in profile.lines.values())
    people: list[Person] = []
    for players in COMPANIES:
        for seat in players:
            reader = MoodyReader(spelled, moods, seat, players)
            own = Random(chance.getrandbits(64))
            whose = (seat, list(players), CLUMSY)
            if isinstance(things, SharedDice):
                people.append(DicePerson(*whose, things, world, reader, own))
            else:
                people.append(CardPerson(*whose, things, world, reader, own, pads=True, call_button=calls))
    moods.changed = lambda players: things.use(even_deal(profile, len(players)))
    moods.changed(moods.mood.players)
    Crowd(world, people).arrive()
    return moods
