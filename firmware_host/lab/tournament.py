"""Many matches in virtual time, on all cores."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from typing import Any

from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.faults import PlannedFault, plan
from firmware_host.lab.party import Invitation, Party, hold_party
from firmware_host.lab.truth.witness import TruthCounts, TruthWitness
from firmware_host.model.effects import (
    Corrected,
    Judged,
    LateSignal,
    MatchEnded,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    RoundStarted,
    RoundStuck,
    TieBroken,
    Verdict,
)
from firmware_host.model.errors import TableError
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.referee import Step


@dataclass(slots=True)
class Tally:
    """Counts of any number of matches; tallies can be added up."""

    matches: int = 0
    rounds: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    shared_wins: int = 0
    finishes: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    dead_heats: Counter[int] = field(default_factory=Counter)
    corrections: int = 0
    late_signals: int = 0
    resumed_rounds: int = 0
    stuck_rounds: int = 0
    voided_rounds: int = 0
    virtual_ns: int = 0
    round_lengths_ns: list[int] = field(default_factory=list)
    margins_ns: list[int] = field(default_factory=list)
    truth: TruthCounts = field(default_factory=TruthCounts)
    _started_ns: int | None = None
    _finished_ns: int = 0

    def observe(self, step: Step) -> None:
        """Count what the table has decided."""
        for effect in step.effects:
            match effect:
                case Judged():
                    self.verdicts[effect.verdict.value] += 1
                    if effect.verdict is Verdict.TOO_LATE and effect.margin_ns is not None:
                        self.margins_ns.append(effect.margin_ns)
                case TieBroken():
                    self.dead_heats[effect.winner] += 1
                case RoundStarted():
                    self.resumed_rounds += self._started_ns is not None
                    self._started_ns = step.t_ns if self._started_ns is None else self._started_ns
                case RoundFinished():
                    self._finished_ns = step.t_ns
                case RoundStuck():
                    self._finished_ns = step.t_ns
                    self.stuck_rounds += 1
                case RoundScored():
                    self._count_round(effect)
                case PhaseEntered(phase=Phase.CLEAR | Phase.ATTRACT):
                    self.voided_rounds += self._started_ns is not None
                    self._started_ns = None
                case MatchEnded():
                    self._count_match(effect, step.t_ns)
                case Corrected():
                    self.corrections += 1
                case LateSignal():
                    self.late_signals += 1
                case _:
                    pass

    def _count_round(self, scored: RoundScored) -> None:
        self.rounds += 1
        if scored.finisher is not None:
            self.finishes[scored.finisher] += 1
        if self._started_ns is not None:
            self.round_lengths_ns.append(self._finished_ns - self._started_ns)
        self._started_ns = None

    def _count_match(self, ended: MatchEnded, t_ns: int) -> None:
        self.matches += 1
        self.virtual_ns += t_ns
        self.shared_wins += len(ended.winners) > 1
        self.wins.update(ended.winners)
        for seat, total in enumerate(ended.totals, start=1):
            self.points[seat] += total

    def add(self, other: Tally) -> None:
        """Take over the counts of other matches."""
        for name in (each.name for each in fields(self) if not each.name.startswith("_")):
            mine, others = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(others)
            elif isinstance(mine, TruthCounts):
                mine.add(others)
            else:
                setattr(self, name, mine + others)

    def summary(self, seats: Iterable[int]) -> dict[str, Any]:
        """The statistics as plain data."""
        playing = list(seats)
        return {
            "matches": self.matches,
            "rounds": self.rounds,
            "virtual_hours": round(self.virtual_ns / S / 3600, 2),
            "seats": {
                str(seat): {
                    "wins": self.wins[seat],
                    "mean_score": round(self.points[seat] / max(1, self.matches), 3),
                    "rounds_finished_first": self.finishes[seat],
                    "dead_heats_won": self.dead_heats[seat],
                }
                for seat in playing
            },
            "shared_wins": self.shared_wins,
            "evenness": evenness([self.finishes[seat] for seat in playing]),
            "round_seconds": _quantiles(self.round_lengths_ns, S),
            "contests": self.verdicts[Verdict.TOO_LATE.value] + self.dead_heats.total(),
            "dead_heats": self.dead_heats.total(),
            "margin_ms": _quantiles(self.margins_ns, MS),
            "verdicts": {verdict.value: self.verdicts[verdict.value] for verdict in Verdict},
            "corrections": self.corrections,
            "resumed_rounds": self.resumed_rounds,
            "stuck_rounds": self.stuck_rounds,
            "voided_rounds": self.voided_rounds,
            "late_signals": self.late_signals,
            "truth": self.truth.summary(),
        }


CHI_SQUARED_1_IN_1000 = (
    10.83, 13.82, 16.27, 18.47, 20.52, 22.46, 24.32, 26.12, 27.88, 29.59, 31.26
)  # fmt: skip
"""By degrees of freedom, from one on: an even table exceeds this once in a thousand times."""


def evenness(counts: list[int]) -> dict[str, float | bool]:
    """Whether the seats did equally well, by a chi-squared test at p = 0.001."""
    expected = sum(counts) / len(counts)
    chi_squared = sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0
    limit = CHI_SQUARED_1_IN_1000[len(counts) - 2]
    return {"chi_squared": round(chi_squared, 3), "limit": limit, "even": chi_squared <= limit}


def _quantiles(values: list[int], unit: int) -> dict[str, float]:
    """Least, quartiles, 99th percentile and most."""
    if not values:
        return {}
    ordered = sorted(values)
    last = len(ordered) - 1
    points = {"min": 0.0, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p99": 0.99, "max": 1.0}
    return {name: round(ordered[round(last * share)] / unit, 3) for name, share in points.items()}


LONGEST_MATCH_NS = 4 * 3600 * S
MATCHES_PER_TASK = 5


def play_match(
    invitation: Invitation,
    seed: int,
    keep: int = 0,
    faults: Sequence[PlannedFault] = (),
    prepare: Callable[[Party], None] | None = None,
) -> Tally:
    """One match from the first press to the standings, as fast as it can be computed.

    The tally keeps the stories of that many rounds whose points fit no reading of the sheets. Faults happen
    to a table that is simulated down to its chips. `prepare` gets the party before its first press.
    """
    tally = Tally()
    profile = invitation.profile
    witness = TruthWitness(seed, profile.game, signed=profile.ownership != "tag", keep=keep)
    party = hold_party(invitation, seed, onlookers=[tally.observe, witness.observe], chips=bool(faults))
    if isinstance(party.table, ChipTable):
        plan(faults, party.table)
    witness.attend(party)
    if prepare is not None:
        prepare(party)
    step = party.table.loop.step
    while not tally.matches:
        if step() > LONGEST_MATCH_NS:
            raise TableError(f"the match with seed {seed} does not come to an end")
    party.close()
    tally.truth = witness.counts
    return tally


def play_matches(
    invitation: Invitation, seeds: range, workers: int | None = None, keep: int = 0
) -> Iterator[Tally]:
    """A tally for every few matches, as they are done; the sum does not depend on the workers."""
    tasks = [seeds[i : i + MATCHES_PER_TASK] for i in range(0, len(seeds), MATCHES_PER_TASK)]
    workers = min(workers or os.cpu_count() or 1, len(tasks))
    if workers == 1:
        for task in tasks:
            yield _play_task(invitation, task, keep)
        return
    with ProcessPoolExecutor(workers, initializer=gc.freeze) as pool:
        futures = [pool.submit(_play_task, invitation, task, keep) for task in tasks]
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


def _play_task(invitation: Invitation, seeds: range, keep: int) -> Tally:
    total = Tally()
    for seed in seeds:
        total.add(play_match(invitation, seed, keep - len(total.truth.wrong_rounds)))
    return total
