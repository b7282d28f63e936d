"""The story of one round: all its effects, in the order in which things happened.

Decisions come a little after what they are about, and not all equally late. So the time of a verdict is the
middle of its stamp. Effects without a stamp have the time at which they were decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from firmware_host.model.effects import (
    WINNING,
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
from firmware_host.model.states import Phase
from firmware_host.model.times import Stamp

DecidedEffect = tuple[int, int, Effect]
"""An effect: its number in the session, when it was decided, and the effect itself."""
_STAMPED = Judged | RoundFinished | EdgesLost | LateSignal | Noise


@dataclass(frozen=True, slots=True)
class RoundEvent:
    """An effect of a round: its number in the session, its time, and when it was decided."""

    n: int
    t_ns: int
    decided_ns: int
    effect: Effect


@dataclass(frozen=True, slots=True)
class StampedVerdict:
    """A verdict, and the dead heat that it settled."""

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
    """A time during which the round stood still; its end is None if the round did not go on."""

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
        """Why the round does not count; None if it was not voided."""
        effects = (each.effect for each in self.events)
        return next((effect for effect in effects if isinstance(effect, RoundVoided)), None)

    @property
    def held(self) -> tuple[int, ...]:
        """The numbers of the verdicts on the presses that were held until the round was void.

        A button that goes down is judged as a slap, since it is unknown how long it will stay down.
        """
        voided = self.voided
        held = set(zip(voided.seats, voided.held, strict=False)) if voided is not None else set()
        return tuple(sorted(given.n for given in self.verdicts if (given.judged.seat, given.stamp) in held))


def tell_story(told: Sequence[DecidedEffect]) -> Story | None:
    """The story of the first round in these effects, or None if none was started.

    Effects before the countdown of the round are not part of it.
    """
    start = next((i for i, (*_, effect) in enumerate(told) if isinstance(effect, RoundStarted)), None)
    if start is None:
        return None
    started = told[start][-1]
    assert isinstance(started, RoundStarted)
    numbered = told[_countdown_before(told, start) :]
    events = [
        RoundEvent(n, each.stamp.middle_ns if isinstance(each, _STAMPED) else t_ns, t_ns, each)
        for n, t_ns, each in numbered
    ]
    ends = [each.t_ns for each in events if isinstance(each.effect, RoundFinished | RoundStuck)]
    verdicts = _verdicts(numbered)
    last_ns = max(max(each.t_ns, each.decided_ns) for each in events)
    slapped = {given.judged.seat for given in verdicts}
    playing = {seat for seat, hand in enumerate(started.hands, start=1) if hand}
    return Story(
        start_ns=started.t_ns,
        ended_ns=ends[-1] if ends else None,  # a wrong stop call is not its end
        last_ns=max(last_ns, started.t_ns),
        seats=tuple(sorted(playing | slapped)),
        events=tuple(sorted(events, key=attrgetter("t_ns", "n"))),
        verdicts=tuple(sorted(verdicts, key=attrgetter("t_ns", "n"))),
        pauses=_pauses(told[start:]),
    )


def _countdown_before(told: Sequence[DecidedEffect], start: int) -> int:
    """The index at which the round begins: that of the countdown to its start call, if it is here."""
    for i in range(start - 1, -1, -1):
        effect = told[i][-1]
        if isinstance(effect, PhaseEntered) and effect.phase not in (Phase.PLAY, Phase.PAUSED):
            return i if effect.phase is Phase.COUNTDOWN else start
    return start


def _verdicts(numbered: Sequence[DecidedEffect]) -> list[StampedVerdict]:
    """The verdicts, each with its dead heat, which is the effect just before it."""
    verdicts: list[StampedVerdict] = []
    tie: TieBroken | None = None
    for n, _, effect in numbered:
        if isinstance(effect, TieBroken):
            tie = effect
        elif isinstance(effect, Judged):
            verdicts.append(StampedVerdict(n, effect, tie))
            tie = None
    return verdicts


def _pauses(told: Sequence[DecidedEffect]) -> tuple[RoundPause, ...]:
    """The times when nobody could play although the round had begun."""
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


@dataclass(frozen=True, slots=True)
class Contest:
    """A race of several seats for one thing: the winner, and the losers in the order of their stamps."""

    winner: StampedVerdict
    losers: tuple[StampedVerdict, ...]

    @property
    def all(self) -> tuple[StampedVerdict, ...]:
        """All verdicts in it, the winner's first."""
        return (self.winner, *self.losers)

    @property
    def hull(self) -> Stamp:
        """The time from the earliest to the latest stamp of any of them."""
        stamps = [given.stamp for given in self.all]
        return Stamp(min(stamp.earliest_ns for stamp in stamps), max(stamp.latest_ns for stamp in stamps))


def contests(verdicts: Sequence[StampedVerdict]) -> tuple[Contest, ...]:
    """All contests among these verdicts, in the order of the winners' stamps."""
    losers: dict[int, list[StampedVerdict]] = {}
    winners: dict[int, StampedVerdict] = {}
    for given in verdicts:
        winner = rival_of(given, verdicts)
        if winner is not None:
            winners[winner.n] = winner
            losers.setdefault(winner.n, []).append(given)
    found = [Contest(winners[n], tuple(sorted(lost, key=_in_order))) for n, lost in losers.items()]
    return tuple(sorted(found, key=lambda contest: _in_order(contest.winner)))


def contest_with(contest: Contest, loser: StampedVerdict) -> Contest:
    """The contest with one more loser."""
    return Contest(contest.winner, tuple(sorted((*contest.losers, loser), key=_in_order)))


def rival_of(loser: StampedVerdict, verdicts: Sequence[StampedVerdict]) -> StampedVerdict | None:
    """The winning verdict that a loser names by seat and stamp; None if it names none that is here."""
    judged = loser.judged
    named = [
        given
        for given in verdicts
        if given.judged.verdict in WINNING
        and (given.judged.seat, given.stamp) == (judged.rival, judged.rival_stamp)
    ]
    # A seat may lay two cards at the same time. The rival is the one that the loser raced for.
    return next((given for given in named if _face(given) == _face(loser)), named[0] if named else None)


def _face(given: StampedVerdict) -> tuple[object, ...]:
    """What all verdicts of a race have in common: the place, or the card without its owner."""
    what = given.judged.what
    return () if what is None else what[-2:]


def apart_ns(one: Stamp, other: Stamp) -> int:
    """The time that is surely between two stamps; negative by as much as they overlap."""
    first, second = sorted((one, other))
    return second.earliest_ns - first.latest_ns


def _in_order(given: StampedVerdict) -> tuple[int, int]:
    return given.t_ns, given.n
