"""A table of cards to look at: piles in the centre, and tags on the pads."""

from __future__ import annotations

from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model.events import TagSeen, Withdrawn
from firmware_host.model.places import Card, Spot, Tag
from firmware_host.model.settings import Settings
from firmware_host.show.lamps import LAMPS_A_PILE, Lamp, panel_lamp_index, pile_lamp_index
from firmware_host.show.picture import START_FLASH_NS, lamps
from tests.games.card_driver import CardDriver
from tests.games.driver import BLUE, RED, Driver

CENTRE = "10,10,10,- r1.2 - b3.3.1"
"""Red 2 lies on place 1, blue 3 on place 3; seats 1 to 3 of four play."""
FITTING = {1: Card(1, RED, 3), 2: Card(2, BLUE, 4)}
NOT_FITTING = Card(1, RED, 7)
IN_CENTRE = Card(3, BLUE, 1)


def card_table(
    seats: int = 4,
    *,
    language: str = "en",
    rounds: int = 2,
    pads: bool = True,
    call_buttons: bool = False,
) -> CardDriver:
    """A table of cards where nobody plays yet."""
    table = Table(
        game=CARD_GAME, seats=seats, rounds=rounds, pads=pads, call_buttons=call_buttons, expert=True
    )
    return CardDriver(table, Settings(language=language))


def playing(text: str = CENTRE, seats: int = 4, *, language: str = "en", pads: bool = True) -> CardDriver:
    """A round of cards that goes on from that position; its start call was a moment ago."""
    driver = card_table(seats, language=language, pads=pads)
    driver.start_cards(text)
    driver.wait(START_FLASH_NS)
    return driver


def lay(driver: Driver, at: Spot, tag: Tag) -> None:
    """A tag comes to a reader."""
    driver.late(TagSeen(at, tag, driver.exactly))


def lift(driver: Driver, at: Spot, tag: Tag) -> None:
    """A tag goes away from a reader."""
    driver.late(Withdrawn(at, tag, driver.exactly))


def finish(driver: Driver, seat: int = 1) -> None:
    """A seat calls stop, and the leftover check begins."""
    driver.hold(seat)
    driver.until_deadline()


def pile(driver: Driver, number: int) -> list[Lamp]:
    """How the lamps of a place burn now: the head, then the numbers."""
    first = pile_lamp_index(number, 0)
    return lamps(driver.view, driver.now_ns)[first : first + LAMPS_A_PILE]


def panel(driver: Driver, seat: int) -> Lamp:
    """How a seat's panel burns now."""
    burning = lamps(driver.view, driver.now_ns)
    return burning[panel_lamp_index(seat, driver.session.table.piles)]
