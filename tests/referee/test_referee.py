"""The referee alone: inputs in, steps out, without a loop, a device, a disk or a clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model.effects import (
    Effect,
    Judged,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    RoundStarted,
    SeatTaken,
    Verdict,
)
from firmware_host.model.events import Input, Pause, Resume, SignalsLost, SourceEdge, StartMatch, TagSeen
from firmware_host.model.places import ALL_SLOTS, Button, Card, Colour, Pad, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, Stamp, exactly
from firmware_host.referee import Referee, Step
from firmware_host.show.pages import ScoreboardPage

RED = Colour.RED
SETTINGS = Settings()


def at(t_ns: int) -> Stamp:
    return Stamp(t_ns - 100_000, t_ns + 100_000)


def press(seat: int, t_ns: int, seq: int, for_ns: int = 80 * MS) -> list[tuple[int, Input]]:
    """A button goes down, and up again."""
    return [
        (t_ns, SourceEdge(Button(seat), True, at(t_ns), seq)),
        (t_ns + for_ns, SourceEdge(Button(seat), False, at(t_ns + for_ns), seq + 1)),
    ]


def edge(source: Source, active: bool, t_ns: int, seq: int) -> tuple[int, Input]:
    return t_ns, SourceEdge(source, active, at(t_ns), seq)


def a_match() -> list[tuple[int, Input]]:
    """Two seats, one die each; seat 2 is first, everybody agrees, and the board is cleared."""
    one, two = Slot(RED, 1), Slot(RED, 2)
    return [
        (0, StartMatch((1, 1), exactly(0))),
        edge(one, True, 4 * S, 1),
        *press(2, 4 * S + 50 * MS, 1),
        edge(two, True, 4 * S + 300 * MS, 1),
        *press(1, 4 * S + 350 * MS, 1),
        *press(1, 7 * S, 3),
        *press(2, 7 * S + 10 * MS, 3),
        edge(one, False, 9 * S, 2),
        edge(two, False, 9 * S + 100 * MS, 2),
        *press(1, 9 * S + 500 * MS, 5),
        *press(2, 9 * S + 510 * MS, 5),
    ]


def play(referee: Referee, inputs: Sequence[tuple[int, Input]], end_ns: int) -> list[Step]:
    steps: list[Step] = []
    for now_ns, seen in inputs:
        steps += referee.advance(now_ns)
        referee.put(seen, now_ns)
    return [*steps, *referee.advance(end_ns)]


def effects_of(steps: Iterable[Step]) -> list[Effect]:
    return [effect for step in steps for effect in step.effects]


def seen_in(steps: Iterable[Step]) -> tuple[list[tuple[int, bytes]], list[tuple[int, ScoreboardPage]]]:
    """All frames and all pages, and since when each is shown."""
    steps = list(steps)
    return (
        [(step.t_ns, step.frame) for step in steps if step.frame is not None],
        [(step.t_ns, step.page) for step in steps if step.page is not None],
    )


def fresh(table: Table | None = None) -> Referee:
    return Referee(table or Table(rounds=1), SETTINGS, Random(1), 0)


def test_it_plays_a_match_to_its_end_without_a_shell() -> None:
    referee = fresh()
    steps = play(referee, sorted(a_match(), key=lambda each: each[0]), 60 * S)
    effects = effects_of(steps)
    phases = [effect.phase for effect in effects if isinstance(effect, PhaseEntered)]
    verdicts = [(effect.seat, effect.verdict) for effect in effects if isinstance(effect, Judged)]
    assert verdicts == [(2, Verdict.ACCEPTED), (1, Verdict.NOT_RUNNING)]
    assert [each for each in phases if each is not Phase.CLEAR] == [
        Phase.COUNTDOWN,
        Phase.PLAY,
        Phase.SETTLE,
        Phase.SCORES,
        Phase.RESULT,
        Phase.ATTRACT,
    ]
    (scored,) = [effect for effect in effects if isinstance(effect, RoundScored)]
    (ended,) = [effect for effect in effects if isinstance(effect, MatchEnded)]
    assert scored.finisher == 2 and ended.winners == (2,)
    assert referee.news.last_match == ended and referee.session.phase is Phase.ATTRACT


def test_steps_come_in_the_order_of_their_moments_and_none_is_empty() -> None:
    steps = play(fresh(), sorted(a_match(), key=lambda each: each[0]), 60 * S)
    assert [step.t_ns for step in steps] == sorted(step.t_ns for step in steps)
    assert all(step.effects or step.frame is not None or step.page is not None for step in steps)
    frames, pages = seen_in(steps)
    for shown in (frames, pages):
        assert all(before[1] != after[1] for before, after in pairwise(shown))


def test_the_first_step_says_how_the_table_looks() -> None:
    referee = fresh()
    assert referee.due_ns == 0
    (first,) = referee.advance(0)
    assert first.frame == referee.frame and first.page == referee.page and first.page is not None


@given(st.lists(st.integers(0, 20_000), max_size=30))
def test_how_often_it_is_advanced_changes_no_step(looks_ms: list[int]) -> None:
    inputs = sorted(a_match(), key=lambda each: each[0])
    once = play(fresh(), inputs, 60 * S)
    referee = fresh()
    often: list[Step] = []
    looks = [(look_ms * MS, None) for look_ms in looks_ms]
    for now_ns, seen in sorted([*inputs, *looks], key=lambda each: each[0]):
        often += referee.advance(now_ns)
        if seen is not None:
            referee.put(seen, now_ns)
    often += referee.advance(60 * S)
    assert often == once


@given(st.lists(st.integers(0, 5), min_size=len(a_match()), max_size=len(a_match())))
def test_how_late_an_input_arrives_changes_no_step(delays_ms: list[int]) -> None:
    """As long as it is no later than its driver may be: so they may also overtake each other."""
    inputs = sorted(a_match(), key=lambda each: each[0])
    late = [(t_ns + ms * MS, seen) for (t_ns, seen), ms in zip(inputs, delays_ms, strict=True)]
    late.sort(key=lambda each: each[0])
    assert play(fresh(), late, 60 * S) == play(fresh(), inputs, 60 * S)


def test_it_takes_over_what_lies_on_the_table_and_who_presses() -> None:
    lying = Slot(Colour.BLUE, 1)
    referee = Referee(Table(), SETTINGS, Random(1), 5 * S, active=[lying, Button(3)])
    list(referee.advance(6 * S))
    assert referee.session.occupied == {lying}
    assert referee.arbiter.active == {lying, Button(3)}
    assert referee.session.phase is Phase.ATTRACT  # a button that was down before is no press


def test_commands_and_reports_count_from_their_stamps_on() -> None:
    referee = fresh()
    list(referee.advance(0))
    referee.put(Resume(exactly(6 * S)), 0)
    referee.put(Pause(exactly(5 * S)), 0)
    referee.put(StartMatch((5, 5), exactly(1 * S)), 0)
    referee.put(SignalsLost(1, 0, exactly(2 * S)), 0)
    steps = list(referee.advance(10 * S))
    told = [(step.t_ns // S, type(effect).__name__) for step in steps for effect in step.effects]
    assert told == [
        (1, "PhaseEntered"),
        (2, "EdgesLost"),
        (4, "PhaseEntered"),
        (4, "RoundStarted"),
        (5, "PhaseEntered"),
        (6, "PhaseEntered"),
    ]


def test_a_tag_on_a_pad_arms_it() -> None:
    referee = fresh(Table(game=CARD_GAME, seats=2, pads=True))
    list(referee.advance(0))
    referee.put(StartMatch((10, 10), exactly(0)), 0)
    list(referee.advance(4 * S))
    referee.put(TagSeen(Pad(1), Card(1, RED, 1), Stamp(4 * S, 4 * S + 40 * MS)), 4 * S + 40 * MS)
    told = effects_of(referee.advance(5 * S))
    assert [type(effect).__name__ for effect in told] == ["CardArmed"]


@pytest.mark.parametrize("columns", [16, 20, 40])
def test_pages_fit_the_scoreboard(columns: int) -> None:
    referee = Referee(Table(rounds=1), SETTINGS, Random(1), 0, columns=columns)
    _, pages = seen_in(play(referee, sorted(a_match(), key=lambda each: each[0]), 60 * S))
    assert all(len(line) <= columns for _, page in pages for line in page)
    assert len(ALL_SLOTS) == 24


def test_a_command_that_is_put_while_a_step_is_looked_at_is_replayed_alike() -> None:
    """An onlooker may command; how far the referee had advanced then says when it has to be put again."""
    live, again = fresh(Table()), fresh(Table())
    commands: list[tuple[int, StartMatch]] = []
    steps: list[Step] = []
    taps = press(1, 1 * S, 1)
    for now_ns, seen in taps:
        live.put(seen, now_ns)
    for step in live.advance(10 * S):
        steps.append(step)
        if any(isinstance(effect, SeatTaken) for effect in step.effects):
            commands.append((live.advanced_ns, StartMatch((5, 5), exactly(step.t_ns))))
            live.put(commands[-1][1], live.advanced_ns)
    assert len(commands) == 1 and any(isinstance(effect, RoundStarted) for effect in effects_of(steps))
    for now_ns, seen in taps:
        again.put(seen, now_ns)
    ((advanced_ns, command),) = commands
    replayed = list(again.advance(advanced_ns))
    again.put(command, advanced_ns)
    assert [*replayed, *again.advance(10 * S)] == steps


def test_an_earlier_moment_does_not_take_it_back() -> None:
    referee = fresh()
    list(referee.advance(10 * S))
    list(referee.advance(5 * S))
    assert referee.advanced_ns == 10 * S
