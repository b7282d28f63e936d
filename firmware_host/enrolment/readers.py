"""The readers of a table while tags are enrolled: what lies on each, and at which of them it counts."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.places import Pad, Spot


class Readers:
    """`spots` are their places; without a chosen one a tag counts at every pad, or else at every reader."""

    def __init__(self, spots: Sequence[Spot], chosen: int | None = None) -> None:
        self.spots = tuple(spots)
        self.chosen = chosen
        self._lying: list[list[str]] = [[] for _ in self.spots]
        self._old: set[tuple[int, str]] = set()
        self._lost: set[int] = set()

    @property
    def eligible(self) -> list[int]:
        """Where a tag counts now."""
        if self.chosen is not None:
            return [self.chosen]
        pads = [number for number, spot in enumerate(self.spots) if isinstance(spot, Pad)]
        return pads or list(range(len(self.spots)))

    @property
    def blind(self) -> bool:
        """Whether a tag counts nowhere, since the readers for that are lost."""
        return all(each in self._lost for each in self.eligible)

    @property
    def lying(self) -> tuple[str, ...]:
        """The tags on the chosen reader."""
        return () if self.chosen is None else tuple(self._lying[self.chosen])

    @property
    def littered(self) -> bool:
        """Whether something lies where a tag would count."""
        return any(self._lying[each] for each in self.eligible)

    @property
    def old(self) -> bool:
        """Whether one of them may have lain there before anybody was asked for it."""
        return any((self.chosen, uid) in self._old for uid in self.lying)

    def come(self, reader: int, uid: str, *, early: bool) -> bool:
        """A tag is there; whether that is new: a reader that is back tells once more what still is there."""
        lying = self._lying[reader]
        if uid in lying:
            return False
        lying.append(uid)
        if early:
            self._old.add((reader, uid))
        return True

    def go(self, reader: int, uid: str) -> bool:
        """A tag is not there; whether that is new."""
        lying = self._lying[reader]
        if uid not in lying:
            return False
        lying.remove(uid)
        self._old.discard((reader, uid))
        return True

    def lose(self, reader: int) -> None:
        """This one does not work."""
        self._lost.add(reader)

    def find(self, reader: int) -> None:
        """This one works."""
        self._lost.discard(reader)
