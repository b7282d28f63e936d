"""The events to come in the simulated world, and a clock that jumps from one to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hw.work import Work


class VirtualClock:
    """Time that stands still until `wait` makes it jump."""

    def __init__(self, t_ns: int = 0) -> None:
        self._now_ns = t_ns

    def now_ns(self) -> int:
        return self._now_ns

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        if until_ns is not None and until_ns > self._now_ns:
            self._now_ns = until_ns
        return True


class PacedClock(VirtualClock):
    """Virtual time at the pace of real time: it jumps too, but not before real time is that far.

    A machine that falls behind only changes the pace; everything else goes as in virtual time.
    """

    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed
        self._origin = time.monotonic()

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        if until_ns is not None:
            delay = self._origin + until_ns / 1e9 / self._speed - time.monotonic()
            if delay > 0:
                time.sleep(delay)
            elif delay < -1.0:
                self._origin -= delay
        return super().wait(until_ns, descriptors)


class Agenda:
    """Actions with their moments; equal moments keep the order of entry."""

    def __init__(self) -> None:
        self.now_ns = 0
        self._actions: list[tuple[int, int, Callable[[], None]]] = []
        self._entries = 0

    @property
    def due_ns(self) -> int | None:
        """When the next action is due."""
        return self._actions[0][0] if self._actions else None

    def at(self, t_ns: int, action: Callable[[], None]) -> None:
        """Do this then (or at once, if that moment has passed)."""
        self._entries += 1
        heappush(self._actions, (max(t_ns, self.now_ns), self._entries, action))

    def after(self, delay_ns: int, action: Callable[[], None]) -> None:
        """Do this in a while."""
        self.at(self.now_ns + delay_ns, action)

    def run(self, until_ns: int) -> None:
        """Do all that is due by then, each action at its own moment."""
        while self._actions and self._actions[0][0] <= until_ns:
            self.now_ns, _, action = heappop(self._actions)
            action()
        self.now_ns = max(self.now_ns, until_ns)


class AgendaOwner:
    """Steps a piece of work when it is due or woken, always at the agenda's own time.

    A wake-up is an action too, so a driver is never called in the middle of another step.
    """

    def __init__(self, work: Work, agenda: Agenda) -> None:
        self._work = work
        self._agenda = agenda
        self._due_ns: int | None = None
        self._closed = False
        work.wake = self.wake
        self.wake()

    def wake(self) -> None:
        """Ask for a step."""
        self._plan(self._agenda.now_ns)

    def close(self) -> None:
        """End the steps; let the work close."""
        if not self._closed:
            self._closed = True
            self._work.close()

    def _plan(self, t_ns: int) -> None:
        if self._due_ns is None or t_ns < self._due_ns:
            self._due_ns = t_ns
            self._agenda.at(t_ns, lambda: self._run(t_ns))

    def _run(self, planned_ns: int) -> None:
        if self._closed or planned_ns != self._due_ns:
            return  # an earlier one has taken its place
        self._due_ns = None
        due_ns = self._work.step(self._agenda.now_ns)
        if due_ns is not None:
            self._plan(max(due_ns, self._agenda.now_ns + 1))


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
