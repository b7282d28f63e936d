"""What is wrong with the table right now, and whether a round can go on in spite of it.

A round that went on without a seat's button or a row's sensors would not be fair, so it
pauses until they are back. People may decide to go on all the same: then the troubles of
that moment are accepted until they are over, or the match is, and what is judged meanwhile
is doubtful.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from firmware_host.places import Button, Slot, Source
from firmware_host.states import DeviceCondition, MaskReason


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
        """Whether a round of these seats can't be fair meanwhile."""
        return self.needed and (not self.seat or self.seat in seated)


@dataclass(frozen=True, slots=True)
class MaskedSource:
    """A button or slot that is not listened to."""

    source: Source
    reason: MaskReason

    @property
    def name(self) -> str:
        return str(self.source)

    def matters(self, seated: Set[int]) -> bool:
        """Whether a round of these seats can't be fair meanwhile; a button matters to its seat."""
        return isinstance(self.source, Slot) or self.source.seat in seated


Trouble = LostDevice | MaskedSource


class Troubles:
    """The troubles by name, in the order in which they came."""

    def __init__(self) -> None:
        self._all: dict[str, Trouble] = {}
        self._accepted: set[str] = set()

    def begin(self, trouble: Trouble) -> None:
        """Something goes wrong; or more is known of what was wrong already, and stays accepted."""
        self._all[trouble.name] = trouble

    def end(self, name: str) -> None:
        self._all.pop(name, None)
        self._accepted.discard(name)

    def accept(self, seated: Set[int]) -> None:
        """These seats want to go on with things as they are."""
        self._accepted.update(trouble.name for trouble in self.all if trouble.matters(seated))

    def accept_none(self) -> None:
        """Those who accepted them have gone."""
        self._accepted.clear()

    def matter(self, seated: Set[int]) -> bool:
        """Whether something is missing that verdicts about these seats hang on."""
        return any(trouble.matters(seated) for trouble in self.all)

    def blocking(self, seated: Set[int]) -> Trouble | None:
        """The first trouble that no round of these seats can go on with, if there is one."""
        for trouble in self.all:
            if trouble.matters(seated) and trouble.name not in self._accepted:
                return trouble
        return None

    @property
    def masked(self) -> tuple[MaskedSource, ...]:
        """The buttons and slots that are not listened to."""
        return tuple(trouble for trouble in self.all if isinstance(trouble, MaskedSource))

    @property
    def masked_seats(self) -> set[int]:
        """The seats whose race buttons are not listened to."""
        return {trouble.source.seat for trouble in self.masked if isinstance(trouble.source, Button)}

    @property
    def all(self) -> tuple[Trouble, ...]:
        return tuple(self._all.values())
