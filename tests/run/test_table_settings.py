"""What was chosen at the table: it wins over the configuration where it still makes sense."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.model.errors import MalformedText
from firmware_host.model.phrases import LANGUAGES
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.profile.table import TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.operator_commands import obey
from firmware_host.run.service_mode import panel_info
from firmware_host.run.table_files import load_profile, table_for
from firmware_host.run.table_settings import PLAYER_NAMES, ROWS, TableSettings, format_choice, with_choices
from firmware_host.service.page import FIRST, Choice, PanelContext
from firmware_host.service.panel import settings_menu
from tests.run.evenings import Evening, config_for, evening

DICE, CARDS = load_profile("dice4"), load_profile("cards12")


def config(**values: object) -> TableConfig:
    both = {"dice": DICE, "cards": CARDS}
    return config_for(DICE, Path("/nowhere/table.db"), profiles=both, **values)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        *(("language", each, {"settings": Settings(language=each)}) for each in LANGUAGES),
        *(("brightness", each, {"brightness": each}) for each in (None, 0, 7, 15)),
        *(("volume", each, {"volume": each}) for each in (0, 3, 10)),
        *(("rounds", each, {"rounds": each}) for each in (None, 1, 12)),
        ("game", "cards", {"game": "cards"}),
        ("seats", (1, 3), {"open_seats": (1, 3)}),
        ("seats", (), {"open_seats": ()}),
        (PLAYER_NAMES, "off", {"player_names": False}),
        ("handicap", (0, 2, 0, 1), {"handicap": (0, 2, 0, 1)}),
        ("handicap", (-2, 1, 0, 0), {"handicap": (-2, 1, 0, 0)}),
        ("handicap", (), {"handicap": ()}),
    ],
)
def test_what_was_chosen_wins_and_all_other_settings_stay(
    name: str, value: Choice, expected: dict[str, object]
) -> None:
    for before in (config(), config(handicap=(1, 1), open_seats=(1, 2), brightness=3, rounds=7)):
        assert with_choices(before, {name: format_choice(value)}) == replace(before, **expected)  # type: ignore[arg-type]


def test_what_was_chosen_makes_the_table() -> None:
    choices = {"seats": "1,3", "handicap": "0,2,0,1", "rounds": "5"}
    made = table_for(with_choices(config(), choices))
    assert made.closed == {2, 4} and made.handicap == (0, 2, 0, 1) and made.rounds == 5


def test_what_is_chosen_before_a_changed_configuration_is_in_force_goes_with_it() -> None:
    choices: dict[str, str] = {}
    settings, registry = TableSettings(config(), config(), choices), Registry({})
    settings.reconfigure(config(event="cup"), registry)
    choices["volume"] = "3"
    settings.chosen()
    assert settings.next == (config(event="cup", volume=3), registry) and settings.config == config()


def test_without_choices_all_is_as_it_was_configured() -> None:
    configured = config(handicap=(1, 1), open_seats=(1, 2), brightness=3)
    assert with_choices(configured, {}) == configured


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("language", "la"),
        ("language", ""),
        ("game", "chess"),
        ("volume", "11"),
        ("volume", "-1"),
        ("volume", "loud"),
        ("volume", ""),
        ("brightness", "16"),
        ("brightness", "-1"),
        ("brightness", "bright"),
        ("brightness", ""),
        ("seats", ""),
        ("seats", "1,5"),
        ("seats", "0,1"),
        ("seats", "1,,2"),
        ("seats", "one"),
        ("seats", "3"),
        ("seats", "3,3"),
        ("handicap", "1,2,3,4,5"),
        ("handicap", "1,-"),
        ("handicap", "1,--2"),
        ("handicap", "99999999"),
        ("handicap", "0,-25"),
        ("rounds", "0"),
        ("rounds", "13"),
        ("rounds", "many"),
        ("handicap", ""),
        ("colour", "red"),
    ],
)
def test_what_makes_no_sense_any_more_is_passed_over(name: str, text: str) -> None:
    assert with_choices(config(), {name: text}) == config()


def test_seats_of_a_larger_table_are_passed_over_at_a_smaller_one() -> None:
    choices = {"seats": "1,2,11,12", "handicap": "0,0,0,0,0,0,0,0,0,0,0,9"}
    assert with_choices(config(), choices) == config()
    after = with_choices(config(game="cards"), choices)
    assert after.open_seats == (1, 2, 11, 12)
    assert after.handicap == (0,) * 11 + (9,)


def test_a_game_that_was_chosen_is_the_one_whose_seats_count() -> None:
    after = with_choices(config(), {"game": "cards", "seats": "1,12"})
    assert after.profile is CARDS and after.open_seats == (1, 12)


values = st.one_of(
    st.sampled_from(LANGUAGES),
    st.integers(0, 15),
    st.lists(st.integers(0, 12), min_size=1, max_size=12).map(tuple),
)
names = st.sampled_from(["language", "game", "brightness", "volume", "seats", "handicap"])


@given(st.dictionaries(names, values.map(format_choice) | st.text(max_size=8)))
def test_whatever_was_written_a_table_can_be_made_of_it(choices: dict[str, str]) -> None:
    table = table_for(with_choices(config(), choices))
    assert table.open_seats >= table.game.fewest_seats
    assert len(table.usual_deal([True] * table.seats)) == table.seats
    assert with_choices(with_choices(config(), choices), choices) == with_choices(config(), choices)


@pytest.mark.parametrize(
    ("value", "text"), [("de", "de"), (7, "7"), ((1, 2, 4), "1,2,4"), ((3,), "3"), (0, "0")]
)
def test_how_a_choice_is_written(value: Choice, text: str) -> None:
    assert format_choice(value) == text


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
