"""All that a person can do at a table and see of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from firmware_host.places import Slot, Spot, Tag

WHITE, YELLOW, RED, CYAN, GREEN, DARK = 7, 6, 4, 3, 2, 0
"""The different values of a lamp that an eye saw."""


class PlayersWorld(Protocol):
    """Hands and eyes at one table. Nothing here gives access to the referee."""

    @property
    def now_ns(self) -> int: ...

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the scoreboard."""

    def after(self, delay_ns: int, deed: Callable[[], None]) -> None:
        """Do something later."""

    def press(self, seat: int) -> None: ...

    def release(self, seat: int) -> None: ...

    def press_call(self, seat: int) -> None: ...

    def release_call(self, seat: int) -> None: ...

    def show(self, at: Spot, tag: Tag) -> None:
        """Hold something with a tag to a reader."""

    def withdraw(self, at: Spot, tag: Tag) -> None:
        """Take it away again."""

    def fill(self, slot: Slot, tag: Tag) -> None:
        """Put a die on a slot, with that tag under it."""

    def empty(self, slot: Slot) -> None:
        """Take the die on a slot away."""

    def is_filled(self, slot: Slot) -> bool: ...

    def slot_light(self, slot: Slot, for_ns: int) -> tuple[int, ...]:
        """The values of a slot's lamp during the last `for_ns`, in order."""

    def panel_light(self, seat: int, for_ns: int) -> tuple[int, ...]:
        """The same for a seat's panel lamp."""
