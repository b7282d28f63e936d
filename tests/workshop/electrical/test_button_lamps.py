"""What a driver of lamps takes."""

from __future__ import annotations

import pytest

from firmware_host.workshop.electrical.rules import judged
from tests.workshop.plan.plans import shipped


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
