"""The files that a table.toml names: each may have only one purpose, however its path is spelled."""

from __future__ import annotations

from firmware_host.config.faults import FaultyReader
from firmware_host.config.files import Files
from firmware_host.config.sections import FileSetting, Section
from firmware_host.config.table import SYNCS, StoreConfig
from firmware_host.visible import in_a_line

STORE_SETTINGS = ("file", "sync", "keep-rounds")
MOST_KEPT = 100_000
_STORE_FORM = "the path of a file"
_LONGEST_NAME, _LONGEST_PATH = 200, 480
"""In bytes. File systems allow 255 and SQLite 512, and files beside the store have longer names."""
_NO_DISKS = ("/dev", "/proc", "/sys")
_IN_MEMORY = "/dev/shm/"
"""Files there are real ones, but only until the machine is switched off."""


class OwnFiles:
    """Knows the purpose of each file that has been named."""

    def __init__(self, reader: FaultyReader, files: Files, table: str) -> None:
        self._reader = reader
        self._files = files
        self._owners = {table: "this table.toml itself"}

    def clash(self, setting: FileSetting, path: str) -> str:
        """The end of a fault if a file has another purpose; else empty, and the file is for this setting."""
        for other, owner in self._owners.items():
            if self._files.same(path, other):
                return f": it is {owner}"
        self._owners[path] = f"the file of {self._reader.where(setting)}"
        return ""


class StoreSectionReader:
    """Reads the section [store]."""

    def __init__(self, reader: FaultyReader, files: Files, own: OwnFiles) -> None:
        self._reader = reader
        self._files = files
        self._own = own

    def read(self, root: Section) -> StoreConfig:
        """Where the store is, and how long it is kept."""
        usual = StoreConfig()
        section = self._reader.section(root, "store", STORE_SETTINGS)
        return StoreConfig(
            file=self._file(section["file"], usual.file),
            sync=self._reader.one_of(section["sync"], SYNCS, usual.sync),
            keep_rounds=self._reader.number(section["keep-rounds"], 1, MOST_KEPT, default=usual.keep_rounds),
        )

    def _file(self, setting: FileSetting, usual: str) -> str:
        name = self._reader.text(setting, usual, what=_STORE_FORM)
        path = self._files.beside(name)
        trouble = self._trouble(name, path) if name else ""
        if name and not trouble:
            trouble = self._own.clash(setting, path)
        if trouble:
            self._reader.fault(setting, f"{_STORE_FORM}{trouble}")
        return path

    def _trouble(self, name: str, path: str) -> str:
        """What is wrong with a path, as the end of a fault; empty if nothing is."""
        if not name.isprintable():
            return " without control characters"
        if name.startswith("~"):
            return ": write '~' out in full"
        place = self._files.place(path)
        whole = place.encode(errors="surrogateescape")
        if len(whole) > _LONGEST_PATH or max(map(len, whole.split(b"/"))) > _LONGEST_NAME:
            return f", up to {_LONGEST_NAME} bytes in each name of it, and {_LONGEST_PATH} in all"
        if any(map(_is_on_no_disk, (path, place))):
            return f" on a disk: nothing in {' or '.join(_NO_DISKS)} stays"
        return self._in_the_way(path)

    def _in_the_way(self, path: str) -> str:
        """What is in the place of the store or of its folder."""
        said = in_a_line(path)
        if self._files.folder_in_place_of(path):
            return f": {said} is a folder; name a file in it, such as '{said.rstrip('/')}/table.db'"
        if kind := self._files.kind_of(path):
            return f": {said} is {kind}; name a file somewhere else"
        if above := self._files.file_above(path):
            return f": {in_a_line(above)} is no folder; name a file somewhere else"
        return ""


def _is_on_no_disk(path: str) -> bool:
    return path.startswith(tuple(f"{folder}/" for folder in _NO_DISKS)) and not path.startswith(_IN_MEMORY)
