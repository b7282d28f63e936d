"""Makes a failing sequence as short and plain as possible, and writes it as a scenario."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields, replace

from firmware_host.games.games import EXPERT
from firmware_host.lab.scenarios.reading import parse_scenario
from firmware_host.lab.scenarios.running import contact_words, happening, run_scenario, tag_words
from firmware_host.lab.scenarios.wording import Input, Order, Scenario, Sighting, Statement
from firmware_host.model.events import format_event
from firmware_host.model.settings import CHOICES, TIMINGS, Settings, contradictions, time_of
from firmware_host.model.times import MS, exactly, format_duration, format_seconds
from tests.fuzz.cases import with_statements
from tests.fuzz.running import Failure, arrival_of, failure_of, replayed


def scenario_text(case: Scenario, end_ns: int) -> str:
    """The case as a text scenario; what it has to expect has to be added."""
    lines = [f"# {case.title}", f"profile {case.profile}"]
    lines += [f"ownership {case.ownership}"] if case.ownership else []
    lines += [f"from {case.position}"] if case.position else [f"deal {','.join(map(str, case.deal))}"]
    lines += [] if case.playing else ["begin attract"]
    lines += [f"rounds {case.rounds}"] if case.rounds else []
    lines += [f"variant {EXPERT}"] if case.expert else []
    lines += [f"seed {case.seed}"] if case.seed != 1 else []
    for name in (*CHOICES, *TIMINGS):
        ours, usual = (_setting(settings, name) for settings in (case.settings, Settings()))
        lines += [f"set {name} {ours}"] if ours != usual else []
    lines += ["", *map(_line, case.statements), f"until {format_seconds(end_ns)}", "expect verdict none", ""]
    return "\n".join(lines)


def _setting(settings: Settings, name: str) -> str:
    return getattr(settings, name) if name in CHOICES else format_duration(time_of(settings, name))


def _line(statement: Statement) -> str:
    if isinstance(statement, Order):
        return format_event(replace(statement.command, stamp=exactly(statement.t_ns)))
    assert isinstance(statement, Input | Sighting)
    if isinstance(statement, Input):
        what = contact_words(statement.source, statement.active)
    else:
        what = tag_words(statement.at, statement.tag, statement.present)
    return happening(statement.t_ns, what, statement.wide_ns, statement.arrival_ns)


def told(case: Scenario, end_ns: int, failure: Failure) -> str:
    """The case as a scenario, and whether that fails in the same way when the whole table runs it."""
    text = scenario_text(case, end_ns)
    try:
        run_scenario(parse_scenario(text, case.name))
    except Exception as error:
        found = failure_of(error)
        return text if found == failure else f"{text}# As a scenario: {found}\n"
    return f"{text}# As a scenario it runs; only the referee alone fails.\n"


class Shrinking:
    """Tries shorter cases as long as they fail in the same way."""

    def __init__(self, case: Scenario, end_ns: int, failure: Failure, for_s: float) -> None:
        """A failing case, and how much of the processor's time may be spent on it."""
        self.case = case
        self._end_ns = end_ns
        self._failure = failure
        self._until_s = time.process_time() + for_s

    def shrunk(self) -> Scenario:
        """The shortest case that was found."""
        while True:
            before = self.case
            self._leave_out()
            self._make_plain()
            if self.case == before or self._is_over():
                return self.case

    def _is_over(self) -> bool:
        return time.process_time() > self._until_s

    def _holds(self, case: Scenario) -> bool:
        """Take a case if it still fails."""
        if self._is_over() or case == self.case:
            return False
        found, _ = replayed(case, self._end_ns)
        if found != self._failure:
            return False
        self.case = case
        return True

    def _leave_out(self) -> None:
        """Leave out ever smaller parts of the sequence."""
        size = max(1, len(self.case.statements) // 2)
        while size:
            start = len(self.case.statements) - size
            while start > -size:
                kept = self.case.statements
                first = max(start, 0)
                self._holds(with_statements(self.case, (*kept[:first], *kept[first + size :])))
                start -= size
            size //= 2

    def _make_plain(self) -> None:
        """Usual settings, round times, no delays."""
        for each in fields(Settings):
            usual = getattr(Settings(), each.name)
            settings = replace(self.case.settings, **{each.name: usual})
            if not contradictions(settings):
                self._holds(replace(self.case, settings=settings))
        for change in (_prompt, _narrow, _round(100 * MS), _round(10 * MS), _round(MS)):
            for index in range(len(self.case.statements)):
                kept = self.case.statements
                one = change(kept[index])
                statements = sorted((*kept[:index], one, *kept[index + 1 :]), key=arrival_of)
                self._holds(with_statements(self.case, statements))


def _prompt(statement: Statement) -> Statement:
    if isinstance(statement, Input | Sighting):
        return replace(statement, arrival_ns=statement.t_ns)
    return statement


def _narrow(statement: Statement) -> Statement:
    return replace(statement, wide_ns=0) if isinstance(statement, Input | Sighting) else statement


def _round(to_ns: int) -> Callable[[Statement], Statement]:
    def rounded(statement: Statement) -> Statement:
        if isinstance(statement, Order):
            return replace(statement, t_ns=statement.t_ns // to_ns * to_ns)
        assert isinstance(statement, Input | Sighting)
        t_ns = statement.t_ns // to_ns * to_ns
        return replace(statement, t_ns=t_ns, arrival_ns=statement.arrival_ns - statement.t_ns + t_ns)

    return rounded
