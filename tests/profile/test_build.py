"""The section [build] of a profile."""

from __future__ import annotations

from dataclasses import fields

import pytest

from firmware_host.model.errors import BadSettings
from firmware_host.profile.profile import (
    BOARD_SETTINGS,
    BUILD_SETTINGS,
    CARD_BOARD,
    DICE_BOARD,
    BoardSize,
    BuildChoices,
    BuildSetting,
)
from firmware_host.profile.profile_reading import parse_profile
from tests.profile.profiles import CARDS4, CARDS12, DICE4

CARDS = CARDS4.partition("[build")[0]


def choices_of(text: str, profile: str = DICE4) -> BuildChoices:
    return parse_profile(profile + text, "own.toml").build


def faults_of(text: str, profile: str = DICE4) -> list[str]:
    """The faults of lines that are added to a profile, each with its number among these."""
    with pytest.raises(BadSettings) as error:
        parse_profile(profile + text, "own.toml")
    first = profile.count("\n")
    found = []
    for fault in error.value.faults:
        _, line, words = fault.split(":", 2)
        found.append(f"{int(line) - first}:{words}")
    return found


def test_without_the_section_everything_is_usual() -> None:
    assert choices_of("") == BuildChoices(board=DICE_BOARD)
    assert choices_of("", CARDS) == BuildChoices(board=CARD_BOARD)


def test_what_is_stated_is_read_and_remembered() -> None:
    text = """
[build]
hall = "drv5033"
hall-volts = 3.3
expander-volts = 5
hall-pull-up-ohm = 4700
fuse-amps = 2
level-shifter = false
i2c-khz = 100
overlays = ["disable-bt", "uart3"]
[build.board]
pitch-mm = 50
[build.places]
"red 1" = [100, 120]
[build.cables]
"seat 3" = 900
[build.pull-ups]
rows = 0
"""
    read = choices_of(text)
    assert read.given == {
        *("hall", "hall_volts", "expander_volts", "hall_pull_up_ohm", "fuse_amps", "level_shifter"),
        *("i2c_khz", "overlays", "board.pitch_mm", "board.places_mm.red 1", "cables_mm.seat 3"),
        "pull_ups_ohm.rows",
    }
    assert (read.hall, read.hall_volts, read.expander_volts) == ("drv5033", 3.3, 5.0)
    assert isinstance(read.expander_volts, float) and isinstance(read.fuse_amps, float)
    assert (read.hall_pull_up_ohm, read.fuse_amps, read.level_shifter, read.i2c_khz) == (4700, 2, False, 100)
    assert read.overlays == ("disable-bt", "uart3")
    assert read.board == BoardSize(pitch_mm=50, places_mm={"red 1": (100, 120)})
    assert (read.cables_mm, read.pull_ups_ohm) == ({"seat 3": 900}, {"rows": 0})


def test_each_game_has_its_own_names() -> None:
    read = choices_of("\n[build.places]\n'pile 16' = [10, 20]\n", CARDS)
    assert read.board.places_mm == {"pile 16": (10, 20)}
    for section, name in (("places", "red 1"), ("cables", "row red")):
        fault, *others = faults_of(f"[build.{section}]\n'{name}' = [1, 2]\n", CARDS)
        assert not others and fault.startswith(f"2: build.{section}.'{name}' is unknown")


def test_without_a_number_of_seats_no_name_is_reported() -> None:
    text = "[build.places]\n'seat 9' = [1, 2]\n[build.cables]\n'seat 9' = 5\n"
    without = DICE4.replace("1 = 5\n2 = 6\n3 = 13\n4 = 19\n", "").replace("seats   = [", "# ")
    assert not any("seat 9" in fault for fault in faults_of(text, without))


def test_each_field_has_a_key() -> None:
    read = {setting.field for setting in (*BUILD_SETTINGS.values(), *BOARD_SETTINGS.values())}
    known = {each.name for each in (*fields(BuildChoices), *fields(BoardSize))}
    assert known - read == {"overlays", "pull_ups_ohm", "cables_mm", "places_mm", "board", "given"}
    assert read < known


@pytest.mark.parametrize(("key", "setting"), [*BUILD_SETTINGS.items(), *BOARD_SETTINGS.items()])
def test_each_default_may_be_written(key: str, setting: BuildSetting) -> None:
    section = "build" if key in BUILD_SETTINGS else "build.board"
    default = getattr(BuildChoices() if key in BUILD_SETTINGS else DICE_BOARD, setting.field)
    written = f"'{default}'" if isinstance(default, str) else str(default).lower()
    read = choices_of(f"[{section}]\n{key} = {written}\n")
    assert getattr(read if key in BUILD_SETTINGS else read.board, setting.field) == default


def test_settings_that_lost_their_header_are_read_as_meant() -> None:
    text = CARDS12
    text = text.replace("[build.pull-ups] ", "#").replace("piles-6 = 0", "piles-6 = -1")
    assert any("build.piles-6 is -1; allowed: a number from 0" in fault for fault in faults_of("", text))


def test_one_setting_in_the_section_around_its_own_is_out_of_place() -> None:
    (fault,) = faults_of("[build]\nleft = 0\n[build.pull-ups]\nright = 0\n")
    assert fault.endswith("build.left is out of place; allowed: in the section [build.pull-ups]")
    (fault,) = faults_of("[build]\nleft = 0\n[build.pull-ups]\nleft = 0\n")
    assert "build.left is unknown" in fault
