"""What wires and drivers of lamps bear, and that a fuse of the usual size fits them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.workshop.electrical.power import TABLE_5V
from firmware_host.workshop.electrical.rules import judged
from firmware_host.workshop.plan.budget import power_budget
from firmware_host.workshop.plan.parts import wire_amps, wire_mm2
from firmware_host.workshop.plan.planning import wiring_plan
from tests.workshop.plan.plans import SHIPPED, shipped

SIZES = st.floats(0.05, 10)
POWERED = [name for name in SHIPPED if shipped(name).led_chips]
"""Those that need a supply of their own."""


@given(SIZES, SIZES)
def test_a_thicker_wire_never_bears_less(one: float, other: float) -> None:
    thin, thick = sorted((one, other))
    assert 0 < wire_amps(thin) <= wire_amps(thick)


@pytest.mark.parametrize(("mm2", "amps"), [(0.05, 0.4), (0.14, 1), (0.75, 8), (1.49, 10), (10, 24)])
def test_what_usual_wires_bear(mm2: float, amps: float) -> None:
    assert wire_amps(mm2) == amps


@given(st.floats(0, 24))
def test_a_wire_for_so_many_amperes_bears_them(amps: float) -> None:
    assert wire_amps(wire_mm2(amps)) >= amps


def test_no_wire_bears_everything() -> None:
    assert wire_mm2(100) == 4


@pytest.mark.parametrize("name", POWERED)
def test_the_usual_fuse_has_nothing_wrong(name: str) -> None:
    assert judged(shipped(name, button="arcade-12v")) == ()


@given(st.sampled_from(POWERED), st.floats(0.1, 60), st.sampled_from([0.14, 0.5, 0.75, 1.5, 4]))
def test_a_fuse_of_any_size_is_too_small_too_large_or_fits(name: str, amps: float, mm2: float) -> None:
    chosen = frozenset({"fuse_amps", "power_wire_mm2"})
    profile = shipped(name, fuse_amps=amps, power_wire_mm2=mm2, given=chosen)
    found = {finding.rule.name for finding in judged(profile)}
    assert ("fuse-too-large-for-wires" in found) == (amps > wire_amps(mm2))
    (drawn,) = (each for each in power_budget(wiring_plan(profile), profile) if each.name == TABLE_5V)
    assert ("fuse-too-small" in found) == (amps < 1.1 * drawn.most_ma / 1000)


@pytest.mark.parametrize(
    ("button", "led_ma", "overloaded"),
    [
        ("arcade-5v", 250, False),
        ("arcade-5v", 251, True),
        ("arcade-bare", 501, True),
        ("arcade-plain", 900, False),  # it has no lamp: an LED beside it takes what 330 ohm let through
    ],
)
def test_four_lamps_are_as_much_as_their_driver_takes(button: str, led_ma: int, overloaded: bool) -> None:
    found = {finding.rule.name for finding in judged(shipped("dice4", button=button, button_led_ma=led_ma))}
    assert ("driver-overloaded" in found) == overloaded
