"""A simulated table with simulated people around it, playing matches from one seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from firmware_host.config.profile import Profile
from firmware_host.durations import MS
from firmware_host.engine.deal import standard_deal
from firmware_host.players.crowd import Crowd
from firmware_host.players.skill import SKILLS, Skill
from firmware_host.runtime.assembly import Faults, Simulated, simulated_table
from firmware_host.runtime.pipeline import Observer
from firmware_host.settings import Settings
from firmware_host.table.session import Table
from hw.clock import Clock
from hw.ports import Edge
from hw.scoreboard.charset import to_ascii
from hw.sim.contacts import STEADY, Habits

BUTTON_BOUNCE = Habits(bounces=4, bounce_ns=2500_000)
SLOT_BOUNCE = Habits(bounces=3, bounce_ns=18 * MS)
NOISE_HZ = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Misbehaviour:
    """Which devices bounce, pick up noise, and deliver late; each a set of `buttons` and `slots`."""

    bounce: frozenset[str] = frozenset()
    noise: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()

    def habits(self, device: str) -> Habits:
        """How the contacts of one kind of device behave."""
        bouncing = BUTTON_BOUNCE if device == "buttons" else SLOT_BOUNCE
        habits = bouncing if device in self.bounce else STEADY
        return replace(habits, noise_hz=NOISE_HZ) if device in self.noise else habits


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """Who comes to play what; together with the seed it fixes everything that will happen."""

    profile: Profile
    deal: tuple[int, ...]
    skills: Sequence[Skill] = (SKILLS["regular"],)
    settings: Settings = field(default_factory=Settings)
    rounds: int | None = None
    misbehaviour: Misbehaviour = field(default_factory=Misbehaviour)


def even_deal(profile: Profile, players: int) -> tuple[int, ...]:
    """The usual deal for that many players on the first seats of a table."""
    return standard_deal([seat <= players for seat in range(1, profile.seats + 1)])


@dataclass(slots=True)
class Party:
    """A table and its people; step `table.loop` to let time pass."""

    table: Simulated
    crowd: Crowd

    def close(self) -> None:
        """Everybody goes home; the table is dark."""
        self.table.close()


def hold_party(
    invitation: Invitation,
    seed: int,
    *,
    clock: Clock | None = None,
    observers: Iterable[Observer] = (),
    keep: int | None = 64,
) -> Party:
    """A party that is about to begin."""
    # Streams of their own, so that noise on a wire changes no throw of the dice.
    lot, chance, courier, people = (
        Random(f"{seed} {name}") for name in ("lot", "wires", "courier", "people")
    )
    late = invitation.misbehaviour.late
    settings, profile = invitation.settings, invitation.profile
    kind_of = {line: _kind(profile, line) for line in profile.lines}
    settle_ns = {"buttons": settings.button_settle_ns, "slots": settings.slot_settle_ns}

    def delay_ns(edge: Edge) -> int:
        kind = kind_of[edge.line]
        return courier.randint(0, settle_ns[kind]) if kind in late else 0

    table = simulated_table(
        profile,
        table=Table(seats=profile.seats, rounds=invitation.rounds, deal=invitation.deal),
        settings=settings,
        lot=lot,
        chance=chance,
        faults=Faults(
            buttons=invitation.misbehaviour.habits("buttons"),
            slots=invitation.misbehaviour.habits("slots"),
            delay_ns=delay_ns if late else None,
        ),
        clock=clock,
        observers=observers,
        keep=keep,
    )
    crowd = Crowd(table.world, invitation.deal, invitation.skills, settings.language, to_ascii, people)
    crowd.arrive()
    return Party(table, crowd)


def _kind(profile: Profile, line: int) -> str:
    return "buttons" if profile.is_button(line) else "slots"
