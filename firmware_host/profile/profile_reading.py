"""Reads a wiring profile from TOML, with a message for each fault in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from firmware_host.games.games import CARD_GAME, DICE_GAME, GAMES, Game
from firmware_host.model.errors import BadSettings
from firmware_host.model.places import ALL_SLOTS, MOST_PILES_A_SEAT, Colour
from firmware_host.model.plain_text import both, either, nearest
from firmware_host.model.settings import BRIGHTEST
from firmware_host.profile.device_kinds import LED_CHIPS, SIGNS, USUAL_LED_CHIP, USUAL_SIGN
from firmware_host.profile.document import FileSetting, Layout, Section, parse_document
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.keys import PROFILE_LISTS, PROFILE_NAMES, PROFILE_SECTIONS
from firmware_host.profile.pins import PinClaims, is_revision, lines_of, may_lack_parity, parity_form
from firmware_host.profile.profile import (
    BOARD_SETTINGS,
    BUILD_SETTINGS,
    BUS_LINES,
    CARD_BOARD,
    CHIPS,
    DICE_BOARD,
    DRIVERS,
    OWNERSHIPS,
    PULLS,
    BoardSize,
    BuildChoices,
    BuildSetting,
    LedChip,
    Profile,
)
from firmware_host.profile.wiring_reading import ContactReader, LampReader, TagSpots

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
    reader = FaultCollector(document)
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
    def __init__(self, reader: FaultCollector, game: Game, data: Mapping[str, Any]) -> None:
        top = [name for name in PROFILE_NAMES if _ONLY_FOR.get(name, game) is game or name in data]
        inner = {kind: names for kind, names in PROFILE_SECTIONS.items() if kind.removesuffix(".*") in top}
        layout = Layout(top=top, inner=inner | layout_of_build(data), lists=PROFILE_LISTS)
        self._root = reader.root(layout)
        self._game = game
        self._reader = reader
        self._gpio = reader.section(self._root, "gpio", PROFILE_SECTIONS["gpio"])
        self._claims = PinClaims(reader, lines_of(self._gpio["board"].value))
        self._contacts = ContactReader(reader, self._claims, self._root)

    def profile(self) -> Profile:
        reader, root, game, gpio = self._reader, self._root, self._game, self._gpio
        i2c, scoreboard = (
            reader.section(root, name, PROFILE_SECTIONS[name]) for name in ("i2c", "scoreboard")
        )
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
            chip = self._reader.section(leds, name, PROFILE_SECTIONS["leds.*"])
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


_OVERLAYS = 'a list of texts, as in ["disable-bt"]'
_PLACE = "two numbers, across and down in mm, as in [120, 80]"
_FARTHEST_MM = 3000
_LONGEST_MM = 20_000
_MOST_OHM = 1_000_000


def layout_of_build(data: Mapping[str, Any]) -> dict[str, Collection[str]]:
    """The settings of the sections in [build], as far as their names don't depend on seats and piles."""
    chips = [name for each in ("banks", "leds") if isinstance(data.get(each), dict) for name in data[each]]
    return {"build.board": BOARD_SETTINGS, "build.pull-ups": chips}


