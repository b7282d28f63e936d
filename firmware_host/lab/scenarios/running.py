"""Runs a scenario through the whole table in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from firmware_host.games.dice.dice import parse_position
from firmware_host.lab.scenarios.expectations import SUBJECTS, Observed, verdict_text
from firmware_host.lab.scenarios.reading import owned
from firmware_host.lab.scenarios.wording import Expect, Input, Order, Scenario, Sighting, Statement, Until
from firmware_host.lab.simulated_table import Scripted, scripted_table
from firmware_host.model.effects import RoundStarted
from firmware_host.model.errors import TableError
from firmware_host.model.events import StartMatch, TagSeen, Withdrawn
from firmware_host.model.places import Source
from firmware_host.model.times import Stamp, exactly
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile, table_of


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An expectation that did not hold."""

    file: str
    line: int
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: expected {self.expected}, found {self.found}"


def run_scenario(scenario: Scenario, on_step: Callable[[Step], None] | None = None) -> list[Mismatch]:
    """Every expectation that does not hold; an empty list if all is as written."""
    return _Run(scenario, on_step).run()


class _Run:
    def __init__(self, scenario: Scenario, on_step: Callable[[Step], None] | None) -> None:
        self._scenario = scenario
        self._on_step: Callable[[Step], None] | None = None
        profile = owned(load_profile(scenario.profile), scenario.ownership)
        lying: list[Source] = []
        if scenario.position and not profile.piles:
            lying += sorted(parse_position(scenario.position).board)
        self._table: Scripted = scripted_table(
            profile,
            table=table_of(profile, scenario.rounds, scenario.deal, expert=scenario.expert),
            settings=scenario.settings,
            draws=Random(scenario.seed),
            active=lying,
        )
        self._observed = Observed(self._table.shell.referee, lambda: self._table.display.lines)
        self._table.shell.onlookers.append(self._observe)
        self._lines = {source: line for line, source in profile.lines.items()}
        self._now_ns = 0
        self._zero_ns = 0
        if scenario.playing:
            self._zero_ns = self._start()
        self._on_step = on_step

    def run(self) -> list[Mismatch]:
        mismatches: list[Mismatch] = []
        for statement in self._scenario.statements:
            if isinstance(statement, Expect):
                self._pass_time()
                found = SUBJECTS[statement.subject].find(self._observed, statement.argument)
                if found != statement.wanted:
                    mismatches.append(self._mismatch(statement, found))
            else:
                self._do(statement)
        last = self._scenario.statements[-1].number
        mismatches += [
            Mismatch(self._scenario.name, last, "no more verdicts", f"verdict {verdict_text(judged)}")
            for judged in self._observed.verdicts
        ]
        self._table.close()
        return mismatches

    def _mismatch(self, expect: Expect, found: str) -> Mismatch:
        subject = f"{expect.subject} {expect.argument}".strip()
        return Mismatch(self._scenario.name, expect.number, str(expect), f"{subject} {found}")

    def _start(self) -> int:
        """Start the match and let it count down; the moment of the start call."""
        scenario, shell = self._scenario, self._table.shell
        started: list[int] = []

        def notice(step: Step) -> None:
            started.extend(step.t_ns for effect in step.effects if isinstance(effect, RoundStarted))

        shell.onlookers.append(notice)
        shell.command(StartMatch(scenario.deal, exactly(0), scenario.position))
        while not started:
            if self._observed.refused:
                raise TableError(f"{scenario.name}: {self._observed.refused[0].reason}")
            self._table.loop.step()
        shell.onlookers.remove(notice)
        return started[0]

    def _do(self, statement: Statement) -> None:
        """Put an input or order on the agenda; time passes only where it is looked at."""
        if isinstance(statement, Input | Sighting):
            self._table.agenda.at(self._zero_ns + statement.arrival_ns, self._arrival(statement))
            if not statement.background:
                self._now_ns = statement.arrival_ns
        elif isinstance(statement, Order):
            t_ns = self._zero_ns + statement.t_ns
            self._table.shell.command(replace(statement.command, stamp=exactly(t_ns)))
            self._now_ns = statement.t_ns
        elif isinstance(statement, Until):
            self._now_ns = statement.t_ns
            self._pass_time()

    def _arrival(self, seen: Input | Sighting) -> Callable[[], None]:
        """What is done when the word of it comes."""
        t_ns = self._zero_ns + seen.t_ns
        if isinstance(seen, Input):
            line, high = self._lines[seen.source], not seen.active
            return lambda: self._table.lines.deliver(line, high, t_ns, seen.wide_ns)
        kind = TagSeen if seen.present else Withdrawn
        event = kind(seen.at, seen.tag, Stamp(t_ns - seen.wide_ns, t_ns))
        return lambda: self._table.shell.put(event, self._table.agenda.now_ns)

    def _pass_time(self) -> None:
        self._table.loop.run(self._zero_ns + self._now_ns)

    def _observe(self, step: Step) -> None:
        self._observed.observe(step)
        if self._on_step is not None:
            self._on_step(step._replace(t_ns=step.t_ns - self._zero_ns))
