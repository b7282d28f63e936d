"""Any setting, any value, from every way in: the table stays playable, and a restart finds what was set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.model.errors import MalformedText
from firmware_host.model.settings import LANGUAGES
from firmware_host.model.times import MS
from firmware_host.profile.table import TableConfig
from firmware_host.run.operator_commands import obey
from firmware_host.run.service_mode import panel_info
from firmware_host.run.table_files import load_profile, table_for
from firmware_host.run.table_settings import ROWS, format_choice, with_choices
from firmware_host.service.page import FIRST, PanelContext
from firmware_host.service.panel import settings_menu
from tests.run.evenings import Evening, evening

PROFILES = {"dice": load_profile("dice4"), "cards": load_profile("cards12")}

lists = st.lists(st.integers(-3, 13), max_size=13).map(lambda numbers: ",".join(map(str, numbers)))
known = st.sampled_from(["", "0", "10", "15", "16", "999", "1,2", "11,12", "on", "dice", "cards", *LANGUAGES])
texts = known | lists | st.text(st.characters(categories=("L", "N", "P")), max_size=6)
told = st.tuples(st.sampled_from([*ROWS, "colour"]), texts)
presses = st.lists(st.integers(1, 2), max_size=40)
files: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(list(PROFILES)),
        "open_seats": st.sets(st.integers(1, 4), min_size=2).map(tuple),
        "handicap": st.lists(st.integers(-2, 3), max_size=4).map(tuple),
        "rounds": st.none() | st.integers(1, 999),
        "brightness": st.none() | st.integers(0, 15),
        "volume": st.integers(0, 10),
        "player_names": st.booleans(),
    },
)
"""What a table.toml may say: the seats have to fit both games."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with evening(tmp_path_factory.mktemp("any"), profiles=PROFILES) as each:
        each.start()
        yield each


def is_playable(config: TableConfig) -> bool:
    """Whether the usual match can be dealt."""
    made = table_for(config)
    seats = range(1, made.seats + 1)
    return len(made.usual_deal([seat not in made.closed for seat in seats])) == made.seats


@given(files, st.dictionaries(st.sampled_from(list(ROWS)), texts), st.lists(told | presses, max_size=6))
@example({}, {}, [("seats", "")])
@example({}, {}, [("handicap", "")])
@example({"game": "cards"}, {}, [("seats", "11,12"), ("game", "dice")])
def test_whatever_is_set_the_table_stays_playable_and_a_restart_finds_it(
    table: Evening, file: dict[str, Any], kept: dict[str, str], deeds: list[tuple[str, str] | list[int]]
) -> None:
    host, choices = table.host, table.memory.was.choices
    choices.clear()
    choices.update(kept)
    config = replace(table.config, **file)
    host.reconfigure(config, None)
    for deed in deeds:
        if isinstance(deed, tuple):
            tell(table, *deed)
        else:
            serve(table, deed)
        assert host.wanted_config == with_choices(config, choices)
        assert is_playable(host.wanted_config)
    table.wait(1 * MS)
    if not host.wants_other_game:
        assert host.session.table == table_for(host.wanted_config)


def tell(table: Evening, name: str, value: str) -> None:
    """As `tell` and the console do it."""
    before = table.host.wanted_config
    try:
        answer = obey(table.host, f"set {name} {value}")
    except MalformedText:
        assert table.host.wanted_config == before
    else:
        assert answer.takes_effect
        assert obey(table.host, "settings").record["settings"][name]["value"] == value


def serve(table: Evening, seats: list[int]) -> None:
    """Press these buttons in the menu of settings in service mode, and leave it."""
    host = table.host
    info = panel_info(host.wanted_config, host.session, False, (), (), speaker=True)
    context = PanelContext(info, 0)
    context.open(settings_menu(context))
    for seat in seats:
        page = context.page
        (page.first if seat == FIRST else page.second)()
    context.choices.confirm()
    for name, value in context.choices.changed.items():
        host.choose(name, format_choice(value))
