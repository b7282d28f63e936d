"""Reading goes on after a fault, so that all faults of a file are reported at once, and each once.

The consequences of a reported fault are not reported. So a misspelt name is reported and then
taken for the one that was meant. A setting in the wrong section is reported and then read as if
it were in the right one. Settings are not missed in a section that can't be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from firmware_host.model.errors import fault_messages
from firmware_host.model.plain_text import because, both, either, meant, nearest, shown, whole_number
from firmware_host.profile.document import Document, FileSetting, KeyPath, Layout, Section, find_misplaced

_MOST_LISTED = 17
_MOST_MISPLACED = 4


class FaultCollector:
    """Reads values from a document and keeps a message for each that can't be right."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._faults: list[tuple[int, str]] = []
        self._misplaced: set[KeyPath] = set()
        self.headless: Counter[str] = Counter()
        """How many sections of a kind seem to have lost their header, or a part of its name."""
        self._lent: dict[str, dict[str, FileSetting]] = {}

    @property
    def faults(self) -> list[str]:
        """The faults in the order of their lines; only the first of many."""
        return fault_messages(self._document.name, self._faults)

    # -- telling

    def fault(self, setting: FileSetting, allowed: str, *, found: str = "", near: str | None = None) -> None:
        """Add a fault of a setting: what is there, and what would be right."""
        seen = "missing" if setting.value is None else found or shown(setting.value)
        if not setting.muted:
            self.say(setting.path, f"{setting} is {seen}; allowed: {allowed}{meant(near)}")

    def say(self, path: KeyPath, words: str) -> None:
        """Add a fault in other words."""
        self._faults.append((self._document.line_near(path), words))

    def line_of(self, setting: FileSetting) -> int:
        """The line of a setting, or of the section where it is missing."""
        return self._document.line_near(setting.path)

    def in_order(self, section: Section) -> dict[str, FileSetting]:
        """The settings of a section in the order of the file."""
        return dict(sorted(section.items(), key=lambda item: self.line_of(item[1])))

    def where(self, setting: FileSetting) -> str:
        """A setting and its line, for the faults of other settings."""
        return f"{setting} in line {self.line_of(setting)}"

    def _unknown(self, setting: FileSetting, known: Collection[str], near: str | None) -> None:
        names = sorted(known)
        listed = ", ".join(names)
        if near and len(names) > _MOST_LISTED:  # nobody reads more of them
            listed = f"{', '.join(names[:_MOST_LISTED])} and {len(names) - _MOST_LISTED} more"
        self.say(setting.path, f"{setting} is unknown; allowed: {listed}{meant(near)}")

    # -- sections

    def root(self, layout: Layout) -> Section:
        """The settings above all sections."""
        data = self._document.data
        found: dict[str, FileSetting] = {}
        for settings, home in find_misplaced(data, layout):
            self._misplaced |= {setting.path for setting in settings}
            self._tell_misplaced(settings, home)
            for setting in settings:
                (self._lent.setdefault(home, {}) if home else found).setdefault(setting.name, setting)
        for name, value in data.items():
            if isinstance(value, dict) and value and all((name, each) in self._misplaced for each in value):
                self._misplaced.add((name,))  # reported for each setting in it
        found |= self._named((), data, layout.top)
        for name, value in data.items():
            if name not in layout.top and (name,) not in self._misplaced:
                self._join(name, value, found.get(nearest(name, layout.top) or ""))
        return Section((), found)

    def _tell_misplaced(self, settings: Sequence[FileSetting], home: str) -> None:
        names = list(map(str, settings))
        if len(names) > _MOST_MISPLACED:
            names[_MOST_MISPLACED:] = [f"{len(names) - _MOST_MISPLACED} more"]
        place = f"in the section [{home}]" if home else "above the first [section]"
        if home.endswith(".*"):
            place = f"in a section such as [{home[:-1]}name]"
        self.headless[home.removesuffix(".*")] += 1
        verb = "is" if len(names) == 1 else "are"
        self.say(settings[0].path, f"{both(names)} {verb} out of place; allowed: {place}")

    def _join(self, name: str, value: object, near: FileSetting | None) -> None:
        """Put the settings below a misspelt header where they were meant to be."""
        if isinstance(value, dict) and near and near.name != name and isinstance(near.value, dict):
            lent = self._lent.setdefault(near.name, {})
            lent |= {child: FileSetting((name, child), inside) for child, inside in value.items()}

    def section(self, parent: Section, name: str, known: Collection[str] | None = None) -> Section:
        """A section, empty if it is missing; `known` are the settings that it may have (None for any)."""
        whole = parent[name]
        lent = self._lent.get(".".join(map(str, (*parent.path, name))), {})
        if isinstance(whole.value, dict):
            return Section(whole.path, lent | self._named(whole.path, whole.value, known))
        if whole.value is not None:
            self.fault(whole, f"a section [{whole}]")
        return Section(whole.path, lent, muted=whole.muted or whole.value is not None)

    def _named(
        self, path: KeyPath, data: Mapping[str, Any], known: Collection[str] | None
    ) -> dict[str, FileSetting]:
        """The settings by their right names, with a fault for each that has a wrong one."""
        here = [FileSetting((*path, name), value) for name, value in data.items()]
        here = [setting for setting in here if setting.path not in self._misplaced]
        found = {setting.name: setting for setting in here if known is None or setting.name in known}
        for setting in here:
            if known is not None and setting.name not in known:
                near = nearest(setting.name, (name for name in known if name not in found))
                if near:
                    found[near] = setting
                self._unknown(setting, known, near or nearest(setting.name, known))
        return found

    # -- values

    def text(self, setting: FileSetting, default: str | None = None, *, what: str = "a text") -> str:
        """A text; empty if the value is not one."""
        if setting.value is None and default is not None:
            return default
        if isinstance(setting.value, str) and setting.value:
            return setting.value
        self.fault(setting, what)
        return ""

    def one_of(self, setting: FileSetting, allowed: Sequence[str], default: str | None = None) -> str:
        """One of these words; empty if the value is not one."""
        if setting.value is None and default is not None:
            return default
        if isinstance(setting.value, str) and setting.value in allowed:
            return setting.value
        self.fault(setting, either(allowed), near=nearest(setting.value, allowed))
        return ""

    def yes_or_no(self, setting: FileSetting, default: bool) -> bool:
        """Whether it is true."""
        if setting.value is not None and not isinstance(setting.value, bool):
            self.fault(setting, "true or false")
        return default if setting.value is None else bool(setting.value)

    def number(
        self,
        setting: FileSetting,
        least: int,
        most: int,
        *,
        default: int | None = None,
        what: str = "a number",
        form: str = "{}",
        why: str = "",
    ) -> int:
        """A number of that range; -1 if the value is not one. `why` is the reason for the range."""
        value = setting.value
        if value is None and default is not None:
            return default
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and least <= value <= most:
            return int(value)
        span = f"{what} from {form.format(least)} to {form.format(most)}"
        reason = because(why)
        number = whole_number(value) if isinstance(value, str) else None
        if number is not None and least <= number <= most:
            reason = f", without quotes{reason}"
        allowed = (span if least < most else f"only {form.format(least)}") + reason
        self.fault(setting, allowed, found=form.format(value) if whole and value >= 0 else "")
        return -1

    def entries(self, setting: FileSetting, count: int, things: str) -> list[FileSetting]:
        """The entries of a list with `count` of them; empty if the value is not such a list."""
        if isinstance(setting.value, list) and len(setting.value) == count:
            return setting.entries
        found = f"a list of {len(setting.value)}" if isinstance(setting.value, list) else ""
        self.fault(setting, f"a list of {count} {things}", found=found)
        return []
