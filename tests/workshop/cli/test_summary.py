"""What is said of a table that has no faults."""

from __future__ import annotations

from dataclasses import replace

import wiring
from firmware_host.model.places import Card, Colour
from firmware_host.profile.tags import Registry
from firmware_host.run.table_files import rewired
from firmware_host.workshop.cli.check import summary
from tests.profile.shelf import loaded


def lines_of(text: str, registry: Registry | None = None) -> list[str]:
    config = loaded(text).config
    profiles = {game: rewired(profile, config) for game, profile in config.profiles.items()}
    return summary(replace(config, profiles=profiles), registry or loaded(text).registry)


def test_a_dice_table_on_chips() -> None:
    assert lines_of('wiring = "dice4"') == [
        "language     en",
        "locks        usual",
        "timing       all as usual",
        "sound        on the card that is found, volume 7 of 10",
        "store        /var/lib/ligretto-table/table.db, with every touch of the last 200 rounds",
        "crashes      when the power fails, at most the last seconds of the round that is being played are",
        "             lost; when only the program dies, nothing is",
        "",
        "dice: Dice for four (dice4)",
        "seats        1, 2, 3 and 4 of 4; if all play, each is dealt 6 dice",
        "rounds       3 a match for each who plays",
        "gpio         chip auto, driver gpiod, pull up",
        "buttons      1 on GPIO 5, 2 on GPIO 6, 3 on GPIO 13, 4 on GPIO 19",
        "places       red on left A0 A1 A2 A3 A4 A5",
        "             yellow on left B0 B1 B2 B3 B4 B5",
        "             green on right A0 A1 A2 A3 A4 A5",
        "             blue on right B0 B1 B2 B3 B4 B5",
        "expanders    left: MCP23017 at 0x20, interrupt on GPIO 17",
        "             right: MCP23017 at 0x21, interrupt on GPIO 27",
        "lamps        rows: HT16K33 at 0x70, 76 of 128 LEDs, brightness 12",
        "             GPIO 12, 16, 20, 21",
        "scoreboard   cd5220 at /dev/ttyUSB0, two lines of 20 letters (ascii)",
    ]


def test_what_is_asked_for_is_said() -> None:
    lines = lines_of(
        'wiring = "dice4"\nevent = "Summer party"\nplayer-names = false\n'
        "rounds = 5\nseats = [1, 2, 4]\nhandicap = [0, 1, 2, 3]\n"
        'brightness = 3\n[timing]\nlock = "2s"\nhold = "1500ms"\n[ports]\nscoreboard = "/dev/ttyS0"\n'
        '[sound]\ncard = "plughw:CARD=Device"\nvolume = 3\n'
        '[store]\nsync = "verdicts"\nkeep-rounds = 7\nfile = "x.db"'
    )
    for line in (
        "event        Summer party",
        "names        those of players are not in the feed",
        "timing       lock 2s (1s), hold 1.5s (1s); all others as usual",
        "sound        on plughw:CARD=Device, volume 3 of 10",
        "store        /t/x.db, with every touch of the last 7 rounds",
        "crashes      when the power fails nothing is lost, as far as the disk keeps its promises; when only",
        "seats        1, 2 and 4 of 4; if all play, each is dealt 8 dice; 1 fewer for seat 2; 3 fewer for",
        "rounds       5 a match",
        "lamps        rows: HT16K33 at 0x70, 76 of 128 LEDs, brightness 3",
        "scoreboard   cd5220 at /dev/ttyS0, two lines of 20 letters (ascii)",
    ):
        assert line in lines


def test_a_card_table_with_tags() -> None:
    lines = lines_of('wiring = "cards4"\ntags = "tags.csv"')
    for line in (
        "rounds       4 a match",
        "variant      standard",
        "calls        1 on GPIO 22, 2 on GPIO 23, 3 on GPIO 24, 4 on GPIO 25",
        "lamps        piles-1: HT16K33 at 0x71, 110 of 128 LEDs, brightness 12",
        "readers      pad-1 at pad 1: /dev/ttyUSB1, group 1",
        "             pad-4 at pad 4: /dev/ttyUSB4, group 4",
        "tags         80 of 160 are known in /t/tags.csv; missing: card 3 red 1, card 3 red 2, card 3 red 3",
    ):
        assert line in lines
    assert "calls        a long press of the button" in lines_of('wiring = "cards12"\ntags = "tags.csv"')


def test_tags_that_are_not_known_are_told() -> None:
    text = 'wiring = "cards4"\ntags = "tags.csv"\nseats = [1, 2]'
    every = Registry.for_cards(4)
    for missed, told in (
        ([], "80 of 80 are known in /t/tags.csv"),
        ([Card(2, Colour.RED, 1)], "79 of 80 are known in /t/tags.csv; missing: card 2 red 1"),
        ([Card(4, Colour.RED, 1)], "80 of 80 are known in /t/tags.csv"),
    ):
        known = Registry({uid: tag for uid, tag in every.items() if tag not in missed})
        assert f"tags         {told}" in lines_of(text, known)


def test_dice_with_tags_have_six_faces_each() -> None:
    lines = lines_of('wiring = "dice4-rfid"\ntags = "tags.csv"', Registry.for_dice())
    assert "tags         144 of 144 are known in /t/tags.csv" in lines


def test_a_reader_below_a_sensor_is_marked_as_not_tried() -> None:
    marked = {
        name: [line for line in lines_of(f'wiring = "{name}"\ntags = "tags.csv"') if "not tried" in line]
        for name in wiring.profile_names()
    }
    assert [name for name, lines in marked.items() if lines] == ["dice4-rfid"]
    (line,) = marked["dice4-rfid"]
    assert line.startswith("not tried    a reader and a sensor at one place: ")


def test_a_table_without_lights_and_sign() -> None:
    lines = lines_of('wiring = "dice4-direct"')
    assert "places       red on GPIO 16 17 18 19 20 21" in lines
    assert lines[-2:] == ["lamps        none", "scoreboard   none; service mode can't be read without one"]


def test_of_two_games_the_first_is_named() -> None:
    two = 'wiring = { dice = "dice4", cards = "cards4" }\ngame = "cards"\ntags = "tags.csv"'
    lines = lines_of(two)
    assert "dice: Dice for four (dice4)" in lines
    assert "cards, played first: Cards for four (cards4)" in lines


def test_what_is_dealt_with_extra_dice_is_said() -> None:
    text = " ".join(" ".join(lines_of('wiring = "dice4"\nextra = [2, 2]')).split())
    assert "2 more for seat 1; 2 more for seat 2; that makes 7, 7, 5 and 5" in text


def test_a_table_without_sound_is_said_so() -> None:
    assert "sound        none" in lines_of('wiring = "dice4"\n[sound]\ncard = "none"')


def test_on_a_narrow_terminal_each_label_has_a_line_of_its_own() -> None:
    loaded_one = loaded('wiring = "dice4-direct"\n[store]\nfile = "x.db"')
    lines = summary(loaded_one.config, loaded_one.registry, width=40)
    assert lines[:4] == ["language", "    en", "locks", "    usual"]
    at = lines.index("crashes")
    assert lines[at + 1 : at + 3] == [
        "    when the power fails, at most the",
        "      last seconds of the round that is",
    ]
    at = lines.index("places")
    assert lines[at + 1 : at + 3] == [
        "    red on GPIO 16 17 18 19 20 21",
        "    yellow on GPIO 22 23 24 25 26 27",
    ]
    assert max(map(len, lines)) <= 40
