"""Files that a table.toml can speak of, in memory."""

from __future__ import annotations

import posixpath
from types import MappingProxyType

import wiring
from firmware_host.profile.table import File, Missing
from firmware_host.profile.table_reading import Loaded, parse_table
from firmware_host.profile.tags import Registry, format_registry

TAGS = format_registry(Registry.for_cards(2))
OWN = wiring.profile_file("dice4-direct").read_text(encoding="utf-8")
FOURTEEN = (
    wiring.profile_file("dice4").read_text(encoding="utf-8").replace("interrupt = 17", "interrupt = 14")
)


class Shelf:
    """The profiles of the package, and some files of one's own in /t."""

    profiles = wiring.profile_names()

    files = MappingProxyType({"/t/tags.csv": TAGS, "/t/own.toml": OWN, "/t/fourteen.toml": FOURTEEN})

    def profile(self, name: str) -> File:
        return File(f"wiring/{name}.toml", wiring.profile_file(name).read_text(encoding="utf-8"))

    def beside(self, path: str) -> str:
        return path if path.startswith("/") else f"/t/{path}"

    def read(self, path: str) -> File:
        if path not in self.files:
            raise Missing(f"{path}: No such file or directory")
        return File(path, self.files[path])

    tags = read

    def place(self, path: str) -> str:
        return posixpath.normpath(path)

    def same(self, one: str, other: str) -> bool:
        return self.place(one) == self.place(other)

    def kind_of(self, path: str) -> str:
        return "a named pipe" if path.endswith(".fifo") else ""

    def folder_in_place_of(self, path: str) -> bool:
        return any(name.startswith(f"{path.rstrip('/')}/") for name in self.files)

    def file_above(self, path: str) -> str:
        return next((name for name in self.files if path.startswith(f"{name}/")), "")


def loaded(text: str) -> Loaded:
    """What a table.toml says."""
    return parse_table(text, "/t/table.toml", Shelf())
