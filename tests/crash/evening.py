"""One evening: a match is played while the daemon gets its blows, and then it is seen what is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from firmware_host.lab.world.server import Happening
from firmware_host.model.states import Phase
from hw.sim.link import Message
from tests.crash.blows import Blow, How
from tests.crash.pages import phase_of
from tests.crash.rig import Rig

LONGEST_S = 90.0
LONGEST_WORLD_S = 3000.0
STEP_S = 0.05


class Failed(Exception):
    """The evening did not go as it must."""


@dataclass(slots=True)
class Struck:
    """A blow that was dealt: in which phase, and what came of it."""

    blow: Blow
    phase: str
    resumed: str = ""


@dataclass(slots=True)
class Evening:
    """Plays one match on a rig; `between` is called while the daemon is dead, before it is started again."""

    rig: Rig
    blows: Sequence[Blow]
    between: Callable[[], None] | None = None
    on_message: Callable[[int], None] | None = None
    """Called with the number of each message of the evening."""
    struck: list[Struck] = field(default_factory=list)
    messages: int = 0
    _left: list[Blow] = field(default_factory=list)
    _phase: Phase | None = None
    _in_phase: int = 0
    _doomed: Blow | None = None
    _deadline_s: float = 0.0

    def play(self) -> None:
        """The match, until its winners were shown and the table is free again; Failed if it never is."""
        self._left = list(self.blows)
        self._deadline_s = time.monotonic() + LONGEST_S
        self.rig.server.listener = self._hear
        self._start()
        while not (self.rig.people.diary.over and self._phase is Phase.ATTRACT and self._doomed is None):
            self.step()

    def step(self) -> None:
        """Let something happen."""
        happening = self.rig.server.step(STEP_S)
        gone = happening is Happening.LEFT
        if gone or (happening is Happening.NOTHING and self.rig.process.poll() is not None):
            self._go_on_after_death()
        if time.monotonic() > self._deadline_s or self.rig.world_s > LONGEST_WORLD_S:
            raise Failed(
                f"no end after {self.rig.world_s:.0f} s; the sign says {self.rig.surface.display.lines}"
            )

    # -- blows

    def _start(self) -> None:
        self.rig.start()
        self._phase, self._in_phase = None, 0
        if self._left and self._left[0].how is How.STARTING:
            self._strike()

    def _hear(self, message: Message) -> bool:
        """Each message of the daemon; whether the world may take it."""
        self.messages += 1
        if self.on_message is not None:
            self.on_message(self.messages)
        if message[0] == "page":
            phase = phase_of(tuple(message[1])) or self._phase
            if phase is not self._phase:
                self._phase, self._in_phase = phase, 0
        self._in_phase += 1
        if self._doomed is None and self._left and self._is_due(self._left[0]):
            return self._strike()
        return True

    def _is_due(self, blow: Blow) -> bool:
        if blow.how is How.PHASE:
            return self._phase is blow.phase and self._in_phase > blow.messages
        return self.rig.server.heard > blow.messages

    def _strike(self) -> bool:
        """Deal the next blow; whether the message that it came with still counts."""
        blow = self._left.pop(0)
        self.struck.append(Struck(blow, self._phase.name if self._phase else "none"))
        if blow.ends:
            self._doomed = blow
        if blow.delay_s:
            self.rig.send_later(blow.signal, blow.delay_s)
            return True
        self.rig.send(blow.signal)
        return blow.how in (How.ENDED, How.RELOADED)

    def _go_on_after_death(self) -> None:
        code = self.rig.bury()
        blow, self._doomed = self._doomed, None
        wanted = None if blow is None else 0 if blow.how is How.ENDED else -blow.signal
        if code != wanted:
            raise Failed(f"the daemon ended with {code}, after {blow}")
        assert blow is not None
        if blow.how is How.ENDED and not self.rig.is_dark:
            raise Failed("the daemon has ended, and the table still shows something")
        self.rig.pass_outage(blow.outage_ns, blow.dark)
        if self.between is not None:
            self.between()
        self._start()
