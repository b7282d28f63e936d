"""What happens to a daemon, and when: kills, ends on request, reloads."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from enum import Enum
from random import Random

from firmware_host.model.states import Phase
from firmware_host.model.times import S

SHORTEST_OUTAGE_S, LONGEST_OUTAGE_S = 0.5, 30.0
MESSAGES = {"dice": 700, "cards": 1300}
"""About so many messages a daemon says in a match."""
START_S = 0.45
"""About so long a daemon takes to start and to resume."""
SOON_S = 0.004


class How(Enum):
    """The way of a blow."""

    WAITING = "waiting"  # killed while it waits for the answer to a message
    ANYWHERE = "anywhere"  # killed a moment of real time after a message, wherever it is then
    PHASE = "phase"  # killed while it waits, in a certain phase
    STARTING = "starting"  # killed a moment of real time after it was started
    ENDED = "ended"  # asked to end
    RELOADED = "reloaded"  # asked to read its configuration again; it goes on


@dataclass(frozen=True, slots=True)
class Blow:
    """One blow: after so many messages (of that phase), and a delay; then the outage."""

    how: How
    messages: int = 0
    phase: Phase | None = None
    delay_s: float = 0.0
    outage_ns: int = 1 * S
    dark: bool = True

    @property
    def signal(self) -> int:
        """The signal that the daemon gets."""
        if self.how is How.ENDED:
            return signal.SIGTERM
        return signal.SIGHUP if self.how is How.RELOADED else signal.SIGKILL

    @property
    def ends(self) -> bool:
        """Whether the daemon does not go on after it."""
        return self.how is not How.RELOADED

    def __str__(self) -> str:
        where = f" in {self.phase.name}" if self.phase else ""
        return f"{self.how.value}{where} after {self.messages} messages and {self.delay_s * 1e3:.1f} ms"


def blow_of(chance: Random, how: How, game: str, among: int = 1, phase: Phase | None = None) -> Blow:
    """A blow of that kind, at a random moment; `among` so many of one match."""
    span = MESSAGES[game] // among
    messages = chance.randint(0, 6) if how is How.PHASE else chance.randint(1, span)
    if how is How.STARTING:
        messages, delay_s = 0, chance.uniform(0.0, START_S)
    else:
        delay_s = chance.uniform(0.0, SOON_S) if how is How.ANYWHERE else 0.0
    outage_s = SHORTEST_OUTAGE_S * (LONGEST_OUTAGE_S / SHORTEST_OUTAGE_S) ** chance.random()
    dark = chance.random() < 0.5
    return Blow(how, messages, phase, delay_s, int(outage_s * S), dark)
