"""A new LED chip and a new sign are known everywhere as soon as each has a row, a driver and a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

import wiring
from firmware_host.lab.chips_table import ChipTable, chip_table
from firmware_host.model.errors import BadSettings
from firmware_host.model.settings import Settings
from firmware_host.model.times import S
from firmware_host.profile.device_kinds import LED_CHIPS, SIGNS, LedChipKind, SignKind
from firmware_host.profile.profile import Profile
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.profile.table_reading import disputed
from firmware_host.run.table_files import load_profile, table_of
from firmware_host.workshop.cli.check import summary
from firmware_host.workshop.doctor.device_findings import Bus, judge_bus
from hw.i2c.ht16k33 import Ht16k33Leds
from hw.ports import LedWire
from hw.scoreboard.charset import CHARSETS
from hw.scoreboard.text import TextSign
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.text_displays import TextModel
from tests.profile.shelf import loaded
from tests.workshop.doctor.finding import one

LEDS = 100
TEXT = (
    wiring.profile_file("dice4")
    .read_text(encoding="utf-8")
    .replace("address = 0x70", 'chip = "backward"\naddress = 0x61')
    .replace('sign = "cd5220"', 'sign = "loud"')
    .replace("columns = 20", "columns = 24")
)


def backward_leds(name: str, address: int, wires: Sequence[LedWire], brightness: int) -> Ht16k33Leds:
    """The driver of a chip that counts its LEDs from the other end."""
    return Ht16k33Leds(name, address, [wire._replace(led=LEDS - 1 - wire.led) for wire in wires], brightness)


class BackwardModel(Ht16k33Model):
    """That chip."""

    def lit(self) -> frozenset[int]:
        return frozenset(LEDS - 1 - led for led in super().lit())


class LoudModel(TextModel):
    """A sign that has no small letters."""

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line.upper() for line in super().lines)


def loud_sign(columns: int, charset: str) -> TextSign:
    return TextSign(columns, CHARSETS[charset])


def loud_model(columns: int) -> LoudModel:
    return LoudModel(2, columns)


BACKWARD = LedChipKind(
    title="BW100",
    section="leds",
    job="is lamps of the table",
    addresses={0x60: "leave its bridge open", 0x61: "solder its bridge"},
    leds=LEDS,
    driver=f"{__name__}:backward_leds",
    model=f"{__name__}:BackwardModel",
)
LOUD = SignKind(
    title="a sign that shouts",
    fewest_columns=24,
    most_columns=24,
    charsets=("latin-1",),
    driver=f"{__name__}:loud_sign",
    model=f"{__name__}:loud_model",
)


@pytest.fixture(autouse=True)
def _rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LED_CHIPS, "backward", BACKWARD)
    monkeypatch.setitem(SIGNS, "loud", LOUD)


@pytest.fixture
def profile() -> Profile:
    return parse_profile(TEXT, "own.toml")


def faults_of(text: str) -> list[str]:
    with pytest.raises(BadSettings) as error:
        parse_profile(text, "own.toml")
    return error.value.faults


def line_with(text: str) -> int:
    """The number of the line where that stands."""
    return next(number for number, line in enumerate(TEXT.splitlines(), 1) if text in line)


def test_check_holds_a_profile_to_its_rows() -> None:
    leds, sign = line_with("0x61"), line_with("columns")
    assert faults_of(TEXT.replace("0x61", "0x70").replace("columns = 24", "columns = 20")) == [
        f"own.toml:{leds}: leds.rows.address is 0x70; allowed: an address from 0x60 to 0x61",
        f"own.toml:{sign}: scoreboard.columns is 20; allowed: only 24",
    ]
    (fault,) = faults_of(TEXT.replace('"rows 83"', '"rows 100"'))
    assert fault.endswith("lamps.symbols[4] is 'rows 100'; allowed: LEDs from 0 to 99")


def test_a_kind_that_nobody_knows_is_told_with_those_that_there_are() -> None:
    (fault,) = faults_of(TEXT.replace('"backward"', '"bakward"'))
    assert "leds.rows.chip is 'bakward'; allowed: ht16k33 or backward; did you mean 'backward'?" in fault


def test_the_summary_calls_them_by_their_names(profile: Profile) -> None:
    lines = summary(replace(loaded('wiring = "dice4"').config, profiles={"dice": profile}), None)
    assert "lamps        rows: BW100 at 0x61, 76 of 100 LEDs, brightness 12" in lines
    assert "scoreboard   loud at /dev/ttyUSB0, two lines of 24 letters (latin-1)" in lines


def test_the_doctor_knows_its_addresses(profile: Profile) -> None:
    def found(*answered: int) -> str:
        bus = Bus(number=1, adapter=True, driver=True, device=True, answered=frozenset(answered))
        return one(judge_bus(bus, profile), "rows" if 0x61 not in answered else "0x60").advice

    assert found(0x20, 0x21).endswith("(solder its bridge)")
    assert found(0x20, 0x21, 0x60) == "if that is this chip: for 0x61 solder its bridge"
    assert found(0x20, 0x21, 0x60, 0x61).startswith("this is an address of BW100 chips; if it is lamps of")


def test_games_that_share_a_chip_agree_on_its_kind(profile: Profile) -> None:
    other = replace(profile, led_chips=(replace(profile.led_chips[0], kind="ht16k33"),))
    assert disputed(profile, replace(profile, game="cards"), {}) == ""
    assert (
        disputed(profile, replace(other, game="cards"), {}) == "rows is BW100 for dice and HT16K33 for cards"
    )


def shown(profile: Profile) -> ChipTable:
    """A table that has been on for two seconds."""
    table = chip_table(
        profile, table=table_of(profile), settings=Settings(), draws=Random(1), chance=Random(1)
    )
    table.loop.run(2 * S)
    return table


def test_a_simulated_table_burns_and_says_the_same_with_them(profile: Profile) -> None:
    usual, own = shown(load_profile("dice4")), shown(profile)
    assert own.leds.frame == usual.leds.frame and any(own.leds.frame)
    assert own.display.lines == tuple(line.upper() for line in usual.display.lines)
    assert any(own.display.lines)
    usual.close()
    own.close()
    assert not any(own.leds.frame) and not any(own.display.lines)
