"""What was chosen at the table: it wins over the configuration where it still makes sense."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.phrases import LANGUAGES
from firmware_host.profile.table import TableConfig
from firmware_host.run.table_files import load_profile, table_for
from firmware_host.run.table_settings import format_choice, with_choices
from firmware_host.service.page import Choice
from tests.run.evenings import config_for

DICE, CARDS = load_profile("dice4"), load_profile("cards12")


def config(**values: object) -> TableConfig:
    both = {"dice": DICE, "cards": CARDS}
    return config_for(DICE, Path("/nowhere/table.db"), profiles=both, **values)


def chosen(**values: Choice) -> TableConfig:
    return with_choices(config(), {name: format_choice(value) for name, value in values.items()})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_taken_over_and_all_other_settings_stay(language: str) -> None:
    before = config()
    after = chosen(language=language)
    assert after == replace(before, settings=replace(before.settings, language=language))


@pytest.mark.parametrize("brightness", [0, 7, 15])
def test_a_brightness_is_taken_over(brightness: int) -> None:
    assert chosen(brightness=brightness) == replace(config(), brightness=brightness)


@pytest.mark.parametrize("volume", [0, 3, 10])
def test_a_volume_is_taken_over(volume: int) -> None:
    assert chosen(volume=volume) == replace(config(), volume=volume)


def test_a_game_is_taken_over_with_its_wiring() -> None:
    after = chosen(game="cards")
    assert after.game == "cards" and after.profile is CARDS


def test_open_seats_are_taken_over() -> None:
    after = chosen(seats=(1, 3))
    assert after.open_seats == (1, 3)
    assert table_for(after).closed == {2, 4}


def test_handicaps_are_taken_over() -> None:
    after = chosen(handicap=(0, 2, 0, 1))
    assert after.handicap == (0, 2, 0, 1)
    assert table_for(after).handicap == (0, 2, 0, 1)


def test_nothing_opens_all_seats_and_ends_all_handicaps() -> None:
    configured = config(handicap=(1, 1), open_seats=(1, 2))
    assert with_choices(configured, {"seats": "", "handicap": ""}) == config()


def test_one_more_is_a_handicap_below_zero() -> None:
    assert chosen(handicap=(-2, 1, 0, 0)).handicap == (-2, 1, 0, 0)


@pytest.mark.parametrize("configured", [None, 7, 40])
@pytest.mark.parametrize("rounds", [None, 1, 12])
def test_rounds_are_taken_over(configured: int | None, rounds: int | None) -> None:
    after = with_choices(config(rounds=configured), {"rounds": format_choice(rounds)})
    assert after == config(rounds=rounds)
    assert table_for(after).rounds == rounds


def test_what_was_chosen_wins_over_what_is_configured() -> None:
    configured = config(handicap=(1, 1), open_seats=(1, 2), brightness=3)
    after = with_choices(configured, {"seats": "2,3", "handicap": "0,0,4", "brightness": "15"})
    assert (after.open_seats, after.handicap, after.brightness) == ((2, 3), (0, 0, 4), 15)


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
