"""What can be set at the table: the values from before, the confirmed ones, and those being tried."""

from __future__ import annotations

from dataclasses import dataclass, fields

from firmware_host.service.info import Choice, PanelInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSettings:
    """A value for everything that can be set."""

    language: str
    brightness: int | None
    volume: int | None
    game: str
    rounds: int | None
    seats: tuple[int, ...]
    handicap: tuple[int, ...]


def present_setup(info: PanelInfo) -> PanelSettings:
    """The settings of the table when the panel opens."""
    handicap = (*info.handicap, *(0,) * info.seats)[: info.seats]
    seats = info.open_seats or range(1, info.seats + 1)
    return PanelSettings(
        language=info.language,
        brightness=info.brightness,
        volume=info.volume,
        game=info.game,
        rounds=info.rounds,
        seats=tuple(sorted(seats)),
        handicap=handicap,
    )


class Choices:
    """Settings that show at once while they are tried, and stay only if they are confirmed."""

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
        """The confirmed settings that differ from those before."""
        names = [field.name for field in fields(PanelSettings)]
        return {
            name: getattr(self._confirmed, name)
            for name in names
            if getattr(self._confirmed, name) != getattr(self._before, name)
        }
