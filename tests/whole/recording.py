"""Whole matches, recorded at the wire and fed again in other orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.lab.bots.skill import SKILLS, Skill, with_rates
from firmware_host.lab.party import Invitation, Misbehaviour, Party, even_deal, hold_party, settle_ns
from firmware_host.lab.simulated_table import Scripted, Simulated, scripted_table
from firmware_host.model.effects import Effect, LateSignal, MatchEnded
from firmware_host.model.events import TagEvent
from firmware_host.model.places import DICE
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import Profile
from firmware_host.referee import Step
from firmware_host.run.equipment import Intake, Report
from firmware_host.run.table_files import load_profile, settings_for, simulated_registry, table_of
from hw.ports import Edge, TagRead

E = TypeVar("E", bound=Effect)

PROFILE = load_profile("dice4-direct")
BY_SLAP, BY_TAG = (replace(load_profile("dice4-rfid"), ownership=name) for name in ("slap", "tag"))
CARDS4, CARDS12, PILES = (load_profile(name) for name in ("cards4", "cards12", "cards2-piles"))
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


seeds = st.integers(min_value=0, max_value=2**32)
players = st.integers(min_value=2, max_value=4)
exactness = st.sampled_from([FINE, COARSE])


def matches(examples: int) -> settings:
    """How a generated test plays so many whole matches, which takes its time."""
    # A failing match is shrunk by hand, from its seed: shrinking a whole match takes for ever.
    return settings(
        max_examples=examples,
        deadline=None,
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@dataclass(slots=True)
class Story:
    """All that a table took in and gave out."""

    edges: list[Edge] = field(default_factory=list)
    tags: list[TagRead] = field(default_factory=list)
    effects: list[tuple[int, Effect]] = field(default_factory=list)
    frames: list[tuple[int, bytes]] = field(default_factory=list)
    """All frames of the referee; that a press was felt depends on when it arrived, and is none of them."""
    scoreboard: list[bytes] = field(default_factory=list)

    def observe(self, step: Step) -> None:
        """Take in what follows from a step."""
        self.effects += [(step.t_ns, effect) for effect in step.effects]
        if step.frame is not None:
            self.frames.append((step.t_ns, step.frame))

    def told(self) -> tuple[object, ...]:
        """What must not depend on the order of arrival."""
        return self.effects, self.frames, self.scoreboard

    @property
    def has_ended(self) -> bool:
        """Whether its match has been played to the end."""
        return any(isinstance(effect, MatchEnded) for _, effect in self.effects[-10:])

    def of_kind(self, *kinds: type[E]) -> list[E]:
        return [effect for _, effect in self.effects if isinstance(effect, kinds)]


def invite(
    players: int,
    rounds: int,
    profile: Profile = PROFILE,
    settings: Settings = FINE,
    *,
    late: bool = False,
    expert: bool = False,
) -> Invitation:
    """Clumsy people at a table whose contacts bounce and are noisy, and perhaps late."""
    contacts = frozenset(profile.lines.values())
    return Invitation(
        expert=expert,
        settings=settings,
        profile=profile,
        deal=even_deal(profile, players),
        skills=(CLUMSY, SKILLS["expert"], SKILLS["novice"]),
        rounds=rounds,
        misbehaviour=Misbehaviour(bounce=contacts, noise=contacts, late=contacts if late else frozenset()),
    )


def play(asked: Invitation, seed: int, each_step: Callable[[Party], None] | None = None) -> Story:
    """A match of simulated people from the first press to the standings."""
    story = Story()
    party = hold_party(asked, seed, onlookers=[story.observe], keep=None)

    def remember(now_ns: int, report: Report) -> None:
        if isinstance(report, TagRead):
            story.tags.append(report)
        else:
            assert isinstance(report, Edge)
            story.edges.append(report)

    party.table.loop.witnesses.append(remember)
    while not story.has_ended:
        now_ns = party.table.loop.step()
        assert now_ns < 3600 * S, "the match does not end"
        if each_step is not None:
            each_step(party)
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
    table.shell.onlookers.append(story.observe)
    for edge in edges:
        table.agenda.at(edge.t_ns + delay_ns(edge), _delivery(table.lines.push, edge))
    intake = Intake({}, 0, None, [spot.at for spot in profile.readers], simulated_registry(profile))
    for read in tags:
        event = intake.tag(read)
        table.agenda.at(read.latest_ns + tag_delay_ns(read), _showing(table, event))
    end_ns = max(edge.t_ns for edge in edges) + Settings().result_ns
    table.loop.run(end_ns)
    story.scoreboard = list(table.display.history)
    return story


def check_counts(party: Party) -> None:
    """Check that no die is lost or made, and that no count is out of step with the board."""
    assert party.things.count() == DICE
    round_ = party.table.shell.referee.session.round
    if isinstance(round_, DiceRound):
        position = round_.position
        assert sum(position.left) + position.claimed == sum(position.dealt) == DICE
        assert 0 <= position.claimed <= sum(position.heights)


def check_any_order(asked: Invitation, seed: int, chance: Random) -> None:
    """Check that the order and the delays of edges and tags change nothing, as long as none is late."""
    profile, exact = asked.profile, asked.settings
    longest_ns = settings_for(profile, exact).tag_settle_ns
    story = play(asked, seed)

    def latest(edge: Edge) -> int:
        return settle_ns(exact, profile.lines[edge.line])

    def delay(edge: Edge) -> int:
        return chance.choice((chance.randint(0, latest(edge)), chance.randint(0, latest(edge)), latest(edge)))

    def tag_delay(read: TagRead) -> int:
        return chance.choice((0, chance.randint(0, longest_ns), longest_ns))

    prompt = feed(asked, seed, story.edges, lambda edge: 0, story.tags)
    delayed = feed(asked, seed, story.edges, delay, story.tags, tag_delay)
    edges, tags = list(story.edges), list(story.tags)
    chance.shuffle(edges)
    chance.shuffle(tags)
    permuted = feed(asked, seed, edges, delay, tags, tag_delay)
    # Edges come in batches, and each batch in any order: as a driver hands them to its reader.
    batch_ns = min(map(latest, edges))
    batched = feed(asked, seed, edges, lambda edge: -edge.t_ns % batch_ns, tags)
    assert not delayed.of_kind(LateSignal)
    assert delayed.told() == permuted.told() == batched.told() == prompt.told()
    # And the same as when the people were there.
    assert prompt.effects[: len(story.effects)] == story.effects


def _showing(table: Scripted, event: TagEvent) -> Callable[[], None]:
    return lambda: table.shell.put(event, table.agenda.now_ns)


def _delivery(push: Callable[[Edge], None], edge: Edge) -> Callable[[], None]:
    return lambda: push(edge)
