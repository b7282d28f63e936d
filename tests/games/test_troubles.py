"""What is wrong with the table: whom it concerns, and who has said to go on all the same."""

from __future__ import annotations

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


def test_nothing_is_wrong() -> None:
    assert troubles().all == ()
    assert troubles().blocking(SEATED) is None
    assert not troubles().matter(SEATED)


def test_troubles_are_kept_in_the_order_in_which_they_came() -> None:
    found = troubles(LEDS, SEAT_4, LEFT)
    assert list(found.all) == [LEDS, SEAT_4, LEFT]
    found.end("seat 4")
    assert list(found.all) == [LEDS, LEFT]


def test_the_end_of_what_never_began_is_nothing() -> None:
    found = troubles(LEFT)
    found.end("right")
    assert found.all == (LEFT,)


def test_a_needed_device_and_a_slot_matter_to_everybody() -> None:
    for trouble in (LEFT, RED_3):
        assert trouble.matters(SEATED)
        assert troubles(LEDS, trouble).blocking(SEATED) is trouble


def test_a_device_that_nothing_hangs_on_matters_to_nobody() -> None:
    assert not LEDS.matters(SEATED)
    assert troubles(LEDS).blocking(SEATED) is None
    assert not troubles(LEDS).matter(SEATED)


def test_a_button_matters_to_its_own_seat_as_soon_as_that_plays() -> None:
    found = troubles(SEAT_4)
    assert found.blocking(SEATED) is None
    assert found.blocking({1, 4}) is SEAT_4
    assert not found.matter(SEATED)
    assert found.matter({4})


def test_the_first_of_several_blocks_and_then_the_next() -> None:
    found = troubles(LEDS, SEAT_2, LEFT)
    assert found.blocking(SEATED) is SEAT_2
    found.end("seat 2")
    assert found.blocking(SEATED) is LEFT
    found.end("left")
    assert found.blocking(SEATED) is None


def test_what_is_accepted_does_not_block_but_still_matters() -> None:
    found = troubles(LEFT, SEAT_2)
    found.accept(SEATED)
    assert found.blocking(SEATED) is None
    assert found.matter(SEATED)


def test_what_comes_after_the_acceptance_blocks() -> None:
    found = troubles(LEFT)
    found.accept(SEATED)
    found.begin(RED_3)
    assert found.blocking(SEATED) is RED_3


def test_accepted_is_only_what_matters_now() -> None:
    found = troubles(LEDS, SEAT_4)
    found.accept(SEATED)
    assert found.blocking({1, 4}) is SEAT_4
    needed = lost("leds")
    found.begin(needed)
    assert found.blocking(SEATED) is needed


def test_an_acceptance_ends_with_its_trouble() -> None:
    found = troubles(LEFT)
    found.accept(SEATED)
    found.end("left")
    found.begin(LEFT)
    assert found.blocking(SEATED) is LEFT


def test_to_know_more_of_an_accepted_trouble_is_no_new_trouble() -> None:
    found = troubles(LEFT, RED_3)
    found.accept(SEATED)
    more = lost("left", "17 tries, no answer")
    found.begin(more)
    assert found.all == (more, RED_3)
    assert found.blocking(SEATED) is None


def test_others_are_asked_anew() -> None:
    found = troubles(LEFT)
    found.accept(SEATED)
    found.accept_none()
    assert found.blocking(SEATED) is LEFT


def test_the_seats_whose_buttons_are_masked() -> None:
    assert troubles(LEFT, RED_3, SEAT_2, SEAT_4).masked_seats == {2, 4}


def test_a_masked_source_is_known_by_its_name() -> None:
    assert [trouble.name for trouble in (RED_3, SEAT_2)] == ["red 3", "seat 2"]
    assert troubles(LEFT, RED_3, SEAT_2).masked == (RED_3, SEAT_2)
