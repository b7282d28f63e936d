"""A photo finish: who raced whom for what, with every stamp, and why it was decided as it was.

The order in which presses reached the software is shown beside the decision, because it is what other tables
go by. The decision does not depend on it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from firmware_host.history.scene import round_step
from firmware_host.history.story import Contest, StampedVerdict, apart_ns, contest_with, rival_of
from firmware_host.model.effects import Judged, RoundStarted, TieBroken, Verdict, parse_effect
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import Card, Slot
from firmware_host.model.times import Stamp, format_duration, margin_ns

Arrivals = Mapping[tuple[int, int], int]
"""The place in the order of arrival of each press: by its seat, and the moment at which its stamp begins."""


class FinishRule(Enum):
    """What decided a contest."""

    STAMPS = "stamps"  # the winner's stamp ends before all others begin
    EARLY = "early"  # a rival slapped while the die was in the air, and such a slap does not overtake
    OVERLAP = "overlap"  # a loser may have been as early, and had lost nothing by it
    FEWEST_TIES = "fewest-ties"  # a dead heat: the winner had won fewer of them than the others
    DRAW = "draw"  # a dead heat among seats that had won as many: lots were drawn


@dataclass(frozen=True, slots=True)
class Rival:
    """One seat of a contest. Margins are against the winner; `arrived` counts from 1, if it is known."""

    seat: int
    stamp: Stamp
    verdict: Verdict
    margin_ns: int = 0
    """From middle to middle; negative if this one was earlier."""
    apart_ns: int = 0
    """What surely lies between the stamps; negative by as much as they overlap."""
    arrived: int | None = None
    ties_won: int | None = None
    """The dead heats that it had won before in this match; None if it was in none now."""
    doubtful: bool = False

    @property
    def is_tied(self) -> bool:
        return self.ties_won is not None


@dataclass(frozen=True, slots=True)
class Finish:
    """One contest as it was decided. `id` is the session and the number of the winning verdict in it."""

    id: str
    what: Slot | Card | None
    rule: FinishRule
    rivals: tuple[Rival, ...]
    """The winner, and the others in the order of their stamps."""
    round_number: int | None = None
    started_ns: int | None = None

    @property
    def winner(self) -> Rival:
        return self.rivals[0]

    @property
    def losers(self) -> tuple[Rival, ...]:
        return self.rivals[1:]

    @property
    def zero_ns(self) -> int:
        """The moment from which time is counted: the middle of the winning stamp."""
        return self.winner.stamp.middle_ns

    @property
    def tied(self) -> tuple[Rival, ...]:
        """Those of whom nobody was first, by seat; empty if it was no dead heat."""
        return tuple(sorted((each for each in self.rivals if each.is_tied), key=lambda each: each.seat))

    @property
    def common(self) -> Stamp | None:
        """The time in which all who tied may have slapped; None if it was no dead heat."""
        stamps = [each.stamp for each in self.tied]
        if not stamps:
            return None
        first, last = max(stamp.earliest_ns for stamp in stamps), min(stamp.latest_ns for stamp in stamps)
        return Stamp(min(first, last), max(first, last))

    @property
    def early(self) -> tuple[Rival, ...]:
        """Those who slapped surely before the winner, for a die that was not there yet."""
        return tuple(each for each in self.losers if each.stamp.surely_before(self.winner.stamp))

    @property
    def first_to_arrive(self) -> int | None:
        """The seat that order of arrival would have taken; None if that order is not known of all."""
        order = [(each.arrived, each.seat) for each in self.rivals if each.arrived is not None]
        return min(order)[1] if len(order) == len(self.rivals) else None

    @property
    def is_doubtful(self) -> bool:
        """Whether signals were lost around that moment."""
        return any(each.doubtful for each in self.rivals)


def finish_id(session: int | str, n: int) -> str:
    """The name of the contest that was won by the verdict with this number."""
    return f"{session}-{n}"


def finish_of(
    contest: Contest,
    session: int | str,
    arrivals: Arrivals,
    round_number: int | None = None,
    started_ns: int | None = None,
) -> Finish:
    """The photo finish of a contest."""
    order = sorted(place for given in contest.all if (place := arrivals.get(_press(given))) is not None)
    rivals = tuple(_rival(given, contest.winner, arrivals, order) for given in contest.all)
    finish = finish_id(session, contest.winner.n)
    what = contest.winner.judged.what
    return Finish(finish, what, _rule(contest.winner, rivals), rivals, round_number, started_ns)


def _press(given: StampedVerdict) -> tuple[int, int]:
    return given.judged.seat, given.stamp.earliest_ns


def _rival(given: StampedVerdict, winner: StampedVerdict, arrivals: Arrivals, order: list[int]) -> Rival:
    judged, tie = given.judged, winner.tie
    place = arrivals.get(_press(given))
    tied = tie is not None and (given is winner or judged.verdict is Verdict.DEAD_HEAT_LOST)
    won = dict(zip(tie.seats, tie.won_before, strict=True)) if tie is not None else {}
    return Rival(
        seat=judged.seat,
        stamp=given.stamp,
        verdict=judged.verdict,
        margin_ns=margin_ns(winner.stamp, given.stamp),
        apart_ns=0 if given is winner else apart_ns(winner.stamp, given.stamp),
        arrived=None if place is None else order.index(place) + 1,
        ties_won=won.get(judged.seat) if tied else None,
        doubtful=judged.doubtful,
    )


def _rule(winner: StampedVerdict, rivals: tuple[Rival, ...]) -> FinishRule:
    if winner.tie is not None:
        return FinishRule.DRAW if winner.tie.drawn else FinishRule.FEWEST_TIES
    if any(each.stamp.surely_before(winner.stamp) for each in rivals[1:]):
        return FinishRule.EARLY
    if any(each.apart_ns <= 0 for each in rivals[1:]):
        return FinishRule.OVERLAP
    return FinishRule.STAMPS


def finish_record(finish: Finish) -> dict[str, object]:
    """A photo finish as plain values with stable names, for JSON; times are nanoseconds from its zero."""
    zero_ns = finish.zero_ns
    return {
        "id": finish.id,
        "what": None if finish.what is None else str(finish.what),
        "rule": finish.rule.value,
        "round": finish.round_number,
        "since_start_ns": None if finish.started_ns is None else zero_ns - finish.started_ns,
        "first_to_arrive": finish.first_to_arrive,
        "doubtful": finish.is_doubtful,
        "rivals": [
            {
                "seat": each.seat,
                "verdict": each.verdict.value,
                "earliest_ns": each.stamp.earliest_ns - zero_ns,
                "latest_ns": each.stamp.latest_ns - zero_ns,
                "margin_ns": each.margin_ns,
                "surely_apart_ns": each.apart_ns,
                "arrived": each.arrived,
                "ties_won_before": each.ties_won,
            }
            for each in finish.rivals
        ],
    }


LEAST_NS = 1_000
MARGIN = 8
"""The margin on either side is the length divided by this."""
NEAR = 6
"""One that is farther from the winner than so many times the closest one is beyond the picture."""


@dataclass(frozen=True, slots=True)
class FinishScale:
    """A span of the table's time, and the moment that is its zero."""

    from_ns: int
    to_ns: int
    zero_ns: int

    @property
    def length_ns(self) -> int:
        return self.to_ns - self.from_ns

    def place(self, t_ns: int) -> float:
        """Where a moment is: 0 at the beginning, 1 at the end, and beyond them outside."""
        return (t_ns - self.from_ns) / self.length_ns

    def holds(self, rival: Rival) -> bool:
        """Whether the stamp of this one is in the picture."""
        return self.from_ns <= rival.stamp.earliest_ns and rival.stamp.latest_ns <= self.to_ns

    def ticks(self, most: int) -> list[tuple[int, str]]:
        """At most so many round moments, with their names."""
        step_ns = round_step(-(-self.length_ns // most))
        first = -(-(self.from_ns - self.zero_ns) // step_ns)
        last = (self.to_ns - self.zero_ns) // step_ns
        return [(self.zero_ns + n * step_ns, _name(n * step_ns)) for n in range(first, last + 1)]


def _name(offset_ns: int) -> str:
    if not offset_ns:
        return "0"
    return f"{'−' if offset_ns < 0 else '+'}{format_duration(abs(offset_ns)).replace('us', 'µs')}"


def finish_scale(finish: Finish) -> FinishScale:
    """The scale at which the closest of them can be told apart; those far behind are beyond it."""
    winner = finish.winner.stamp
    reach = [max(abs(t_ns - finish.zero_ns) for t_ns in each.stamp) for each in finish.losers]
    limit_ns = NEAR * min(reach, default=0)
    near = [each.stamp for each, far_ns in zip(finish.losers, reach, strict=True) if far_ns <= limit_ns]
    first_ns = min(stamp.earliest_ns for stamp in [winner, *near])
    last_ns = max(stamp.latest_ns for stamp in [winner, *near])
    room_ns = max(LEAST_NS, last_ns - first_ns) // MARGIN + 1
    return FinishScale(first_ns - room_ns, last_ns + room_ns, finish.zero_ns)


KEPT = 50
_VERDICTS, _PRESSES = 200, 400
_KINDS = {kind.__name__ for kind in (Judged, TieBroken, RoundStarted)}


# The last photo finishes of a table, as they happen: folded from the messages of its feed.
#
# A loser may get its verdict later than the winner, so a contest can grow. The feed tells of each press as
# it arrives (`felt`), and of verdicts when they are decided: so the order of arrival is known of all
# presses that were made while somebody listened, and of none before.


class ContestBook:
    """Takes the messages of one feed; `finishes` are the last contests, oldest first."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._finishes: dict[str, Finish] = {}
        self._session = ""
        self._begin()

    def _begin(self) -> None:
        """A session whose verdicts are not known yet."""
        self._contests: dict[int, Contest] = {}
        self._verdicts: deque[StampedVerdict] = deque(maxlen=_VERDICTS)
        self._tie: TieBroken | None = None
        self._presses: deque[tuple[int, int]] = deque(maxlen=_PRESSES)
        self._round: int | None = None
        self._started_ns: int | None = None

    @property
    def finishes(self) -> tuple[Finish, ...]:
        return tuple(self._finishes.values())

    def find(self, id: str) -> Finish | None:
        """The contest of that name, if it is one of the last."""
        return self._finishes.get(id)

    def add_past(self, past: Iterable[Finish]) -> None:
        """Put contests from the store before those that were seen; one that was seen stays as it is."""
        self._finishes = {each.id: each for each in past} | self._finishes
        self._forget_oldest()

    def take(self, told: Mapping[str, Any]) -> tuple[Finish, ...]:
        """The contests that are new or have changed with that message."""
        kind = told.get("is")
        if kind == "felt":
            self._presses.append((told["seat"], told["t_ns"]))
        elif kind == "snapshot":
            self._note_snapshot(told)
        elif kind == "step":
            return self._note_step(told)
        return ()

    def _note_snapshot(self, told: Mapping[str, Any]) -> None:
        if told["session"] != self._session:
            self._session = told["session"]
            self._begin()
        played = told["state"].get("round", {})
        self._round, self._started_ns = played.get("number"), played.get("started_ns")

    def _note_step(self, told: Mapping[str, Any]) -> tuple[Finish, ...]:
        records = told.get("effects", ())
        first = told["n"] - len(records)
        changed: dict[str, Finish] = {}
        for n, record in enumerate(records, start=first):
            finish = self._note(n, record) if record["is"] in _KINDS else None
            if finish is not None:
                changed[finish.id] = self._finishes[finish.id] = finish
        self._forget_oldest()
        return tuple(changed.values())

    def _note(self, n: int, record: Mapping[str, Any]) -> Finish | None:
        try:
            effect = parse_effect(json.dumps(record))
        except MalformedText:
            return None  # from a newer table
        if isinstance(effect, RoundStarted):
            self._round = effect.number
            self._started_ns = self._started_ns if effect.again else effect.t_ns
            return None
        if isinstance(effect, TieBroken):
            self._tie = effect
            return None
        assert isinstance(effect, Judged)
        given, self._tie = StampedVerdict(n, effect, self._tie), None
        self._verdicts.append(given)
        winner = rival_of(given, tuple(self._verdicts))
        if winner is None:
            return None
        contest = contest_with(self._contests.get(winner.n, Contest(winner, ())), given)
        self._contests[winner.n] = contest
        if len(self._contests) > self._most:
            del self._contests[next(iter(self._contests))]
        arrivals = {press: place for place, press in enumerate(self._presses)}
        return finish_of(contest, self._session, arrivals, self._round, self._started_ns)

    def _forget_oldest(self) -> None:
        for id in list(self._finishes)[: -self._most]:
            del self._finishes[id]
