"""Reads a table.toml, and the profiles and tags that it names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from firmware_host.config.document import Document, parse_document
from firmware_host.config.fault_words import nearest
from firmware_host.config.faults import FaultyReader
from firmware_host.config.files import Files, Missing, Unreadable
from firmware_host.config.layout import Layout
from firmware_host.config.own_files import STORE_SETTINGS, OwnFiles, StoreSectionReader
from firmware_host.config.ports import PortReader
from firmware_host.config.profile import Profile
from firmware_host.config.profile_reading import parse_profile
from firmware_host.config.seating import SeatingReader
from firmware_host.config.sections import FileSetting
from firmware_host.config.sharing import disputed
from firmware_host.config.sound import SOUND_SETTINGS, SoundSectionReader
from firmware_host.config.table import TableConfig
from firmware_host.config.tags import Registry, parse_registry
from firmware_host.config.timing import read_timing
from firmware_host.engine.games import GAMES, STANDARD, VARIANTS
from firmware_host.errors import BadSettings
from firmware_host.settings import BRIGHTEST, CHOICES, LANGUAGES, TIMINGS, Settings
from firmware_host.visible import in_a_line

SETTINGS = (
    "wiring", "game", "language", "locks", "event", "player-names", "rounds", "variant", "handicap",
    "extra", "seats", "tags", "brightness", "timing", "ports", "sound", "store",
)  # fmt: skip
INNER = {
    "wiring": tuple(GAMES),
    "timing": tuple(TIMINGS),
    "sound": SOUND_SETTINGS,
    "store": STORE_SETTINGS,
}
NAMES = (*SETTINGS, *(name for names in INNER.values() for name in names))
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
    reader = FaultyReader(document)
    if _OLD_TIMING in written.data and "timing" in written.data:
        reader.say((_OLD_TIMING,), f"{_RENAMED}, and both are here; allowed: only timing")
    loaded, other_faults = _TableReader(reader, document, files).read(name)
    renamed = f"{name}:{written.line_near((_OLD_TIMING,))}: {_RENAMED}" if _OLD_TIMING in written.data else ""
    if reader.faults or other_faults:
        both = renamed and "timing" in written.data
        raise BadSettings(reader.faults + other_faults + ([renamed] if renamed and not both else []))
    return replace(loaded, notes=(renamed,)) if renamed else loaded


class _TableReader:
    def __init__(self, reader: FaultyReader, document: Document, files: Files) -> None:
        self._reader = reader
        self._files = files
        self._own = OwnFiles(reader, files, document.name)
        self._other_faults: list[str] = []
        self._wiring: dict[str, str] = {}
        self._profiles: dict[str, Profile] = {}
        self._wired: dict[str, FileSetting] = {}
        self._complete = True
        inner = {**INNER, "ports": _device_names(document.data)}
        self._root = reader.root(Layout(top=SETTINGS, inner=inner))

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
        sound = SoundSectionReader(reader, root)
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
            sound_card=sound.card(),
            volume=sound.volume(),
            store=StoreSectionReader(reader, self._files, self._own).read(root),
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
