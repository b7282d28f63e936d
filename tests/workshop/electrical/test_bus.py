"""The electrical model of the I2C bus."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.workshop.electrical.built import Built, built_of
from firmware_host.workshop.electrical.bus import BusHalf, PullUp, halves, parallel
from firmware_host.workshop.plan.planning import wiring_plan
from tests.workshop.plan.plans import SHIPPED, shipped

OHMS = st.integers(100, 1_000_000)
BUS = "the bus"


def built(name: str, **choices: object) -> Built:
    profile = shipped(name, **choices)
    return built_of(profile, wiring_plan(profile))


def half(ohms: list[int], mm: int = 0, chips: int = 2) -> BusHalf:
    return BusHalf(BUS, tuple(PullUp(3.3, ohm) for ohm in ohms), mm, chips)


def test_two_equal_resistors_are_half_of_one() -> None:
    assert parallel([10_000, 10_000]) == 5_000
    assert parallel([]) == float("inf")


@given(st.lists(OHMS, min_size=1), OHMS)
def test_one_pull_up_more_makes_the_bus_stronger_and_faster(ohms: list[int], more: int) -> None:
    before, after = half(ohms), half([*ohms, more])
    assert after.ohm < min(before.ohm, more)
    assert after.sink_ma > before.sink_ma
    assert after.rise_ns < before.rise_ns


@given(st.lists(OHMS, min_size=1), st.permutations(range(5)))
def test_the_order_of_resistors_does_not_matter(ohms: list[int], order: list[int]) -> None:
    mixed = [ohms[place % len(ohms)] for place in order]
    assert parallel(mixed) == pytest.approx(parallel(sorted(mixed)))


@given(st.integers(0, 5_000), st.integers(1, 5_000), st.integers(1, 8))
def test_a_longer_cable_is_heavier_and_slower(mm: int, more: int, chips: int) -> None:
    short, long = half([1800], mm, chips), half([1800], mm + more, chips)
    assert long.picofarads > short.picofarads
    assert long.rise_ns > short.rise_ns


def test_a_metre_of_cable_and_two_chips_with_the_pull_ups_of_the_pi() -> None:
    bus = half([1800], mm=1000)
    assert bus.picofarads == 120
    assert bus.sink_ma == pytest.approx(1.61, abs=0.01)
    assert bus.rise_ns == pytest.approx(183, abs=1)
    assert bus.high_volts == pytest.approx(3.3)


def test_a_pull_up_to_5_v_lifts_the_bus_above_3_3_v() -> None:
    lifted = BusHalf(BUS, (PullUp(3.3, 1800), PullUp(5.0, 10_000)), 0, 2)
    assert lifted.high_volts == pytest.approx(3.56, abs=0.01)


def test_a_level_shifter_makes_two_halves() -> None:
    near, far = halves(built("dice4"))
    assert [pull_up.ohm for pull_up in near.pull_ups] == [1800, 10_000]
    assert {pull_up.volts for pull_up in far.pull_ups} == {5.0}
    assert (near.chips, far.chips) == (4, 2)
    (whole,) = halves(built("dice4", level_shifter=False))
    assert [pull_up.volts for pull_up in whole.pull_ups] == [3.3, 5.0]


def test_a_table_without_chips_has_no_bus() -> None:
    assert halves(built("dice4-direct")) == ()


@pytest.mark.parametrize("name", SHIPPED)
def test_the_cable_of_each_chip_is_known(name: str) -> None:
    table = built(name)
    chips = [bank.name for bank in table.profile.banks] + [chip.name for chip in table.profile.led_chips]
    assert set(chips) <= set(table.bus_mm)
