"""The shell around a referee: one loop, in an order that one can read.

What comes in is written down and given to the referee. Each step that follows is committed to the journal,
then exhibited and sounded, then passed to the onlookers. So what people have seen was written before. Only
that a press was felt is shown at once (press_lights.py): that decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from firmware_host.events import Command, Signal, TroubleReport
from firmware_host.input_text import Input
from firmware_host.referee.referee import Referee
from firmware_host.referee.step import Step
from firmware_host.runtime.press_lights import PressLights
from firmware_host.runtime.soundboard import Soundboard
from firmware_host.show.sounds import FELT
from hw.ports import LedPanel, Scoreboard

OnInput = Callable[[Input, int], None]
Onlooker = Callable[[Step], None]
"""Gets each step after it was exhibited."""


class StepLog(Protocol):
    """Keeps what comes in and what follows from it."""

    def came(self, advanced_ns: int, arrived_ns: int, seen: Input) -> None:
        """Note an input: how far the referee had advanced, when it arrived, and what it is.

        Whoever gives the same inputs to a new referee, advanced alike in between, gets the same steps.
        """

    def commit(self, step: Step) -> None:
        """Write down a step; it returns when the step may be shown."""


class _Unwritten:
    """Keeps nothing: a match that is over when the program ends."""

    def came(self, advanced_ns: int, arrived_ns: int, seen: Input) -> None:
        """It is not kept."""

    def commit(self, step: Step) -> None:
        """It may be shown at once."""


UNWRITTEN: StepLog = _Unwritten()


class Shell:
    """One referee at work."""

    def __init__(
        self,
        referee: Referee,
        journal: StepLog = UNWRITTEN,
        devices: tuple[LedPanel, Scoreboard] | None = None,
        onlookers: Iterable[Onlooker] = (),
        soundboard: Soundboard | None = None,
    ) -> None:
        self.referee = referee
        self.onlookers = list(onlookers)
        self.on_input: OnInput | None = None
        """Gets each input, and when it arrived."""
        self.on_felt: Callable[[Signal], None] | None = None
        """Gets each press that was felt: its lamp has answered."""
        self._journal = journal
        self.devices = devices
        self.soundboard = soundboard
        self._press_lights = PressLights(referee)

    # -- what comes in

    def put(self, seen: Input, now_ns: int) -> None:
        """Take something that has arrived now."""
        self._journal.came(self.referee.advanced_ns, now_ns, seen)
        self.referee.put(seen, now_ns)
        if isinstance(seen, Signal):
            self._feel(seen)
        if self.on_input is not None:
            self.on_input(seen, now_ns)

    def _feel(self, edge: Signal) -> None:
        if self._press_lights.touch(edge):
            if self.devices is not None:
                self.devices[0].show(self._press_lights.over(self.referee.frame))
            if self.soundboard is not None and edge.active:
                self.soundboard.play(FELT)
            if self.on_felt is not None and edge.active:
                self.on_felt(edge)

    def command(self, command: Command | TroubleReport) -> None:
        """Take what counts from its stamp on, whenever it arrived."""
        self.put(command, self.referee.advanced_ns)

    # -- what follows

    @property
    def due_ns(self) -> int | None:
        """When `advance` is needed next."""
        return self.referee.due_ns

    def advance(self, now_ns: int) -> None:
        """Do all that is due by now."""
        for step in self.referee.advance(now_ns):
            self._journal.commit(step)
            relit = self._press_lights.follow(step)
            if self.devices is not None:
                self._exhibit(step, relit, *self.devices)
            if self.soundboard is not None:
                self.soundboard.follow(step, self.referee.session, now_ns)
            for look_on in self.onlookers:
                look_on(step)

    def _exhibit(self, step: Step, relit: bool, leds: LedPanel, scoreboard: Scoreboard) -> None:
        if step.frame is not None or relit:
            leds.show(self._press_lights.over(self.referee.frame if step.frame is None else step.frame))
        if step.page is not None:
            scoreboard.show(step.page, self.referee.session.settings.language)

    # -- on which devices

    def connect(self, leds: LedPanel, scoreboard: Scoreboard, soundboard: Soundboard | None = None) -> None:
        """Show it on these from now on, beginning with what is to be seen now."""
        self.devices, self.soundboard = (leds, scoreboard), soundboard
        leds.show(self.referee.frame)
        if self.referee.page:
            scoreboard.show(self.referee.page, self.referee.session.settings.language)

    def disconnect(self) -> None:
        """Show it on no device for a while."""
        self.devices = self.soundboard = None
