"""The settings that a kind of file may have, and those of a file that are in the wrong section.

In TOML a setting belongs to the header above it. So a setting below a wrong header, or one that
has lost its header, is unknown where it is. Its name shows where it should be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firmware_host.config.fault_words import nearest
from firmware_host.config.sections import FileSetting
from firmware_host.config.setting_lines import KeyPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The names of settings: those above all sections, and those within each.

    `banks.*` stands for each of the sections in [banks], `build.board` for one of those in [build].
    Only the settings in `lists` are lists.
    """

    top: Collection[str]
    inner: Mapping[str, Collection[str]]
    lists: Collection[str] = field(default=())

    def knows(self, setting: FileSetting) -> bool:
        """Whether a setting is known where it is."""
        if len(setting.path) == 1:
            return setting.name in self.top
        section, *deeper = map(str, setting.path[:-1])
        names = self.inner.get(f"{section}.*" if deeper else section)
        if names is not None:
            return setting.name in names
        if not deeper and section not in self.top and nearest(section, self.top) is None:
            return False  # nothing in there is read
        return isinstance(setting.value, dict) or f"{section}.*" not in self.inner

    def homes(self, setting: FileSetting, data: Mapping[str, Any]) -> list[str]:
        """The kinds of sections that know a setting and lack it; an empty name is for above all sections."""
        name, value = setting.name, setting.value
        if isinstance(value, dict):
            kinds = [kind for kind, names in self.inner.items() if value and set(value) <= set(names)]
            found = [kind.removesuffix(".*") for kind in kinds if kind.endswith(".*")]
        else:
            kinds = [kind for kind, names in self.inner.items() if name in names]
            found = [kind for kind in kinds if isinstance(value, list) == (kind in self.lists)]
            found.sort(key=lambda kind: kind.endswith(".*"))
            if name in self.top and name not in data:
                found.insert(0, "")
        return [section for section in found if not _has(data, section, name)]


def _has(data: Mapping[str, Any], section: str, name: str) -> bool:
    inside: Any = data
    for part in section.split("."):
        inside = inside.get(part) if isinstance(inside, dict) else None
    return isinstance(inside, dict) and name in inside


class Misplaced(NamedTuple):
    """Settings that are together in a wrong place; `home` is the right one, such as `banks.*`."""

    settings: list[FileSetting]
    home: str


def find_misplaced(data: Mapping[str, Any], layout: Layout) -> Iterator[Misplaced]:
    """All settings of a file that are unknown where they are, and known elsewhere."""
    moved: set[KeyPath] = set()
    for path, section in _sections((), data):
        if path in moved:
            continue  # with everything in it
        here = [FileSetting((*path, name), value) for name, value in section.items()]
        strange = [(each, layout.homes(each, data)) for each in here if not layout.knows(each)]
        while homes := [home for _, its in strange for home in its if len(strange) > 1 or "*" not in home]:
            home = max(homes, key=homes.count)  # where most of them belong: their header is missing
            misplaced = Misplaced([each for each, its in strange if home in its], home)
            moved |= {each.path for each in misplaced.settings}
            yield misplaced
            strange = [(each, its) for each, its in strange if home not in its]


def _sections(path: KeyPath, section: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    yield path, section
    for name, value in section.items():
        if isinstance(value, dict):
            yield from _sections((*path, name), value)
