"""Findings are counted and put in order, the worst says how the whole is, and the report shows them."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.workshop.doctor.findings import (
    Area,
    Finding,
    State,
    as_data,
    counts,
    in_order,
    text_lines,
    total_line,
    worst,
)

FINDINGS = st.lists(
    st.builds(
        Finding, st.sampled_from(Area), st.text(max_size=3), st.sampled_from(State), st.text(max_size=3)
    )
)


def test_nothing_found_is_nothing_wrong() -> None:
    assert worst([]) is State.OK


@given(FINDINGS)
def test_the_worst_is_the_worst(findings: list[Finding]) -> None:
    for state in reversed(State):
        if any(finding.state is state for finding in findings):
            assert worst(findings) is state
            break


@given(FINDINGS)
def test_each_finding_is_counted_once(findings: list[Finding]) -> None:
    assert sum(counts(findings).values()) == len(findings)
    assert list(counts(findings)) == list(State)


@given(FINDINGS)
def test_areas_come_together_and_keep_their_order(findings: list[Finding]) -> None:
    ordered = in_order(findings)
    areas = [list(Area).index(finding.area) for finding in ordered]
    assert areas == sorted(areas)
    for area in Area:
        assert [f for f in ordered if f.area is area] == [f for f in findings if f.area is area]


CHIP = Finding(Area.GPIO, "chip", State.OK, "/dev/gpiochip0 'pinctrl-rp1' with 54 lines")


BUS = Finding(Area.I2C, "bus 1", State.FAIL, "there is no I2C bus 1", "switch it on " * 12)


USER = Finding(Area.RIGHTS, "user", State.NOTE, "this runs as root")


def test_findings_stand_below_their_area_with_what_to_do_next() -> None:
    lines = list(text_lines([BUS, CHIP, USER], 60))
    assert lines[:4] == [
        "rights",
        "  note   user: this runs as root",
        "gpio",
        "  ok     chip: /dev/gpiochip0 'pinctrl-rp1' with 54 lines",
    ]
    assert lines[4:7] == [
        "i2c",
        "  FAIL   bus 1: there is no I2C bus 1",
        "         -> switch it on switch it on switch it on switch it",
    ]
    assert lines[7].startswith("            on switch it on")
    assert all(len(line) <= 60 for line in lines)


def test_a_command_is_never_broken_apart() -> None:
    command = "x" * 90
    lines = list(text_lines([Finding(Area.I2C, "bus", State.FAIL, "gone", f"run {command} now")], 40))
    assert any(command in line for line in lines)


def test_the_total_begins_with_the_worst() -> None:
    assert total_line([CHIP, BUS, USER, USER]) == "1 fail, 0 warn, 2 note, 1 ok"


def test_the_form_for_programs_is_stable() -> None:
    data = json.loads(json.dumps(as_data([BUS, CHIP], {"version": "1"})))
    assert list(data) == ["format", "version", "state", "counts", "findings"]
    assert data["format"] == 1
    assert data["state"] == "fail"
    assert data["counts"] == {"ok": 1, "note": 0, "warn": 0, "fail": 1}
    assert data["findings"][0] == {
        "area": "gpio",
        "subject": "chip",
        "state": "ok",
        "seen": "/dev/gpiochip0 'pinctrl-rp1' with 54 lines",
        "advice": "",
    }
