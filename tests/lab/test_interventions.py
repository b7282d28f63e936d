"""An operator pauses, voids and ends at any moment, and people always find their way back into the game.

They answer what the scoreboard asks, once. If the table asks the same question again before anybody has
looked up, nothing on the scoreboard has changed: only the own lamp says that the answer is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import Paused, PhaseState
from firmware_host.games.phases import COMMANDS, CheckStep
from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.skill import SKILLS
from firmware_host.lab.operator import RivalHand
from firmware_host.lab.party import Invitation, even_deal, hold_party
from firmware_host.model.effects import Effect, MatchEnded, RoundScored, RoundStarted, RoundVoided
from firmware_host.model.events import Command, EndMatch, Pause, Resume, SetLeftover, StartMatch, VoidRound
from firmware_host.model.states import Phase, VoidReason
from firmware_host.model.times import MS, S, exactly
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile
from tests.thoroughness import some

pytestmark = pytest.mark.no_cover
GIVES_UP_NS = 700 * S
LONGEST_S = dict.fromkeys(Phase, 25) | {Phase.CLEAR: 40, Phase.SETTLE: 60, Phase.PLAY: 200}
"""How long the table may stay in a phase. CLEAR and PAUSED would last for minutes by themselves, ATTRACT for
ever; in SETTLE several seats may dispute their counts, one after the other.
"""
Intervention = type[Pause | Resume | VoidRound | EndMatch]


class Watched:
    """A party with an operator who looks at the clock."""

    def __init__(
        self, profile: str, seed: object, *, players: int = 4, skill: str = "regular", rival: bool = False
    ) -> None:
        wiring = load_profile(profile)
        deal = even_deal(wiring, players)
        asked = Invitation(profile=wiring, deal=deal, skills=[SKILLS[skill]], rounds=2)
        self.effects: list[Effect] = []
        self.party = hold_party(asked, f"interventions {seed}", onlookers=[self._see])
        self.shell = self.party.table.shell
        if rival:
            assert isinstance(self.party.things, Dice)
            reader = PageReader("en", lambda text: self.party.table.spell(text, language="en"))
            RivalHand(self.party.world, self.party.crowd, self.party.things, reader)

    def _see(self, step: Step) -> None:
        self.effects += step.effects

    @property
    def now_ns(self) -> int:
        return self.party.world.now_ns

    @property
    def state(self) -> PhaseState:
        return self.shell.referee.session.state

    @property
    def phase(self) -> Phase:
        return self.state.phase

    def pass_time(self, length_ns: int) -> None:
        self.party.table.loop.run(self.now_ns + length_ns)

    def until(self, so: Callable[[], object]) -> float:
        """Let time pass until it is so; how many seconds that has taken."""
        begun_ns = self.now_ns
        while not so():
            assert self.now_ns < begun_ns + GIVES_UP_NS, (self.phase, self.party.world.lines)
            self.party.table.loop.step(self.now_ns + 100 * MS)
        return (self.now_ns - begun_ns) / S

    def until_phase(self, phase: Phase) -> float:
        return self.until(lambda: self.phase is phase)

    def say(self, command: Command) -> None:
        """The operator's word, which counts at once."""
        self.shell.command(command)
        self.shell.advance(self.now_ns)

    def stamp(self, kind: Intervention) -> Command:
        return kind(exactly(self.now_ns))


# -- one question asked twice


@pytest.mark.parametrize("after_ms", [20, 100, 200, 300])
@pytest.mark.parametrize("profile", ["dice4", "dice4-rfid", "cards4"])
def test_people_press_again_if_the_round_is_voided_as_soon_as_it_counts_down(
    profile: str, after_ms: int
) -> None:
    table = Watched(profile, after_ms)
    table.until_phase(Phase.COUNTDOWN)
    table.pass_time(after_ms * MS)
    table.say(table.stamp(VoidRound))
    assert table.phase is Phase.CLEAR
    assert table.until_phase(Phase.COUNTDOWN) < 20


@pytest.mark.parametrize("seed", range(3))
def test_people_sit_down_again_if_the_match_is_ended_while_they_do(seed: int) -> None:
    table = Watched("dice4", seed)
    table.until(lambda: len(table.shell.referee.session.seated) == 2)
    table.say(table.stamp(EndMatch))
    assert table.phase is Phase.ATTRACT
    assert table.until_phase(Phase.COUNTDOWN) < 25
    assert len(table.shell.referee.session.seated) == 4


def test_people_agree_again_to_a_count_that_the_operator_has_entered() -> None:
    table = Watched("dice4", 1)

    def almost_agreed() -> bool:
        state = table.state
        return isinstance(state, Settle) and state.step is CheckStep.CHECK and len(state.agreed) == 3

    table.until(almost_agreed)
    (last,) = {1, 2, 3, 4} - table.state.agreed  # type: ignore[attr-defined]
    counts = table.state.counts  # type: ignore[attr-defined]
    table.say(SetLeftover(last, counts[last - 1], exactly(table.now_ns)))
    assert table.state.agreed == set()  # type: ignore[attr-defined]
    assert table.until_phase(Phase.SCORES) < 7, "the count was agreed to, not only left standing"


def test_a_round_is_not_called_off_for_a_pause_of_the_round_before() -> None:
    """Who was asked to go on, and was then given a new round, plays it."""
    table = Watched("dice4", 1)
    table.until_phase(Phase.PLAY)
    table.party.crowd.hands_off()  # nobody plays until the round pauses by itself
    table.until_phase(Phase.PAUSED)
    table.party.crowd.go_on()
    table.pass_time(900 * MS)
    assert table.phase is Phase.PAUSED
    table.say(table.stamp(VoidRound))
    table.until_phase(Phase.PLAY)
    table.pass_time(10 * S)
    voided = [effect.reason for effect in table.effects if isinstance(effect, RoundVoided)]
    assert voided == [VoidReason.OPERATOR]


