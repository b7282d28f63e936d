"""A page that shows a photo finish draws it again when a player is deleted: the picture had the name."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.model.states import Phase
from tests.browser.conftest import OpenPage
from tests.browser.peopled_tables import PeopledTable
from tests.browser.tables import wait_for
from tests.browser.test_finish import PICTURE, SHOWS, id_of, next_contest

pytestmark = pytest.mark.xdist_group("browser")

NAMES = ("Ada", "Ben", "Cleo", "Dora")
READ = "address => fetch(address).then((answer) => answer.text())"


def names_in(page: Any) -> set[str]:
    """The names in the picture that is shown."""
    text: str = page.evaluate(READ, page.get_attribute(PICTURE, "src"))
    return {name for name in NAMES if name in text}


def test_the_name_of_a_deleted_player_leaves_an_open_page(tmp_path: Path, open_page: OpenPage) -> None:
    with closing(PeopledTable(tmp_path, dead_heats=True)) as table:
        table.until_phase(Phase.PLAY)
        for seat, name in enumerate(NAMES, start=1):
            assert table.tell(f"name {seat} {name}")["ok"]
        new = next_contest(table)
        page = open_page(table, f"/finish?lang=en#{new}")
        page.wait_for_selector("html[data-link=live]")
        page.wait_for_function(SHOWS, arg=new)
        assert names_in(page)
        address = page.get_attribute(PICTURE, "src")
        players = [each["player"] for each in table.tell("names")["seats"].values()]
        assert len(players) == len(NAMES)
        for player in players:
            assert table.tell(f"player {player} delete")["ok"]
        wait_for("another address", lambda: page.get_attribute(PICTURE, "src") != address)
        wait_for("a picture without names", lambda: not names_in(page))
        assert id_of(page) == new
