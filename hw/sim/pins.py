"""gpiozero's mock pins, with the time of the simulated world."""

from __future__ import annotations

from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin


class SimPin(MockPin):  # type: ignore[misc]  # gpiozero has no type hints
    """A mock pin whose ticks are the world's nanoseconds, and which keeps no endless history."""

    _state: bool

    def _change_state(self, value: bool) -> bool:
        if self._state == value:
            return False
        self._state = value
        return True

    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self._factory.now_ns(), self._state)


class SimPinFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no type hints
    """The pins of a simulated Pi of the given board revision; `now_ns` stamps their edges."""

    def __init__(self, now_ns: Callable[[], int], revision: str) -> None:
        super().__init__(revision=revision, pin_class=SimPin)
        self.now_ns = now_ns
