"""What can't be taken back asks again, and only a button held for that means yes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.phrases import Phrase
from firmware_host.model.times import MS, S
from firmware_host.service.page import Outcome
from firmware_host.service.panel import CONFIRM_NS, HOLD_NS
from tests.service.operator import Operator

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
def test_a_shorter_press_is_no_answer_and_the_first_button_says_no(
    operator: Operator, title: Phrase, text: str, outcome: Outcome
) -> None:
    operator.go(title)
    assert operator.hold(2, CONFIRM_NS - 1) == text
    assert operator.tap(2) == text
    operator.tap(1)
    assert operator.above in title.value
    operator.tap(2)
    operator.hold(1)
    assert operator.above in title.value
    assert not operator.over()


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
