"""Runs a sequence of inputs through the referee alone, and looks at everything that comes out."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from firmware_host.games.cards import cards
from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.dice import dice
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.lab.scenarios.wording import Input, Order, Scenario, Sighting, Statement
from firmware_host.model.effects import (
    Effect,
    Judged,
    MatchEnded,
    RoundScored,
    RoundStarted,
    Verdict,
    format_effect,
    parse_effect,
)
from firmware_host.model.events import Input as Seen
from firmware_host.model.events import SourceEdge, StartMatch, TagSeen, Withdrawn
from firmware_host.model.places import Slot
from firmware_host.model.states import SlotState
from firmware_host.model.times import Stamp, exactly
from firmware_host.referee import Referee, Step
from firmware_host.run.table_files import settings_for, table_of
from tests.fuzz.cases import profile_of

PATIENCE_S = 5
"""Of the processor; a sequence takes about 20 ms."""
LYING = (SlotState.OPEN, SlotState.COUNTED, SlotState.LAPSED)


class Broken(Exception):
    """Something holds no more that has to hold always."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception, and where it came from."""

    error: str
    where: str
    trace: str = field(compare=False)
    message: str = field(compare=False)

    def __str__(self) -> str:
        return f"{self.error} in {self.where}: {self.message}"


def failure_of(error: BaseException) -> Failure:
    """What an exception says, without what differs from case to case."""
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, Broken):
        return Failure("Broken", str(error.args[0]), "".join(traceback.format_exception(error)), str(error))
    inner = [frame for frame in frames if "firmware_host" in frame.filename][-3:]
    where = " < ".join(f"{Path(frame.filename).stem}.{frame.name}" for frame in reversed(inner))
    trace = "".join(traceback.format_exception(error))
    return Failure(type(error).__name__, where, trace, str(error))


