"""gpiozero's mock pins, told the time by the simulated world."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hw.sim.agenda import Agenda


class SimPin(MockPin):  # type: ignore[misc]  # gpiozero has no type hints
    """A mock pin whose ticks are the agenda's nanoseconds, and which keeps no endless history."""

    _state: bool

    def _change_state(self, value: bool) -> bool:
        if self._state == value:
            return False
        self._state = value
        return True

    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self._factory.agenda.now_ns, self._state)


class SimPinFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no type hints
    """The pins of a simulated Pi of the given board revision."""

    def __init__(self, agenda: Agenda, revision: str) -> None:
        super().__init__(revision=revision, pin_class=SimPin)
        self.agenda = agenda
