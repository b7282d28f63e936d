"""Whatever the pins do and whenever interrupts are known: levels come out right, and no stamp is a lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import Edge
from tests.hw.i2c.bus_rig import MS, PINS, US, BankWorld, Happened, S

START_NS = 50 * MS
"""The chip has been set up long ago."""

# Pins change far apart, or as close together as the bytes of a transfer.
PAUSES = st.one_of(
    st.integers(0, 300 * US), st.integers(0, 3 * MS), st.integers(0, 30 * MS), st.integers(0, 250 * MS)
)
PIN_SETS = st.one_of(
    st.sampled_from(sorted(PINS)).map(lambda pin: (pin,)),
    st.sets(st.sampled_from(sorted(PINS)), min_size=1, max_size=3).map(lambda pins: tuple(sorted(pins))),
)
STEPS = st.lists(st.tuples(PAUSES, PIN_SETS), max_size=25)
DELAYS = st.lists(
    st.one_of(st.just(0), st.integers(0, 500 * US), st.integers(0, 5 * MS), st.integers(0, 150 * MS)),
    min_size=1,
    max_size=10,
)


def world_of(
    steps: list[tuple[int, tuple[int, ...]]],
    delays: list[int],
    interrupts_again: bool,
    garbles: Sequence[tuple[int, list[int]]] = (),
) -> BankWorld:
    changes = []
    t_ns = START_NS
    for pause_ns, pins in steps:
        t_ns += pause_ns
        changes.append((t_ns, pins))
    world = BankWorld(
        changes, late_ns=lambda index: delays[index % len(delays)], interrupts_again=interrupts_again
    )
    world.wires.garble = garbler(garbles)
    world.run(t_ns + S)
    return world


def garbler(garbles: Sequence[tuple[int, list[int]]]) -> Callable[[int, bytes], bytes]:
    """Changes one reading now and then."""
    waiting = list(garbles)
    good = 0

    def garble(address: int, data: bytes) -> bytes:
        nonlocal good
        if not waiting or good < waiting[0][0]:
            good += 1
            return data
        good = 0
        bits = waiting.pop(0)[1]
        return bytes(b ^ bits[-1 - i] if i < len(bits) else b for i, b in enumerate(reversed(data)))[::-1]

    return garble


def unexplained(edges: list[Edge], truth: list[Happened], early_ns: int = 0, late_ns: int = 0) -> list[Edge]:
    """The edges of one line that no change of it explains, each change explaining at most one."""
    left = list(truth)
    lies = []
    for edge in edges:
        earliest_ns, latest_ns = edge.t_ns - edge.wide_ns - early_ns, edge.t_ns + late_ns
        for index, change in enumerate(left):
            if change.high is edge.high and earliest_ns <= change.t_ns <= latest_ns:
                del left[: index + 1]
                break
        else:
            lies.append(edge)
    return lies


@given(STEPS, DELAYS, st.booleans())
def test_levels_come_out_right_and_every_interval_holds_the_truth(
    steps: list[tuple[int, tuple[int, ...]]], delays: list[int], interrupts_again: bool
) -> None:
    world = world_of(steps, delays, interrupts_again)
    edges = world.edges()
    assert len(edges) == len(world.reports)
    assert [edge.seq for edge in edges] == list(range(len(edges)))
    assert all(edge.t_ns <= reported_ns for (reported_ns, _), edge in zip(world.reports, edges, strict=True))
    for pin, line in PINS.items():
        of_line = [edge for edge in edges if edge.line == line]
        truth = [each for each in world.truth if each.line == line]
        assert unexplained(of_line, truth) == []
        levels = [True, *(edge.high for edge in of_line)]
        assert all(one is not other for one, other in pairwise(levels))
        assert levels[-1] is world.bank.levels()[line] is world.model.pin(pin)


@given(st.lists(st.tuples(st.integers(8 * MS, 60 * MS), st.sampled_from(sorted(PINS))), max_size=20))
def test_changes_that_do_not_meet_are_reported_soon_and_to_the_nanosecond(
    steps: list[tuple[int, int]],
) -> None:
    """Only one that meets a resync on the wire may be wide."""
    world = world_of([(pause_ns, (pin,)) for pause_ns, pin in steps], [0], True)
    edges = world.edges()
    assert [(edge.line, edge.high) for edge in edges] == [(line, high) for _, line, high in world.truth]
    for (reported_ns, report), truth in zip(world.reports, world.truth, strict=True):
        assert isinstance(report, Edge)
        met = any(since_ns <= truth.t_ns <= until_ns for since_ns, until_ns in world.on_the_wire)
        assert met or (report.t_ns, report.wide_ns) == (truth.t_ns, 0)
        assert reported_ns - truth.t_ns < (110 * MS if met else 6 * MS)


GARBLES = st.lists(
    st.tuples(st.integers(4, 12), st.lists(st.integers(0, 255), min_size=1, max_size=6)), max_size=20
)
"""After so many good readings one is garbled: its last bytes are changed in these bits."""


@given(STEPS, GARBLES, st.booleans())
def test_a_garbled_reading_makes_no_edge_and_hides_none(
    steps: list[tuple[int, tuple[int, ...]]], garbles: list[tuple[int, list[int]]], interrupts_again: bool
) -> None:
    """It can shift an interval: by a resync if it hides a change that has slipped through, by a look if it
    happens to show one that comes just then. It can't make an edge.
    """
    world = world_of(steps, [0], interrupts_again, garbles)
    edges = world.edges()
    for pin, line in PINS.items():
        of_line = [edge for edge in edges if edge.line == line]
        truth = [each for each in world.truth if each.line == line]
        assert unexplained(of_line, truth, early_ns=105 * MS, late_ns=6 * MS) == []
        assert world.bank.levels()[line] is world.model.pin(pin)


@given(STEPS, DELAYS)
def test_the_bus_is_never_kept_busy_for_nothing(
    steps: list[tuple[int, tuple[int, ...]]], delays: list[int]
) -> None:
    world = world_of(steps, delays, True)
    assert world.wires.transfers < 40 + 12 * world.now_ns / S + 12 * len(steps)
    assert world.reported == []


@pytest.mark.parametrize("interrupts_again", [True, False])
def test_a_pin_that_flaps_for_ever_is_read_at_a_leisurely_pace_and_ends_right(interrupts_again: bool) -> None:
    flaps = [(START_NS + index * 700 * US, (0,)) for index in range(4001)]
    world = BankWorld([*flaps, (START_NS + 1400 * MS, (8,))], interrupts_again=interrupts_again)
    world.run(START_NS + 2 * S)
    # Five looks at once and one every five milliseconds, with three readings each.
    assert world.wires.transfers < 750 * 2.05
    world.run(START_NS + 5 * S)
    assert world.bank.levels() == {100: False, 101: True, 106: True, 108: False, 114: True}
    (other,) = [edge for edge in world.edges() if edge.line == 108]
    assert other.t_ns - other.wide_ns <= START_NS + 1400 * MS <= other.t_ns
    assert (
        unexplained(
            [edge for edge in world.edges() if edge.line == 100],
            [each for each in world.truth if each.line == 100],
        )
        == []
    )


@pytest.mark.parametrize("seed", range(4))
def test_beside_a_pin_that_flaps_others_are_reported_within_eight_milliseconds_or_so(seed: int) -> None:
    """So that they can still be judged: after that time an edge counts as late."""
    chance = Random(seed)
    flaps = [(START_NS + index * chance.choice([700, 900, 1300]) * US, (0,)) for index in range(700)]
    others = [(START_NS + index * 37 * MS + chance.randrange(20 * MS), (8,)) for index in range(12)]
    world = BankWorld([*flaps, *others])
    world.run(START_NS + 600 * MS)
    late_ns = [
        reported_ns - (report.t_ns - report.wide_ns)
        for reported_ns, report in world.reports
        if isinstance(report, Edge) and report.line == 108
    ]
    assert len(late_ns) == 12
    assert sorted(late_ns)[-2] < 8 * MS  # one may have slipped through, or met a resync
    assert max(late_ns) < 110 * MS
