"""Reads a wiring profile from TOML, with a message for each fault in it."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from firmware_host.config.claims import Claims
from firmware_host.config.contacts import ContactReader
from firmware_host.config.faults import FaultyReader
from firmware_host.config.lamps import LampReader
from firmware_host.config.profile import CHIPS, DRIVERS, OWNERSHIPS, PULLS, SIGNS, LedChip, Profile
from firmware_host.config.readers import TagSpots
from firmware_host.engine.games import CARD_GAME, DICE_GAME, GAMES, Game
from firmware_host.errors import BadSettings
from firmware_host.places import MOST_PILES_A_SEAT

_REVISION = re.compile(r"[0-9a-f]{4,8}")
_SETTINGS = (
    "title", "game", "piles", "ownership", "gpio", "buttons", "calls", "slots", "i2c", "banks", "leds",
    "lamps", "readers", "scoreboard",
)  # fmt: skip
_ONLY_FOR = {
    "piles": CARD_GAME,
    "calls": CARD_GAME,
    "slots": DICE_GAME,
    "banks": DICE_GAME,
    "ownership": DICE_GAME,
}
_BUS_LINES = (2, 3)
"""The lines that bus 1, that of the header, takes for itself."""
_LED_ADDRESSES = (0x70, 0x77)
_WHY_SO_MANY_PILES = "each seat has four ones, and every one may open a pile"


def parse_profile(text: str, name: str) -> Profile:
    """The profile that a TOML text describes; BadSettings has a line for each fault in it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings([f"{name}: {error}"]) from None
    reader = FaultyReader(name, data)
    profile = _ProfileReader(reader).profile()
    if reader.faults:
        raise BadSettings(reader.faults)
    return profile


class _ProfileReader:
    def __init__(self, reader: FaultyReader) -> None:
        self._reader = reader
        self._claims = Claims(reader)
        self._contacts = ContactReader(reader, self._claims)

    def profile(self) -> Profile:
        reader = self._reader
        reader.check_keys("", reader.data, _SETTINGS)
        gpio = reader.section("gpio", ("chip", "path", "driver", "board", "pull"))
        i2c = reader.section("i2c", ("bus", "reset"))
        scoreboard = reader.section("scoreboard", ("sign", "port", "columns"))
        title = reader.text("title", reader.data.get("title"))
        game = self._game()
        if any(section in reader.data for section in ("banks", "leds")) and i2c.get("bus", 1) == 1:
            self._claims.reserve(_BUS_LINES, "the I2C bus")
        seats = self._read_contacts(game)
        piles = self._piles(seats) if game is CARD_GAME else 0
        ownership = self._ownership() if game is DICE_GAME else OWNERSHIPS[0]
        led_chips = self._led_chips()
        lamps = LampReader(reader, self._claims, {chip.name for chip in led_chips})
        sign = reader.one_of("scoreboard.sign", scoreboard.get("sign", "text"), tuple(SIGNS))
        return Profile(
            title=title,
            game=game.name,
            piles=piles,
            ownership=ownership,
            chip=reader.one_of("gpio.chip", gpio.get("chip", "auto"), CHIPS),
            chip_path=reader.text("gpio.path", gpio.get("path"), default=""),
            driver=reader.one_of("gpio.driver", gpio.get("driver", "gpiod"), DRIVERS),
            board=self._board(gpio.get("board")),
            pull=reader.one_of("gpio.pull", gpio.get("pull", "up"), PULLS),
            lines=self._contacts.lines,
            seats=seats,
            i2c_bus=reader.number("i2c.bus", i2c.get("bus", 1), 0, 31),
            reset=self._claims.line("i2c.reset", i2c["reset"], "the reset line") if "reset" in i2c else None,
            banks=self._contacts.banks,
            led_chips=led_chips,
            # Without a single seat nobody knows how many lamps and readers would be right.
            lamp_wires=lamps.read(game, seats, piles) if seats else (),
            readers=TagSpots(reader, self._claims, game, seats, piles).read(ownership) if seats else (),
            sign=sign,
            sign_port=self._claims.port("scoreboard.port", scoreboard.get("port"), default=""),
            columns=reader.number(
                "scoreboard.columns", scoreboard.get("columns", 20), *SIGNS.get(sign, (20, 80))
            ),
        )

    def _game(self) -> Game:
        """The game; where none is named, the one that the settings look like, so that reading can go on."""
        name = self._reader.one_of("game", self._reader.data.get("game"), tuple(GAMES))
        if not name:
            return CARD_GAME if "piles" in self._reader.data else DICE_GAME
        for key, game in _ONLY_FOR.items():
            if key in self._reader.data and game.name != name:
                self._reader.say(f"'{key}' is for {game.name} only")
        return GAMES[name]

    def _read_contacts(self, game: Game) -> int:
        """All buttons and sensors of a table; how many seats it has."""
        seats = self._contacts.buttons(game)
        if game is CARD_GAME and seats:
            self._contacts.calls(seats)
        if game is DICE_GAME:
            self._contacts.read_banks()
            self._contacts.slots()
        return seats

    def _piles(self, seats: int) -> int:
        """How many places for piles the centre needs, with a fault if that is not what the profile says."""
        right = MOST_PILES_A_SEAT * seats
        if CARD_GAME.fewest_seats <= seats <= CARD_GAME.most_seats:  # else nobody knows what would be right
            piles = self._reader.data.get("piles")
            self._reader.number("piles", piles, right, right, why=_WHY_SO_MANY_PILES)
        return right

    def _ownership(self) -> str:
        return self._reader.one_of("ownership", self._reader.data.get("ownership", "slap"), OWNERSHIPS)

    def _led_chips(self) -> tuple[LedChip, ...]:
        chips = []
        for name in self._reader.section("leds"):
            key = f"leds.{name}"
            chip = self._reader.section(key, ("address", "brightness"))
            address = self._claims.address(f"{key}.address", chip.get("address"), _LED_ADDRESSES, name)
            brightness = self._reader.number(f"{key}.brightness", chip.get("brightness", 15), 0, 15)
            self._claims.name(key, name)
            chips.append(LedChip(name=name, address=address, brightness=brightness))
        return tuple(chips)

    def _board(self, value: Any) -> str:
        if isinstance(value, str) and _REVISION.fullmatch(value):
            return value
        self._reader.fault("gpio.board", value, "the revision code of a Raspberry Pi, such as 'a020a0'")
        return ""
