"""All edges and tag reports of a table in, the events of seats, slots and readers out in one order."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.model.effects import LateSignal, Noise
from firmware_host.model.events import (
    Emptied,
    Filled,
    Masked,
    Pressed,
    Released,
    SourceEdge,
    TagEvent,
    TagSeen,
    Unmasked,
)
from firmware_host.model.places import ALL_SLOTS, Button, Call, Card, Colour, Pad, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import MaskReason
from firmware_host.model.times import MS, US, S, Stamp, exactly
from firmware_host.timing.arbiter import Arbiter, CleanEvent, source_of
from firmware_host.timing.lanes import LineDebouncer
from tests.thoroughness import tries
from tests.timing.driving import Arrival, arbiter, drive, edge, on_time
from tests.timing.test_chatter_mask import known_slots

SETTINGS = Settings()
DELAY = max(SETTINGS.buttons.delivery_ns, SETTINGS.slots.delivery_ns)
"""When a moment is known if nothing is open."""
PRESS = max(SETTINGS.buttons.quiet_ns + SETTINGS.buttons.delivery_ns, DELAY)
"""When a change of a button without bounce is known."""
LANDING = max(SETTINGS.slots.quiet_ns + SETTINGS.slots.delivery_ns, DELAY)
"""... and of a slot."""
RED_1 = Slot(Colour.RED, 1)
SOURCES: list[Source] = [Button(1), Button(2), Button(3), RED_1, Slot(Colour.BLUE, 6)]


@st.composite
def evenings(draw: st.DrawFn) -> list[SourceEdge]:
    """Edges of some buttons and slots, as clean or as bouncy as they come."""
    edges: list[SourceEdge] = []
    for source in SOURCES:
        t_ns, active = 1_000 * MS, False
        for gap_us in draw(st.lists(st.sampled_from([0, 200, 2_000, 20_000, 90_000]), max_size=6)):
            t_ns, active = t_ns + gap_us * US, not active
            edges.append(SourceEdge(source, active, Stamp(t_ns, t_ns + 200 * US), len(edges)))
    return edges


@st.composite
def bad_evenings(draw: st.DrawFn) -> list[SourceEdge]:
    """Contacts that chatter for a while, jammed buttons, and hands that play meanwhile."""
    edges: list[SourceEdge] = []
    for source in SOURCES:
        t_ns, active = 1_000 * MS, draw(st.booleans())
        for _ in range(draw(st.integers(0, 3))):
            gap_us = draw(st.sampled_from([400, 2_500, 9_000, 30_000, 700_000, 40_000_000]))
            storm = gap_us < 50 * MS // US
            for _ in range(draw(st.sampled_from([1, 30, 130, 300] if storm else [1, 2, 3]))):
                t_ns, active = t_ns + gap_us * US, not active
                edges.append(SourceEdge(source, active, Stamp(t_ns, t_ns + 200 * US), len(edges)))
    return edges


def at_random(edges: list[SourceEdge], chance: Random) -> list[Arrival]:
    """Each edge takes any time that its kind may take."""
    arrivals = []
    for each in edges:
        lane = SETTINGS.buttons if isinstance(each.source, Button) else SETTINGS.slots
        delay_ns = chance.choice((0, chance.randrange(lane.delivery_ns), lane.delivery_ns - 1))
        arrivals.append(Arrival(each.stamp.earliest_ns + delay_ns, each))
    chance.shuffle(arrivals)
    return arrivals


@pytest.mark.parametrize(
    ("source", "known_ns", "on", "off"),
    [
        (Button(3), PRESS, Pressed(3, exactly(0)), Released(3, exactly(300 * MS))),
        (Call(3), PRESS, Pressed(3, exactly(0), call=True), Released(3, exactly(300 * MS), call=True)),
        (RED_1, LANDING, Filled(RED_1, exactly(0)), Emptied(RED_1, exactly(300 * MS))),
    ],
    ids=str,
)
def test_edges_become_contacts_of_their_source(
    source: Source, known_ns: int, on: CleanEvent, off: CleanEvent
) -> None:
    out = drive(arbiter(), on_time(edge(source, True, 0, 1), edge(source, False, 300 * MS, 2)))
    assert out == [(known_ns, on), (300 * MS + known_ns, off)]


@pytest.mark.parametrize("later_ns", [0, 1 * MS])
def test_the_die_that_was_there_before_the_slap_comes_first_though_it_takes_longer(later_ns: int) -> None:
    out = drive(arbiter(), on_time(edge(Button(1), True, later_ns), edge(RED_1, True, 0)), until_ns=S)
    assert [type(change.contact) for change in out] == [Filled, Pressed]


def test_both_buttons_of_all_seats_in_one_moment_come_in_a_fixed_order() -> None:
    sources: list[Button | Call] = [Button(1), Call(1), Button(2), Call(2)]
    orders = []
    for seed in range(10):
        table = arbiter()
        for source in Random(seed).sample(sources, len(sources)):
            table.put(edge(source, True, 1 * S, 1), 1 * S)
        orders.append(table.release(1100 * MS))
    assert all(order == orders[0] for order in orders) and len(orders[0]) == 4


def test_the_first_of_all_is_due() -> None:
    table = arbiter()
    dues = [table.due_ns]
    table.put(edge(Button(1), True, 100 * MS), 100 * MS)
    dues.append(table.due_ns)
    table.put(edge(Button(2), True, 99 * MS), 100 * MS)
    dues.append(table.due_ns)
    table.release(99 * MS + PRESS)
    dues.append(table.due_ns)
    table.put(edge(RED_1, True, 100 * MS), 100 * MS)
    table.release(100 * MS + PRESS)
    assert [*dues, table.due_ns] == [
        None, 100 * MS + PRESS, 99 * MS + PRESS, 100 * MS + PRESS, 100 * MS + LANDING
    ]  # fmt: skip


def test_contacts_that_are_active_from_the_start_are_no_news() -> None:
    table = arbiter()
    table.preset_button(Button(2), True)
    table.preset_slot(RED_1, True)
    on_and_off = [
        edge(source, active, t_ns, number)
        for number, (t_ns, active) in enumerate([(0, True), (500 * MS, False)])
        for source in (Button(2), RED_1)
    ]
    assert {type(change.contact) for change in drive(table, on_time(*on_and_off))} == {Released, Emptied}


@pytest.mark.parametrize("button", [Button(2), Call(2)], ids=str)
def test_a_button_that_is_down_at_power_on_may_be_jammed(button: Button | Call) -> None:
    table = arbiter()
    table.preset_button(button, True, now_ns=5 * S)
    stuck_ns = 5 * S + SETTINGS.stuck_ns
    assert table.due_ns == stuck_ns + DELAY
    assert drive(table, []) == [(stuck_ns + DELAY, Masked(button, MaskReason.STUCK, exactly(stuck_ns)))]


def test_contacts_that_are_open_at_the_start_are_no_news() -> None:
    table = arbiter()
    table.preset_button(Button(2), False, now_ns=5 * S)
    table.preset_slot(RED_1, False)
    assert table.due_ns is None


def test_late_edges_become_late_contacts_of_their_kind_at_once() -> None:
    table = arbiter()
    now_ns = 1_000 * MS
    table.put(edge(Button(1), True, 0, 1), now_ns)
    table.put(edge(RED_1, True, 0, 2), now_ns)
    assert table.due_ns is not None
    assert table.due_ns <= now_ns
    late = [Filled(RED_1, exactly(0), late=True), Pressed(1, exactly(0), late=True)]
    assert [event for _, event in table.release(now_ns)] == late
    assert table.due_ns == SETTINGS.stuck_ns + DELAY  # the button may be jammed


def test_notes_of_all_kinds_are_taken_once() -> None:
    table = arbiter()
    drive(table, on_time(edge(RED_1, True, 0, 1), edge(RED_1, False, 1 * MS, 2)))
    table.put(edge(Button(4), True, 0, 3), 2_000 * MS)
    table.put_tag(TagSeen(Pad(1), Card(1, Colour.RED, 1), exactly(0)), 3_000 * MS)
    assert table.take_notes() == [
        LateSignal(Button(4), exactly(0), behind_ns=2_000 * MS),
        Noise(RED_1, exactly(0)),
        LateSignal(Pad(1), exactly(0), behind_ns=3_000 * MS),
    ]
    assert table.take_notes() == []


def test_it_knows_which_contacts_are_closed_as_far_as_is_settled() -> None:
    them = Arbiter(SETTINGS, [1, 2], ALL_SLOTS, calls=[1])
    them.preset_slot(RED_1, True)
    them.preset_button(Button(2), True, 0)
    assert them.active == {RED_1, Button(2)}
    for source, active in ((Call(1), True), (RED_1, False), (Button(2), True)):
        them.put(edge(source, active, 1 * S), 1 * S)
    them.release(1 * S)
    assert them.active == {RED_1, Button(2)}
    them.release(2 * S)
    assert them.active == {Call(1), Button(2)}


# -- whatever the way through the software


def check_that_its_way_changes_nothing(edges: list[SourceEdge], chance: Random, asked: range) -> None:
    prompt, slow, often = arbiter(), arbiter(), arbiter()
    told = drive(prompt, on_time(*edges))
    assert drive(slow, at_random(edges, chance)) == told
    assert slow.take_notes() == prompt.take_notes()
    extra_ns = [chance.choice(asked) for _ in range(chance.randrange(50))]
    answers = drive(often, at_random(edges, chance), extra_ns)
    assert [change.contact for change in answers] == [change.contact for change in told]


@given(evenings(), st.randoms(use_true_random=False))
def test_the_table_learns_the_same_at_the_same_moments_however_edges_travel(
    edges: list[SourceEdge], chance: Random
) -> None:
    check_that_its_way_changes_nothing(edges, chance, range(900 * MS, 1_600 * MS))


@settings(max_examples=tries(10, 40))
@given(bad_evenings(), st.integers(0, 2**32))
def test_the_same_is_masked_at_the_same_moment_however_edges_travel(
    edges: list[SourceEdge], seed: int
) -> None:
    check_that_its_way_changes_nothing(edges, Random(seed), range(900 * MS, 30 * S))


@settings(max_examples=tries(10, 80))
@given(bad_evenings())
def test_when_all_is_calm_the_slots_are_known_as_they_are_and_nothing_is_due(
    edges: list[SourceEdge],
) -> None:
    table = arbiter()
    told = [change.contact for change in drive(table, on_time(*edges))]
    assert table.due_ns is None
    levels = {each.source: each.active for each in edges}
    known = known_slots(told)
    assert all(known.get(slot, False) is level for slot, level in levels.items() if isinstance(slot, Slot))
    masked: set[Source] = set()
    for each in told:
        if isinstance(each, Masked):
            assert each.source not in masked
            masked.add(each.source)
        elif isinstance(each, Unmasked):
            masked.remove(each.source)
        else:
            assert source_of(each) not in masked
    assert masked == {source for source, level in levels.items() if level and isinstance(source, Button)}


def bursts(edges: list[SourceEdge]) -> list[tuple[Stamp, int, Source, bool]]:
    """The stamp of each burst of these edges, when it was known to be over, and whether it was a change."""
    found: list[tuple[Stamp, int, Source, bool]] = []
    for source in SOURCES:
        lane = SETTINGS.buttons if isinstance(source, Button) else SETTINGS.slots
        line = LineDebouncer(lane.quiet_ns, lane.burst_ns)
        own = [each for each in edges if each.source == source]
        for each in [*own, SourceEdge(source, False, exactly(1 << 60), 0)]:
            if line.due_ns is not None and line.due_ns <= each.stamp.earliest_ns:
                end_ns = line.due_ns + lane.delivery_ns
                stamp, changed = line.finish()
                found.append((stamp, end_ns, source, changed))
            line.edge(each.active, each.stamp)
    return found


@given(evenings())
def test_each_burst_is_one_contact_and_comes_out_as_soon_as_nothing_that_began_before_is_open(
    edges: list[SourceEdge],
) -> None:
    out = drive(arbiter(), on_time(*edges))
    stamps = [change.contact.stamp for change in out]
    assert stamps == sorted(stamps)
    known = bursts(edges)
    told = [
        (contact.stamp, source_of(contact))
        for _, contact in out
        if not isinstance(contact, Masked | Unmasked)
    ]
    assert sorted(told, key=str) == sorted(((each[0], each[2]) for each in known if each[3]), key=str)
    for now_ns, change in out:
        t_ns = change.stamp.earliest_ns
        ends = [end_ns for stamp, end_ns, *_ in known if stamp.earliest_ns <= t_ns]
        assert now_ns == max(t_ns + DELAY, *ends)


# -- tags among the contacts


def test_contacts_and_tags_come_each_at_their_own_moment() -> None:
    exact = Settings(stamp_uncertainty_ns=0)
    table = Arbiter(exact, seats=(1, 2))
    event = TagSeen(Pad(1), Card(1, Colour.RED, 1), Stamp(1000 * MS, 1040 * MS))
    counts_ns = 1040 * MS + exact.tag_settle_ns
    table.put_tag(event, 1100 * MS)
    assert table.due_ns == counts_ns + exact.buttons.delivery_ns
    table.put(edge(Button(1), True, 1100 * MS, 1), 1101 * MS)
    told: list[tuple[int, CleanEvent | TagEvent]] = []
    while (due_ns := table.due_ns) is not None and due_ns < 2000 * MS:
        assert table.release(due_ns - 1) == []
        told += table.release(due_ns)
    assert told == [(1100 * MS, Pressed(1, exactly(1100 * MS))), (counts_ns, event)]


def test_what_comes_out_together_is_in_the_order_of_its_moments() -> None:
    table = arbiter()
    event = TagSeen(Pad(1), Card(1, Colour.RED, 1), exactly(1000 * MS))
    counts_ns = 1000 * MS + SETTINGS.tag_settle_ns
    table.put_tag(event, 1000 * MS)
    for source, t_ns in ((Button(1), counts_ns - 1), (Button(2), counts_ns), (Button(3), counts_ns + 1)):
        table.put(edge(source, True, t_ns), t_ns)
    told = [each for _, each in table.release(counts_ns + 1 * S)]
    first, second, third = (Pressed(seat, exactly(counts_ns + seat - 2)) for seat in (1, 2, 3))
    assert told == [first, second, event, third]
