"""What `status --watch` knows from the feed is what the next health page will say."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.cli.status_report import page_now
from firmware_host.feed.known_state import State
from firmware_host.feed.teller import Surroundings, table_state
from firmware_host.model.places import Slot
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.run.health import health_page
from tests.games.driver import RED, Driver, reach
from tests.show.cards import playing

LEFT = DeviceCondition("left", Condition.LOST, "no answer", "look at its cable")
DEVICES = {"left": DeviceCondition("left", Condition.OK), "sign": DeviceCondition("sign", Condition.OK)}


def page_of(driver: Driver, devices: dict[str, DeviceCondition] | None = None) -> dict[str, Any]:
    phase, began, written = driver.phase().value, "2026-11-18", "2026-11-18T20:00:00"
    return health_page(
        driver.session, phase, driver.now_ns, devices or DEVICES, {"rounds": 3}, began, written
    )


def state_of(driver: Driver, devices: dict[str, DeviceCondition] | None = None) -> State:
    return table_state(driver.referee, Surroundings(devices=devices or DEVICES), {})


@pytest.mark.parametrize("phase", Phase)
def test_a_page_that_is_new_says_the_same(phase: Phase) -> None:
    driver = reach(phase)
    page = page_of(driver)
    assert page_now(page, state_of(driver), 0) == page


def test_the_same_with_cards() -> None:
    driver = playing()
    page = page_of(driver)
    assert page_now(page, state_of(driver), 0) == page and "cards_laid" in page["round"]


@pytest.mark.parametrize("phase", Phase)
def test_of_an_old_page_only_the_times_are_kept(phase: Phase) -> None:
    driver = reach(phase)
    now = page_now(page_of(Driver()), state_of(driver), 0)
    new = page_of(driver)
    for about in ("round", "match"):
        for page in (now, new):
            if page[about]:
                page[about].pop("seconds", None)
    assert now == new


def test_a_device_that_is_lost_since_then_and_a_contact_that_is_not_listened_to() -> None:
    driver = reach(Phase.PLAY)
    before = page_of(driver)
    driver.mask(Slot(RED, 6))
    driver.wait(1_000_000_000)
    now = page_now(before, state_of(driver, DEVICES | {"left": LEFT}), 0)
    new = page_of(driver, DEVICES | {"left": LEFT})
    assert (now["devices"], now["masked"]) == (new["devices"], new["masked"])
    assert now["devices"]["left"]["condition"] == "lost" and now["masked"]
