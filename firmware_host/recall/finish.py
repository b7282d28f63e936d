"""A photo finish: who raced whom for what, with every stamp, and why it was decided as it was.

The order in which presses reached the software is shown beside the decision, because it is what other tables
go by. The decision does not depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from firmware_host.effects import Verdict
from firmware_host.places import Card, Slot
from firmware_host.recall.contests import Contest, apart_ns
from firmware_host.recall.story import StampedVerdict
from firmware_host.stamps import Stamp, margin_ns

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
