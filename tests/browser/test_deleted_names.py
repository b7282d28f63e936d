"""A page that shows a photo finish draws it again when a player is deleted: the picture had the name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.tables import SimulatedTable, wait_for
from tests.browser.test_finish import PICTURE, contests, id_of, with_contests

pytestmark = pytest.mark.xdist_group("browser")

NAMES = ("Ada", "Ben", "Cleo", "Dora")
READ = "address => fetch(address).then((answer) => answer.text())"


def ids(table: SimulatedTable) -> set[str]:
    return {each["id"] for each in contests(table)}


def names_in(page: Any) -> set[str]:
    """The names in the picture that is shown."""
    text: str = page.evaluate(READ, page.get_attribute(PICTURE, "src"))
    return {name for name in NAMES if name in text}


def test_the_name_of_a_deleted_player_leaves_an_open_page(
    racing: SimulatedTable, open_page: OpenPage
) -> None:
    for seat, name in enumerate(NAMES, start=1):
        assert racing.tell(f"name {seat} {name}")["ok"]
    before = ids(racing)
    page = open_page(racing, "/finish?lang=en")
    with_contests(page, racing)
    new = min(wait_for("a new contest", lambda: ids(racing) - before))
    page.evaluate(f"location.hash = '{new}'")
    wait_for("its picture", lambda: id_of(page) == new and names_in(page))
    address = page.get_attribute(PICTURE, "src")
    for each in racing.tell("names")["seats"].values():
        assert racing.tell(f"player {each['player']} delete")["ok"]
    wait_for("another address", lambda: page.get_attribute(PICTURE, "src") != address)
    wait_for("a picture without names", lambda: not names_in(page))
    assert id_of(page) == new
