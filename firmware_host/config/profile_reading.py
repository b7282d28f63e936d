"""Reads a wiring profile from TOML, with a message for each fault in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from firmware_host.config.boards import is_revision, lines_of
from firmware_host.config.build_reading import BUILD_KEYS, BuildReader, layout_of_build
from firmware_host.config.contact_reading import BANK_SETTINGS, ROWS, ContactReader
from firmware_host.config.document import parse_document
from firmware_host.config.fault_words import both, either, nearest
from firmware_host.config.faults import FaultyReader
from firmware_host.config.lamp_reading import BOARD_LAMPS, CENTRE_LAMPS, LampReader
from firmware_host.config.layout import Layout
from firmware_host.config.pin_claims import PinClaims
from firmware_host.config.profile import CHIPS, DRIVERS, OWNERSHIPS, PULLS, LedChip, Profile
from firmware_host.config.sections import FileSetting, Section
from firmware_host.config.serial_ports import may_lack_parity, parity_form
from firmware_host.config.tag_spots import READER_SETTINGS, TagSpots
from firmware_host.config.wires import BUS_LINES
from firmware_host.device_kinds import LED_CHIPS, SIGNS, USUAL_LED_CHIP, USUAL_SIGN
from firmware_host.engine.games import CARD_GAME, DICE_GAME, GAMES, Game
from firmware_host.errors import BadSettings
from firmware_host.places import MOST_PILES_A_SEAT
from firmware_host.settings import BRIGHTEST
from firmware_host.tag_text import MOST_SEATS

_SEATS = tuple(map(str, range(1, MOST_SEATS + 1)))
INNER = {
    "gpio": ("chip", "path", "driver", "board", "pull"),
    "buttons": _SEATS,
    "calls": _SEATS,
    "i2c": ("bus", "reset"),
    "banks.*": BANK_SETTINGS,
    "slots": ROWS,
    "leds.*": ("chip", "address", "brightness"),
    "lamps": (*CENTRE_LAMPS, *BOARD_LAMPS),
    "readers.*": READER_SETTINGS,
    "scoreboard": ("sign", "port", "columns", "charset"),
    "build": BUILD_KEYS,
}
_LISTS = ("slots", "lamps")
_SETTINGS = (
    "title", "game", "piles", "ownership", "gpio", "buttons", "calls", "slots", "i2c", "banks", "leds",
    "lamps", "readers", "scoreboard", "build",
)  # fmt: skip
NAMES = (*_SETTINGS, *(name for names in INNER.values() for name in names))
_ONLY_FOR = {
    "piles": CARD_GAME,
    "calls": CARD_GAME,
    "slots": DICE_GAME,
    "ownership": DICE_GAME,
}
_CHIP_FORM = "the path of a GPIO chip, as in '/dev/gpiochip0'"
_WHY_SO_MANY_PILES = "each seat has four ones, and every one may open a pile"


def parse_profile(text: str, name: str) -> Profile:
    """The profile that a TOML text describes; BadSettings has a line for each fault in it."""
    document = parse_document(text, name)
    reader = FaultyReader(document)
    profile = _ProfileReader(reader, _likely_game(document.data), document.data).profile()
    if reader.faults:
        raise BadSettings(reader.faults)
    return profile


def _likely_game(data: dict[str, Any]) -> Game:
    """The game that most settings of a profile belong to, whatever the profile says."""
    said = next((nearest(value, GAMES) for value in _values_like("game", data)), None)
    for_cards = sum(game is CARD_GAME for name, game in _ONLY_FOR.items() if name in data)
    for_dice = sum(game is DICE_GAME for name, game in _ONLY_FOR.items() if name in data)
    if said and (for_cards == for_dice or min(for_cards, for_dice) > 0):
        return GAMES[said]
    return CARD_GAME if for_cards > for_dice else DICE_GAME


def _values_like(name: str, data: Mapping[str, Any]) -> Iterator[object]:
    """The values of all settings that may be meant by a name, in any section."""
    yield from (value for key, value in data.items() if nearest(key, [name]))
    for inside in data.values():
        if isinstance(inside, dict):
            yield from _values_like(name, inside)


class _ProfileReader:
    def __init__(self, reader: FaultyReader, game: Game, data: Mapping[str, Any]) -> None:
        top = [name for name in _SETTINGS if _ONLY_FOR.get(name, game) is game or name in data]
        inner = {kind: names for kind, names in INNER.items() if kind.removesuffix(".*") in top}
        layout = Layout(top=top, inner=inner | layout_of_build(data), lists=_LISTS)
        self._root = reader.root(layout)
        self._game = game
        self._reader = reader
        self._gpio = reader.section(self._root, "gpio", INNER["gpio"])
        self._claims = PinClaims(reader, lines_of(self._gpio["board"].value))
        self._contacts = ContactReader(reader, self._claims, self._root)

    def profile(self) -> Profile:
        reader, root, game, gpio = self._reader, self._root, self._game, self._gpio
        i2c, scoreboard = (reader.section(root, name, INNER[name]) for name in ("i2c", "scoreboard"))
        title = reader.text(root["title"])
        self._check_game()
        bus = reader.number(i2c["bus"], 0, 31, default=1)
        if any(section in root for section in ("banks", "leds")):
            self._claims.reserve(BUS_LINES.get(bus, ()), "the I2C bus")
        seats = self._read_contacts()
        piles = self._piles(seats) if game is CARD_GAME else 0
        ownership = self._ownership() if game is DICE_GAME else OWNERSHIPS[0]
        leds = reader.section(root, "leds")
        led_chips = self._led_chips(leds)
        lamps = LampReader(reader, self._claims, leds, led_chips)
        sign = reader.one_of(scoreboard["sign"], tuple(SIGNS), USUAL_SIGN)
        form = SIGNS[sign or nearest(scoreboard["sign"].value, SIGNS) or USUAL_SIGN]
        profile = Profile(
            title=title,
            game=game.name,
            piles=piles,
            ownership=ownership,
            chip=reader.one_of(gpio["chip"], CHIPS, "auto"),
            chip_path=self._chip_path(gpio["path"]),
            driver=reader.one_of(gpio["driver"], DRIVERS, "gpiod"),
            board=self._board(gpio["board"]),
            pull=reader.one_of(gpio["pull"], PULLS, "up"),
            lines=self._contacts.lines,
            seats=seats,
            i2c_bus=bus,
            reset=self._claims.line(i2c["reset"]) if "reset" in i2c else None,
            banks=self._contacts.banks,
            led_chips=led_chips,
            # Without a number of seats it is unknown how many lamps and readers would be right.
            lamp_wires=lamps.read(root, game, seats, piles) if seats else (),
            readers=TagSpots(reader, self._claims, game, seats, piles).read(root) if seats else (),
            sign=sign,
            sign_port=self._sign_port(scoreboard["port"], sign),
            charset=reader.one_of(scoreboard["charset"], form.charsets, ""),
            columns=reader.number(
                scoreboard["columns"], form.fewest_columns, form.most_columns, default=form.fewest_columns
            ),
        )
        return replace(profile, build=BuildReader(reader, root).read(profile))

    def _chip_path(self, setting: FileSetting) -> str:
        path = self._reader.text(setting, default="", what=_CHIP_FORM)
        if path and not (path.startswith("/dev/") and path.isprintable()):
            self._reader.fault(setting, _CHIP_FORM)
        return path

    def _sign_port(self, setting: FileSetting, sign: str) -> str:
        port = self._claims.port(setting, default="")
        if sign and SIGNS[sign].parity and may_lack_parity(port):
            self._reader.fault(setting, parity_form(sign))
        return port

    def _check_game(self) -> None:
        """Report an unknown game, or one that the other settings contradict."""
        said = self._root["game"]
        strange = [name for name in _ONLY_FOR if name in self._root and _ONLY_FOR[name] is not self._game]
        if said.value != self._game.name and said.value in tuple(GAMES):
            its = [name for name in _ONLY_FOR if name in self._root]
            why = f", which is what {both(its)} are for" if its else ""
            self._reader.fault(said, f"{self._game.name}{why}")
            return
        if said.value != self._game.name:
            self._reader.fault(said, either(tuple(GAMES)), near=nearest(said.value, [self._game.name]))
        for name in strange:
            self._reader.fault(self._root[name], f"only in a profile for {_ONLY_FOR[name].name}")

    def _read_contacts(self) -> int:
        """Read all buttons and sensors; gives the number of seats."""
        seats = self._contacts.seats(self._game)
        self._contacts.buttons(self._game, seats)
        self._contacts.read_banks()
        if self._game is CARD_GAME and seats:
            self._contacts.calls(seats)
        if self._game is DICE_GAME:
            self._contacts.slots()
        return seats

    def _piles(self, seats: int) -> int:
        """How many places for piles the centre needs, with a fault if the profile has another number."""
        right = MOST_PILES_A_SEAT * seats
        if seats:  # otherwise it is unknown what would be right
            self._reader.number(self._root["piles"], right, right, why=_WHY_SO_MANY_PILES)
        return right

    def _ownership(self) -> str:
        return self._reader.one_of(self._root["ownership"], OWNERSHIPS, "slap")

    def _led_chips(self, leds: Section) -> tuple[LedChip, ...]:
        chips = []
        for name in leds:
            chip = self._reader.section(leds, name, INNER["leds.*"])
            self._claims.name(leds[name])
            kind = self._reader.one_of(chip["chip"], tuple(LED_CHIPS), USUAL_LED_CHIP)
            kind = kind or nearest(chip["chip"].value, LED_CHIPS) or USUAL_LED_CHIP
            address = self._claims.address(chip["address"], LED_CHIPS[kind].address_span)
            brightness = self._reader.number(chip["brightness"], 0, BRIGHTEST, default=BRIGHTEST)
            chips.append(LedChip(name=name, address=address, brightness=brightness, kind=kind))
        return tuple(chips)

    def _board(self, setting: FileSetting) -> str:
        if is_revision(setting.value):
            return str(setting.value)
        self._reader.fault(setting, "the revision code of a Raspberry Pi, such as 'a020a0'")
        return ""