@contextmanager
def patience() -> Iterator[None]:
    """Raise Broken if what is inside takes too long."""

    def give_up(_number: int, _frame: object) -> None:
        raise Broken("it does not come to rest", f"for {PATIENCE_S} s")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Run:
    """A referee that is given the inputs of one case; all its steps are checked."""

    def __init__(self, case: Scenario, *, keep: bool = False) -> None:
        profile = profile_of(case.profile, case.ownership)
        self.settings = settings_for(profile, case.settings)
        self.table = table_of(profile, case.rounds, case.deal, expert=case.expert)
        lying = []
        if case.position and not profile.piles:
            lying = sorted(dice.parse_position(case.position).board)
        self.referee = Referee(self.table, self.settings, Random(case.seed), 0, active=lying)
        self.steps: list[Step] | None = [] if keep else None
        self.judged = self.rounds = self.matches = 0
        self.phases: set[str] = set()
        self.lost: list[tuple[Slot, int]] = []
        """The latest slaps that were too late: for which die, and by whom."""
        self._last_ns = 0
        self._seq = 0
        self.zero_ns = 0
        if case.playing:
            self.referee.put(StartMatch(case.deal, exactly(0), case.position), 0)
            while not self.zero_ns:
                due_ns = self.referee.due_ns
                assert due_ns is not None
                for step in self.referee.advance(due_ns):
                    if any(isinstance(effect, RoundStarted) for effect in step.effects):
                        self.zero_ns = step.t_ns

    def put(self, statement: Statement) -> None:
        """Let time pass until an input arrives, and give it to the referee."""
        arrival_ns = self.zero_ns + arrival_of(statement)
        self.advance(arrival_ns)
        self._seq += 1
        self.referee.put(self.input_of(statement), arrival_ns)

    def until(self, t_ns: int) -> None:
        """Let time pass until then, from the start call on."""
        self.advance(self.zero_ns + t_ns)

    def advance(self, now_ns: int) -> None:
        """Take all steps until then, and look at each."""
        for step in self.referee.advance(now_ns):
            if step.t_ns < self._last_ns or step.t_ns > now_ns:
                raise Broken("steps go back in time", f"{step.t_ns} after {self._last_ns}, by {now_ns}")
            self._last_ns = step.t_ns
            if self.steps is not None:
                self.steps.append(step)
            if step.effects:
                for effect in step.effects:
                    self._look_at(effect)
                self._look_at_round()

    def input_of(self, statement: Statement) -> Seen:
        """The input as the intake would make it."""
        if isinstance(statement, Order):
            return replace(statement.command, stamp=exactly(self.zero_ns + statement.t_ns))
        assert isinstance(statement, Input | Sighting)
        t_ns = self.zero_ns + statement.t_ns
        if isinstance(statement, Sighting):
            kind = TagSeen if statement.present else Withdrawn
            return kind(statement.at, statement.tag, Stamp(t_ns - statement.wide_ns, t_ns))
        off_ns = self.settings.stamp_uncertainty_ns
        stamp = Stamp(t_ns - statement.wide_ns - off_ns, t_ns + off_ns)
        return SourceEdge(statement.source, statement.active, stamp, self._seq)

    # -- what has to hold always

    def _look_at(self, effect: Effect) -> None:
        if parse_effect(format_effect(effect)) != effect:
            raise Broken("an effect can't be read back", format_effect(effect))
        if isinstance(effect, Judged):
            self.judged += 1
            if effect.verdict in (Verdict.TOO_LATE, Verdict.DEAD_HEAT_LOST) and isinstance(effect.what, Slot):
                self.lost = [*self.lost[-3:], (effect.what, effect.seat)]
        elif isinstance(effect, RoundScored):
            self.rounds += 1
            if self.table.piles:
                good = all(-20 <= score <= 40 for score in effect.scores)
            else:
                good = sum(effect.scores) == 0
            if not good or min(effect.leftovers) < 0:
                raise Broken("scores are impossible", str(effect))
        elif isinstance(effect, MatchEnded):
            self.matches += 1

    def _look_at_round(self) -> None:
        session = self.referee.session
        self.phases.add(session.phase.name)
        round_ = session.round
        if isinstance(round_, DiceRound):
            position = round_.position
            if any(not 0 <= left <= dealt for left, dealt in zip(position.left, position.dealt, strict=True)):
                raise Broken("a seat has more dice than it was dealt, or less than none", str(position))
            if position.unclaimed < 0:
                raise Broken("more dice are claimed than lie on the board", str(position))
            waiting = (SlotState.OPEN, SlotState.LAPSED)
            if sum(place.state in waiting for place in round_.records.places) > position.unclaimed:
                raise Broken("more dice wait than have no owner", str(position))
            board = {place.slot for place in round_.records.places if place.state in LYING}
            if board != position.board:
                raise Broken("board and rows differ", f"{sorted(board ^ position.board)} {position}")
        elif isinstance(round_, CardRound) and cards.parse_position(str(round_.position)) != round_.position:
            raise Broken("a position can't be read back", str(round_.position))


def arrival_of(statement: Statement) -> int:
    """When an input arrives, from the start call on."""
    assert isinstance(statement, Input | Sighting | Order)
    return statement.t_ns if isinstance(statement, Order) else statement.arrival_ns


def replayed(
    case: Scenario, end_ns: int, *, often: Random | None = None
) -> tuple[Failure | None, list[Step]]:
    """Run a whole case: what went wrong, if anything did, and its steps.

    With `often` the referee is advanced at other moments, too.
    """
    steps: list[Step] = []
    try:
        with patience():
            run = Run(case, keep=True)
            assert run.steps is not None
            steps = run.steps
            for statement in case.statements:
                if often is not None:
                    since_ns = run.referee.advanced_ns
                    between = arrival_of(statement) + run.zero_ns - since_ns
                    for moment_ns in sorted(often.randint(0, max(0, between)) for _ in range(2)):
                        run.advance(since_ns + moment_ns)
                run.put(statement)
            run.until(end_ns)
    except Exception as error:
        return failure_of(error), steps
    return None, steps
