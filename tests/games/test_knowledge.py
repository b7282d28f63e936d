"""What is wrong with the table: whom it concerns, and who has said to go on all the same."""

from __future__ import annotations

import pytest

from firmware_host.games.knowledge import LostDevice, MaskedSource, Trouble, Troubles
from firmware_host.model.places import Button, Colour, Slot
from firmware_host.model.states import Condition, DeviceCondition, MaskReason

SEATED = {1, 2}


def lost(name: str, seen: str = "no answer", needed: bool = True) -> LostDevice:
    return LostDevice(DeviceCondition(name, Condition.LOST, seen), needed)


LEFT = lost("left")
LEDS = lost("leds", needed=False)
RED_3 = MaskedSource(Slot(Colour.RED, 3), MaskReason.CHATTERS)
SEAT_2 = MaskedSource(Button(2), MaskReason.STUCK)
SEAT_4 = MaskedSource(Button(4), MaskReason.STUCK)


def troubles(*these: Trouble) -> Troubles:
    found = Troubles()
    for trouble in these:
        found.begin(trouble)
    return found


def test_troubles_are_kept_in_the_order_in_which_they_came() -> None:
    found = troubles(LEDS, SEAT_4, LEFT)
    assert list(found.all) == [LEDS, SEAT_4, LEFT]
    found.end("seat 4")
    found.end("right")  # which never began
    assert list(found.all) == [LEDS, LEFT]


@pytest.mark.parametrize(
    ("these", "seated", "blocking"),
    [
        ((), SEATED, None),
        ((LEDS, LEFT), SEATED, LEFT),  # a needed device and a slot matter to everybody
        ((LEDS, RED_3), SEATED, RED_3),
        ((LEDS,), SEATED, None),  # nothing hangs on it
        ((SEAT_4,), SEATED, None),  # a button matters to its own seat as soon as that plays
        ((SEAT_4,), {1, 4}, SEAT_4),
        ((LEDS, SEAT_2, LEFT), SEATED, SEAT_2),  # the first of several
    ],
)
def test_the_first_trouble_that_matters_to_who_plays_blocks(
    these: tuple[Trouble, ...], seated: set[int], blocking: Trouble | None
) -> None:
    found = troubles(*these)
    assert found.blocking(seated) is blocking
    assert found.matter(seated) is (blocking is not None)


def test_what_is_accepted_does_not_block_but_still_matters() -> None:
    found = troubles(LEFT, SEAT_2)
    found.accept(SEATED)
    assert found.blocking(SEATED) is None and found.matter(SEATED)
    found.begin(RED_3)
    assert found.blocking(SEATED) is RED_3, "what comes after the acceptance blocks"


def test_accepted_is_only_what_matters_now() -> None:
    found = troubles(LEDS, SEAT_4)
    found.accept(SEATED)
    assert found.blocking({1, 4}) is SEAT_4
    needed = lost("leds")
    found.begin(needed)
    assert found.blocking(SEATED) is needed


def test_an_acceptance_ends_with_its_trouble_or_with_who_gave_it() -> None:
    found = troubles(LEFT)
    found.accept(SEATED)
    found.end("left")
    found.begin(LEFT)
    assert found.blocking(SEATED) is LEFT
    found.accept(SEATED)
    found.accept_none()
    assert found.blocking(SEATED) is LEFT


def test_to_know_more_of_an_accepted_trouble_is_no_new_trouble() -> None:
    found = troubles(LEFT, RED_3)
    found.accept(SEATED)
    more = lost("left", "17 tries, no answer")
    found.begin(more)
    assert found.all == (more, RED_3)
    assert found.blocking(SEATED) is None


def test_masked_sources_are_known_by_their_names_and_seats() -> None:
    found = troubles(LEFT, RED_3, SEAT_2, SEAT_4)
    assert [trouble.name for trouble in found.masked] == ["red 3", "seat 2", "seat 4"]
    assert found.masked_seats == {2, 4}
