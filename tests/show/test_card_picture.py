"""Which lamp burns how on a table of cards."""

from __future__ import annotations

import pytest

from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model.effects import Cue, Judged, Verdict
from firmware_host.model.events import Pause
from firmware_host.model.places import Button, Call, Card, DieFace, Pad, Stranger, Tag
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.show.lamps import (
    CUE_LAMP,
    DARK,
    LAMPS_A_PILE,
    VERDICT_LAMP,
    Beat,
    Lamp,
    Tint,
    frame_length,
    panel_lamp_index,
    pile_chase,
)
from firmware_host.show.picture import (
    AGREED,
    CUE_NS,
    FITS,
    FITS_NOWHERE,
    INVITING,
    MASKED,
    STOP_FLASH,
    STOP_FLASH_NS,
    lamps,
)
from tests.games.card_driver import CardDriver
from tests.games.driver import BLUE, GREEN, RED, YELLOW, Driver
from tests.show.cards import (
    FITTING,
    IN_CENTRE,
    NOT_FITTING,
    card_table,
    finish,
    lay,
    lift,
    panel,
    pile,
    playing,
)

DARKS = [DARK] * LAMPS_A_PILE
RED_STEADY = Lamp(Tint.RED, Beat.STEADY)
BLUE_STEADY = Lamp(Tint.BLUE, Beat.STEADY)


def then(*lit: Lamp) -> list[Lamp]:
    """These lamps of a pile from its head on, and all others dark."""
    return [*lit, *DARKS[len(lit) :]]


def middle(driver: Driver) -> list[Lamp]:
    """The lamps of all piles, now."""
    return lamps(driver.view, driver.now_ns)[: panel_lamp_index(1, driver.session.table.piles)]


# -- the centre


@pytest.mark.parametrize("seats", [2, 3, 12])
def test_a_table_has_eleven_lamps_a_pile_and_a_panel_a_seat(seats: int) -> None:
    driver = Driver(Table(game=CARD_GAME, seats=seats, expert=True))
    assert len(lamps(driver.view, driver.now_ns)) == frame_length(seats, 4 * seats) == 45 * seats


def test_an_idle_table_attracts_with_a_running_light() -> None:
    driver = card_table(12)
    assert middle(driver) == list(pile_chase(48))
    assert all(panel(driver, seat).beat.bit_count() == 1 for seat in range(1, 13))


def test_a_pile_shows_its_colour_its_height_and_what_it_wants(cards: CardDriver) -> None:
    assert pile(cards, 1) == then(RED_STEADY, RED_STEADY, RED_STEADY, Lamp(Tint.RED, Beat.SLOW))
    assert pile(cards, 3) == then(*[BLUE_STEADY] * 4, Lamp(Tint.BLUE, Beat.SLOW))
    assert pile(cards, 2) == pile(cards, 4) == pile(cards, 16) == DARKS


def test_a_full_pile_winks() -> None:
    driver = playing("10,10 y1.1.1.1.1.1.1.1.1.1 g2.2.2.2.2.2.2.2.2")
    wink = Lamp(Tint.YELLOW, Beat.WINK)
    assert pile(driver, 1) == then(Lamp(Tint.YELLOW, Beat.STEADY), *[wink] * 10)
    assert pile(driver, 2) == then(*[Lamp(Tint.GREEN, Beat.STEADY)] * 10, Lamp(Tint.GREEN, Beat.SLOW))
    finish(driver)
    assert pile(driver, 1)[1:] == [wink] * 10


def test_a_card_on_a_pad_lets_the_place_flicker_that_it_goes_onto(cards: CardDriver) -> None:
    before = middle(cards)
    lay(cards, Pad(2), FITTING[2])
    assert pile(cards, 3) == then(*[BLUE_STEADY] * 4, Lamp(Tint.BLUE, Beat.FAST))
    assert pile(cards, 1)[3] == Lamp(Tint.RED, Beat.SLOW)
    lift(cards, Pad(2), FITTING[2])
    assert middle(cards) == before


def test_a_one_lets_the_place_flicker_that_it_would_open(cards: CardDriver) -> None:
    lay(cards, Pad(3), Card(3, GREEN, 1))
    assert pile(cards, 2) == then(Lamp(Tint.GREEN, Beat.FAST), Lamp(Tint.GREEN, Beat.FAST))
    lay(cards, Pad(1), Card(1, GREEN, 1))
    assert pile(cards, 2) == then(Lamp(Tint.GREEN, Beat.FAST), Lamp(Tint.GREEN, Beat.FAST))


def test_a_one_flickers_beyond_the_last_pile_if_there_is_no_gap() -> None:
    driver = playing("10,10 r1 b2")
    lay(driver, Pad(1), Card(1, YELLOW, 1))
    assert pile(driver, 3) == then(Lamp(Tint.YELLOW, Beat.FAST), Lamp(Tint.YELLOW, Beat.FAST))


def test_ones_of_several_colours_flicker_in_white(cards: CardDriver) -> None:
    lay(cards, Pad(3), Card(3, GREEN, 1))
    lay(cards, Pad(1), Card(1, BLUE, 1))
    assert pile(cards, 2) == then(Lamp(Tint.WHITE, Beat.FAST), Lamp(Tint.WHITE, Beat.FAST))
    assert pile(cards, 4) == DARKS


def test_everything_about_a_number_is_told_by_rhythm() -> None:
    driver = playing("10,10 r1 y1.1.1.1.1.1.1.1.1.1")
    resting, wanted, full = pile(driver, 1)[1], pile(driver, 1)[2], pile(driver, 2)[10]
    lay(driver, Pad(1), Card(1, RED, 2))
    awaited = pile(driver, 1)[2]
    assert len({lamp.beat for lamp in (resting, wanted, full, awaited, DARK)}) == 5


