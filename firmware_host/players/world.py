"""All that a person can do to a table and see of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from firmware_host.places import Slot, Spot, Tag

WHITE, RED, CYAN, GREEN = 7, 4, 3, 2
"""What an eye tells apart of a lamp's values."""


class PlayersWorld(Protocol):
    """Hands and eyes at one table. There is no way from here to what the referee thinks."""

    @property
    def now_ns(self) -> int: ...

    @property
    def lines(self) -> tuple[str, ...]:
        """What the scoreboard says."""

    def after(self, delay_ns: int, deed: Callable[[], None]) -> None:
        """Do something in a while."""

    def press(self, seat: int) -> None: ...

    def release(self, seat: int) -> None: ...

    def press_call(self, seat: int) -> None: ...

    def release_call(self, seat: int) -> None: ...

    def show(self, at: Spot, tag: Tag) -> None:
        """Hold something with a tag to a reader."""

    def withdraw(self, at: Spot, tag: Tag) -> None:
        """Take it away again."""

    def fill(self, slot: Slot, tag: Tag) -> None:
        """A die comes down on a slot, with that tag under it."""

    def empty(self, slot: Slot) -> None:
        """The die on a slot is taken away."""

    def is_filled(self, slot: Slot) -> bool: ...

    def slot_light(self, slot: Slot, for_ns: int) -> tuple[int, ...]:
        """The values a slot's lamp took on during that last while, in order."""

    def panel_light(self, seat: int, for_ns: int) -> tuple[int, ...]:
        """The same of a seat's own lamp."""
