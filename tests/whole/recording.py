"""Whole matches, recorded at the wire and fed again in other orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from firmware_host.config.profile import Profile
from firmware_host.durations import MS, S
from firmware_host.effects import Effect, MatchEnded
from firmware_host.events import TagEvent
from firmware_host.players.skill import SKILLS, Skill, with_rates
from firmware_host.referee.step import Step
from firmware_host.runtime.assembly.shipped_profiles import load_profile
from firmware_host.runtime.assembly.simulated import Scripted, Simulated, scripted_table
from firmware_host.runtime.assembly.tables import simulated_registry, table_of
from firmware_host.runtime.equipment import Report
from firmware_host.runtime.intake import Intake
from firmware_host.settings import Settings
from firmware_host.simulation.party import Invitation, Misbehaviour, Party, even_deal, hold_party
from hw.ports import Edge, TagRead
from hw.sim.led_panel import ShownFrame

PROFILE = load_profile("dice4-direct")
ALL = frozenset(PROFILE.lines.values())
ALL_BOUNCE = Misbehaviour(bounce=ALL)
ALL_WRONG = Misbehaviour(bounce=ALL, noise=ALL, late=ALL)
FINE = Settings()
COARSE = Settings(stamp_uncertainty_ns=15 * MS)
"""Stamps so doubtful that many a race is a dead heat."""
CLUMSY: Skill = with_rates(
    SKILLS["regular"],
    early=0.1,
    twice=0.1,
    wrong=0.1,
    misplace=0.05,
    knock=0.05,
    reflex=0.5,
)


@dataclass(slots=True)
class Story:
    """All that a table took in and gave out."""

    edges: list[Edge] = field(default_factory=list)
    tags: list[TagRead] = field(default_factory=list)
    effects: list[tuple[int, Effect]] = field(default_factory=list)
    frames: list[ShownFrame] = field(default_factory=list)
    scoreboard: list[bytes] = field(default_factory=list)

    def told(self) -> tuple[object, ...]:
        """What must not depend on the order of arrival."""
        return self.effects, self.frames, self.scoreboard


def invite(
    players: int,
    rounds: int,
    misbehaviour: Misbehaviour,
    profile: Profile = PROFILE,
    settings: Settings = FINE,
    *,
    expert: bool = False,
) -> Invitation:
    return Invitation(
        expert=expert,
        settings=settings,
        profile=profile,
        deal=even_deal(profile, players),
        skills=(CLUMSY, SKILLS["expert"], SKILLS["novice"]),
        rounds=rounds,
        misbehaviour=misbehaviour,
    )


def play(asked: Invitation, seed: int, each_step: Callable[[Party], None] | None = None) -> Story:
    """A match of simulated people from the first press to the standings."""
    story = Story()
    over: list[Effect] = []

    def observe(step: Step) -> None:
        story.effects += [(step.t_ns, effect) for effect in step.effects]
        over.extend(effect for effect in step.effects if isinstance(effect, MatchEnded))

    party = hold_party(asked, seed, onlookers=[observe], keep=None)

    def remember(now_ns: int, report: Report) -> None:
        if isinstance(report, TagRead):
            story.tags.append(report)
        else:
            assert isinstance(report, Edge)
            story.edges.append(report)

    party.table.loop.witnesses.append(remember)
    while not over:
        now_ns = party.table.loop.step()
        assert now_ns < 3600 * S, "the match does not end"
        if each_step is not None:
            each_step(party)
    story.frames = list(party.world.leds.history)
    assert isinstance(party.table, Simulated)
    story.scoreboard = list(party.table.display.history)
    return story


def feed(
    asked: Invitation,
    seed: int,
    edges: list[Edge],
    delay_ns: Callable[[Edge], int],
    tags: Sequence[TagRead] = (),
    tag_delay_ns: Callable[[TagRead], int] = lambda read: 0,
) -> Story:
    """The same edges and tags again, each after a delay of its own; equal arrivals in the order given."""
    story = Story()
    profile, settings = asked.profile, asked.settings
    table = scripted_table(
        profile,
        table=table_of(profile, asked.rounds, asked.deal),
        settings=settings,
        draws=Random(seed),
    )
    table.shell.onlookers.append(
        lambda step: story.effects.extend((step.t_ns, effect) for effect in step.effects)
    )
    for edge in edges:
        table.agenda.at(edge.t_ns + delay_ns(edge), _delivery(table.lines.push, edge))
    intake = Intake({}, 0, None, [spot.at for spot in profile.readers], simulated_registry(profile))
    for read in tags:
        event = intake.tag(read)
        table.agenda.at(read.latest_ns + tag_delay_ns(read), _showing(table, event))
    end_ns = max(edge.t_ns for edge in edges) + Settings().result_ns
    table.loop.run(end_ns)
    story.frames = list(table.leds.history)
    story.scoreboard = list(table.display.history)
    return story


def _showing(table: Scripted, event: TagEvent) -> Callable[[], None]:
    return lambda: table.shell.put(event, table.agenda.now_ns)


def _delivery(push: Callable[[Edge], None], edge: Edge) -> Callable[[], None]:
    return lambda: push(edge)
