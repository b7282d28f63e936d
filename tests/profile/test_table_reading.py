"""A table.toml that is right, and slips in one that was."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from firmware_host.games.games import GAMES
from firmware_host.model.errors import BadSettings
from firmware_host.model.settings import SETTING_NAMES, Settings
from firmware_host.model.times import S
from firmware_host.profile.keys import SECTIONS
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import StoreConfig, TableConfig
from tests.profile.shelf import loaded

FULL = """\
# A table for both games
wiring = { dice = "dice4", cards = "cards4" }
game = "cards"
language = "de"
event = "Summer party"
rounds = 5
handicap = [0, 0, 1, 0]
seats = [3, 1, 2]
tags = "tags.csv"
brightness = 9

[timing]
lock = "2s"
stuck = "40s"
hold = "1s"
button-quiet = "4ms"

[ports]
scoreboard = "/dev/serial/by-id/a"
pad-1 = "/dev/serial/by-id/b"

[sound]
card = "Headphones"
volume = 4

[store]
file = "table.db"
sync = "verdicts"
keep-rounds = 50
"""


def faults_of(text: str) -> list[str]:
    with pytest.raises(BadSettings) as error:
        loaded(text)
    return [fault.removeprefix("/t/table.toml:") for fault in error.value.faults]


# -- what it says


def test_a_wiring_is_all_that_is_needed() -> None:
    config, registry = loaded('wiring = "dice4"').config, loaded('wiring = "dice4"').registry
    usual = TableConfig(
        file="/t/table.toml",
        profiles=config.profiles,
        wiring={"dice": "dice4"},
        game="dice",
        settings=Settings(),
    )
    assert (config, registry) == (usual, None)
    assert (config.profile.game, config.profile.seats) == ("dice", 4)


def test_everything_can_be_said() -> None:
    config = loaded(FULL).config
    assert dict(config.wiring) == {"dice": "dice4", "cards": "cards4"}
    assert {game: profile.game for game, profile in config.profiles.items()} == {
        "dice": "dice",
        "cards": "cards",
    }
    assert (config.game, config.profile.title) == ("cards", "Cards for four")
    assert (config.settings.language, config.settings.lock_ns, config.settings.stuck_ns) == (
        "de",
        2 * S,
        40 * S,
    )
    assert (config.event, config.rounds, config.brightness) == ("Summer party", 5, 9)
    assert (config.sound_card, config.volume) == ("Headphones", 4)
    assert (config.handicap, config.open_seats) == ((0, 0, 1), (1, 2, 3))
    assert config.tags_file == "/t/tags.csv"
    assert dict(config.ports) == {"scoreboard": "/dev/serial/by-id/a", "pad-1": "/dev/serial/by-id/b"}
    assert config.store == StoreConfig(file="/t/table.db", sync="verdicts", keep_rounds=50)
    differs = [field.name for field in fields(config) if getattr(config, field.name) in ((), "", None, {})]
    assert differs == []


def test_the_registry_is_read_with_it() -> None:
    registry = loaded(FULL).registry
    assert registry is not None and len(registry) == 2 * 40
    assert loaded('wiring = "dice4"\ntags = "tags.csv"').registry is not None


def test_a_profile_of_ones_own_is_found_beside_it() -> None:
    config = loaded('wiring = "own.toml"').config
    assert (config.profile.title, config.wiring["dice"]) == ("Dice for four, all lines direct", "/t/own.toml")


def test_a_wiring_for_one_game_may_name_it() -> None:
    assert loaded('[wiring]\ndice = "dice4"').config == loaded('game = "dice"\nwiring = "dice4"').config


@pytest.mark.parametrize(
    "text", ["seats = [4, 3, 2, 1]", "handicap = []", "handicap = [0, 0, 0, 0]", "extra = [0]"]
)
def test_what_changes_nothing_is_as_if_it_had_not_been_said(text: str) -> None:
    assert loaded(f'wiring = "dice4"\n{text}').config == loaded('wiring = "dice4"').config


def test_a_closed_seat_may_have_any_handicap() -> None:
    config = loaded('wiring = "dice4"\nseats = [1, 2]\nhandicap = [11, 0, 20]').config
    assert config.handicap == (11, 0, 20)


@pytest.mark.parametrize(
    ("text", "handicap"),
    [
        ("extra = [2, 2, 0, 0]", (-2, -2)),
        ("handicap = [0, 0, 1]\nextra = [2]", (-2, 0, 1)),
        ("handicap = [1]\nextra = [0, 20]", (1, -20)),
    ],
)
def test_extra_dice_are_a_handicap_below_zero(text: str, handicap: tuple[int, ...]) -> None:
    assert loaded(f'wiring = "dice4"\n{text}').config.handicap == handicap


def test_a_table_with_two_games_may_open_seats_that_only_one_of_them_has() -> None:
    two = 'wiring = { dice = "dice4", cards = "cards2-piles" }\ngame = "cards"\ntags = "tags.csv"\n'
    config = loaded(f"{two}seats = [1, 2, 4]\nhandicap = [0, 7, 0, 7]").config
    assert config.open_seats == (1, 2, 4)
    assert len(config.handicap) == 4


def test_a_table_with_two_games_is_fit_for_both() -> None:
    two = 'wiring = { dice = "dice4", cards = "cards2-piles" }\ngame = "cards"\ntags = "tags.csv"\n'
    (fault,) = faults_of(f"{two}seats = [1, 2, 4]\nhandicap = [0, 8]")
    assert fault == "5: handicap[2] is 8; allowed: a number from 0 to 7: 3 who play are dealt 8 dice each"


def test_a_port_of_the_header_is_refused_where_something_else_is_on_its_lines() -> None:
    assert loaded('wiring = "dice4"\n[ports]\nscoreboard = "/dev/ttyAMA0"').config.ports
    (fault,) = faults_of('wiring = "fourteen.toml"\n[ports]\nscoreboard = "/dev/ttyAMA0"')
    assert fault == (
        "3: ports.scoreboard is '/dev/ttyAMA0'; allowed: lines of its own: GPIO 14 is taken by interrupt of "
        "left of '/t/fourteen.toml'"
    )


# -- slips


def test_a_store_in_place_of_a_pipe_is_refused() -> None:
    (fault,) = faults_of('wiring = "dice4"\n[store]\nfile = "run/table.fifo"\n')
    assert fault.endswith(
        "store.file is 'run/table.fifo'; allowed: the path of a file: /t/run/table.fifo is a named "
        "pipe; name a file somewhere else"
    )


SLIPS = {
    2: ('cards = "cards4"', 'cards = "cards5"', "wiring.cards is 'cards5'"),
    4: ('"de"', '"dd"', "language is 'dd'"),
    5: ('"Summer party"', "7", "event is 7"),
    6: ("5", "0", "rounds is 0"),
    7: ("1, 0]", "-1, 0]", "handicap[3] is -1"),
    8: ("[3, 1, 2]", "[3, 1, 1]", "seats[3] is 1"),
    9: ("tags.csv", "tags.cvs", "tags is 'tags.cvs'"),
    10: ("9", "99", "brightness is 99"),
    13: ("2s", "2", "timing.lock is '2'"),
    15: ("hold", "hould", "timing.hould is unknown"),
    16: ("4ms", "11ms", "timing.button-quiet is '11ms'"),
    19: ("/dev/serial/by-id/a", "a", "ports.scoreboard is 'a'"),
    20: ("/dev/serial/by-id/b", "", "ports.pad-1 is ''"),
    23: ('"Headphones"', '""', "sound.card is ''"),
    24: ("4", '"4"', "sound.volume is '4'"),
    27: ('"table.db"', "[]", "store.file is []"),
    28: ("verdicts", "verdict", "store.sync is 'verdict'"),
    29: ("50", "-50", "store.keep-rounds is -50"),
}


@given(st.sets(st.sampled_from(sorted(SLIPS)), min_size=1))
def test_so_many_slips_get_so_many_messages_in_order(where: set[int]) -> None:
    lines = FULL.splitlines()
    for line in where:
        before, after, _ = SLIPS[line]
        assert before in lines[line - 1]
        lines[line - 1] = lines[line - 1].replace(before, after)
    faults = faults_of("\n".join(lines))
    assert [fault.partition("; allowed: ")[0] for fault in faults] == [
        f"{line}: {SLIPS[line][2]}" for line in sorted(where)
    ]


@given(st.data())
def test_one_slip_of_the_pen_is_one_message_at_most(data: st.DataObject) -> None:
    lines = FULL.splitlines()
    number = data.draw(st.sampled_from([at for at, line in enumerate(lines) if line]))
    line = lines[number]
    kind = data.draw(st.sampled_from(["gone", "twice", "letter", "word"]))
    if kind == "letter":
        at = data.draw(st.integers(0, len(line) - 1))
        lines[number] = line[:at] + line[at + 1 :]
    elif kind == "word":
        word = data.draw(st.sampled_from(re.findall(r"[A-Za-z0-9]+", line)))
        slip = data.draw(st.sampled_from([word.upper(), f"{word}s"]))
        assume(slip not in SETTING_NAMES)  # it has a place of its own, and other values
        lines[number] = line.replace(word, slip, 1)
    else:
        lines[number : number + 1] = [] if kind == "gone" else [line, line]
    faults: list[str] = []
    try:
        loaded("\n".join(lines))
    except BadSettings as refusal:
        faults = refusal.faults
    assert len(faults) <= 1


@pytest.mark.parametrize("section", ["wiring", *SECTIONS])
def test_a_section_that_is_none_is_told_once(section: str) -> None:
    pieces = re.split(r"(?m)^(?=\[)", FULL)
    rest = "".join(piece for piece in pieces if not piece.startswith(f"[{section}]"))
    rest = re.sub(rf"(?m)^{section} = .*\n", "", rest)
    (fault,) = faults_of(f"{section} = 3\n{rest}")
    assert fault.startswith(f"1: {section} is 3; allowed: ")


def test_profiles_are_those_of_the_games() -> None:
    profiles = loaded(FULL).config.profiles
    assert set(profiles) == set(GAMES) and all(isinstance(each, Profile) for each in profiles.values())
