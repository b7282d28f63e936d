"""When a press that was held signed for the last die of its seat."""

from __future__ import annotations

import pytest

from firmware_host.games.dice.claims import signature_of
from firmware_host.games.dice.reclaims import Placement
from firmware_host.model.places import Colour, Slot
from firmware_host.model.times import MS, Stamp
from tests.timing.judging import at

CALLER, RIVAL = 1, 2
PRESS = at(2000)
FRESH_NS, EARLY_NS = 600 * MS, 200 * MS


def die(ms: float, owner: int | None = None, slap: Stamp | None = None, *, legal: bool = True) -> Placement:
    return Placement(Slot(Colour.RED, 1), at(ms), legal=legal, owner=owner, slap=slap)


@pytest.mark.parametrize(
    ("dice", "signed"),
    [
        ([], None),
        ([die(1900)], 2000),
        ([die(1399)], None),  # it has waited for too long
        ([die(1400)], 2000),
        ([die(1900, RIVAL, at(1950))], 2000),
        ([die(1900, CALLER, at(1950))], None),  # signed for by an earlier press
        ([die(1900, CALLER, PRESS)], 2000),
        ([die(1900, legal=False), die(2100, legal=False)], None),
        ([die(2100)], 2100),
        ([die(2100, RIVAL, at(2150))], 2100),
        ([die(2200), die(2100)], 2100),
        ([die(2201)], None),
        ([die(1900), die(2100)], 2000),
        ([die(1900, CALLER, PRESS), die(2100)], 2000),
        ([die(1900, RIVAL, at(1950)), die(2100)], 2100),
    ],
)
def test_a_press_that_is_held_signs_for_a_fresh_die(dice: list[Placement], signed: float | None) -> None:
    found = signature_of(CALLER, PRESS, dice, fresh_ns=FRESH_NS, early_ns=EARLY_NS)
    assert found == (None if signed is None else at(signed))
