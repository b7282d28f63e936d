"""What operators find in the log: the state of devices and the results of matches; no line for an edge.

The system's log and that of the table's own store have the same lines. A device that comes and goes must
fill neither, and what is only repeated to a new session is not logged again.
"""

from __future__ import annotations

import logging
from typing import Protocol

from firmware_host.model.effects import (
    DeviceReported,
    EdgesLost,
    MatchAbandoned,
    MatchEnded,
    PhaseEntered,
    Refused,
    RoundScored,
    RoundVoided,
    SourceMasked,
    SourceUnmasked,
)
from firmware_host.model.states import MASKED, Condition, DeviceCondition, void_words
from firmware_host.model.times import S
from firmware_host.referee import Step

WINDOW_NS, MOST_LINES = 600 * S, 10
"""The most lines about one device in that time; then one line says that there were more."""
LOST_EVERY_NS = 10 * S
"""Lost edges are summed up for so long."""

log = logging.getLogger(__name__)


class Note(Protocol):
    """Writes a line into both logs."""

    def __call__(self, kind: str, text: str, level: int = logging.INFO) -> None: ...


class Logbook:
    """Writes for as long as the daemon runs, whatever is played."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._logged: dict[str, str] = {}
        """The last line on each device."""
        self._lines: dict[str, tuple[int, int]] = {}
        """For each device since when its lines are counted, and how many there were."""
        self._lost: int = 0
        self._some_lost = False
        self._lost_logged_ns: int | None = None

    def write(self, step: Step) -> None:
        """Log what is worth a line."""
        t_ns = step.t_ns
        for effect in step.effects:
            match effect:
                case DeviceReported():
                    self._device(effect.device, t_ns)
                case SourceMasked():
                    text = f"{effect.source} is ignored, because it {MASKED[effect.reason]}"
                    self._of_device(str(effect.source), text, logging.WARNING, t_ns)
                case SourceUnmasked():
                    self._of_device(str(effect.source), f"{effect.source} is used again", logging.INFO, t_ns)
                case EdgesLost():
                    self._lost += effect.count
                    self._some_lost = True
                case RoundVoided():
                    why = void_words(effect.reason, effect.seats)
                    self._note("match", f"round {effect.number} is void: {why}")
                case RoundScored():
                    log.info("round %d is scored, totals %s", effect.number, _totals(effect))
                case MatchEnded():
                    self._note("match", f"the match is over, totals {_totals(effect)}")
                case MatchAbandoned():
                    self._note("match", f"the match is given up: {effect.reason}")
                case Refused():
                    self._note("refused", f"{effect.command} was refused: {effect.reason}", logging.WARNING)
                case PhaseEntered():
                    log.debug("%s", effect.phase.name)
                case _:
                    pass
        if self._some_lost:
            self._log_lost(t_ns)

    def _device(self, device: DeviceCondition, t_ns: int) -> None:
        name, well = device.name, device.condition is Condition.OK
        text = f"{name} is ok" if well else f"{name} is {device.condition}: {device.words}"
        if text != self._logged.get(name, f"{name} is ok"):
            self._logged[name] = text
            self._of_device(name, text, logging.INFO if well else logging.WARNING, t_ns)

    def _of_device(self, name: str, text: str, level: int, t_ns: int) -> None:
        since_ns, lines = self._lines.get(name, (t_ns, 0))
        if t_ns - since_ns > WINDOW_NS:
            since_ns, lines = t_ns, 0
        self._lines[name] = since_ns, lines + 1
        if lines < MOST_LINES:
            self._note("device", text, level)
        elif lines == MOST_LINES:
            minutes = WINDOW_NS // (60 * S)
            self._note(
                "device", f"{name} comes and goes; not logged again for up to {minutes} minutes", level
            )

    def _log_lost(self, t_ns: int) -> None:
        if self._lost_logged_ns is not None and 0 <= t_ns - self._lost_logged_ns < LOST_EVERY_NS:
            return
        what = {0: "some edges were", 1: "1 edge was"}.get(self._lost, f"{self._lost} edges were")
        log.warning("%s lost", what)
        self._lost, self._some_lost, self._lost_logged_ns = 0, False, t_ns


def _totals(effect: RoundScored | MatchEnded) -> str:
    return ", ".join(f"seat {seat}: {effect.totals[seat - 1]:+d}" for seat in effect.seats)
