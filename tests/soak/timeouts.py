"""Which ways out by time a journal shows: phases that have lasted exactly as long as they may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from firmware_host.model.effects import CardPlayed, PhaseEntered, SeatTaken, SlotChanged
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.store.store_reader import Decision

TIMEOUTS = (
    "JOIN: too few have come",
    "JOIN: no more come",
    "COUNTDOWN: the round begins",
    "PLAY: nothing is placed",
    "PAUSED: nobody goes on",
    "SETTLE: nobody objects",
    "SCORES: shown long enough",
    "CLEAR: somebody is ready",
    "CLEAR: nobody is ready",
    "CLEAR: things still lie about",
    "RESULT: shown long enough",
)
"""All ways out by time; ATTRACT has none. Things can lie about only on a board of dice."""

CLOSE_NS = 100 * MS


def timeouts_in(decisions: Iterable[Decision], settings: Settings) -> Counter[str]:
    """How often each was taken."""
    found: Counter[str] = Counter()
    phase, entered_ns, last_ns = "", 0, 0
    for decision in decisions:
        effect = decision.effect
        if isinstance(effect, SeatTaken | SlotChanged | CardPlayed):
            last_ns = decision.t_ns
        elif isinstance(effect, PhaseEntered):
            to, t_ns = effect.phase.name, effect.t_ns
            name = _timeout(phase, to, t_ns - entered_ns, t_ns - last_ns, settings)
            if name:
                found[name] += 1
            phase, entered_ns = to, t_ns
    return found


def _timeout(phase: str, to: str, lasted_ns: int, calm_ns: int, settings: Settings) -> str:
    """The way out by time that leads from that phase to the next, if it was one."""
    check_ns = settings.stop_ns + settings.leftover_ns
    ways = {
        ("JOIN", "ATTRACT"): (TIMEOUTS[0], calm_ns, settings.join_ns),
        ("JOIN", "CLEAR"): (TIMEOUTS[1], calm_ns, settings.join_ns),
        ("COUNTDOWN", "PLAY"): (TIMEOUTS[2], lasted_ns, 3 * settings.count_ns),
        ("PLAY", "PAUSED"): (TIMEOUTS[3], min(lasted_ns, calm_ns), settings.idle_ns),
        ("PAUSED", "ATTRACT"): (TIMEOUTS[4], lasted_ns, settings.paused_ns),
        ("SETTLE", "SCORES"): (TIMEOUTS[5], lasted_ns, check_ns),
        ("SCORES", "CLEAR"): (TIMEOUTS[6], lasted_ns, settings.scores_ns),
        ("CLEAR", "COUNTDOWN"): (TIMEOUTS[7], lasted_ns, settings.clear_ns),
        ("CLEAR", "ATTRACT"): (TIMEOUTS[8], lasted_ns, settings.clear_ns),
        ("CLEAR", "RESULT"): (TIMEOUTS[9], lasted_ns, settings.clear_ns),
        ("RESULT", "ATTRACT"): (TIMEOUTS[10], lasted_ns, settings.result_ns),
    }
    name, span_ns, limit_ns = ways.get((phase, to), ("", 0, 1))
    # Round ends are settled a moment after the stamp that they are counted from.
    return name if abs(span_ns - limit_ns) < CLOSE_NS else ""
