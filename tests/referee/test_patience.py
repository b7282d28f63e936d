"""A referee that decides as soon as it can decides the same as one that always waits for the worst case."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model.effects import (
    CardPlayed,
    Effect,
    Judged,
    RoundFinished,
    SlotChanged,
    TagRefused,
    TieBroken,
    Verdict,
)
from firmware_host.model.events import Input, SourceEdge, StartMatch, TagSeen, Withdrawn
from firmware_host.model.places import ALL_SLOTS, Button, Call, Card, Colour, DieFace, Pad, Pile, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S, Stamp, exactly
from firmware_host.referee import Referee
from firmware_host.timing.arbiter import Arbiter

SETTINGS = Settings(language="en", tag_settle_ns=80 * MS, identify_ns=200 * MS)
START_NS = 3 * S
"""When the countdown is over."""
RED, YELLOW, GREEN, BLUE = Colour

TABLES = {
    "hall": Table(seats=4),
    "readers, by slap": Table(seats=4, identified=True),
    "readers, by tag": Table(seats=4, identified=True, owned_by_tag=True),
    "pads": Table(game=CARD_GAME, seats=4, pads=True),
    "pads and call buttons": Table(game=CARD_GAME, seats=4, pads=True, call_buttons=True),
    "piles": Table(game=CARD_GAME, seats=4),
}


class PatientArbiter(Arbiter):
    """Always waits as long as the longest burst and the slowest delivery together may take."""

    def _known_by(self, now_ns: int) -> int:
        return now_ns - self.delay_ns


def referee(table: Table, patient: bool) -> Referee:
    found = Referee(table, SETTINGS, Random(1), 0)
    if patient:
        seats = range(1, table.seats + 1)
        slots = () if table.piles else ALL_SLOTS
        found.arbiter = PatientArbiter(SETTINGS, seats, slots, calls=seats if table.call_buttons else ())
        found.arbiter.delay_ns = SETTINGS.settle_ns
    return found


@st.composite
def evenings(draw: st.DrawFn, table: Table) -> list[tuple[int, Input]]:
    """Hands at every contact and reader of a table, with bounce and with any delay that is allowed."""
    inputs: list[tuple[int, Input]] = []
    seats = range(1, table.seats + 1)
    sources: list[Source] = [*map(Button, seats)]
    sources += map(Call, seats) if table.call_buttons else []
    if not table.piles:
        sources += [Slot(colour, number) for colour in (RED, YELLOW) for number in (1, 2, 3)]
    for source in sources:
        lane = SETTINGS.slots if isinstance(source, Slot) else SETTINGS.buttons
        t_ns, active = START_NS, False
        for seq in range(draw(st.integers(0, 5))):
            t_ns += draw(st.sampled_from([0, 1, 2, 15, 60, 250, 900, 1200])) * MS
            active = not active
            stamp = Stamp(t_ns, t_ns + draw(st.sampled_from([0, 200_000])))
            delay_ns = draw(st.integers(0, lane.delivery_ns - 1))
            inputs.append((t_ns + delay_ns, SourceEdge(source, active, stamp, seq)))
            if isinstance(source, Slot) and table.identified and active:
                look = Stamp(t_ns, t_ns + draw(st.integers(1, 120)) * MS)
                die = DieFace(
                    6 * source.colour + draw(st.integers(1, 2)), draw(st.sampled_from([source.number, 1]))
                )
                inputs.append((look.latest_ns, TagSeen(source, die, look)))
    if table.piles:
        for _ in range(draw(st.integers(0, 8))):
            t_ns = START_NS + draw(st.integers(0, 30)) * 50 * MS
            look = Stamp(t_ns, t_ns + draw(st.sampled_from([20, 40])) * MS)
            card = Card(
                draw(st.sampled_from(seats)), draw(st.sampled_from([RED, BLUE])), draw(st.integers(1, 2))
            )
            at = Pad(card.seat) if table.pads else Pile(draw(st.integers(1, 2)))
            gone = draw(st.sampled_from([False, False, True]))
            inputs.append((look.latest_ns, (Withdrawn if gone else TagSeen)(at, card, look)))
    elif table.owned_by_tag:
        for number in range(1, 13):
            owner = Pad(draw(st.sampled_from(seats)))
            inputs.append((1 * S, TagSeen(owner, DieFace(number, 1), Stamp(S - 40 * MS, S))))
    return sorted(inputs, key=lambda each: each[0])


@st.composite
def rounds(draw: st.DrawFn) -> list[tuple[int, Input]]:
    """Dice put down in rows, lifted and put back, and slaps a little before or after them, some long."""
    edges: list[tuple[int, bool, Source]] = []
    up_ns = dict.fromkeys(range(1, 5), 0)
    heights = {RED: 0, YELLOW: 0, GREEN: 0, BLUE: 0}
    t_ns = START_NS + 500 * MS
    for _ in range(draw(st.integers(4, 14))):
        t_ns += draw(st.sampled_from([10, 80, 300, 700])) * MS
        row = draw(st.sampled_from(Colour))
        if draw(st.integers(0, 4)) and heights[row] < 6:
            heights[row] += 1
            slot = Slot(row, heights[row])
            edges.append((t_ns, True, slot))
            if not draw(st.integers(0, 2)):
                off_ns = t_ns + draw(st.sampled_from([200, 900])) * MS
                edges.append((off_ns, False, slot))
                if draw(st.booleans()):  # its owner reclaims it, or has only knocked it off
                    edges.append((off_ns + 100 * MS, True, slot))
        for _ in range(draw(st.sampled_from([1, 1, 2]))):
            seat = draw(st.integers(1, 4))
            down_ns = t_ns + draw(st.sampled_from([-150, -40, 20, 60, 120, 260])) * MS
            if down_ns > up_ns[seat]:
                up_ns[seat] = down_ns + draw(st.sampled_from([60, 60, 60, 400, 700, 1100, 1500])) * MS
                edges += [(down_ns, True, Button(seat)), (up_ns[seat], False, Button(seat))]
                up_ns[seat] += 30 * MS
    inputs: list[tuple[int, Input]] = []
    for seq, (edge_ns, active, source) in enumerate(sorted(edges, key=lambda each: each[0])):
        lane = SETTINGS.slots if isinstance(source, Slot) else SETTINGS.buttons
        stamp = Stamp(edge_ns, edge_ns + 200_000)
        delay_ns = draw(st.integers(0, lane.delivery_ns - 1))
        inputs.append((edge_ns + delay_ns, SourceEdge(source, active, stamp, seq)))
    return sorted(inputs, key=lambda each: each[0])


def robbed(held_ms: int, at_ms: int = 6000) -> list[tuple[int, Input]]:
    """Seat 2 robs seat 1 of its second die, and seat 1 holds its button so long from that moment.

    Meanwhile seat 3 puts a die down, slaps and lifts it again.
    """
    acts: list[tuple[int, int, Source]] = [
        (4000, 0, Slot(RED, 1)),
        (4100, 60, Button(1)),
        (4900, 0, Slot(RED, 2)),
        (5000, 60, Button(2)),
        (5020, 60, Button(1)),
        (at_ms, held_ms, Button(1)),
        (at_ms + 250, 350, Slot(BLUE, 1)),
        (at_ms + 300, 60, Button(3)),
    ]
    inputs: list[tuple[int, Input]] = []
    for seq, (at_ms, for_ms, source) in enumerate(acts):
        edges = [(at_ms, True), (at_ms + for_ms, False)] if for_ms else [(at_ms, True)]
        for ms, active in edges:
            inputs.append((ms * MS, SourceEdge(source, active, exactly(ms * MS), seq)))
    return sorted(inputs, key=lambda each: each[0])


def reclaimed(together: bool) -> list[tuple[int, Input]]:
    """Seat 2 robs seats 1 and 3 of one die, and one of them or both want it back."""
    acts: list[tuple[int, bool, Source]] = [
        (4000, True, Slot(RED, 1)),
        (4900, False, Slot(RED, 1)),
        (5200, True, Slot(RED, 1)),
    ]
    slaps = [(4050, 2), (4100, 1), (4110, 3), (5300, 1), (5300 if together else 5400, 3)]
    acts += [
        edge for ms, seat in slaps for edge in ((ms, True, Button(seat)), (ms + 60, False, Button(seat)))
    ]
    return [
        (ms * MS, SourceEdge(source, active, exactly(ms * MS), seq))
        for seq, (ms, active, source) in enumerate(sorted(acts, key=lambda act: act[0]))
    ]


def decisions(table: Table, inputs: list[tuple[int, Input]], patient: bool) -> list[Effect]:
    """All that was decided in the round, without the moments at which it was.

    After the end the board only matters to those who clear it, and that is a matter of the clock.
    """
    them = referee(table, patient)
    deal = (10, 10, 10, 10) if table.piles else (2, 2, 2, 2)
    them.put(StartMatch(deal, exactly(0)), 0)
    effects: list[Effect] = []
    for now_ns, seen in inputs:
        effects += [each for step in them.advance(now_ns) for each in step.effects]
        them.put(seen, now_ns)
    # Before anybody is asked for leftover counts, or the round pauses by itself.
    end_ns = max([now_ns for now_ns, _ in inputs], default=0) + 10 * S
    effects += [each for step in them.advance(end_ns) for each in step.effects]
    told: list[Effect] = []
    over = False
    for each in effects:
        over = over or isinstance(each, RoundFinished)
        if isinstance(each, Judged):
            if each.verdict is Verdict.NOT_RUNNING:
                continue  # after the end it is a matter of the clock, too, whether a press is an answer
            told.append(replace(each, decided_ns=0))
        elif isinstance(each, CardPlayed) or (isinstance(each, SlotChanged | TagRefused) and not over):
            told.append(replace(each, t_ns=0))
        elif isinstance(each, TieBroken | RoundFinished):
            told.append(each)
    return told


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
@given(st.data())
def test_it_decides_what_a_patient_referee_decides(table: Table, data: st.DataObject) -> None:
    inputs = data.draw(evenings(table))
    assert decisions(table, inputs, patient=False) == decisions(table, inputs, patient=True)


@given(rounds())
@example(reclaimed(together=False))
@example(reclaimed(together=True))
@example(robbed(held_ms=1200))
@example(robbed(held_ms=900))
@example(robbed(held_ms=1200, at_ms=8100))
def test_it_decides_whole_rounds_of_dice_as_a_patient_referee_does(inputs: list[tuple[int, Input]]) -> None:
    hall = TABLES["hall"]
    assert decisions(hall, inputs, patient=False) == decisions(hall, inputs, patient=True)


def test_what_waits_for_a_stop_call_that_does_not_come_is_judged_as_if_it_had_not_waited() -> None:
    effects = decisions(TABLES["hall"], robbed(held_ms=900), patient=False)
    assert [(each.seat, each.verdict) for each in effects if isinstance(each, Judged)] == [
        (1, Verdict.ACCEPTED),
        (2, Verdict.ACCEPTED),
        (1, Verdict.TOO_LATE),
        (1, Verdict.FALSE_CLAIM),
        (3, Verdict.ACCEPTED),
    ]
    assert not [each for each in effects if isinstance(each, RoundFinished)]


@pytest.mark.parametrize(("at_ms", "end_ms"), [(6000, 5020), (8000, 5020), (8100, 8100)])
def test_a_stop_call_counts_from_the_last_slap_of_a_moment_ago_or_else_from_the_press(
    at_ms: int, end_ms: int
) -> None:
    effects = decisions(TABLES["hall"], robbed(held_ms=1200, at_ms=at_ms), patient=False)
    assert [each for each in effects if isinstance(each, RoundFinished)] == [
        RoundFinished(1, exactly(end_ms * MS))
    ]
    assert 3 not in {each.seat for each in effects if isinstance(each, Judged)}


def test_a_reclaimed_die_counts_for_its_owner() -> None:
    effects = decisions(TABLES["hall"], reclaimed(together=False), patient=False)
    assert [(each.seat, each.verdict, each.rival) for each in effects if isinstance(each, Judged)] == [
        (2, Verdict.ACCEPTED, None),
        (1, Verdict.TOO_LATE, 2),
        (3, Verdict.TOO_LATE, 2),
        (1, Verdict.ACCEPTED, 2),
        (3, Verdict.FALSE_CLAIM, None),
    ]
