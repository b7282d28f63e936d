"""Who is masked and when it comes back: never a player, always a storm and a jammed button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.model.effects import Noise
from firmware_host.model.events import (
    Contact,
    Emptied,
    Filled,
    Masked,
    Pressed,
    Released,
    SourceEdge,
    Unmasked,
)
from firmware_host.model.places import ALL_SLOTS, Button, Colour, Slot, Source
from firmware_host.model.settings import Lane, Settings
from firmware_host.model.states import MaskReason
from firmware_host.model.times import MS, US, S, exactly
from firmware_host.timing.arbiter import Arbiter, ChatterMask, CleanEvent, SettledSignal
from tests.thoroughness import tries
from tests.timing.driving import arbiter, drive, edge, on_time

SETTINGS = Settings()
BUTTONS, SLOTS = SETTINGS.buttons, SETTINGS.slots
ONE, TWO = Button(1), Button(2)
RED_1 = Slot(Colour.RED, 1)
START = 100 * S
LATER = 10**12

storms = settings(max_examples=tries(10, 50), deadline=None)


def change(source: Source, active: bool, t_ns: int) -> Contact:
    if isinstance(source, Button):
        return (Pressed if active else Released)(source.seat, exactly(t_ns))
    assert isinstance(source, Slot)
    return (Filled if active else Emptied)(source, exactly(t_ns))


def changes(source: Source, t_ns: int, every_ns: int, count: int, active: bool = True) -> list[SettledSignal]:
    """So many changes of a source, which first becomes active (or the other way round)."""
    return [change(source, active is (number % 2 == 0), t_ns + number * every_ns) for number in range(count)]


def told_of(
    items: Iterable[SettledSignal], until_ns: int = LATER, tuned: Settings = SETTINGS
) -> list[CleanEvent]:
    """All that the session hears of these items, and of the time after them."""
    watch = ChatterMask(tuned)
    told = watch.pass_on(items, 0)
    return told + watch.pass_on([], until_ns)


def masks(told: Iterable[CleanEvent]) -> list[Masked | Unmasked]:
    return [each for each in told if isinstance(each, Masked | Unmasked)]


def heard(told: Iterable[CleanEvent]) -> list[Contact]:
    return [each for each in told if not isinstance(each, Masked | Unmasked)]


def storm_of(source: Source) -> tuple[int, int]:
    """How many changes within what time are a storm of this source."""
    return (BUTTONS if isinstance(source, Button) else SLOTS).storms[0]


def storm(source: Source, more: int = 0) -> list[SettledSignal]:
    """So many changes more than a storm of this source needs."""
    return changes(source, START, 5 * MS, storm_of(source)[0] + more)


# -- storms


@pytest.mark.parametrize("source", [ONE, RED_1], ids=str)
def test_the_change_that_makes_it_a_storm_masks_and_is_not_heard(source: Source) -> None:
    most, within_ns = storm_of(source)
    every_ns = (within_ns - 1) // (most - 1)
    items = changes(source, START, every_ns, most)
    told = told_of(items, items[-1].stamp.latest_ns)
    assert told == [*items[:-1], Masked(source, MaskReason.CHATTERS, items[-1].stamp)]


@pytest.mark.parametrize("source", [ONE, RED_1], ids=str)
def test_one_change_less_or_a_moment_slower_is_no_storm(source: Source) -> None:
    most, within_ns = storm_of(source)
    fast = changes(source, START, 1, most - 1)
    assert masks(told_of(fast, fast[-1].stamp.latest_ns)) == []
    slow = changes(source, START, 1, most)
    slow[-1] = change(source, False, START + within_ns)
    assert masks(told_of(slow, slow[-1].stamp.latest_ns)) == []


def test_a_magnet_on_the_edge_of_its_sensor_may_take_longer_to_find_out() -> None:
    flapping = changes(RED_1, START, 240 * MS, 130)
    (masked,) = masks(told_of(flapping, flapping[-1].stamp.latest_ns))
    assert masked == Masked(RED_1, MaskReason.CHATTERS, flapping[119].stamp)


def test_noise_alone_may_be_a_storm() -> None:
    most, _ = storm_of(ONE)
    watch = ChatterMask(SETTINGS)
    sparks: list[SettledSignal] = [
        Noise(ONE, exactly(START + number * 10 * MS)) for number in range(most + 50)
    ]
    assert watch.pass_on(sparks, LATER) == [
        Masked(ONE, MaskReason.CHATTERS, sparks[most - 1].stamp),
        Unmasked(ONE, exactly(sparks[-1].stamp.latest_ns + SETTINGS.calm_ns)),
    ]
    assert watch.noise == sparks[: most - 1]  # nobody wants to hear of the others


def test_a_storm_of_one_source_is_no_storm_of_its_neighbours() -> None:
    most, _ = storm_of(ONE)
    mixed = sorted(
        changes(ONE, START, 5 * MS, most // 2) + changes(TWO, START + 1, 5 * MS, most // 2),
        key=lambda item: item.stamp,
    )
    assert masks(told_of(mixed, mixed[-1].stamp.latest_ns)) == []


def test_what_came_late_from_before_is_no_storm() -> None:
    """A stalled driver hands over an old change: from a moment before all that was seen since."""
    most, _ = storm_of(RED_1)
    seldom = changes(RED_1, START, 60 * S, most - 1)
    old = [change(RED_1, False, START - 1)]
    assert masks(told_of([*seldom, *old], seldom[-1].stamp.latest_ns)) == []


# -- calm


@pytest.mark.parametrize("source", [ONE, RED_1], ids=str)
def test_it_is_listened_to_again_when_it_has_been_calm_for_a_while(source: Source) -> None:
    items = storm(source, 21)
    last_ns = items[-1].stamp.latest_ns
    watch = ChatterMask(SETTINGS)
    watch.pass_on(items, last_ns)
    assert watch.due_ns == last_ns + SETTINGS.calm_ns
    assert watch.pass_on([], last_ns + SETTINGS.calm_ns - 1) == []
    told = watch.pass_on([], last_ns + SETTINGS.calm_ns)
    assert told[0] == Unmasked(source, exactly(last_ns + SETTINGS.calm_ns))


def test_a_last_twitch_at_the_very_end_of_the_calm_is_still_a_twitch() -> None:
    items = storm(RED_1)
    twitch_ns = items[-1].stamp.latest_ns + SETTINGS.calm_ns
    (_, unmasked) = masks(told_of([*items, change(RED_1, True, twitch_ns)]))
    assert unmasked.stamp == exactly(twitch_ns + SETTINGS.calm_ns)


def test_a_twitch_after_the_calm_is_heard() -> None:
    items = storm(RED_1)
    twitch = change(RED_1, True, items[-1].stamp.latest_ns + SETTINGS.calm_ns + 1)
    told = told_of([*items, twitch])
    assert told[-1] == twitch
    assert isinstance(told[-3], Unmasked)


def test_after_the_calm_a_storm_is_counted_anew() -> None:
    most, _ = storm_of(RED_1)
    first = changes(RED_1, START, 5 * MS, most)
    second = changes(RED_1, START + 10 * S, 5 * MS, most - 1)
    assert len(masks(told_of([*first, *second]))) == 2
    third = changes(RED_1, START + 10 * S, 5 * MS, most)
    assert len(masks(told_of([*first, *third]))) == 4


@pytest.mark.parametrize("more", [0, 1])
def test_a_slot_is_told_as_it_stands_whatever_it_was_before(more: int) -> None:
    """The session has lost sight of it. Its change is old: what is claimed of it is doubtful."""
    items = storm(RED_1, more)
    last = items[-1]
    assert isinstance(last, Filled | Emptied)
    assert heard(told_of(items))[-1] == replace(last, late=True)


def test_a_die_that_lay_there_from_the_start_is_told_after_a_storm_of_noise() -> None:
    most, _ = storm_of(RED_1)
    watch = ChatterMask(SETTINGS)
    watch.preset(Filled(RED_1, exactly(START)))
    assert watch.due_ns is None
    told = watch.pass_on([Noise(RED_1, exactly(START + S + number)) for number in range(most)], LATER)
    assert heard(told) == [Filled(RED_1, exactly(START), late=True)]


def test_a_slot_that_never_changed_has_nothing_to_tell() -> None:
    most, _ = storm_of(RED_1)
    noise = [Noise(RED_1, exactly(START + number)) for number in range(most)]
    assert heard(told_of(noise)) == []


def test_a_press_that_was_not_heard_is_no_slap_afterwards() -> None:
    most, _ = storm_of(ONE)
    items = changes(ONE, START, 5 * MS, most + 1)
    assert isinstance(items[-1], Pressed)
    until_ns = items[-1].stamp.latest_ns + SETTINGS.calm_ns
    assert heard(told_of(items, until_ns)) == items[: most - 1]


def test_a_button_that_comes_to_rest_down_may_be_jammed() -> None:
    items = storm(ONE, 1)
    calm_ns = items[-1].stamp.latest_ns + SETTINGS.calm_ns
    stuck_ns = calm_ns + SETTINGS.stuck_ns
    assert masks(told_of(items))[1:] == [
        Unmasked(ONE, exactly(calm_ns)),
        Masked(ONE, MaskReason.STUCK, exactly(stuck_ns)),
    ]


# -- jammed buttons


def test_a_button_that_is_down_for_long_is_masked_and_comes_back_when_it_is_let_go() -> None:
    stuck_ns = START + SETTINGS.stuck_ns
    let_go = change(ONE, False, stuck_ns + 90 * S)
    again = change(ONE, True, stuck_ns + 100 * S)
    told = told_of([change(ONE, True, START), let_go, again], stuck_ns + 101 * S)
    assert told == [
        Pressed(1, exactly(START)),
        Masked(ONE, MaskReason.STUCK, exactly(stuck_ns)),
        Unmasked(ONE, let_go.stamp),
        again,
    ]


def test_let_go_at_the_last_moment_it_is_not_jammed() -> None:
    stuck_ns = START + SETTINGS.stuck_ns
    assert masks(told_of([change(ONE, True, START), change(ONE, False, stuck_ns)])) == []


def test_noise_on_a_jammed_button_is_neither_told_nor_the_end_of_it() -> None:
    watch = ChatterMask(SETTINGS)
    noise = Noise(ONE, exactly(START + 40 * S))
    (_, masked) = watch.pass_on([change(ONE, True, START), noise], LATER)
    assert isinstance(masked, Masked)
    assert watch.noise == []


def test_noise_on_a_button_that_is_down_does_not_let_it_off() -> None:
    noise = Noise(ONE, exactly(START + 20 * S))
    (masked,) = masks(told_of([change(ONE, True, START), noise]))
    assert masked.stamp == exactly(START + SETTINGS.stuck_ns)


def test_a_storm_while_it_is_down_is_a_storm() -> None:
    most, _ = storm_of(ONE)
    sparks = [Noise(ONE, exactly(START + S + number * MS)) for number in range(most)]
    found = masks(told_of([change(ONE, True, START), *sparks], START + SETTINGS.stuck_ns))
    assert [type(each) for each in found] == [Masked, Unmasked]
    assert isinstance(found[0], Masked) and found[0].reason is MaskReason.CHATTERS


def test_a_slot_is_never_jammed() -> None:
    assert told_of([change(RED_1, True, START)]) == [Filled(RED_1, exactly(START))]


def test_of_two_things_due_the_first_comes_first_and_at_one_moment_the_order_is_fixed() -> None:
    presses: list[SettledSignal] = [change(TWO, True, START), change(ONE, True, START)]
    later: list[SettledSignal] = [change(Button(3), True, START - 1)]
    assert [each.source for each in masks(told_of(later + presses))] == [Button(3), ONE, TWO]
    assert [each.source for each in masks(told_of(later + presses[::-1]))] == [Button(3), ONE, TWO]


# -- no player is ever masked


@st.composite
def hammering(draw: st.DrawFn) -> list[SettledSignal]:
    """Faster than any hands have ever been, for as long as they like; or slow, or holding for long."""
    t_ns = START
    items: list[SettledSignal] = []
    for _ in range(draw(st.integers(1, 5))):
        down_ms = draw(st.integers(15, 40) | st.integers(15, 29_000))
        up_ms = draw(st.integers(20, 40) | st.integers(20, 5_000))
        for _ in range(draw(st.integers(1, 200))):
            items.append(change(ONE, True, t_ns))
            items.append(change(ONE, False, t_ns + down_ms * MS))
            t_ns += (down_ms + up_ms) * MS
    return items


@st.composite
def fumbling(draw: st.DrawFn) -> list[SettledSignal]:
    """A die that is put down and lifted as fast as it leaves its sensor, a dozen times, again and again."""
    t_ns = START
    items: list[SettledSignal] = []
    for _ in range(draw(st.integers(1, 8))):
        there_ms, gone_ms = draw(st.integers(70, 2_000)), draw(st.integers(70, 2_000))
        for _ in range(draw(st.integers(1, 15))):
            items.append(change(RED_1, True, t_ns))
            items.append(change(RED_1, False, t_ns + there_ms * MS))
            t_ns += (there_ms + gone_ms) * MS
        t_ns += draw(st.integers(10_000, 60_000)) * MS
    return items


@given(hammering())
def test_no_hammering_is_a_storm(items: list[SettledSignal]) -> None:
    assert told_of(items) == items


@given(fumbling())
def test_no_fumbling_is_a_storm(items: list[SettledSignal]) -> None:
    assert told_of(items) == items


@pytest.mark.parametrize("a_second", [7, 13, 16, 20, 25])
def test_the_fastest_hands_on_a_bouncing_switch_are_heard_to_the_last_press(a_second: int) -> None:
    """A finger taps 7 times a second, two fingers 13, a champion 16, a drum roll 20."""
    cycle_ns = S // a_second
    edges: list[SourceEdge] = []
    for press in range(10 * a_second):
        for half, active in enumerate((True, False)):
            t_ns = START + press * cycle_ns + half * cycle_ns // 2
            for bounce in range(5):
                edges.append(edge(ONE, active is (bounce % 2 == 0), t_ns + bounce * 800 * US, len(edges)))
    told = [each.contact for each in drive(arbiter(), on_time(*edges))]
    assert [type(each) for each in told] == [Pressed, Released] * 10 * a_second


# -- a storm always is, through the whole arbiter


def restless(source: Source, gaps_us: Sequence[int], for_ns: int) -> list[SourceEdge]:
    """A contact that closes and opens with these gaps, over and over again."""
    edges: list[SourceEdge] = []
    t_ns, end_ns = START, START + for_ns
    while t_ns < end_ns:
        edges.append(edge(source, len(edges) % 2 == 0, t_ns, len(edges)))
        t_ns += gaps_us[len(edges) % len(gaps_us)] * US
    return edges


def lane_of(source: Source) -> Lane:
    return BUTTONS if isinstance(source, Button) else SLOTS


def never_resting(source: Source) -> st.SearchStrategy[list[int]]:
    """Gaps shorter than a contact takes to come to rest; or a steady beat that no hand can keep."""
    lane = lane_of(source)
    quiet_us, change_us = lane.quiet_ns // US, (lane.quiet_ns + lane.burst_ns) // US
    wild = st.lists(st.integers(quiet_us // 6, quiet_us - 1), min_size=1, max_size=5)
    return wild | st.integers(quiet_us, change_us).map(lambda gap: [gap])


@pytest.mark.parametrize("source", [ONE, RED_1], ids=str)
@storms
@given(data=st.data())
def test_a_contact_that_never_rests_is_masked_and_comes_back_as_it_stands(
    source: Source, data: st.DataObject
) -> None:
    _, within_ns = storm_of(source)
    edges = restless(source, data.draw(never_resting(source)), 2 * within_ns)
    told = [each.contact for each in drive(arbiter(), on_time(*edges))]
    masked, unmasked, *more = masks(told)
    assert isinstance(masked, Masked) and (masked.source, masked.reason) == (source, MaskReason.CHATTERS)
    assert masked.stamp.latest_ns < START + within_ns
    calm_ns = edges[-1].stamp.latest_ns + SETTINGS.calm_ns
    assert isinstance(unmasked, Unmasked)
    assert calm_ns - lane_of(source).burst_ns <= unmasked.stamp.latest_ns <= calm_ns
    if isinstance(source, Slot):
        assert known_slots(told).get(source, False) is edges[-1].active
        assert more == []
    else:
        assert bool(more) is edges[-1].active  # it came to rest down, and is jammed


def known_slots(told: Iterable[CleanEvent]) -> dict[Slot, bool]:
    """What a session knows of each slot at the end; of a masked one it knows nothing."""
    known: dict[Slot, bool] = {}
    for each in told:
        match each:
            case Filled() | Emptied():
                known[each.slot] = isinstance(each, Filled)
            case Masked(source=Slot() as slot):
                known.pop(slot, None)
            case _:
                pass
    return known


@pytest.mark.parametrize("kind", ["button", "slot"])
@pytest.mark.parametrize("factor", [1, 2, 5])
def test_where_a_contact_may_bounce_for_longer_it_is_watched_for_longer(kind: str, factor: int) -> None:
    tuned = (
        replace(SETTINGS, button_burst_ns=factor * 10 * MS)
        if kind == "button"
        else replace(SETTINGS, slot_burst_ns=factor * 40 * MS)
    )
    lane, source = (tuned.buttons, ONE) if kind == "button" else (tuned.slots, RED_1)
    _, within_ns = lane.storms[0]
    table = Arbiter(tuned, [1, 2, 3, 4], ALL_SLOTS)
    edges = restless(source, [lane.quiet_ns // US - 1], within_ns)
    told = [each.contact for each in drive(table, on_time(*edges))]
    assert isinstance(masks(told)[0], Masked)
