"""Raw edges of many lines in, one change for each burst out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.effects import LateSignal, Noise
from firmware_host.model.events import Contact, Pressed, Released, SourceEdge
from firmware_host.model.places import Button
from firmware_host.model.settings import Lane
from firmware_host.model.times import Stamp, exactly
from firmware_host.timing.lanes import Change, LaneArbiter, LineDebouncer
from tests.timing.driving import Arrival, on_time

LANE = Lane(delivery_ns=50, quiet_ns=30, burst_ns=100)
SEATS = (1, 2, 3, 4)
END = 10**9


def contact(button: Button, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Pressed if active else Released)(button.seat, stamp, late)


def lane() -> LaneArbiter[Button]:
    return LaneArbiter(LANE, map(Button, SEATS), contact)


def edge(seat: int, active: bool, t_ns: int, seq: int = 0) -> SourceEdge:
    return SourceEdge(Button(seat), active, exactly(t_ns), seq)


def feed(
    arbiter: LaneArbiter[Button], arrivals: Iterable[Arrival], asked_ns: Sequence[int] = ()
) -> list[Change]:
    """The changes that become known, asked for at those moments and at the end."""
    changes: list[Change] = []
    moments = sorted([*asked_ns, END])
    for now_ns, signal in sorted(arrivals, key=lambda arrival: arrival.now_ns):
        while moments[0] < now_ns:
            changes += arbiter.release(moments.pop(0))
        arbiter.put(signal, now_ns)
    for now_ns in moments:
        changes += arbiter.release(now_ns)
    return changes


def contacts(changes: Iterable[Change]) -> list[Contact | Noise]:
    return [change.contact for change in changes]


@st.composite
def hammering(draw: st.DrawFn) -> list[SourceEdge]:
    """Seats press and let go at any pace, with bounce and now and then with a wide stamp."""
    edges: list[tuple[int, int, int]] = []
    for seat in draw(st.lists(st.sampled_from(SEATS), unique=True, max_size=3)):
        t_ns = 1000
        for gap in draw(st.lists(st.integers(0, 40) | st.integers(0, 300), max_size=10)):
            t_ns += gap
            edges.append((t_ns, seat, len(edges)))
    levels = dict.fromkeys(SEATS, False)
    signals: list[SourceEdge] = []
    for t_ns, seat, seq in edges:
        levels[seat] = not levels[seat]
        width = draw(st.sampled_from([0, 0, 10, 200]))
        signals.append(SourceEdge(Button(seat), levels[seat], Stamp(t_ns, t_ns + width), seq))
    return signals


# -- one change after the other


def test_an_edge_becomes_a_change() -> None:
    assert feed(lane(), on_time(edge(3, True, 1000))) == [Change(exactly(1000), 2, Pressed(3, exactly(1000)))]


def test_a_change_is_known_when_its_burst_is_over_and_delivered() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1000), 1000)
    assert arbiter.release(1000 + LANE.quiet_ns + LANE.delivery_ns - 1) == []
    assert contacts(arbiter.release(1000 + LANE.quiet_ns + LANE.delivery_ns)) == [Pressed(1, exactly(1000))]


def test_edges_of_one_line_with_equal_stamps_keep_the_order_of_their_source() -> None:
    arbiter = lane()
    arrivals = [Arrival(1001, edge(1, False, 1000, seq=2)), Arrival(1002, edge(1, True, 1000, seq=1))]
    assert contacts(feed(arbiter, arrivals)) == [Noise(Button(1), exactly(1000))]


def test_a_line_that_is_active_at_the_start_has_not_just_been_pressed() -> None:
    arbiter = lane()
    arbiter.preset(Button(1), True)
    changes = feed(arbiter, on_time(edge(1, True, 1000, 1), edge(1, False, 2000, 2)))
    assert contacts(changes) == [Released(1, exactly(2000))]


def test_noise_comes_out_as_noise() -> None:
    arbiter = lane()
    changes = feed(arbiter, on_time(edge(1, True, 1000, 1), edge(1, False, 1010, 2)))
    assert contacts(changes) == [Noise(Button(1), exactly(1000))]


# -- what is under way


def test_at_rest_everything_is_known_that_had_time_to_arrive() -> None:
    arbiter = lane()
    assert arbiter.due_ns(0) is None and arbiter.known_ns(1000) == 1000 - LANE.delivery_ns
    feed(arbiter, on_time(edge(1, True, 1000)))
    assert arbiter.due_ns(0) is None


def test_an_open_burst_holds_up_what_is_known() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1000), 1000)
    end_ns = 1000 + LANE.quiet_ns + LANE.delivery_ns
    assert arbiter.due_ns(0) == end_ns
    assert arbiter.release(end_ns - 1) == [] and arbiter.known_ns(end_ns - 1) == 999
    arbiter.release(end_ns)
    assert arbiter.known_ns(end_ns) == end_ns - LANE.delivery_ns


def test_a_burst_that_began_later_holds_nobody_up() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1000), 1000)
    arbiter.put(edge(2, True, 1010), 1010)
    arbiter.release(1060)
    assert arbiter.known_ns(1060) == 999
    arbiter.release(1000 + LANE.quiet_ns + LANE.delivery_ns)
    assert arbiter.known_ns(1000 + LANE.quiet_ns + LANE.delivery_ns) == 1009


def test_a_change_is_not_due_before_anything_is_known_that_long_after() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1000), 1000)
    assert arbiter.due_ns(500) == 1500
    arbiter.release(1060)
    assert arbiter.due_ns(500) == 1500 and arbiter.due_ns(0) == 1000 + LANE.quiet_ns + LANE.delivery_ns


def test_a_late_burst_holds_nobody_up() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1000), 1000 + LANE.delivery_ns)
    arbiter.release(1000 + LANE.delivery_ns)
    assert arbiter.known_ns(1000 + LANE.delivery_ns + 1) == 1001


# -- whatever the way through the software


@given(
    hammering(), st.data(), st.lists(st.integers(900, 5000), max_size=10), st.randoms(use_true_random=False)
)
def test_neither_delays_nor_permutations_nor_asking_change_what_comes_out(
    signals: list[SourceEdge], data: st.DataObject, asked_ns: list[int], chance: Random
) -> None:
    prompt, slow = lane(), lane()
    arrivals = [
        Arrival(signal.stamp.earliest_ns + data.draw(st.integers(0, LANE.delivery_ns - 1)), signal)
        for signal in signals
    ]
    chance.shuffle(arrivals)
    assert sorted(feed(slow, arrivals, asked_ns), key=_order) == sorted(
        feed(prompt, on_time(*signals)), key=_order
    )
    assert sorted(slow.notes, key=str) == sorted(prompt.notes, key=str)


@given(hammering(), st.integers(900, 5000))
def test_a_change_is_known_at_most_a_settle_time_after_its_stamp(
    signals: list[SourceEdge], now_ns: int
) -> None:
    arbiter = lane()
    for signal in signals:
        arbiter.put(signal, signal.stamp.earliest_ns)
    known = arbiter.release(now_ns)
    for change in arbiter.release(END):
        assert change.stamp.earliest_ns + LANE.settle_ns > now_ns
    assert all(change.stamp.earliest_ns < now_ns for change in known)


@given(hammering())
def test_the_changes_of_a_line_are_what_its_debouncer_makes_of_its_edges(signals: list[SourceEdge]) -> None:
    changes = sorted(feed(lane(), on_time(*signals)), key=_order)
    for rank, seat in enumerate(SEATS):
        assert contacts(change for change in changes if change.rank == rank) == _debounced(seat, signals)


def _order(change: Change) -> tuple[Stamp, int]:
    return change.stamp, change.rank


def _debounced(seat: int, signals: list[SourceEdge]) -> list[Contact | Noise]:
    line = LineDebouncer(LANE.quiet_ns, LANE.burst_ns)
    found: list[Contact | Noise] = []

    def finish(by_ns: int) -> None:
        if line.due_ns is not None and line.due_ns <= by_ns:
            stamp, changed = line.finish()
            button = Button(seat)
            found.append(contact(button, line.active, stamp, False) if changed else Noise(button, stamp))

    own = [signal for signal in signals if signal.source == Button(seat)]
    for _, active, stamp, _ in sorted(own, key=lambda signal: (signal.stamp, signal.seq)):
        finish(stamp.earliest_ns)
        line.edge(active, stamp)
    finish(END)
    return found


# -- too late, and wide


def test_an_edge_beyond_its_delivery_time_is_counted_and_its_change_is_marked() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1900), 1900 + LANE.delivery_ns)
    assert arbiter.notes == [LateSignal(Button(1), exactly(1900), behind_ns=LANE.delivery_ns)]
    assert contacts(arbiter.release(END)) == [Pressed(1, exactly(1900), late=True)]


def test_an_edge_just_within_its_delivery_time_is_not_late() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1900), 1899 + LANE.delivery_ns)
    assert arbiter.notes == []
    assert contacts(arbiter.release(END)) == [Pressed(1, exactly(1900))]


def test_a_late_edge_to_the_level_known_already_is_only_counted() -> None:
    arbiter = lane()
    arbiter.put(edge(1, False, 1900), 2010)
    assert len(arbiter.notes) == 1
    assert arbiter.release(END) == []


def test_after_a_late_press_the_line_is_known_to_be_down() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1900, 1), 2010)
    changes = feed(arbiter, on_time(edge(1, True, 3000, 2), edge(1, False, 4000, 3)))
    assert contacts(changes) == [Pressed(1, exactly(1900), late=True), Released(1, exactly(4000))]


def test_after_an_edge_that_was_late_for_its_burst_the_next_press_counts() -> None:
    arbiter = lane()
    arbiter.put(edge(1, True, 1000, 1), 1000)
    arbiter.release(1070)  # settled to 1020: the burst goes on
    arbiter.put(edge(1, False, 1015, 2), 1070)  # what began at 1000 was noise, but this is told late
    changes = feed(arbiter, on_time(edge(1, True, 3000, 3)))
    assert Pressed(1, exactly(3000)) in contacts(changes)


def test_a_late_edge_that_was_overtaken_on_its_own_line_does_not_turn_the_level_back() -> None:
    arbiter = lane()
    arbiter.put(edge(1, False, 1100, 2), 1100)  # the end of a short press, and in time
    arbiter.release(4000)
    arbiter.put(edge(1, True, 1000, 1), 5000)  # its beginning, much too late
    changes = feed(arbiter, on_time(edge(1, True, 6000, 3)))
    assert Pressed(1, exactly(6000)) in contacts(changes)


def test_a_wide_edge_that_is_seen_in_time_is_not_told_as_late_but_marked() -> None:
    """It was found by looking again: when it happened nobody knows, and the wire is not to blame."""
    arbiter = lane()
    arbiter.put(SourceEdge(Button(1), True, Stamp(1000, 1900), 1), 1900 + LANE.delivery_ns - 1)
    assert arbiter.notes == []
    assert contacts(arbiter.release(END)) == [Pressed(1, Stamp(1000, 1900), late=True)]


def test_a_wide_edge_that_is_seen_too_late_is_told_as_late_too() -> None:
    arbiter = lane()
    arbiter.put(SourceEdge(Button(1), True, Stamp(1000, 1900), 1), 1900 + LANE.delivery_ns)
    assert arbiter.notes == [
        LateSignal(Button(1), Stamp(1000, 1900), behind_ns=1900 + LANE.delivery_ns - 1000)
    ]
    assert contacts(arbiter.release(END)) == [Pressed(1, Stamp(1000, 1900), late=True)]


def test_a_stamp_as_wide_as_all_of_its_kind_is_late_like_a_narrow_one() -> None:
    arbiter = LaneArbiter(replace(LANE, width_ns=20), map(Button, SEATS), contact)
    arbiter.put(SourceEdge(Button(1), True, Stamp(1000, 1020), 1), 1000 + LANE.delivery_ns)
    arbiter.put(SourceEdge(Button(2), True, Stamp(1000, 1021), 1), 1000 + LANE.delivery_ns)
    assert [note.source for note in arbiter.notes] == [Button(1)]


def test_a_wide_edge_that_is_in_time_by_all_of_its_stamp_is_judged_like_any_other() -> None:
    arbiter = lane()
    arbiter.put(SourceEdge(Button(1), True, Stamp(1000, 1040), 1), 1000 + LANE.delivery_ns - 1)
    assert contacts(arbiter.release(END)) == [Pressed(1, Stamp(1000, 1040))]
