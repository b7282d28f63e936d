"""A simulated table with simulated people around it, playing matches from one seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from firmware_host.games.games import GAMES
from firmware_host.lab.bots.belongings import Decks, Dice
from firmware_host.lab.bots.card_person import CardPerson
from firmware_host.lab.bots.dice_person import DicePerson
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.person import Crowd, Person
from firmware_host.lab.bots.skill import SKILLS, Skill
from firmware_host.lab.chips_table import ChipTable, chip_table
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.simulated_table import Behaviour, Simulated, simulated_table
from firmware_host.model.places import Call, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.profile.profile import Profile
from firmware_host.run.shell import Onlooker
from firmware_host.run.table_files import settings_for, table_of
from hw.clock import Clock
from hw.ports import Edge
from hw.sim.contacts import STEADY, Habits

BUTTON_BOUNCE = Habits(bounces=4, bounce_ns=2500_000)
SLOT_BOUNCE = Habits(bounces=3, bounce_ns=18 * MS)
NOISE_HZ = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Misbehaviour:
    """Which contacts bounce, pick up noise, and deliver late."""

    bounce: frozenset[Source] = frozenset()
    noise: frozenset[Source] = frozenset()
    late: frozenset[Source] = frozenset()

    def habits(self, source: Source) -> Habits:
        """How one contact behaves."""
        bouncing = SLOT_BOUNCE if isinstance(source, Slot) else BUTTON_BOUNCE
        habits = bouncing if source in self.bounce else STEADY
        return replace(habits, noise_hz=NOISE_HZ) if source in self.noise else habits


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """Who comes to play what; together with the seed it fixes everything that will happen."""

    profile: Profile
    deal: tuple[int, ...]
    skills: Sequence[Skill] = (SKILLS["regular"],)
    settings: Settings = field(default_factory=Settings)
    rounds: int | None = None
    misbehaviour: Misbehaviour = field(default_factory=Misbehaviour)
    expert: bool = False

    def skill_of(self, seat: int) -> Skill:
        """How well the person at that seat plays."""
        return self.skills[(seat - 1) % len(self.skills)]


def even_deal(profile: Profile, players: int) -> tuple[int, ...]:
    """The usual deal for that many players on the first seats of a table."""
    return GAMES[profile.game].standard_deal([seat <= players for seat in range(1, profile.seats + 1)])


@dataclass(slots=True)
class Party:
    """A table, its people, and the world between them; step `table.loop` to let time pass."""

    table: Simulated | ChipTable
    world: SimulatedTable
    crowd: Crowd
    things: Dice | Decks

    def close(self) -> None:
        """Everybody goes home; the table is dark."""
        self.table.close()


def hold_party(
    invitation: Invitation,
    seed: int | str,
    *,
    clock: Clock | None = None,
    onlookers: Iterable[Onlooker] = (),
    keep: int | None = 64,
    chips: bool = False,
) -> Party:
    """A party that is about to begin; with `chips` at a table simulated down to the registers."""
    # Streams of their own, so that noise on a wire changes no throw of the dice.
    settings = invitation.settings
    chance, courier, whims = (Random(f"{seed} {name}") for name in ("wires", "courier", "people"))
    misbehaviour, profile = invitation.misbehaviour, invitation.profile

    def delay_ns(edge: Edge) -> int:
        source = profile.lines[edge.line]
        return courier.randint(0, settle_ns(settings, source)) if source in misbehaviour.late else 0

    build = chip_table if chips else simulated_table
    table: Simulated | ChipTable = build(
        profile,
        table=table_of(profile, invitation.rounds, invitation.deal, expert=invitation.expert),
        settings=settings,
        draws=Random(seed),
        chance=chance,
        behaviour=Behaviour(misbehaviour.habits, delay_ns if misbehaviour.late else None),
        clock=clock,
        onlookers=onlookers,
        keep=keep,
    )
    world = SimulatedTable(table)
    reader = PageReader(settings.language, partial(table.spell, language=settings.language))
    people, things = people_of(invitation, world, reader, whims)
    crowd = Crowd(world, people)
    crowd.arrive()
    return Party(table, world, crowd, things)


def people_of(
    asked: Invitation, world: SimulatedTable, reader: PageReader, chance: Random
) -> tuple[list[Person], Dice | Decks]:
    """Those who were asked, and their dice or cards."""
    return (_card_people if asked.profile.game == "cards" else _dice_people)(asked, world, reader, chance)


def _dice_people(
    asked: Invitation, world: SimulatedTable, reader: PageReader, chance: Random
) -> tuple[list[Person], Dice]:
    dice = Dice(asked.deal, chance)
    seats = _seats(asked.deal)
    answer_ns = settings_for(asked.profile, asked.settings).identify_ns
    people: list[Person] = [
        DicePerson(
            seat,
            seats,
            asked.skill_of(seat),
            dice,
            world,
            reader,
            Random(chance.getrandbits(64)),
            owned_by_tag=asked.profile.ownership == "tag",
            answer_ns=answer_ns,
        )
        for seat in seats
    ]
    return people, dice


def _card_people(
    asked: Invitation, world: SimulatedTable, reader: PageReader, chance: Random
) -> tuple[list[Person], Decks]:
    profile = asked.profile
    decks = Decks(asked.deal, profile.piles, chance, expert=asked.expert)
    seats = _seats(asked.deal)
    call_button = any(isinstance(source, Call) for source in profile.lines.values())
    people: list[Person] = [
        CardPerson(
            seat,
            seats,
            asked.skill_of(seat),
            decks,
            world,
            reader,
            Random(chance.getrandbits(64)),
            pads=bool(profile.pads),
            call_button=call_button,
        )
        for seat in seats
    ]
    return people, decks


def _seats(deal: tuple[int, ...]) -> list[int]:
    return [seat for seat, count in enumerate(deal, start=1) if count]


def settle_ns(settings: Settings, source: Source) -> int:
    """How late an edge of this source may arrive."""
    return settings.slot_settle_ns if isinstance(source, Slot) else settings.button_settle_ns
