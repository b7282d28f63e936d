"""Pages with rows of information: what was counted, and what is wrong with the devices."""

from __future__ import annotations

from abc import abstractmethod

from firmware_host.service.labels import AUDIT_NAMES, CONDITION_NAMES
from firmware_host.service.page import ServicePage, filled
from firmware_host.service.panel_context import PanelContext
from firmware_host.show.lines import TurningLine
from firmware_host.texts import Phrase


class RowsPage(ServicePage):
    """Rows to go through, forwards and backwards; the parts of a row that is too long take turns."""

    nothing: Phrase

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._at = 0

    @abstractmethod
    def rows(self) -> list[str]:
        """The present rows."""

    def text(self, columns: int) -> TurningLine:
        rows = self.rows()
        if not rows:
            return self.context.say(self.nothing)
        return filled(rows[self._at % len(rows)].split(), columns)

    def hints(self) -> list[str]:
        turning = [Phrase.NEXT, Phrase.PREVIOUS] if len(self.rows()) > 1 else []
        return [*map(self.context.say, turning), self.way_back()]

    def first(self) -> None:
        self._turn(1)

    def second(self) -> None:
        self._turn(-1)

    def _turn(self, by: int) -> None:
        self._at = (self._at + by) % max(1, len(self.rows()))


class CountersCheck(RowsPage):
    """What the table has counted."""

    nothing = Phrase.NOT_COUNTED

    def rows(self) -> list[str]:
        return [f"{self._name(label)}: {value}" for label, value in self.context.info.audits]

    def _name(self, label: str) -> str:
        return self.context.say(AUDIT_NAMES[label]) if label in AUDIT_NAMES else label


class DevicesCheck(RowsPage):
    """The devices that do not work well, and what to do about it."""

    nothing = Phrase.ALL_WELL

    def rows(self) -> list[str]:
        return [
            f"{device.name}: {self.context.say(CONDITION_NAMES[device.condition])} {device.words}"
            for device in self.context.health.values()
            if device.condition in CONDITION_NAMES
        ]
