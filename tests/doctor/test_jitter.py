"""What delays mean for the tie window and for the settle time of buttons."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.doctor.findings import State
from firmware_host.doctor.histogram import Delays
from firmware_host.doctor.jitter import FEWEST_PRESSES, Measured, judge_jitter, propose
from firmware_host.durations import MS, US, S
from firmware_host.settings import TIMINGS, Settings
from tests.doctor.finding import states

USUAL = Settings()
CALM = Measured(10, Delays([50 * US] * 1000), Delays([300 * US] * 50), Delays([0] * 50))


def proposals(measured: Measured, settings: Settings = USUAL) -> dict[str, int]:
    return {each.setting: each.proposed_ns for each in propose(measured, settings)}


def test_a_calm_machine_keeps_its_settings() -> None:
    assert proposals(CALM) == {"stamp-uncertainty": 100 * US, "button-settle": 20 * MS}
    assert set(states(judge_jitter(CALM, USUAL)).values()) == {State.OK}
    assert [each.words for each in propose(CALM, USUAL)] == ["100us may stay", "20ms may stay"]


def test_an_edge_that_was_late_is_waited_for_twice_as_long() -> None:
    measured = replace(CALM, overdue=Delays([0] * 50 + [33 * MS]))
    assert proposals(measured)["button-settle"] == 70 * MS
    (settle,) = [each for each in propose(measured, USUAL) if each.changes]
    assert (settle.line, settle.words) == ('button-settle = "70ms"', "should be 70ms, not 20ms")
    assert "of 51 edges the slowest was still missing 33.0 ms" in settle.reason


def test_nothing_is_proposed_that_a_table_toml_must_not_say() -> None:
    measured = replace(CALM, wake_ups=Delays([S] * 1000), overdue=Delays([9 * S] * 50))
    assert proposals(measured) == {"stamp-uncertainty": 50 * MS, "button-settle": 500 * MS}


def test_a_process_that_is_held_up_makes_no_edge_late() -> None:
    measured = replace(CALM, wake_ups=Delays([50 * US] * 999 + [S]), presses=Delays([S] * 50))
    assert proposals(measured)["button-settle"] == 20 * MS


def test_few_edges_say_nothing() -> None:
    measured = replace(CALM, overdue=Delays([S] * (FEWEST_PRESSES - 1)))
    settle = propose(measured, USUAL)[1]
    assert not settle.changes
    assert "only 19 edges came" in settle.reason


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


@given(DELAYS, DELAYS, st.booleans())
def test_no_window_is_ever_made_smaller(wakes: list[int], overdue: list[int], kernel: bool) -> None:
    measured = Measured(1, Delays(wakes), Delays(), Delays(overdue), kernel_stamps=kernel)
    settings = proposals(measured)
    assert settings["stamp-uncertainty"] >= USUAL.stamp_uncertainty_ns
    assert settings["button-settle"] >= USUAL.button_settle_ns
    if len(overdue) >= FEWEST_PRESSES:
        assert settings["button-settle"] >= min(max(overdue), TIMINGS["button-settle"].most_ns)


def test_findings_say_what_to_write_and_why_no_presses_came() -> None:
    late = Measured(
        10, Delays([30 * MS] * 1000), Delays(), Delays([30 * MS] * 20), why_no_lines="there are none"
    )
    findings = list(judge_jitter(late, USUAL))
    assert states(findings) == {
        "wake-ups": State.WARN,
        "presses": State.NOTE,
        "stamp-uncertainty": State.WARN,
        "button-settle": State.WARN,
    }
    assert findings[1].seen == "no presses were measured: there are none"
    assert findings[3].advice == 'put into [timing] of table.toml: button-settle = "60ms"'


def test_without_any_measurement_nothing_is_said_of_delays() -> None:
    assert set(states(judge_jitter(Measured(1, Delays(), Delays(), Delays()), USUAL))) == {
        "stamp-uncertainty",
        "button-settle",
    }
