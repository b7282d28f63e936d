"""Sequences of one kind, one after the other, until there were so many inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from random import Random

from firmware_host.lab.scenarios.wording import Scenario, Statement
from firmware_host.model.times import S
from tests.fuzz.cases import KINDS, new_case, with_statements
from tests.fuzz.hands import Hands
from tests.fuzz.running import Broken, Failure, Run, failure_of, patience, replayed
from tests.fuzz.shrinking import Shrinking, told

MOST_FAILURES = 5
"""After so many different ones, a kind is given up."""
CHECKED_AGAIN = 10
"""One of so many sequences is replayed, twice."""


@dataclass(slots=True)
class Found:
    """One failure: in which sequence, after how many inputs, and its shortest form."""

    failure: Failure
    name: str
    after: int
    text: str
    again: int = 0


@dataclass(slots=True)
class Tally:
    """What came of the sequences of one kind."""

    kind: str
    inputs: int = 0
    sequences: int = 0
    judged: int = 0
    rounds: int = 0
    matches: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)


def fuzz(
    kind: str,
    seed: int,
    inputs: int,
    progress: Callable[[int], object] = lambda done: None,
    *,
    shrink_s: float = 60,
) -> Tally:
    """Run sequences of a kind until there were so many inputs; each failure is made shorter for a while."""
    tally = Tally(kind)
    for number in count():
        if tally.inputs >= inputs or len(tally.found) >= MOST_FAILURES:
            return tally
        name = f"{kind}-{seed}-{number}"
        case, end_ns, failure = _sequence(kind, name, tally)
        if failure is None and number % CHECKED_AGAIN == 0:
            case, end_ns, failure = _again(case, end_ns)
        if failure is not None:
            _note(tally, case, end_ns, failure, shrink_s)
        progress(tally.inputs)
    raise AssertionError


def _sequence(kind: str, name: str, tally: Tally) -> tuple[Scenario, int, Failure | None]:
    """Make up a sequence and run it meanwhile; also the time at its end, and what went wrong."""
    chance = Random(name)
    case = new_case(KINDS[kind], chance, name)
    statements: list[Statement] = []
    failure = None
    run = None
    most = chance.choice((25, 40, 40, 80, 200)) + (40 if kind == "dice-by-tag" else 0)
    end_ns = 0
    try:
        with patience():
            run = Run(case)
            hands = Hands(case, run, chance)
            for statement in hands.inputs():
                statements.append(statement)
                run.put(statement)
                if len(statements) == most:
                    break
            end_ns = run.referee.advanced_ns - run.zero_ns + chance.choice((0, 1, 20)) * S
            run.until(end_ns)
    except Exception as error:
        failure = failure_of(error)
        if run is not None:
            end_ns = max(end_ns, run.referee.advanced_ns - run.zero_ns) + 10 * S
    tally.sequences += 1
    tally.inputs += len(statements)
    if run is not None:
        tally.judged += run.judged
        tally.rounds += run.rounds
        tally.matches += run.matches
        tally.phases.update(run.phases)
    return with_statements(case, statements), end_ns, failure


def _again(case: Scenario, end_ns: int) -> tuple[Scenario, int, Failure | None]:
    """Replay a sequence: the same steps follow, however often the referee is advanced meanwhile."""
    try:
        first, second = replayed(case, end_ns), replayed(case, end_ns, often=Random(case.name))
        if first[0] is None and first != second:
            raise Broken("a replay differs", case.name)
    except Exception as error:
        return case, end_ns, failure_of(error)
    return case, end_ns, first[0] or second[0]


def _note(tally: Tally, case: Scenario, end_ns: int, failure: Failure, shrink_s: float) -> None:
    for found in tally.found:
        if found.failure == failure:
            found.again += 1
            return
    if replayed(case, end_ns)[0] == failure:
        case = Shrinking(case, end_ns, failure, shrink_s).shrunk()
    tally.found.append(Found(failure, case.name, tally.inputs, told(case, end_ns, failure)))
