"""Wiring profiles: the one that ships, and what is said about faults."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.config.profile import parse_profile
from firmware_host.errors import BadSettings
from firmware_host.places import ALL_SLOTS, Button, Colour, Slot

GOOD = wiring.profile_file("dice4").read_text(encoding="utf-8")


def faults_of(text: str) -> list[str]:
    with pytest.raises(BadSettings) as error:
        parse_profile(text, "table.toml")
    return error.value.faults


def faults_with(before: str, after: str) -> list[str]:
    """The faults of the good profile with one piece of its text changed."""
    assert before in GOOD
    return faults_of(GOOD.replace(before, after, 1))


@pytest.mark.parametrize("name", wiring.profile_names())
def test_every_shipped_profile_is_clean_and_complete(name: str) -> None:
    profile = parse_profile(wiring.profile_file(name).read_text(encoding="utf-8"), name)
    buttons = {Button(seat) for seat in range(1, profile.seats + 1)}
    assert set(profile.lines.values()) == {*ALL_SLOTS, *buttons}


def test_the_profile_for_four() -> None:
    profile = parse_profile(GOOD, "wiring/dice4.toml")
    assert profile.seats == 4
    assert (profile.game, profile.pull, profile.columns) == ("dice", "up", 20)
    assert profile.line_of(Button(1)) == 4
    assert profile.lines[39] == Slot(Colour.BLUE, 6)


def test_a_table_can_be_wired_otherwise() -> None:
    profile = parse_profile(GOOD, "dice4")
    swapped = profile.renumbered({4: 5, 5: 4})
    assert (swapped.line_of(Button(1)), swapped.line_of(Button(2))) == (5, 4)
    assert replace(swapped, lines=profile.lines) == profile
    assert profile.line_of(Button(1)) == 4


@given(st.permutations(sorted(parse_profile(GOOD, "dice4").lines)))
def test_however_it_is_wired_each_source_keeps_one_line(order: list[int]) -> None:
    profile = parse_profile(GOOD, "dice4")
    other = profile.renumbered(dict(zip(sorted(profile.lines), order, strict=True)))
    assert len(other.lines) == len(profile.lines)
    assert all(other.lines[other.line_of(source)] == source for source in profile.lines.values())


def test_what_may_be_left_out_has_a_default() -> None:
    bare = GOOD.replace('pull = "up"', "").replace("[scoreboard]\ncolumns = 20", "")
    assert parse_profile(bare, "bare") == parse_profile(GOOD, "dice4")


# -- one fault, one message


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("columns = 20", "columns = 8", "scoreboard.columns is 8; allowed: a number from 20 to 80"),
        ("columns = 20", "columns = true", "scoreboard.columns is True; allowed: a number from 20 to 80"),
        ("columns = 20", "colums = 20", "'scoreboard.colums' is unknown; did you mean 'columns'?"),
        ("columns = 20", "columns = 20\nzzz = 1", "'scoreboard.zzz' is unknown; known: columns"),
        ('pull = "up"', 'pull = "sideways"', "gpio.pull is 'sideways'; allowed: up or down or floating"),
        ('pull = "up"', 'pul = "up"', "'gpio.pul' is unknown; did you mean 'pull'?"),
        (
            'board = "a020a0"',
            "",
            "gpio.board is missing; allowed: the revision code of a Raspberry Pi, such as 'a020a0'",
        ),
        (
            'board = "a020a0"',
            'board = ""',
            "gpio.board is ''; allowed: the revision code of a Raspberry Pi, such as 'a020a0'",
        ),
        (
            'chip = "pinctrl-bcm2835"',
            "chip = 0",
            "gpio.chip is 0; allowed: pinctrl-bcm2835 or pinctrl-bcm2711 or pinctrl-rp1",
        ),
        ('game = "dice"', 'game = "chess"', "game is 'chess'; allowed: dice"),
        ('title = "Dice for four, all lines direct"', "title = 4", "title is 4; allowed: a text"),
        ('game = "dice"', 'game = "dice"\nseats = 4', "'seats' is unknown; did you mean 'slots'?"),
        ("4 = 7", "7 = 7", "buttons.7 is '7'; allowed: the seats 1 to 4"),
        ("4 = 7", "4 = 99", "buttons.4 is 99; allowed: a number from 0 to 53"),
        ("4 = 7", "4 = true", "buttons.4 is True; allowed: a number from 0 to 53"),
        ("4 = 7", 'four = "GPIO7"', "buttons.four is 'four'; allowed: the seats 1 to 4"),
        ("4 = 7", "4 = 6", "buttons.4 is 'line 6'; allowed: a line of its own; it is taken by seat 3"),
        (
            "blue   = [34,",
            "blue   = [16,",
            "slots.blue[1] is 'line 16'; allowed: a line of its own; it is taken by red 1",
        ),
        ("[34, 35,", "[34, -1,", "slots.blue[2] is -1; allowed: a number from 0 to 53"),
        ("[34, 35,", '[34, "35",', "slots.blue[2] is '35'; allowed: a number from 0 to 53"),
        ("[34, 35,", "[35,", "slots.blue is [35, 36, 37, 38, 39]; allowed: a list of 6 lines"),
        ("blue   = [34, 35, 36, 37, 38, 39]", "", "slots.blue is missing; allowed: a list of 6 lines"),
        ("blue   = [34, 35, 36, 37, 38, 39]", "blue = 3", "slots.blue is 3; allowed: a list of 6 lines"),
    ],
)
def test_a_fault_has_one_clear_message(before: str, after: str, message: str) -> None:
    assert faults_with(before, after) == [f"table.toml: {message}"]


def test_the_number_of_seats_is_bounded() -> None:
    (fault,) = faults_with("4 = 7", "4 = 7\n5 = 8")
    assert fault.startswith("table.toml: buttons is 5; allowed: 2 to 4 seats")


def test_a_section_that_is_none_is_named_once() -> None:
    """Its settings are missing then, and that is said of each; but the section is one fault."""
    without = GOOD.replace('[gpio]\nchip = "pinctrl-bcm2835"', "[gpi]\nchip = 0")
    faults = faults_of("gpio = 3\n" + without)
    assert faults.count("table.toml: gpio is 3; allowed: a section [gpio]") == 1


def test_a_text_that_is_no_toml_says_where() -> None:
    (fault,) = faults_of("title = \n")
    assert fault.startswith("table.toml: Invalid value (at line 1, column 9)")


# -- several faults, several messages


def test_two_faults_have_two_messages() -> None:
    text = GOOD.replace("columns = 20", "columns = 8").replace('game = "dice"', 'game = "chess"')
    assert faults_of(text) == [
        "table.toml: game is 'chess'; allowed: dice",
        "table.toml: scoreboard.columns is 8; allowed: a number from 20 to 80",
    ]


def test_an_empty_profile_lacks_everything() -> None:
    faults = faults_of("")
    assert len(faults) == len(set(faults)) == 9
    assert all(fault.startswith("table.toml: ") for fault in faults)


@given(st.sets(st.integers(0, len(GOOD.splitlines()) - 1), min_size=1))
def test_a_profile_with_lines_torn_out_is_read_or_refused_with_reasons(torn: set[int]) -> None:
    text = "\n".join(line for number, line in enumerate(GOOD.splitlines()) if number not in torn)
    faults: list[str] = []
    try:
        parse_profile(text, "torn.toml")
    except BadSettings as refusal:
        faults = refusal.faults
    assert all(fault.startswith("torn.toml: ") for fault in faults)
    assert len(set(faults)) == len(faults)
