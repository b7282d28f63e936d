"""Reads a table.toml, and the profiles and tags that it names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from firmware_host.games.games import GAMES, STANDARD, VARIANTS
from firmware_host.model.errors import BadSettings
from firmware_host.model.plain_text import in_a_line, nearest, shown
from firmware_host.model.settings import (
    BRIGHTEST,
    CHOICES,
    LANGUAGES,
    Settings,
)
from firmware_host.profile.document import Document, FileSetting, Layout, parse_document
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.keys import TABLE_NAMES, TABLE_SECTIONS
from firmware_host.profile.pins import HEADER_PORTS, whole_port
from firmware_host.profile.profile import (
    HEADER_LINES,
    SCOREBOARD,
    Profile,
    bus_lines,
    chip_kinds,
    chip_names,
    line_names,
    ports_of,
)
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.profile.table import Files, Missing, TableConfig, Unreadable
from firmware_host.profile.table_sections import (
    OwnFiles,
    PortReader,
    SeatingReader,
    read_sound,
    read_store,
    read_timing,
)
from firmware_host.profile.tags import Registry, parse_registry

# What the wirings of the two games of a table may share: the same thing, with the same name.
#
# A table for two games is wired for both, and changes from one to the other while it runs. So a line, an
# address or a port that both use must lead to the same button, chip or reader.


MOST_TOLD = 3


def disputed(one: Profile, other: Profile, ports: Mapping[str, str], refused: Collection[str] = ()) -> str:
    """What the two profiles use for different things, in words; empty if they fit together.

    `ports` are those that differ from the profiles. The faults of the `refused` ones have been reported.
    """
    found = list(_disputed(_Wired(one, ports, refused), _Wired(other, ports, refused)))
    told = ", ".join(found[:MOST_TOLD])
    return f"{told}, and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else told


class _Wired:
    """The wiring of a game, with the ports that its devices have at this table."""

    def __init__(self, profile: Profile, ports: Mapping[str, str], refused: Collection[str]) -> None:
        self.profile = profile
        at = {name: ports.get(name, usual) for name, usual in ports_of(profile).items()}
        self.sign_port = whole_port(at[SCOREBOARD])
        devices = {whole_port(port): name for name, port in at.items() if port and name not in refused}
        lines = bus_lines(profile) | header_lines(devices) | line_names(profile)
        bus, chips, kinds = profile.i2c_bus, chip_names(profile), chip_kinds(profile)
        self.uses: dict[tuple[str, *tuple[int, ...]], str] = {
            **{(f"GPIO {line}",): name for line, name in lines.items()},
            **{(f"0x{address:02x}", bus): name for address, name in chips.items()},
            **{(name, bus, address): kinds[address].title for address, name in chips.items()},
            **{(shown(port),): name for port, name in devices.items()},
        }
        """What each thing is used for; the first word of a thing is for messages."""


def _disputed(one: _Wired, other: _Wired) -> Iterator[str]:
    game, another = one.profile.game, other.profile.game
    for thing, mine in one.uses.items():
        theirs = other.uses.get(thing, mine)
        if theirs != mine:
            yield f"{thing[0]} is {mine} for {game} and {theirs} for {another}"
    signs = one.profile.sign, other.profile.sign
    if one.sign_port and one.sign_port == other.sign_port and signs[0] != signs[1]:
        yield f"the scoreboard is {signs[0]} for {game} and {signs[1]} for {another}"


_OLD_TIMING = "windows"
_RENAMED = "windows is called timing now"
MOST_ROUNDS = 999
_LONGEST_EVENT = 60
_TAGS_FORM = "the path of a registry, as in 'tags.csv'"
_ENROL = "make it with: ligretto-table tags enrol"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table from a table.toml, and the registry of its tags if it has one."""

    config: TableConfig
    registry: Registry | None
    notes: tuple[str, ...] = ()  # what the operator should change, although it can be read


