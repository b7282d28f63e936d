"""The story of one round: all that was decided and noticed, in the order in which it happened.

Decisions come a little after what they are about, and not all equally late. So a verdict stands at the
middle of its stamp, and what has no stamp at the moment at which it was decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from firmware_host.effects import (
    EdgesLost,
    Effect,
    Judged,
    LateSignal,
    Noise,
    PhaseEntered,
    RoundFinished,
    RoundStarted,
    RoundStuck,
    RoundVoided,
    TieBroken,
)
from firmware_host.stamps import Stamp
from firmware_host.states import Phase

DecidedEffect = tuple[int, int, Effect]
"""An effect: its number in the session, when it was decided, and what it is."""
_STAMPED = Judged | RoundFinished | EdgesLost | LateSignal | Noise


@dataclass(frozen=True, slots=True)
class RoundEvent:
    """One effect of a round: its number in the session, when it was, and when it was decided."""

    n: int
    t_ns: int
    decided_ns: int
    effect: Effect


@dataclass(frozen=True, slots=True)
class StampedVerdict:
    """A verdict, and the dead heat that it has settled."""

    n: int
    judged: Judged
    tie: TieBroken | None = None

    @property
    def stamp(self) -> Stamp:
        return self.judged.stamp

    @property
    def t_ns(self) -> int:
        return self.stamp.middle_ns


@dataclass(frozen=True, slots=True)
class RoundPause:
    """A time during which the round stood still, from when to when (None: it did not go on)."""

    from_ns: int
    to_ns: int | None


@dataclass(frozen=True, slots=True)
class Story:
    """One round. `seats` played it; `ended_ns` is when its end was called, if it was."""

    start_ns: int
    ended_ns: int | None
    last_ns: int
    seats: tuple[int, ...]
    events: tuple[RoundEvent, ...]
    verdicts: tuple[StampedVerdict, ...]
    pauses: tuple[RoundPause, ...]

    @property
    def voided(self) -> RoundVoided | None:
        """Why it does not count, if it is known not to."""
        effects = (each.effect for each in self.events)
        return next((effect for effect in effects if isinstance(effect, RoundVoided)), None)

    @property
    def held(self) -> tuple[int, ...]:
        """The numbers of the verdicts on presses that were held until the round was void.

        A button that goes down is judged as a slap, for nobody can know how long it will stay down.
        """
        voided = self.voided
        held = set(zip(voided.seats, voided.held, strict=False)) if voided is not None else set()
        return tuple(sorted(given.n for given in self.verdicts if (given.judged.seat, given.stamp) in held))


def tell_story(told: Sequence[DecidedEffect]) -> Story | None:
    """The story of the first round in these effects, or None if none was started.

    What was before the countdown of the round belongs to something else.
    """
    start = next((i for i, (*_, effect) in enumerate(told) if isinstance(effect, RoundStarted)), None)
    if start is None:
        return None
    started = told[start][-1]
    assert isinstance(started, RoundStarted)
    numbered = told[_countdown_before(told, start) :]
    events = [RoundEvent(n, _moment(effect, t_ns), t_ns, effect) for n, t_ns, effect in numbered]
    verdicts = _verdicts(numbered)
    last_ns = max(max(each.t_ns, each.decided_ns) for each in events)
    slapped = {given.judged.seat for given in verdicts}
    playing = {seat for seat, hand in enumerate(started.hands, start=1) if hand}
    return Story(
        start_ns=started.t_ns,
        ended_ns=_end(events),
        last_ns=max(last_ns, started.t_ns),
        seats=tuple(sorted(playing | slapped)),
        events=tuple(sorted(events, key=attrgetter("t_ns", "n"))),
        verdicts=tuple(sorted(verdicts, key=attrgetter("t_ns", "n"))),
        pauses=_pauses(told[start:]),
    )


def _countdown_before(told: Sequence[DecidedEffect], start: int) -> int:
    """Where the round begins: at the countdown to its start call, if that is here."""
    for i in range(start - 1, -1, -1):
        effect = told[i][-1]
        if isinstance(effect, PhaseEntered) and effect.phase not in (Phase.PLAY, Phase.PAUSED):
            return i if effect.phase is Phase.COUNTDOWN else start
    return start


def _moment(effect: Effect, decided_ns: int) -> int:
    """When it was, as far as that is known."""
    return effect.stamp.middle_ns if isinstance(effect, _STAMPED) else decided_ns


def _verdicts(numbered: Sequence[DecidedEffect]) -> list[StampedVerdict]:
    """The verdicts; the dead heat that one settles is told just before it."""
    verdicts: list[StampedVerdict] = []
    tie: TieBroken | None = None
    for n, _, effect in numbered:
        if isinstance(effect, TieBroken):
            tie = effect
        elif isinstance(effect, Judged):
            verdicts.append(StampedVerdict(n, effect, tie))
            tie = None
    return verdicts


def _end(events: Sequence[RoundEvent]) -> int | None:
    """When the round was ended for good: a wrong stop call is not its end."""
    ends = [each.t_ns for each in events if isinstance(each.effect, RoundFinished | RoundStuck)]
    return ends[-1] if ends else None


def _pauses(told: Sequence[DecidedEffect]) -> tuple[RoundPause, ...]:
    """When nobody could play though the round had begun."""
    pauses: list[RoundPause] = []
    for _, t_ns, effect in told:
        if isinstance(effect, PhaseEntered):
            if pauses and pauses[-1].to_ns is None:
                if effect.phase is not Phase.PLAY:
                    continue
                pauses[-1] = RoundPause(pauses[-1].from_ns, t_ns)
            elif effect.phase is not Phase.PLAY:
                pauses.append(RoundPause(t_ns, None))
    return tuple(pauses)
