"""The whole table's signals in, the contacts of seats and slots out in one order."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.model.effects import LateSignal, Noise
from firmware_host.model.events import Emptied, Filled, Masked, Pressed, Released, SourceEdge, Unmasked
from firmware_host.model.places import ALL_SLOTS, Button, Call, Colour, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import MaskReason
from firmware_host.model.times import MS, US, S, Stamp, exactly
from firmware_host.timing.arbiter import Arbiter, source_of
from firmware_host.timing.lanes import LineDebouncer
from tests.thoroughness import tries
from tests.timing.driving import Arrival, arbiter, drive, on_time, signal
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
    signals: list[SourceEdge] = []
    for source in SOURCES:
        t_ns, active = 1_000 * MS, False
        for gap_us in draw(st.lists(st.sampled_from([0, 200, 2_000, 20_000, 90_000]), max_size=6)):
            t_ns, active = t_ns + gap_us * US, not active
            signals.append(SourceEdge(source, active, Stamp(t_ns, t_ns + 200 * US), len(signals)))
    return signals


@st.composite
def bad_evenings(draw: st.DrawFn) -> list[SourceEdge]:
    """Contacts that chatter for a while, jammed buttons, and hands that play meanwhile."""
    signals: list[SourceEdge] = []
    for source in SOURCES:
        t_ns, active = 1_000 * MS, draw(st.booleans())
        for _ in range(draw(st.integers(0, 3))):
            gap_us = draw(st.sampled_from([400, 2_500, 9_000, 30_000, 700_000, 40_000_000]))
            storm = gap_us < 50 * MS // US
            for _ in range(draw(st.sampled_from([1, 30, 130, 300] if storm else [1, 2, 3]))):
                t_ns, active = t_ns + gap_us * US, not active
                signals.append(SourceEdge(source, active, Stamp(t_ns, t_ns + 200 * US), len(signals)))
    return signals


def at_random(signals: list[SourceEdge], chance: Random) -> list[Arrival]:
    """Each edge takes any time that its kind may take."""
    arrivals = []
    for each in signals:
        lane = SETTINGS.buttons if isinstance(each.source, Button) else SETTINGS.slots
        delay_ns = chance.choice((0, chance.randrange(lane.delivery_ns), lane.delivery_ns - 1))
        arrivals.append(Arrival(each.stamp.earliest_ns + delay_ns, each))
    chance.shuffle(arrivals)
    return arrivals


@st.composite
def journeys(draw: st.DrawFn, signals: list[SourceEdge]) -> list[Arrival]:
    """Each edge takes any time that its kind may take."""
    arrivals = []
    for each in signals:
        lane = SETTINGS.buttons if isinstance(each.source, Button) else SETTINGS.slots
        delay_ns = draw(st.integers(0, lane.delivery_ns - 1))
        arrivals.append(Arrival(each.stamp.earliest_ns + delay_ns, each))
    return draw(st.permutations(arrivals))


def test_a_button_becomes_a_press_and_a_release() -> None:
    out = drive(arbiter(), on_time(signal(Button(3), True, 0, 1), signal(Button(3), False, 300 * MS, 2)))
    assert out == [(PRESS, Pressed(3, exactly(0))), (300 * MS + PRESS, Released(3, exactly(300 * MS)))]


def test_a_slot_becomes_filled_and_emptied() -> None:
    out = drive(arbiter(), on_time(signal(RED_1, True, 0, 1), signal(RED_1, False, 300 * MS, 2)))
    assert out == [
        (LANDING, Filled(RED_1, exactly(0))),
        (300 * MS + LANDING, Emptied(RED_1, exactly(300 * MS))),
    ]


def test_buttons_and_slots_come_out_in_one_order() -> None:
    """The slot takes longer to come to rest, and yet the die that was there first comes first."""
    out = drive(arbiter(), on_time(signal(RED_1, True, 0), signal(Button(1), True, 1 * MS)), until_ns=S)
    assert [type(change.contact) for change in out] == [Filled, Pressed]


def test_at_the_same_moment_the_die_is_there_before_the_slap() -> None:
    out = drive(arbiter(), on_time(signal(Button(1), True, 0), signal(RED_1, True, 0)), until_ns=S)
    assert [type(change.contact) for change in out] == [Filled, Pressed]


def test_nothing_is_due_at_rest() -> None:
    assert arbiter().due_ns is None


def test_the_first_of_all_is_due() -> None:
    table = arbiter()
    table.put(signal(Button(1), True, 100 * MS), 100 * MS)
    assert table.due_ns == 100 * MS + PRESS
    table.put(signal(Button(2), True, 99 * MS), 100 * MS)
    assert table.due_ns == 99 * MS + PRESS
    table.release(99 * MS + PRESS)
    assert table.due_ns == 100 * MS + PRESS
    table.put(signal(RED_1, True, 100 * MS), 100 * MS)
    table.release(100 * MS + PRESS)
    assert table.due_ns == 100 * MS + LANDING


def test_contacts_that_are_active_from_the_start_are_no_news() -> None:
    table = arbiter()
    table.preset_button(Button(2), True)
    table.preset_slot(RED_1, True)
    out = drive(
        table,
        on_time(
            signal(Button(2), True, 0, 1),
            signal(RED_1, True, 0, 2),
            signal(Button(2), False, 500 * MS, 3),
            signal(RED_1, False, 500 * MS, 4),
        ),
    )
    assert {type(change.contact) for change in out} == {Released, Emptied}


def test_a_button_that_is_down_at_power_on_may_be_jammed() -> None:
    table = arbiter()
    table.preset_button(Button(2), True, now_ns=5 * S)
    assert table.due_ns == 5 * S + SETTINGS.stuck_ns + DELAY
    stuck_ns = 5 * S + SETTINGS.stuck_ns
    assert drive(table, []) == [(stuck_ns + DELAY, Masked(Button(2), MaskReason.STUCK, exactly(stuck_ns)))]


def test_contacts_that_are_open_at_the_start_are_no_news() -> None:
    table = arbiter()
    table.preset_button(Button(2), False, now_ns=5 * S)
    table.preset_slot(RED_1, False)
    assert table.due_ns is None


def test_late_edges_become_late_contacts_of_their_kind_at_once() -> None:
    table = arbiter()
    now_ns = 1_000 * MS
    table.put(signal(Button(1), True, 0, 1), now_ns)
    table.put(signal(RED_1, True, 0, 2), now_ns)
    assert table.due_ns is not None
    assert table.due_ns <= now_ns
    late = [Filled(RED_1, exactly(0), late=True), Pressed(1, exactly(0), late=True)]
    assert [event for _, event in table.release(now_ns)] == late
    assert table.due_ns == SETTINGS.stuck_ns + DELAY  # the button may be jammed


def test_notes_of_both_kinds_are_taken_once() -> None:
    table = arbiter()
    drive(table, on_time(signal(RED_1, True, 0, 1), signal(RED_1, False, 1 * MS, 2)))
    table.put(signal(Button(4), True, 0, 3), 2_000 * MS)
    assert table.take_notes() == [
        LateSignal(Button(4), exactly(0), behind_ns=2_000 * MS),
        Noise(RED_1, exactly(0)),
    ]
    assert table.take_notes() == []


@given(evenings(), st.data())
def test_the_table_learns_the_same_at_the_same_moments_however_edges_travel(
    signals: list[SourceEdge], data: st.DataObject
) -> None:
    prompt, slow = arbiter(), arbiter()
    assert drive(slow, data.draw(journeys(signals))) == drive(prompt, on_time(*signals))
    assert slow.take_notes() == prompt.take_notes()


@given(evenings(), st.data(), st.lists(st.integers(900 * MS, 1_600 * MS), max_size=10))
def test_asking_more_often_changes_no_order(
    signals: list[SourceEdge], data: st.DataObject, extra_ns: list[int]
) -> None:
    often = drive(arbiter(), data.draw(journeys(signals)), extra_ns)
    seldom = drive(arbiter(), on_time(*signals))
    assert [change.contact for change in often] == [change.contact for change in seldom]


@settings(max_examples=tries(10, 40))
@given(bad_evenings(), st.integers(0, 2**32))
def test_the_same_is_masked_at_the_same_moment_however_edges_travel(
    signals: list[SourceEdge], seed: int
) -> None:
    chance = Random(seed)
    prompt, slow, often = arbiter(), arbiter(), arbiter()
    told = drive(prompt, on_time(*signals))
    assert drive(slow, at_random(signals, chance)) == told
    assert slow.take_notes() == prompt.take_notes()
    extra_ns = [chance.randrange(900 * MS, 30 * S) for _ in range(50)]
    asked = drive(often, at_random(signals, chance), extra_ns)
    assert [change.contact for change in asked] == [change.contact for change in told]


@settings(max_examples=tries(10, 80))
@given(bad_evenings())
def test_when_all_is_calm_the_slots_are_known_as_they_are_and_nothing_is_due(
    signals: list[SourceEdge],
) -> None:
    table = arbiter()
    told = [change.contact for change in drive(table, on_time(*signals))]
    assert table.due_ns is None
    levels = {each.source: each.active for each in signals if isinstance(each.source, Slot)}
    known = known_slots(told)
    assert {slot: known.get(slot, False) for slot in levels} == levels
    masked: set[Source] = set()
    for each in told:
        if isinstance(each, Masked):
            assert each.source not in masked
            masked.add(each.source)
        elif isinstance(each, Unmasked):
            masked.remove(each.source)
        else:
            assert source_of(each) not in masked
    assert masked == {Button(seat) for seat in (1, 2, 3) if is_down(signals, Button(seat))}


def is_down(signals: list[SourceEdge], button: Button) -> bool:
    """Whether a button is down in the end, and has been seen to go down."""
    own = [each.active for each in signals if each.source == button]
    return bool(own) and own[-1]


def bursts(signals: list[SourceEdge]) -> list[tuple[int, int]]:
    """When each burst of these edges began, and when it was known to be over."""
    found: list[tuple[int, int]] = []
    for source in SOURCES:
        lane = SETTINGS.buttons if isinstance(source, Button) else SETTINGS.slots
        line = LineDebouncer(lane.quiet_ns, lane.burst_ns)
        own = [each for each in signals if each.source == source]
        for each in [*own, SourceEdge(source, False, exactly(1 << 60), 0)]:
            if line.due_ns is not None and line.due_ns <= each.stamp.earliest_ns:
                end_ns = line.due_ns + lane.delivery_ns
                found.append((line.finish()[0].earliest_ns, end_ns))
            line.edge(each.active, each.stamp)
    return found


@given(evenings())
def test_contacts_come_out_in_order_as_soon_as_nothing_that_began_before_is_open(
    signals: list[SourceEdge],
) -> None:
    out = drive(arbiter(), on_time(*signals))
    stamps = [change.contact.stamp for change in out]
    assert stamps == sorted(stamps)
    known = bursts(signals)
    for now_ns, change in out:
        t_ns = change.stamp.earliest_ns
        ends = [end_ns for began_ns, end_ns in known if began_ns <= t_ns]
        assert now_ns == max(t_ns + DELAY, *ends)


def test_it_knows_which_contacts_are_closed_as_far_as_is_settled() -> None:
    them = Arbiter(SETTINGS, [1, 2], ALL_SLOTS, calls=[1])
    them.preset_slot(RED_1, True)
    them.preset_button(Button(2), True, 0)
    assert them.active == {RED_1, Button(2)}
    for source, active in ((Call(1), True), (RED_1, False), (Button(2), True)):
        them.put(signal(source, active, 1 * S), 1 * S)
    them.release(1 * S)
    assert them.active == {RED_1, Button(2)}
    them.release(2 * S)
    assert them.active == {Call(1), Button(2)}
