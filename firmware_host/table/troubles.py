"""What is wrong with the table right now, and whether a round can go on in spite of it.

A round that went on without a seat's button or a row's sensors would not be fair, so it
pauses until they are back. People may decide to go on all the same: then the troubles of
that moment are accepted until they are over, or the match is, and what is judged meanwhile
is doubtful.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from firmware_host.places import Button, Call, Source
from firmware_host.states import MaskReason


@dataclass(frozen=True, slots=True)
class Trouble:
    """A device in a bad condition, or a masked source."""

    name: str
    needed: bool
    words: str
    source: Source | None = None
    seat: int = 0

    def matters(self, seated: Set[int]) -> bool:
        """Whether a round of these seats can't be fair meanwhile; a seat's own things matter to that seat."""
        if isinstance(self.source, Button | Call):
            return self.source.seat in seated
        return self.needed and (not self.seat or self.seat in seated)


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

    def has(self, name: str) -> bool:
        """Whether that is wrong now."""
        return name in self._all

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
    def masked_seats(self) -> set[int]:
        """The seats whose buttons are not listened to."""
        return {trouble.source.seat for trouble in self.all if isinstance(trouble.source, Button)}

    @property
    def all(self) -> tuple[Trouble, ...]:
        return tuple(self._all.values())


def of_source(source: Source, reason: MaskReason) -> Trouble:
    """A button or slot that is not listened to."""
    return Trouble(str(source), True, reason, source)
