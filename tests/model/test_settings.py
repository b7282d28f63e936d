"""Tuning the table by texts."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.errors import BadSettings
from firmware_host.model.settings import SETTING_NAMES, TIMINGS, Lane, Settings, changed
from firmware_host.model.times import MS, US, S, format_duration

# Any value is fine for these; the others are bound to each other.
FREE = ["claim-late", "calm", "join", "idle", "paused", "clear", "result"]


def faults_of(values: dict[str, str]) -> list[str]:
    with pytest.raises(BadSettings) as error:
        changed(Settings(), values)
    return error.value.faults


def test_a_text_changes_one_setting() -> None:
    assert changed(Settings(), {"claim-late": "2s"}) == replace(Settings(), claim_late_ns=2 * S)


def test_every_field_can_be_named() -> None:
    assert len(SETTING_NAMES) == len(fields(Settings))
    assert {"language", "claim-early", "stamp-uncertainty", "lock"} <= set(SETTING_NAMES)


@given(st.dictionaries(st.sampled_from(FREE), st.integers(10 * S, 60 * S)))
def test_any_durations_go_in_as_written(values: dict[str, int]) -> None:
    result = changed(Settings(), {name: format_duration(value) for name, value in values.items()})
    assert {name: getattr(result, name.replace("-", "_") + "_ns") for name in values} == values


def test_nothing_earlier_turns_up_after_delivery_and_burst() -> None:
    assert Lane(delivery_ns=5, quiet_ns=3, burst_ns=10).settle_ns == 15


@given(st.integers(0, 100 * MS))
def test_a_stamp_is_in_time_however_uncertain_it_is(uncertainty_ns: int) -> None:
    """A stamp may reach back by twice its uncertainty; its edge is not late for that."""
    settings = replace(Settings(), stamp_uncertainty_ns=uncertainty_ns)
    for lane in (settings.buttons, settings.slots):
        assert lane.delivery_ns > uncertainty_ns


def test_an_unknown_name_is_told_the_nearest() -> None:
    assert faults_of({"claim-lat": "2s"}) == ["setting 'claim-lat' is unknown; did you mean 'claim-late'?"]


def test_a_name_like_no_other_is_told_all() -> None:
    (fault,) = faults_of({"zzz": "2s"})
    assert fault.startswith("setting 'zzz' is unknown; known: language, locks, stamp-uncertainty, ")


def test_an_unknown_language_is_told_the_known_ones() -> None:
    assert faults_of({"language": "tlh"}) == ["language 'tlh' is unknown; allowed: de, en, fr, it, nl, es"]


def test_a_bad_duration_names_its_setting() -> None:
    (fault,) = faults_of({"lock": "soon"})
    assert fault.startswith("lock: 'soon' is no duration")


def test_all_faults_are_told_at_once() -> None:
    assert len(faults_of({"language": "tlh", "lock": "soon", "claim-lat": "2s", "hold": "1s"})) == 3


@pytest.mark.parametrize("kind", ["button", "slot"])
def test_quiet_must_fit_in_a_burst(kind: str) -> None:
    assert faults_of({f"{kind}-quiet": "100ms"}) == [
        f"{kind}-quiet is longer than {kind}-burst: no burst could ever end"
    ]


def test_settings_are_judged_together() -> None:
    both = changed(Settings(), {"button-quiet": "100ms", "button-burst": "100ms"})
    assert both.buttons.quiet_ns == both.buttons.burst_ns == 100 * MS


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({"stuck": "1s"}, ["hold", "all-hold"]),
        ({"stuck": "2s"}, ["all-hold"]),
        ({"hold": "30s"}, ["hold"]),
        ({"all-hold": "30s"}, ["all-hold"]),
    ],
)
def test_a_button_can_be_held_without_being_taken_for_jammed(
    values: dict[str, str], names: list[str]
) -> None:
    assert faults_of(values) == [
        f"stuck must be longer than {name}: a button that is held would be taken for jammed" for name in names
    ]
    assert changed(Settings(), {"stuck": "30s", "hold": "29s"}).stuck_ns == 30 * S


@pytest.mark.parametrize("name", TIMINGS)
def test_a_time_out_of_all_sense_is_told_its_range(name: str) -> None:
    timing = TIMINGS[name]
    assert faults_of({name: "1441min"}) == [f"{name} is 1441min; allowed: {timing.span}"]
    if timing.least_ns:
        assert faults_of({name: "1ns"}) == [f"{name} is 1ns; allowed: {timing.span}"]


def test_every_time_has_a_range() -> None:
    assert {*TIMINGS, "language", "locks"} == set(SETTING_NAMES)
    assert TIMINGS["paused"].span == "from 10s to 720min"


def test_a_storm_is_more_than_any_hands_can_do() -> None:
    """Changes per second: two for each press, and for each die put down and lifted."""
    (hammered,) = Settings().buttons.storms
    assert [hammered] == [(120, 2 * S)]
    assert Settings().slots.storms == ((60, 4 * S), (120, 30 * S))


def test_what_may_bounce_for_long_is_watched_for_long() -> None:
    slack = changed(Settings(), {"button-burst": "20ms", "slot-burst": "80ms"})
    assert slack.buttons.storms == ((120, 120 * 22_500 * US),)
    assert slack.slots.storms == ((60, 60 * 100 * MS), (120, 30 * S))


def test_an_ordinary_stamp_is_as_wide_as_its_uncertainty() -> None:
    settings = Settings()
    assert settings.buttons.width_ns == settings.slots.width_ns == 2 * settings.stamp_uncertainty_ns
