"""The panel as a whole: what its two buttons do, when it is left, and that nothing upsets it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.model.phrases import Phrase
from firmware_host.model.places import ALL_SLOTS, Button, Call, Pad, Pile, Slot
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.model.times import MS, S
from firmware_host.service.page import Outcome, PanelInfo
from firmware_host.service.panel import ALONE_NS, CONFIRM_NS, HOLD_NS, Panel
from tests.service.operator import CARDS, DICE, SMALL, TABLES, Operator


def test_it_opens_with_the_menu_and_the_two_buttons_lit(operator: Operator) -> None:
    assert operator.above == "Tests"
    assert operator.said(line=1) == ["1:next 2:ok", "hold 1:leave"]
    assert operator.burning == {28: 7, 29: 7}
    assert not operator.over()


def test_a_short_press_counts_when_the_button_is_let_go(operator: Operator) -> None:
    operator.panel.press(1, False, operator.now_ns)
    operator.wait(HOLD_NS - 1)
    assert operator.above == "Tests"
    operator.panel.release(1, False, operator.now_ns)
    assert operator.above == "Counters"


def test_a_long_press_of_the_first_leads_back_as_soon_as_it_is_long(operator: Operator) -> None:
    operator.go(Phrase.SETTINGS, Phrase.SEATS)
    assert operator.above == "Seat 1: open"
    operator.panel.press(1, False, operator.now_ns)
    operator.wait(HOLD_NS)
    assert operator.above == "Seats"
    operator.wait(5 * S)
    operator.panel.release(1, False, operator.now_ns)
    assert operator.above == "Seats"
    assert operator.hold(1) == "Settings"
    operator.hold(1)
    assert operator.outcome == Outcome()


def test_a_long_press_is_recognised_though_nobody_ticks() -> None:
    panel = Panel(DICE, 0)
    panel.press(1, False, 1 * S)
    panel.release(1, False, 1 * S + HOLD_NS)
    assert panel.outcome == Outcome()


def test_a_long_press_of_the_second_is_no_short_one(operator: Operator) -> None:
    assert operator.hold(2, HOLD_NS) == "Tests"
    assert operator.hold(2, 3 * CONFIRM_NS) == "Tests"
    assert operator.tap(2) == "Lamps one by one"


def test_other_seats_and_call_buttons_drive_nothing() -> None:
    operator = Operator(CARDS)
    operator.tap(3)
    for call_seat in (1, 2):
        operator.panel.press(call_seat, True, operator.now_ns)
        operator.panel.release(call_seat, True, operator.now_ns)
    assert operator.above == "Tests"


def test_a_button_that_was_down_before_drives_nothing(operator: Operator) -> None:
    operator.panel.release(1, False, operator.now_ns)
    operator.panel.release(2, False, operator.now_ns)
    assert operator.above == "Tests"


def test_a_press_counts_only_on_the_page_on_which_it_began(operator: Operator) -> None:
    operator.panel.press(1, False, operator.now_ns)
    operator.tap(2)
    operator.wait(HOLD_NS)
    operator.panel.release(1, False, operator.now_ns)
    assert operator.above == "Lamps one by one"


def test_time_that_runs_backwards_changes_nothing(operator: Operator) -> None:
    operator.panel.tick(operator.now_ns - 5 * S)
    operator.panel.press(1, False, operator.now_ns - 1 * S)
    operator.panel.release(1, False, operator.now_ns - 2 * S)
    assert operator.above == "Counters"


@pytest.mark.parametrize("info", TABLES.values(), ids=TABLES)
def test_it_is_left_when_nobody_presses_for_a_minute(info: PanelInfo) -> None:
    operator = Operator(info)
    operator.tap(1)
    operator.panel.press(3, False, operator.now_ns)
    operator.wait(ALONE_NS - 1)
    assert not operator.over()
    operator.wait(1)
    assert operator.outcome == Outcome()
    assert operator.panel.due_ns is None


def test_what_comes_after_it_was_left_changes_nothing(operator: Operator) -> None:
    operator.go(Phrase.LEAVE_SERVICE)
    assert operator.outcome == Outcome()
    before = operator.look()
    panel, now_ns = operator.panel, operator.now_ns + 1 * S
    panel.press(1, False, now_ns)
    panel.release(1, False, now_ns)
    panel.contact(ALL_SLOTS[0], True, now_ns)
    panel.tag(Pad(1), "card 1 red 1", True, now_ns)
    panel.tick(now_ns + 99 * S)
    assert operator.look() == before


# -- what can't be taken back asks again, and only a button held for that means yes

QUESTIONS = pytest.mark.parametrize(
    ("title", "text", "outcome"),
    [
        (Phrase.VOID_ROUND, "Void this round?", Outcome(void_round=True)),
        (Phrase.END_MATCH, "End this match?", Outcome(end_match=True)),
    ],
)


@QUESTIONS
def test_it_is_done_when_the_second_button_is_held(title: Phrase, text: str, outcome: Outcome) -> None:
    operator = Operator()
    operator.go(title)
    assert operator.above == text
    assert operator.below == "1:no hold 2:yes"
    operator.panel.press(2, False, operator.now_ns)
    operator.wait(CONFIRM_NS - 1)
    assert not operator.over()
    operator.wait(1)
    assert operator.outcome == outcome


@QUESTIONS
def test_the_first_button_says_no(operator: Operator, title: Phrase, text: str, outcome: Outcome) -> None:
    operator.go(title)
    assert operator.hold(2, CONFIRM_NS - 1) == text
    operator.tap(1)
    assert operator.above in title.value and not operator.over()


@QUESTIONS
def test_the_press_that_led_there_is_no_answer(title: Phrase, text: str, outcome: Outcome) -> None:
    operator = Operator()
    operator.tap(1, operator.ring().index(title.value[1]))
    operator.tap(2)
    operator.wait(9 * S)
    assert operator.above == text
    assert not operator.over()


def test_with_both_held_the_first_wins(operator: Operator) -> None:
    operator.go(Phrase.VOID_ROUND)
    operator.panel.press(2, False, operator.now_ns)
    operator.wait(CONFIRM_NS - 1 * S)
    operator.panel.press(1, False, operator.now_ns)
    operator.wait(30 * S)
    assert operator.above == "Void round"
    assert not operator.over()


def test_settings_confirmed_before_are_handed_back_with_it(operator: Operator) -> None:
    operator.go(Phrase.SETTINGS)
    operator.tap(1)
    operator.tap(2)
    operator.hold(1)
    operator.go(Phrase.END_MATCH)
    operator.hold(2, CONFIRM_NS)
    assert operator.outcome == Outcome(end_match=True, choices={"brightness": 15})


some_holds = st.tuples(
    st.sampled_from((2, 1)),
    st.sampled_from((1 * MS, HOLD_NS - 1, HOLD_NS, CONFIRM_NS - 1, CONFIRM_NS, 5 * S)),
)


@QUESTIONS
@given(holds=st.lists(some_holds, max_size=6))
def test_nothing_but_the_second_button_held_means_yes(
    title: Phrase, text: str, outcome: Outcome, holds: list[tuple[int, int]]
) -> None:
    operator = Operator()
    operator.go(title)
    for seat, for_ns in holds:
        if operator.above == text:
            operator.hold(seat, for_ns)
            said_yes = seat == 2 and for_ns >= CONFIRM_NS
            assert operator.outcome == (outcome if said_yes else None)
            assert (operator.above == text) == (seat == 2)
        if operator.over():
            return
        if operator.above != text:
            assert operator.above in title.value
            operator.tap(2)


# -- any buttons at all

Deed = Callable[[Operator], None]


def _press(seat: int, call: bool) -> Deed:
    return lambda operator: operator.panel.press(seat, call, operator.now_ns)


def _release(seat: int, call: bool) -> Deed:
    return lambda operator: operator.panel.release(seat, call, operator.now_ns)


def _touch(source: Slot | Button | Call, active: bool) -> Deed:
    return lambda operator: operator.panel.contact(source, active, operator.now_ns)


def _show(at: Pad | Pile | Slot, text: str, present: bool) -> Deed:
    return lambda operator: operator.panel.tag(at, text, present, operator.now_ns)


def _tell(device: str, condition: Condition) -> Deed:
    return lambda operator: operator.panel.health(DeviceCondition(device, condition, advice="look at it"))


some_seats = st.integers(1, 2) | st.integers(1, 12)
some_spots = st.builds(Pad, some_seats) | st.builds(Pile, st.integers(1, 48)) | st.sampled_from(ALL_SLOTS)
some_tags = st.sampled_from(("card 12 yellow 10", "die 24 face 6", "unknown 00112233445566778899"))
some_sources = st.sampled_from(ALL_SLOTS) | st.builds(Button, some_seats) | st.builds(Call, some_seats)
taps = st.builds(lambda seat, times: lambda op: op.tap(seat, times), st.integers(1, 2), st.integers(1, 4))
holds = st.builds(
    lambda seat, for_ns: lambda op: op.hold(seat, for_ns),
    st.integers(1, 2),
    st.sampled_from((CONFIRM_NS, CONFIRM_NS - 1, HOLD_NS, HOLD_NS - 1)),
)
some_times = st.sampled_from((1 * MS, 400 * MS, 2 * S, 9 * S, 31 * S))
waits = st.builds(lambda ns: lambda op: op.wait(ns), some_times)
drives = st.one_of(taps, holds, waits)
whatever = st.one_of(
    st.builds(_press, some_seats, st.booleans()),
    st.builds(_release, some_seats, st.booleans()),
    st.builds(_touch, some_sources, st.booleans()),
    st.builds(_show, some_spots, some_tags, st.booleans()),
    st.builds(_tell, st.sampled_from(("pad 1", "i2c")), st.sampled_from(("ok", "degraded", "lost"))),
)
some_deeds = st.lists(drives | whatever, min_size=1, max_size=25)
VOID_SURE, END_SURE = Phrase.VOID_SURE.value, Phrase.END_SURE.value

BEGINNINGS: list[tuple[PanelInfo, *tuple[Phrase, ...]]] = [
    (DICE,),
    (CARDS,),
    (SMALL,),
    (DICE, Phrase.VOID_ROUND),
    (CARDS, Phrase.END_MATCH),
    (CARDS, Phrase.SETTINGS),
    (DICE, Phrase.SETTINGS, Phrase.SEATS),
    (CARDS, Phrase.TESTS, Phrase.LAMPS),
    (CARDS, Phrase.TESTS, Phrase.BUTTONS),
    (DICE, Phrase.TESTS, Phrase.SENSORS),
]


class Witness(Panel):
    """Remembers when, and on which page, the second button was pressed that was not let go since."""

    asked: tuple[str, int] | None = None

    def press(self, seat: int, call: bool, now_ns: int) -> None:
        super().press(seat, call, now_ns)
        if seat == 2 and not call and self.outcome is None:
            self.asked = self.lines(20)[0], now_ns

    def release(self, seat: int, call: bool, now_ns: int) -> None:
        super().release(seat, call, now_ns)
        if seat == 2 and not call and self.outcome is None:
            self.asked = None


@settings(max_examples=150)
@given(st.sampled_from(BEGINNINGS), some_deeds)
def test_whatever_is_pressed_it_is_left_in_the_end_and_asks_before_it_does_harm(
    beginning: tuple[PanelInfo, *tuple[Phrase, ...]], deeds: list[Deed]
) -> None:
    info, *titles = beginning
    operator = Operator(info, panel=Witness)
    operator.go(*titles)
    for deed in deeds:
        deed(operator)
        operator.look()
    operator.wait(ALONE_NS)
    outcome, panel = operator.outcome, operator.panel
    assert outcome is not None
    assert isinstance(panel, Witness)
    if outcome.void_round or outcome.end_match:
        assert panel.asked is not None
        text, pressed_ns = panel.asked
        assert text in (VOID_SURE if outcome.void_round else END_SURE)
        assert operator.now_ns >= pressed_ns + CONFIRM_NS
        assert info.round_running or not outcome.void_round
        assert info.match_running or not outcome.end_match
