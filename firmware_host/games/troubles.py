"""What is wrong with the table now, and whether a round can go on in spite of it.

A round would not be fair without a seat's button or a row's sensors, so it pauses until
they are back. Players may decide to go on anyway. Then the present troubles are accepted
until they end or the match does, and verdicts are doubtful meanwhile.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from firmware_host.model.places import Button, Slot, Source
from firmware_host.model.states import DeviceCondition, MaskReason


@dataclass(frozen=True, slots=True)
class LostDevice:
    """A device that does not work; one with a `seat` is needed only while that seat plays."""

    device: DeviceCondition
    needed: bool
    seat: int = 0

    @property
    def name(self) -> str:
        return self.device.name

    def matters(self, seated: Set[int]) -> bool:
        """Whether a round of these seats would not be fair meanwhile."""
        return self.needed and (not self.seat or self.seat in seated)


@dataclass(frozen=True, slots=True)
class MaskedSource:
    """A button or slot that is masked."""

    source: Source
    reason: MaskReason

    @property
    def name(self) -> str:
        return str(self.source)

    def matters(self, seated: Set[int]) -> bool:
        """Whether a round of these seats would not be fair meanwhile; a button only matters to its seat."""
        return isinstance(self.source, Slot) or self.source.seat in seated


Trouble = LostDevice | MaskedSource


class Troubles:
    """The present troubles by name, in the order in which they began."""

    def __init__(self) -> None:
        self._all: dict[str, Trouble] = {}
        self._accepted: set[str] = set()

    def begin(self, trouble: Trouble) -> None:
        """Add a trouble. One that is known already is replaced, and stays accepted."""
        self._all[trouble.name] = trouble

    def end(self, name: str) -> None:
        self._all.pop(name, None)
        self._accepted.discard(name)

    def accept(self, seated: Set[int]) -> None:
        """The seats that play accept the present troubles."""
        self._accepted.update(trouble.name for trouble in self.all if trouble.matters(seated))

    def accept_none(self) -> None:
        """The players that accepted troubles have gone."""
        self._accepted.clear()

    def matter(self, seated: Set[int]) -> bool:
        """Whether something is missing that verdicts about these seats depend on."""
        return any(trouble.matters(seated) for trouble in self.all)

    def blocking(self, seated: Set[int]) -> Trouble | None:
        """The first trouble that keeps a round of these seats from going on; None if there is none."""
        for trouble in self.all:
            if trouble.matters(seated) and trouble.name not in self._accepted:
                return trouble
        return None

    @property
    def masked(self) -> tuple[MaskedSource, ...]:
        """The buttons and slots that are masked."""
        return tuple(trouble for trouble in self.all if isinstance(trouble, MaskedSource))

    @property
    def masked_seats(self) -> set[int]:
        """The seats whose race buttons are masked."""
        return {trouble.source.seat for trouble in self.masked if isinstance(trouble.source, Button)}

    @property
    def all(self) -> tuple[Trouble, ...]:
        return tuple(self._all.values())
