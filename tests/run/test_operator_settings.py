"""What can be set, as an operator asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.model.times import S
from firmware_host.run.operator_commands import obey
from firmware_host.run.table_settings import ROWS
from tests.run.evenings import Evening, evening


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Evening]:
    with evening(tmp_path) as each:
        each.start()
        each.wait(1 * S)
        yield each


def test_all_settings_are_told_with_what_is_allowed(table: Evening) -> None:
    record = obey(table.host, "settings").record
    assert list(record["settings"]) == list(ROWS)
    for each in record["settings"].values():
        assert each["allowed"]
        assert each["value"] in each.get("one_of", [each["value"]])
    assert record["usual_deal"] == "6,6,6,6"


def test_every_value_to_choose_from_is_allowed_and_told_afterwards(table: Evening) -> None:
    for name, each in obey(table.host, "settings").record["settings"].items():
        for value in each.get("one_of", ()):
            obey(table.host, f"set {name} {value}")
            assert obey(table.host, "settings").record["settings"][name]["value"] == value
            table.wait(1 * S)


def test_to_ask_changes_nothing(table: Evening) -> None:
    before = table.host.recorded.journal.inputs
    obey(table.host, "settings")
    assert table.host.recorded.journal.inputs == before
