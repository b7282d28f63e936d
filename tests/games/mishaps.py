"""What may go wrong with a table, by name, and how each of it is repaired."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.model.places import Button, Slot
from firmware_host.model.times import MS
from tests.games.driver import RED, Driver

R1, R2, R6 = (Slot(RED, number) for number in (1, 2, 6))

Mishap = Callable[[Driver], object]
NEEDED: dict[str, Mishap] = {
    "a needed device is lost": lambda driver: driver.device("left", "lost"),
    "a slot is masked": lambda driver: driver.mask(R1),
    "the button of a player is masked": lambda driver: driver.mask(Button(2), "stuck"),
}
HARMLESS: dict[str, Mishap] = {
    "leds are lost": lambda driver: driver.device("leds", "lost", needed=False),
    "a needed device is degraded": lambda driver: driver.device("left", "degraded"),
    "a button that nobody plays with is masked": lambda driver: driver.mask(Button(4), "stuck"),
    "edges are lost": lambda driver: driver.lose_edges(100 * MS),
}
REPAIRS: dict[str, Mishap] = {
    "a needed device is lost": lambda driver: driver.device("left", "ok"),
    "a slot is masked": lambda driver: driver.unmask(R1),
    "the button of a player is masked": lambda driver: driver.unmask(Button(2)),
}


def happen(driver: Driver, mishap: Mishap) -> None:
    """Let it happen, and wait until it is known."""
    mishap(driver)
    driver.wait(driver.known_after_ns)