class BuildReader:
    """Reads choices; `given` has the fields that the file states."""

    def __init__(self, reader: FaultCollector, root: Section) -> None:
        self._reader = reader
        self._before = bool(reader.faults)
        """Whether something else of the profile is faulty: a chip may have lost its name."""
        self._section = reader.section(root, "build", PROFILE_SECTIONS["build"])
        self._given: set[str] = set()

    def read(self, profile: Profile) -> BuildChoices:
        """The choices for a profile, whose names are those that may be used; without seats any may."""
        usual = BuildChoices(board=CARD_BOARD if profile.game == "cards" else DICE_BOARD)
        fields: dict[str, Any] = dict(self._fields(self._section, BUILD_SETTINGS, usual))
        board = self._board(profile, usual.board)
        cables = self._known(profile, cable_names(profile))
        names = [*(bank.name for bank in profile.banks), *(chip.name for chip in profile.led_chips)]
        chips = self._known(profile, names)
        return BuildChoices(
            **fields,
            overlays=self._overlays(self._section["overlays"]),
            cables_mm=self._numbers("cables", "cables_mm", cables, 1, _LONGEST_MM),
            pull_ups_ohm=self._numbers("pull-ups", "pull_ups_ohm", chips, 0, _MOST_OHM),
            board=board,
            given=frozenset(self._given),
        )

    def _board(self, profile: Profile, usual: BoardSize) -> BoardSize:
        section = self._reader.section(self._section, "board", BOARD_SETTINGS)
        fields: dict[str, Any] = dict(self._fields(section, BOARD_SETTINGS, usual, "board."))
        places = self._reader.section(self._section, "places", self._known(profile, place_names(profile)))
        own = {name: self._place(setting) for name, setting in places.items()}
        self._given |= {f"board.places_mm.{name}" for name in own}
        return BoardSize(**fields, places_mm={name: place for name, place in own.items() if place})

    def _known(self, profile: Profile, names: Iterable[str]) -> list[str] | None:
        """The names that may be used; any while faults leave it unclear which seats and chips there are."""
        return list(names) if profile.seats and not self._before else None

    # -- values

    def _fields(
        self,
        section: Section,
        settings: Mapping[str, BuildSetting],
        usual: BuildChoices | BoardSize,
        inside: str = "",
    ) -> Iterator[tuple[str, object]]:
        for key, row in settings.items():
            default = getattr(usual, row.field)
            if key in section:
                self._given.add(f"{inside}{row.field}")
            yield row.field, self._value(section[key], row, default)

    def _value(self, setting: FileSetting, row: BuildSetting, default: object) -> object:
        """The value of a key; the default if it is missing or faulty."""
        value = setting.value
        if value is None:
            return default
        if row.words:
            return self._reader.one_of(setting, row.words) or default
        if row.span:
            return self._number(setting, row.span, default)
        if not row.numbers:
            return self._reader.yes_or_no(setting, bool(default))
        if not isinstance(value, bool) and value in row.numbers:
            return value if isinstance(default, int) else float(value)
        self._reader.fault(setting, either([f"{each:g}" for each in row.numbers]))
        return default

    def _number(self, setting: FileSetting, span: tuple[float, float], default: object) -> object:
        """A number of a range; a whole one if the default is."""
        value, (least, most) = setting.value, span
        kinds = int if isinstance(default, int) else (int, float)
        if isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most:
            return value if isinstance(default, int) else float(value)
        what = "a whole number" if isinstance(default, int) else "a number"
        self._reader.fault(setting, f"{what} from {least:g} to {most:g}")
        return default

    def _overlays(self, setting: FileSetting) -> tuple[str, ...]:
        if setting.value is None:
            return ()
        self._given.add("overlays")
        if isinstance(setting.value, list) and all(isinstance(each, str) for each in setting.value):
            return tuple(setting.value)
        self._reader.fault(setting, _OVERLAYS)
        return ()

    def _numbers(
        self, name: str, field: str, known: Collection[str] | None, least: int, most: int
    ) -> Mapping[str, int]:
        """A section of names with a number each."""
        section = self._reader.section(self._section, name, known)
        self._given |= {f"{field}.{each}" for each in section}
        read = {each: self._reader.number(setting, least, most) for each, setting in section.items()}
        return {each: number for each, number in read.items() if number >= least}

    def _place(self, setting: FileSetting) -> tuple[int, int] | None:
        value = setting.value
        two = isinstance(value, list) and list(map(type, value)) == [int, int]
        if two and 0 <= min(value) <= max(value) <= _FARTHEST_MM:
            return value[0], value[1]
        self._reader.fault(setting, _PLACE)
        return None


def cable_names(profile: Profile) -> list[str]:
    """The cables whose length a profile may give; those between the LEDs of a chip follow from the board."""
    names = ["power", "bus", "scoreboard", "speaker"]
    names += [f"seat {seat}" for seat in range(1, profile.seats + 1)]
    names += [] if profile.piles else [f"row {colour.word}" for colour in Colour]
    return [*names, *(bank.name for bank in profile.banks), *(each.name for each in profile.readers)]


def place_names(profile: Profile) -> list[str]:
    """The things whose position on the board a profile may give."""
    names = [f"pile {number}" for number in range(1, profile.piles + 1)]
    if not profile.piles:
        names += [*map(str, ALL_SLOTS), *(f"symbol {colour.word}" for colour in Colour)]
    return names + [f"seat {seat}" for seat in range(1, profile.seats + 1)]