def parse_table(text: str, name: str, files: Files) -> Loaded:
    """The table of a table.toml; BadSettings has every fault of it, of its profiles and of its registry."""
    written = parse_document(text, name)
    document = written.renamed(_OLD_TIMING, "timing")
    reader = FaultCollector(document)
    if _OLD_TIMING in written.data and "timing" in written.data:
        reader.say((_OLD_TIMING,), f"{_RENAMED}, and both are here; allowed: only timing")
    loaded, other_faults = _TableReader(reader, document, files).read(name)
    renamed = f"{name}:{written.line_near((_OLD_TIMING,))}: {_RENAMED}" if _OLD_TIMING in written.data else ""
    if reader.faults or other_faults:
        both = renamed and "timing" in written.data
        raise BadSettings(reader.faults + other_faults + ([renamed] if renamed and not both else []))
    return replace(loaded, notes=(renamed,)) if renamed else loaded


class _TableReader:
    def __init__(self, reader: FaultCollector, document: Document, files: Files) -> None:
        self._reader = reader
        self._files = files
        self._own = OwnFiles(reader, files, document.name)
        self._other_faults: list[str] = []
        self._wiring: dict[str, str] = {}
        self._profiles: dict[str, Profile] = {}
        self._wired: dict[str, FileSetting] = {}
        self._complete = True
        inner = {**TABLE_SECTIONS, "ports": _device_names(document.data)}
        self._root = reader.root(Layout(top=TABLE_NAMES, inner=inner))

    def read(self, name: str) -> tuple[Loaded, list[str]]:
        """Read everything, and report the faults of other files."""
        reader, root = self._reader, self._root
        self._read_wiring()
        game = self._game()
        language = reader.one_of(root["language"], LANGUAGES, Settings().language)
        locks = reader.one_of(root["locks"], CHOICES["locks"], Settings().locks)
        settings = read_timing(reader, root, replace(Settings(), language=language, locks=locks))
        seating = SeatingReader(reader, tuple(self._profiles.values()))
        seats = seating.seats(root)
        tags_file, registry = self._tags()
        port_reader = PortReader(reader, {self._wiring[game]: each for game, each in self._profiles.items()})
        ports = port_reader.read(root, complete=self._complete)
        self._check_sharing(tuple(self._profiles.values()), ports, port_reader.refused)
        sound = reader.section(root, "sound", TABLE_SECTIONS["sound"])
        config = TableConfig(
            file=name,
            profiles=self._profiles,
            wiring=self._wiring,
            game=game,
            settings=settings,
            rounds=self._optional("rounds", 1, MOST_ROUNDS),
            variant=reader.one_of(root["variant"], VARIANTS, STANDARD),
            handicap=seating.handicap(root, seats),
            open_seats=seats,
            event=self._event(),
            player_names=reader.yes_or_no(root["player-names"], True),
            tags_file=tags_file,
            brightness=self._optional("brightness", 0, BRIGHTEST),
            ports=ports,
            **read_sound(reader, sound),
            store=read_store(reader, self._files, self._own, root),
        )
        return Loaded(config, registry), self._other_faults

    # -- which table it is

    def _read_wiring(self) -> None:
        setting = self._root["wiring"]
        if setting.value is not None and not isinstance(setting.value, dict):
            self._read_profile(setting)
            return
        games = self._reader.section(self._root, "wiring", tuple(GAMES))
        for game, each in games.items():
            self._read_profile(each, game)
        self._complete = self._complete and bool(games)
        if not games and not setting.value:
            self._reader.fault(setting, self._profile_form(), found="empty")

    def _read_profile(self, setting: FileSetting, game: str = "") -> None:
        """Read a profile, for a given game or for the game that it names."""
        profile = self._profile(setting)
        if profile is None:
            self._complete = False
        elif game and profile.game != game:
            self._complete = False
            self._reader.fault(setting, f"a profile for {game}: this one is for {profile.game}")
        else:
            self._profiles[profile.game] = profile
            self._wired[profile.game] = setting

    def _profile(self, setting: FileSetting) -> Profile | None:
        name, known = setting.value, tuple(self._files.profiles)
        if not isinstance(name, str) or not (name in known or name.endswith(".toml")):
            self._reader.fault(setting, self._profile_form(), near=nearest(name, known))
            return None
        path = self._files.beside(name)
        if name not in known and (clash := self._own.clash(setting, path)):
            self._reader.fault(setting, f"{self._profile_form()}{clash}")
            return None
        try:
            file = self._files.profile(name) if name in known else self._files.read(path)
            profile = parse_profile(file.text, file.name)
        except Unreadable as error:
            plain = name.removesuffix(".toml")
            near = plain if plain in known else None
            self._reader.fault(setting, f"a file that can be read: {in_a_line(str(error))}", near=near)
            return None
        except BadSettings as error:
            self._other_faults += error.faults
            return None
        self._wiring[profile.game] = name if name in known else path
        return profile

    def _check_sharing(
        self, profiles: Sequence[Profile], ports: Mapping[str, str], refused: Collection[str]
    ) -> None:
        """Report what the wirings of two games can't share."""
        if len(profiles) < 2:
            return
        one, other = profiles
        words = disputed(one, other, ports, refused)
        if words:
            self._reader.fault(
                self._wired[other.game], f"a profile that goes with '{self._wiring[one.game]}': {words}"
            )

    def _profile_form(self) -> str:
        return f"{', '.join(self._files.profiles)}, or the path of a .toml file"

    def _game(self) -> str:
        setting = self._root["game"]
        if not self._complete:
            self._reader.one_of(setting, tuple(GAMES), "")
            return ""
        games = tuple(self._profiles)
        if setting.value is None and len(games) == 1:
            return games[0]
        if len(games) > 1 or setting.value not in tuple(GAMES):
            return self._reader.one_of(setting, games)
        if setting.value != games[0]:
            self._reader.fault(setting, f"{games[0]}, which is what '{self._wiring[games[0]]}' is for")
        return games[0]

    # -- how it is run

    def _optional(self, name: str, least: int, most: int) -> int | None:
        setting = self._root[name]
        return None if setting.value is None else self._reader.number(setting, least, most)

    def _event(self) -> str:
        setting = self._root["event"]
        event = setting.value
        if isinstance(event, str) and event.isprintable() and len(event) <= _LONGEST_EVENT:
            return event
        if event is not None:
            self._reader.fault(setting, f"a text in one line, up to {_LONGEST_EVENT} letters")
        return ""

    def _tags(self) -> tuple[str, Registry | None]:
        setting = self._root["tags"]
        if setting.value is None:
            readers = [self._wiring[game] for game, profile in self._profiles.items() if profile.readers]
            if readers:
                allowed = f"{_TAGS_FORM}: there are readers of tags in '{readers[0]}'"
                self._reader.fault(setting, allowed)
            return "", None
        name = self._reader.text(setting, what=_TAGS_FORM)
        if not name:
            return "", None
        path = self._files.beside(name)
        if clash := self._own.clash(setting, path):
            self._reader.fault(setting, f"{_TAGS_FORM}{clash}")
            return path, None
        try:
            file = self._files.tags(path)
            return path, parse_registry(file.text, file.name)
        except Unreadable as error:
            advice = f"; {_ENROL}" if isinstance(error, Missing) else ""
            self._reader.fault(setting, f"a file that can be read: {in_a_line(str(error))}{advice}")
        except BadSettings as error:
            self._other_faults += error.faults
        return path, None


def _device_names(data: Mapping[str, Any]) -> list[str]:
    """The names in any section that seem to be devices: their values are paths of ports."""
    sections = [data, *(section for section in data.values() if isinstance(section, dict))]
    settings = [setting for section in sections for setting in section.items()]
    return [name for name, port in settings if isinstance(port, str) and port.startswith("/dev/")]


def header_lines(devices: Mapping[str, str]) -> dict[int, str]:
    """The lines of a serial port of the header; `devices` has the device of each port."""
    names = [f"the port of {name}" for port, name in devices.items() if port in HEADER_PORTS]
    return dict.fromkeys(HEADER_LINES, names[0]) if names else {}
