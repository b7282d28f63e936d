"""What can be set at the table: as it was, as it was confirmed, and as it is being tried."""

from __future__ import annotations

from dataclasses import dataclass, fields

from firmware_host.service.info import Choice, PanelInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSettings:
    """Everything that can be set, each with a value."""

    language: str
    brightness: int | None
    game: str
    seats: tuple[int, ...]
    handicap: tuple[int, ...]


def present_setup(info: PanelInfo) -> PanelSettings:
    """How the table is set when the panel opens."""
    handicap = (*info.handicap, *(0,) * info.seats)[: info.seats]
    seats = info.open_seats or range(1, info.seats + 1)
    return PanelSettings(
        language=info.language,
        brightness=info.brightness,
        game=info.game,
        seats=tuple(sorted(seats)),
        handicap=handicap,
    )


class Choices:
    """What is tried shows at once; only what is confirmed stays."""

    def __init__(self, before: PanelSettings) -> None:
        self._before = before
        self._confirmed = before
        self.tried = before

    def confirm(self) -> None:
        self._confirmed = self.tried

    def drop(self) -> None:
        """Back to what was confirmed."""
        self.tried = self._confirmed

    @property
    def changed(self) -> dict[str, Choice]:
        """What was confirmed and is otherwise than before."""
        names = [field.name for field in fields(PanelSettings)]
        return {
            name: getattr(self._confirmed, name)
            for name in names
            if getattr(self._confirmed, name) != getattr(self._before, name)
        }