@pytest.mark.parametrize("after_ms", some(4, range(300, 1500, 100)))
def test_somebody_else_goes_on_after_a_pause_if_the_leader_gets_up(after_ms: int) -> None:
    table = Watched("dice4", 1)
    table.until_phase(Phase.PLAY)
    table.party.crowd.hands_off()
    table.until_phase(Phase.PAUSED)
    table.party.crowd.go_on()
    table.pass_time(after_ms * MS)
    table.party.crowd.make_room(1)
    assert table.until_phase(Phase.PLAY) < 20


def test_a_person_is_ready_for_somebody_who_got_up_before_saying_so() -> None:
    table = Watched("dice4", 1)
    table.until(lambda: len(table.shell.referee.session.seated) == 4)
    table.party.crowd.make_room(1)
    table.until_phase(Phase.CLEAR)
    table.pass_time(20 * S)
    assert table.phase is Phase.CLEAR, "whoever sits there now has not pressed"
    table.party.crowd.sit_again(1)
    assert table.until_phase(Phase.COUNTDOWN) < 20


# -- a match that the operator starts


@pytest.mark.parametrize("deal", [(6, 6, 0, 6), (7, 7, 5, 5), (0, 12, 0, 12), (1, 1, 1, 1)])
def test_people_deal_what_the_scoreboard_says(deal: tuple[int, ...]) -> None:
    """The first round can't be played, since nobody has dealt for it; the others are."""
    table = Watched("dice4", deal)
    table.say(StartMatch(deal, exactly(0)))
    table.until(lambda: any(isinstance(effect, MatchEnded) for effect in table.effects))
    assert sum(isinstance(effect, RoundVoided) for effect in table.effects) <= 1
    scored = [effect for effect in table.effects if isinstance(effect, RoundScored)]
    assert len(scored) == 2 and all(sum(each.scores) == 0 for each in scored)
    things = table.party.things
    assert isinstance(things, Dice)
    assert things.dealt_to == deal and things.count() == 24


def test_after_a_match_of_two_everybody_plays_again() -> None:
    table = Watched("dice4", 2)
    table.say(StartMatch((12, 12), exactly(0)))
    table.until(lambda: any(isinstance(effect, MatchEnded) for effect in table.effects))
    table.until_phase(Phase.ATTRACT)
    before = len(table.effects)
    table.until(lambda: any(isinstance(effect, RoundScored) for effect in table.effects[before:]))
    (scored,) = [effect for effect in table.effects[before:] if isinstance(effect, RoundScored)]
    assert scored.seats == (1, 2, 3, 4)


# -- at any moment


class Meddler:
    """An operator who pauses, resumes, voids and ends, often just when a phase has begun."""

    def __init__(self, table: Watched, chance: Random) -> None:
        self._table = table
        self._chance = chance
        self._state: PhaseState | None = None
        self._next_ns = 0
        self.said: list[str] = []

    def look(self) -> None:
        """Say something if it is time to."""
        table, chance = self._table, self._chance
        if table.state is not self._state:
            self._state = table.state
            soon = chance.random() < 0.4
            self._next_ns = table.now_ns + int(chance.uniform(0, 0.6 if soon else 40) * S)
        if table.now_ns >= self._next_ns:
            self._next_ns = table.now_ns + int(chance.uniform(0, 40) * S)
            kinds = self._possible()
            if kinds:
                kind = chance.choice(kinds)
                self.said.append(f"{table.now_ns / S:.3f} {kind.__name__} in {table.phase.name}")
                table.say(table.stamp(kind))

    def _possible(self) -> list[Intervention]:
        state = self._table.state
        if isinstance(state, Paused) and state.by_operator:
            return [Resume, Resume, VoidRound, EndMatch]
        often: tuple[Intervention, ...] = (Pause, Pause, Resume, VoidRound, VoidRound, EndMatch)
        return [kind for kind in often if kind in COMMANDS[state.phase]]

    @property
    def waits(self) -> bool:
        """Whether the table waits for this operator."""
        return isinstance(self._table.state, Paused) and self._table.state.by_operator


@pytest.mark.parametrize("seed", some(3, range(12)))
@pytest.mark.parametrize(
    ("profile", "players", "rival"),
    [
        ("dice4", 4, False),
        ("dice4", 4, True),
        ("dice4", 2, True),
        ("dice4-rfid", 3, False),
        ("cards4", 4, False),
        ("cards2-piles", 2, False),
    ],
)
def test_the_table_never_stays_where_it_is_whatever_the_operator_does(
    profile: str, players: int, rival: bool, seed: int
) -> None:
    skill = list(SKILLS)[seed % len(SKILLS)]
    table = Watched(profile, seed, players=players, skill=skill, rival=rival)
    operator = Meddler(table, Random(f"operator {seed}"))
    state, since_ns = table.state, 0
    while table.now_ns < 900 * S:
        table.party.table.loop.step(table.now_ns + 50 * MS)
        if table.state is not state:
            state, since_ns = table.state, table.now_ns
        stayed_s = (table.now_ns - since_ns) / S
        assert operator.waits or stayed_s < LONGEST_S[state.phase], (operator.said[-6:], state.phase)
        operator.look()
    table.party.close()
    assert len(operator.said) > 20
    assert sum(isinstance(effect, RoundStarted) for effect in table.effects) > 5
