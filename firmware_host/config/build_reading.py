"""Reads the section [build] of a profile, which only building needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from firmware_host.config.build_choices import (
    BOARD_SETTINGS,
    BUILD_SETTINGS,
    CARD_BOARD,
    DICE_BOARD,
    BoardSize,
    BuildSetting,
    Choices,
)
from firmware_host.config.fault_words import either
from firmware_host.config.faults import FaultyReader
from firmware_host.config.profile import Profile
from firmware_host.config.sections import FileSetting, Section
from firmware_host.places import ALL_SLOTS, Colour

_MAPS = ("board", "places", "cables", "pull-ups")
BUILD_KEYS = (*BUILD_SETTINGS, "overlays", *_MAPS)
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

    def __init__(self, reader: FaultyReader, root: Section) -> None:
        self._reader = reader
        self._before = bool(reader.faults)
        """Whether something else of the profile is faulty: a chip may have lost its name."""
        self._section = reader.section(root, "build", BUILD_KEYS)
        self._given: set[str] = set()

    def read(self, profile: Profile) -> Choices:
        """The choices for a profile, whose names are those that may be used; without seats any may."""
        usual = Choices(board=CARD_BOARD if profile.game == "cards" else DICE_BOARD)
        fields: dict[str, Any] = dict(self._fields(self._section, BUILD_SETTINGS, usual))
        board = self._board(profile, usual.board)
        cables = self._known(profile, cable_names(profile))
        names = [*(bank.name for bank in profile.banks), *(chip.name for chip in profile.led_chips)]
        chips = self._known(profile, names)
        return Choices(
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
        usual: Choices | BoardSize,
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
        if isinstance(value, list) and len(value) == 2 and all(map(_is_distance, value)):
            return value[0], value[1]
        self._reader.fault(setting, _PLACE)
        return None


def _is_distance(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _FARTHEST_MM


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
