"""An onlooker of a simulated match, who sees the hands and the table and compares them round by round."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from firmware_host.lab.bots.movements import Dealt, Movement
from firmware_host.lab.truth.causes import RoundStory, TimedEffect, card_cause, dice_cause
from firmware_host.lab.truth.oracles import TimedMovement, card_readings, dice_readings
from firmware_host.model.effects import Corrected, Effect, Judged, MatchEnded, PhaseEntered, RoundScored
from firmware_host.model.states import Corrector, Phase
from firmware_host.model.times import S
from firmware_host.referee import Step

if TYPE_CHECKING:
    from firmware_host.lab.party import Party


@dataclass(slots=True)
class TruthCounts:
    """Sums of any number of matches; they can be added up."""

    matches: int = 0
    rounds: int = 0
    points_wrong: int = 0
    wrong_winner: int = 0
    wrong_finisher: int = 0
    stop_taken_back: int = 0
    corrected: int = 0
    seat_rounds: int = 0
    locked: int = 0
    locked_ns: int = 0
    play_ns: int = 0
    match_ns: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    wrong_rounds: list[RoundStory] = field(default_factory=list)
    """The first rounds whose points fit no reading, as many as are wanted."""

    def add(self, other: TruthCounts) -> None:
        """Take over the counts of other matches."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def summary(self) -> dict[str, Any]:
        """Shares from 0 to 1 as plain data, and what they are made of."""
        return {
            "points_wrong": _share(self.points_wrong, self.rounds),
            "wrong_winner": _share(self.wrong_winner, self.matches),
            "stop_taken_back": _share(self.stop_taken_back, self.rounds),
            "corrected": _share(self.corrected, self.rounds),
            "locked": _share(self.locked, self.seat_rounds),
            "play_share": _share(self.play_ns, self.match_ns),
            "wrong_finisher": _share(self.wrong_finisher, self.rounds),
            "locked_seconds_each": round(self.locked_ns / S / max(1, self.locked), 2),
            "locked_seconds_in_all": round(self.locked_ns / S, 1),
            "causes": dict(self.causes.most_common()),
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 5) if whole else 0.0


class TruthWitness:
    """Counts for one match what differs from the sheets; `observe` gets the steps of the table."""

    def __init__(self, seed: int | str, game: str, *, signed: bool, keep: int = 0) -> None:
        """`signed` says whether dice are claimed by slaps; that many wrong rounds are kept as stories."""
        self.counts = TruthCounts()
        self._keep = keep
        self._seed = seed
        self._cards = game == "cards"
        self._signed = signed
        self._moves: list[TimedMovement] = []
        self._effects: list[TimedEffect] = []
        self._fair_totals: Counter[int] = Counter()
        self._phase = Phase.ATTRACT
        self._since_ns = 0
        self._begun_ns = 0
        self._party: Party | None = None

    def attend(self, party: Party) -> None:
        """Look on as people play."""
        self._party = party
        party.world.watch = party.things.watch = self._moved

    def _moved(self, movement: Movement) -> None:
        assert self._party is not None
        if isinstance(movement, Dealt):
            self._moves.clear()
            self._effects.clear()
        self._moves.append(TimedMovement(self._party.world.now_ns, movement))

    def observe(self, step: Step) -> None:
        """See what the table has decided."""
        for effect in step.effects:
            self._effects.append(TimedEffect(step.t_ns, effect))
            match effect:
                case PhaseEntered():
                    self._enter(effect.phase, step.t_ns)
                case RoundScored():
                    self._judge(effect)
                case MatchEnded():
                    self._end(effect, step.t_ns)
                case _:
                    pass

    def _enter(self, phase: Phase, t_ns: int) -> None:
        if self._phase is Phase.PLAY:
            self.counts.play_ns += t_ns - self._since_ns
        if self._phase is Phase.ATTRACT:
            self._begun_ns = t_ns
            self._fair_totals.clear()
        self._phase, self._since_ns = phase, t_ns

    def _judge(self, scored: RoundScored) -> None:
        story = self._story(scored)
        counts = self.counts
        counts.rounds += 1
        effects = [effect for _, effect in story.effects]
        counts.stop_taken_back += _was_taken_back(effects)
        counts.corrected += any(
            isinstance(effect, Corrected) and effect.by is not Corrector.OWNER for effect in effects
        )
        counts.wrong_finisher += not story.finisher_fits
        self._count_locks(effects, scored.seats)
        self._fair_totals.update(story.fair_points)
        if not story.fits:
            counts.points_wrong += 1
            story.cause = (card_cause if self._cards else dice_cause)(story)
            counts.causes[story.cause] += 1
            if len(counts.wrong_rounds) < self._keep:
                counts.wrong_rounds.append(story)

    def _story(self, scored: RoundScored) -> RoundStory:
        moves = tuple(self._moves)
        readings = card_readings(moves) if self._cards else dice_readings(moves, signed=self._signed)
        return RoundStory(self._seed, scored, moves, tuple(self._effects), readings)

    def _count_locks(self, effects: list[Effect], seats: tuple[int, ...]) -> None:
        self.counts.seat_rounds += len(seats)
        for seat in seats:
            locks = [
                (effect.stamp.latest_ns, effect.locked_until_ns)
                for effect in effects
                if isinstance(effect, Judged) and effect.seat == seat and effect.locked_until_ns
            ]
            self.counts.locked += bool(locks)
            self.counts.locked_ns += _covered(locks)

    def _end(self, ended: MatchEnded, t_ns: int) -> None:
        counts = self.counts
        counts.matches += 1
        counts.match_ns += t_ns - self._begun_ns
        best = max(self._fair_totals[seat] for seat in ended.seats)
        fair_winners = {seat for seat in ended.seats if self._fair_totals[seat] == best}
        counts.wrong_winner += fair_winners != set(ended.winners)


def _was_taken_back(effects: list[Effect]) -> bool:
    """Whether the round went on after a stop call."""
    phases = [effect.phase for effect in effects if isinstance(effect, PhaseEntered)]
    return (Phase.SETTLE, Phase.COUNTDOWN) in pairwise(phases)


def _covered(spans: list[tuple[int, int]]) -> int:
    """How long the spans last together; where they overlap, time counts once."""
    total = until_ns = 0
    for first_ns, last_ns in sorted(spans):
        total += max(0, last_ns - max(first_ns, until_ns))
        until_ns = max(until_ns, last_ns)
    return total