@pytest.mark.parametrize("phase", [Phase.PAUSED, Phase.SETTLE, Phase.SCORES])
def test_while_nothing_counts_just_the_heights_are_shown(cards: CardDriver, phase: Phase) -> None:
    lay(cards, Pad(1), FITTING[1])
    if phase is Phase.PAUSED:
        cards.command(Pause(cards.exactly))
    else:
        finish(cards, 2)
    if phase is Phase.SCORES:
        cards.until_deadline()
    assert cards.phase() is phase
    assert pile(cards, 1) == then(*[RED_STEADY] * 3)
    assert pile(cards, 3) == then(*[BLUE_STEADY] * 4)
    assert {lamp for number in (2, *range(4, 17)) for lamp in pile(cards, number)} == {DARK}


def test_when_the_cards_are_sorted_the_centre_is_dark(cards: CardDriver) -> None:
    finish(cards)
    cards.until_deadline()
    cards.until_deadline()
    assert cards.phase() is Phase.CLEAR
    assert set(middle(cards)) == {DARK}


# -- the panels


def test_a_panel_is_dark_until_something_lies_on_the_pad(cards: CardDriver) -> None:
    assert [panel(cards, seat) for seat in range(1, 5)] == [DARK] * 4
    lay(cards, Pad(1), FITTING[1])
    lay(cards, Pad(2), Card(2, GREEN, 9))
    assert [panel(cards, seat) for seat in range(1, 5)] == [FITS, FITS_NOWHERE, DARK, DARK]
    lift(cards, Pad(1), FITTING[1])
    assert panel(cards, 1) == DARK


@pytest.mark.parametrize(
    ("tag", "cue"),
    [
        (Stranger("04aabb"), Cue.UNKNOWN),
        (Card(2, RED, 3), Cue.NOT_YOURS),
        (IN_CENTRE._replace(seat=1, number=3), Cue.IN_CENTRE),
        (DieFace(1, 1), Cue.WRONG_KIND),
    ],
)
def test_what_is_wrong_with_a_tag_is_shown_for_as_long_as_it_lies_there(tag: Tag, cue: Cue) -> None:
    driver = playing()
    lay(driver, Pad(1), tag)
    driver.wait(10 * S)
    assert panel(driver, 1) == CUE_LAMP[cue]
    lift(driver, Pad(1), tag)
    assert panel(driver, 1) == DARK


def test_two_cards_are_one_too_many(cards: CardDriver) -> None:
    lay(cards, Pad(1), FITTING[1])
    lay(cards, Pad(1), NOT_FITTING)
    assert panel(cards, 1) == CUE_LAMP[Cue.TWO_TAGS]
    assert pile(cards, 1)[3].beat == Beat.SLOW
    lift(cards, Pad(1), NOT_FITTING)
    assert panel(cards, 1) == FITS


def test_a_verdict_goes_before_what_lies_on_the_pad(cards: CardDriver) -> None:
    lay(cards, Pad(1), FITTING[1])
    cards.tap(1)
    assert panel(cards, 1) == VERDICT_LAMP[Verdict.ACCEPTED]
    cards.until(cards.news.judged[1].decided_ns + CUE_NS)
    assert panel(cards, 1) == CUE_LAMP[Cue.IN_CENTRE]


def test_a_verdict_shows_why(cards: CardDriver) -> None:
    lay(cards, Pad(1), FITTING[1])
    lift(cards, Pad(1), FITTING[1])
    cards.miss(1)
    judged = cards.last(Judged)
    assert (judged.verdict, judged.cue) == (Verdict.ILLEGAL, Cue.GONE)
    assert panel(cards, 1) == CUE_LAMP[Cue.GONE]


def test_the_pad_of_a_seat_that_does_not_play_tells_nothing(cards: CardDriver) -> None:
    lay(cards, Pad(4), Card(4, RED, 3))
    assert panel(cards, 4) == DARK
    assert pile(cards, 1)[3].beat == Beat.SLOW


def test_the_stop_call_asks_nobody_and_then_all_are_asked(cards: CardDriver) -> None:
    cards.hold(1)
    assert {*pile(cards, 1), *pile(cards, 16)} == {panel(cards, seat) for seat in range(1, 5)} == {STOP_FLASH}
    cards.wait(STOP_FLASH_NS)
    assert [panel(cards, seat) for seat in range(1, 5)] == [DARK] * 4
    cards.until_deadline()
    cards.tap(2)
    assert [panel(cards, seat) for seat in range(1, 5)] == [INVITING, AGREED, INVITING, DARK]


def test_a_card_that_is_no_leftover_is_told_for_a_while(cards: CardDriver) -> None:
    finish(cards)
    lay(cards, Pad(2), Card(3, RED, 9))
    assert panel(cards, 2) == CUE_LAMP[Cue.NOT_YOURS]
    cards.wait(CUE_NS)
    assert panel(cards, 2) == INVITING


# -- what is not listened to


@pytest.mark.parametrize("kind", [Button, Call])
def test_a_button_that_is_not_listened_to_flashes_in_its_panel(kind: type[Button] | type[Call]) -> None:
    driver = card_table(12, call_buttons=True)
    driver.mask(kind(12))
    driver.wait(100 * MS)
    burning = lamps(driver.view, driver.now_ns)
    assert [index for index, lamp in enumerate(burning) if lamp == MASKED] == [539]
