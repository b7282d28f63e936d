"""What came of a run of the rival experiment, in numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path

from hw.ports import Edge, Gap
from tests.kernel.guest.rivals import RACE_LINES, Judged, Plan
from tests.kernel.guest.world import Arrival

BIN_EDGES_US = (0, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 1_000_000)


@dataclass(slots=True)
class Bin:
    """Pairs of about the same spacing."""

    from_us: int
    to_us: int
    pairs: int = 0
    wrong_by_stamp: int = 0
    wrong_by_arrival: int = 0
    dead_heats: int = 0
    incomplete: int = 0


@dataclass(slots=True)
class Tally:
    """One driver's run. Wrong is a verdict for the second finger that is not a dead heat.

    Unjudged is a pair whose fingers were held up so much that their presses ran into the bounce of others.
    """

    driver: str
    pairs: int = 0
    wrong_by_stamp: int = 0
    wrong_by_arrival: int = 0
    dead_heats: int = 0
    dead_heats_won_by_first: int = 0
    dead_heats_won_by_lower_line: int = 0
    unjudged: int = 0
    presses_lost: int = 0
    edges_made: int = 0
    edges_lost: int = 0
    storm_edges: int = 0
    gaps: int = 0
    arrival_inversions: int = 0
    longest_delivery_us: int = 0
    seconds: float = 0.0
    bins: list[Bin] = field(default_factory=list)

    def row(self) -> str:
        """One line for a table."""
        return (
            f"{self.driver:<22} {self.pairs:>5} {self.wrong_by_stamp:>9} {self.wrong_by_arrival:>11} "
            f"{self.dead_heats:>10} {self.edges_lost:>6} of {self.edges_made}"
        )


HEADLINE = (
    f"{'driver':<22} {'pairs':>5} {'wrong by':>9} {'wrong by':>11} {'dead':>10} {'edges':>6}\n"
    f"{'':<22} {'':>5} {'stamp':>9} {'arrival':>11} {'heats':>10} {'lost':>6}"
)


def tally(
    driver: str, plan: Plan, judged: Sequence[Judged], arrivals: Sequence[Arrival], seconds: float
) -> Tally:
    """Count it all."""
    counts = Tally(driver, seconds=round(seconds, 1))
    counts.bins = [Bin(low, high) for low, high in pairwise(BIN_EDGES_US)]
    for each in judged:
        _count(each, counts)
    _count_arrivals(arrivals, counts)
    counts.edges_made = len(plan.deeds)
    seen = sum(1 for edge in edges_in(arrivals) if edge.line in RACE_LINES and not edge.wide_ns)
    counts.edges_lost = counts.edges_made - seen
    return counts


def _count(each: Judged, counts: Tally) -> None:
    first = each.truth.pair.first
    spacing_us = each.truth.spacing_ns // 1_000
    place = next(one for one in counts.bins if one.from_us <= spacing_us < one.to_us)
    unjudged = each.by_stamp.winner is None
    wrong_by_stamp = not unjudged and not each.by_stamp.tie and each.by_stamp.winner != first
    wrong_by_arrival = each.by_arrival != first
    for count in (counts, place):
        count.pairs += 1
        count.wrong_by_stamp += wrong_by_stamp
        count.wrong_by_arrival += wrong_by_arrival
        count.dead_heats += each.by_stamp.tie
    counts.unjudged += unjudged
    place.incomplete += each.arrived < 2
    counts.presses_lost += 2 - each.arrived
    if each.by_stamp.tie:
        counts.dead_heats_won_by_first += each.by_stamp.winner == first
        counts.dead_heats_won_by_lower_line += each.by_stamp.winner == min(each.truth.pair[:2])


def _count_arrivals(arrivals: Sequence[Arrival], counts: Tally) -> None:
    newest_ns = 0
    for t_ns, report in arrivals:
        if isinstance(report, Gap):
            counts.gaps += 1
        elif not report.wide_ns:
            counts.storm_edges += report.line not in RACE_LINES
            counts.arrival_inversions += report.t_ns < newest_ns
            newest_ns = max(newest_ns, report.t_ns)
            counts.longest_delivery_us = max(counts.longest_delivery_us, (t_ns - report.t_ns) // 1_000)


def edges_in(arrivals: Iterable[Arrival]) -> list[Edge]:
    """The edges among what arrived."""
    return [report for _, report in arrivals if isinstance(report, Edge)]


def chi_squared(one: int, other: int) -> float:
    """How far a split is from an even one; 10.8 is exceeded by chance once in a thousand times."""
    total = one + other
    return (one - other) ** 2 / total if total else 0.0


def write(tallies: Iterable[Tally], file: Path) -> None:
    """For the drawing in the docs."""
    file.write_text(json.dumps([asdict(each) for each in tallies], indent=1) + "\n")
