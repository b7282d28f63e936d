"""What delays mean for the tie window and for the settle times of buttons and sensors."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.settings import TIMINGS, Settings
from firmware_host.model.times import MS, US, S
from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.jitter import (
    ENOUGH_TO_SHORTEN,
    FEWEST_EDGES,
    Delays,
    Delivery,
    Measured,
    Proposal,
    judge_jitter,
    propose,
)
from tests.workshop.doctor.finding import states

USUAL = replace(Settings(), button_settle_ns=20 * MS, slot_settle_ns=10 * MS)


def overdue(*delays_ns: int, count: int = 50) -> Delivery:
    """So many edges, all in time but for these."""
    late = list(delays_ns)
    return Delivery(Delays([300 * US] * count), Delays(late + [0] * (count - len(late))))


CALM = Measured(10, Delays([50 * US] * 1000), overdue(), overdue())


def proposals(measured: Measured, settings: Settings = USUAL) -> dict[str, int]:
    return {each.setting: each.proposed_ns for each in propose(measured, settings)}


def settle(measured: Measured, settings: Settings = USUAL, setting: str = "button-settle") -> Proposal:
    (found,) = [each for each in propose(measured, settings) if each.setting == setting]
    return found


def test_a_calm_machine_keeps_its_settings() -> None:
    assert proposals(CALM, Settings()) == {
        "stamp-uncertainty": 100 * US,
        "button-settle": Settings().button_settle_ns,
        "slot-settle": Settings().slot_settle_ns,
    }
    assert set(states(judge_jitter(CALM, Settings())).values()) == {State.OK}
    assert all(each.words.endswith(" may stay") for each in propose(CALM, Settings()))


def test_an_edge_that_was_late_is_waited_for_twice_as_long() -> None:
    measured = replace(CALM, buttons=overdue(33 * MS), slots=overdue(11 * MS))
    assert proposals(measured) == {
        "stamp-uncertainty": 100 * US,
        "button-settle": 66 * MS,
        "slot-settle": 22 * MS,
    }
    found = settle(measured)
    assert (found.line, found.words) == ('button-settle = "66ms"', "should be 66ms, not 20ms")
    assert "of 50 edges the slowest was still missing 33.0 ms" in found.reason
    assert settle(measured, setting="slot-settle").line == 'slot-settle = "22ms"'


def test_a_time_that_is_much_too_long_is_shortened_once_there_are_edges_enough() -> None:
    slow, usual_ns = replace(USUAL, button_settle_ns=60 * MS), Settings().button_settle_ns
    few = settle(replace(CALM, buttons=overdue(count=ENOUGH_TO_SHORTEN - 1)), slow)
    assert not few.changes and "only 200 edges or more could show it" in few.reason
    many = overdue(2 * MS, count=ENOUGH_TO_SHORTEN)
    assert settle(replace(CALM, buttons=many), slow).proposed_ns == usual_ns
    worse = replace(CALM, buttons=overdue(14 * MS, count=ENOUGH_TO_SHORTEN))
    assert settle(worse, slow).proposed_ns == 28 * MS
    assert "wait longer than they need to" in settle(worse, slow).reason
    assert not settle(replace(CALM, buttons=overdue(15 * MS, count=ENOUGH_TO_SHORTEN)), slow).changes


def test_pythons_own_stamps_never_make_it_shorter() -> None:
    slow = replace(USUAL, button_settle_ns=60 * MS)
    measured = replace(CALM, kernel_stamps=False, buttons=overdue(count=ENOUGH_TO_SHORTEN))
    assert not settle(measured, slow).changes
    assert "late themselves" in settle(measured, slow).reason


def test_a_table_without_sensors_gets_no_proposal_for_them() -> None:
    cards = replace(CALM, slots=None)
    assert list(proposals(cards)) == ["stamp-uncertainty", "button-settle"]
    assert "sensors" in states(judge_jitter(CALM, USUAL))
    assert "sensors" not in states(judge_jitter(cards, USUAL))


def test_nothing_is_proposed_that_a_table_toml_must_not_say() -> None:
    measured = replace(CALM, wake_ups=Delays([S] * 1000), buttons=overdue(9 * S), slots=overdue(9 * S))
    assert proposals(measured) == {
        "stamp-uncertainty": 50 * MS,
        "button-settle": 500 * MS,
        "slot-settle": 500 * MS,
    }


def test_a_process_that_is_held_up_makes_no_edge_late() -> None:
    held_up = Delivery(Delays([S] * 50), Delays([0] * 50))
    measured = replace(CALM, wake_ups=Delays([50 * US] * 999 + [S]), buttons=held_up)
    assert not settle(measured).changes


def test_few_edges_say_nothing() -> None:
    few = Delivery(Delays(), Delays([S] * (FEWEST_EDGES - 1)))
    found = settle(replace(CALM, buttons=few, slots=few))
    assert not found.changes
    assert "only 19 edges came, which says too little: press all buttons" in found.reason
    assert "put dice on all places" in settle(replace(CALM, slots=few), setting="slot-settle").reason


def test_the_tie_window_grows_where_nothing_shows_that_interrupts_are_sooner() -> None:
    measured = replace(CALM, wake_ups=Delays([430 * US] * 1000))
    window = propose(measured, USUAL)[0]
    assert window.proposed_ns == 450 * US
    assert "more dead heats, but no wrong verdicts" in window.reason


def test_the_driver_knows_its_own_doubt() -> None:
    measured = replace(CALM, uncertainty_ns=5 * MS)
    assert proposals(measured)["stamp-uncertainty"] == 5 * MS


def test_pythons_stamps_are_as_late_as_python() -> None:
    measured = replace(
        CALM, kernel_stamps=False, uncertainty_ns=5 * MS, wake_ups=Delays([50 * US] * 90 + [8 * MS] * 10)
    )
    window = propose(measured, USUAL)[0]
    assert window.proposed_ns == 8 * MS
    assert "gpiod" in window.reason


DELAYS = st.lists(st.integers(0, 10**9), max_size=50)


@given(DELAYS, DELAYS, st.booleans(), st.integers(1, 500))
def test_no_window_is_made_smaller_than_what_was_measured(
    wakes: list[int], late: list[int], kernel: bool, now_ms: int
) -> None:
    settings = replace(USUAL, button_settle_ns=now_ms * MS)
    delivery = Delivery(Delays(), Delays(late))
    measured = Measured(1, Delays(wakes), delivery, kernel_stamps=kernel)
    found = proposals(measured, settings)
    assert found["stamp-uncertainty"] >= USUAL.stamp_uncertainty_ns
    assert found["button-settle"] >= settings.button_settle_ns  # so few edges do not shorten it
    if len(late) >= FEWEST_EDGES:
        assert found["button-settle"] >= min(max(late), TIMINGS["button-settle"].most_ns)


def test_findings_say_what_to_write_and_why_no_edges_came() -> None:
    late = Delivery(Delays(), Delays([30 * MS] * 20))
    measured = Measured(10, Delays([30 * MS] * 1000), late, why_no_lines="there are none")
    findings = list(judge_jitter(measured, USUAL))
    assert states(findings) == {
        "wake-ups": State.WARN,
        "presses": State.NOTE,
        "stamp-uncertainty": State.WARN,
        "button-settle": State.WARN,
    }
    assert findings[1].seen == "no edges were measured: there are none"
    assert findings[3].advice == 'put into [timing] of table.toml: button-settle = "60ms"'


def test_without_any_measurement_nothing_is_said_of_delays() -> None:
    nothing = Delivery(Delays(), Delays())
    assert set(states(judge_jitter(Measured(1, Delays(), nothing, nothing), USUAL))) == {
        "stamp-uncertainty",
        "button-settle",
        "slot-settle",
    }
