"""The owner of a bus or port in virtual time: its steps are actions on the agenda."""

from __future__ import annotations

from hw.sim.agenda import Agenda
from hw.work import Work


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
