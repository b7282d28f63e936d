"""An onlooker of a simulated match, who sees the hands and the table and compares them round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from firmware_host.lab.bots.movements import (
    ButtonPressed,
    Dealt,
    DiePut,
    DieTaken,
    HandReached,
    LigrettoMoved,
    Movement,
)
from firmware_host.lab.truth.oracles import SheetReading, TimedMovement, card_readings, closest, dice_readings
from firmware_host.model.effects import (
    WINNING,
    CardPlayed,
    Corrected,
    Effect,
    Judged,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    SlotChanged,
    Verdict,
)
from firmware_host.model.places import Slot
from firmware_host.model.states import Corrector, Phase, SlotState
from firmware_host.model.times import MS, S
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


EARLY_NS = 1 * S
"""A hand slaps for a die at most this long before it is down."""
LATE_NS = 4 * S
"""... and for the first time at most this long after."""
AFTER_LAST_NS = 10 * S
LATE_DIE = "placed after the end"
SAME_NS = 5 * MS
AT_ONCE_NS = 500 * MS
FOR_OTHER = "a rival's slap for another own die"


def dice_cause(story: RoundStory) -> str:
    """The main cause in a few words that are the same for all rounds of its kind."""
    fair = story.fair
    if fair is None:
        return f"ended although nobody had finished: {_why_no_end(story)}"
    if not story.finisher_fits:
        return f"wrong finisher: {why_no_stop(story, fair)}"
    for seat in fair.left:
        for cause in seat_causes(story, fair, seat):
            if cause.startswith(LATE_DIE):
                return cause
            kind = "wrong count, another's die taken at the check" if _took(story, fair) else "wrong count"
            return f"{kind}: {cause}"
    return "finisher by another reading than the counts"


def seat_causes(story: RoundStory, fair: SheetReading, seat: int) -> Iterator[str]:
    """Why the table counts other dice for a seat; nothing if it counts as many."""
    too_many = story.table_left[seat] - fair.left[seat]
    if too_many < 0 and _put_late(story, fair, seat):
        yield f"{LATE_DIE}: {why_no_stop(story, fair)}"
        return
    counted = story.counted(story.effects[-1].t_ns)
    found = False
    for slot in sorted({*counted, *fair.on_board}):
        owner = fair.on_board.get(slot)
        judged = counted.get(slot)
        by_table = judged.seat if judged is not None else None
        if too_many > 0 and owner == seat != by_table:
            found = True
            yield fate(story, slot, seat, fair.end_ns)
        elif too_many < 0 and by_table == seat != owner and judged is not None:
            found = True
            yield _gift(story, fair, slot, judged, owner)
    if too_many and not found:
        yield "other count at the check than in the hand"


def _put_late(story: RoundStory, fair: SheetReading, seat: int) -> bool:
    """Whether a seat put down a die after the end that the table took for a legal one."""
    return any(
        t_ns > fair.end_ns and not _was_refused(story, put.slot, t_ns) for t_ns, put in story.puts(seat)
    )


def _took(story: RoundStory, fair: SheetReading) -> bool:
    """Whether somebody took a die of another seat off the board after the end."""
    return any(
        isinstance(each, DieTaken)
        and t_ns > fair.end_ns
        and fair.on_board.get(each.slot, each.seat) != each.seat
        for t_ns, each in story.moves
    )


def why_no_stop(story: RoundStory, fair: SheetReading) -> str:
    """Why the table did not see that the finisher had none left."""
    assert fair.finisher is not None
    counted = story.counted(fair.end_ns)
    own = [slot for slot, seat in fair.on_board.items() if seat == fair.finisher]
    for slot in sorted(own, key=lambda slot: story.put_ns(slot, fair.finisher or 0, fair.end_ns)):
        if slot not in counted or counted[slot].seat != fair.finisher:
            return fate(story, slot, fair.finisher, fair.end_ns)
    return "the finisher's last slap came before another seat's end was known"


def fate(story: RoundStory, slot: Slot, seat: int, end_ns: int) -> str:
    """What became of a die at the table that counts for a seat by the sheets."""
    put_ns = story.put_ns(slot, seat, end_ns)
    judged = story.counted(end_ns).get(slot) or story.counted(story.effects[-1].t_ns).get(slot)
    if judged is not None and judged.seat != seat:
        kind = press_kind(story, judged)
        own = f"; {_fate_of_slap(story, seat, put_ns, end_ns)}" if kind == FOR_OTHER else ""
        return f"die robbed by {kind}{own}"
    if _was_refused(story, slot, put_ns):
        return "legal die taken for a wrong one"
    return f"die not signed for: {_fate_of_slap(story, seat, put_ns, end_ns)}"


def press_kind(story: RoundStory, judged: Judged) -> str:
    """What the hand did whose press took a die of somebody else."""
    press_ns = judged.stamp.earliest_ns
    own = [t_ns for t_ns, _ in story.puts(judged.seat)]
    before = max((t_ns for t_ns in own if t_ns <= press_ns + SAME_NS), default=None)
    after = min((t_ns for t_ns in own if t_ns > press_ns + SAME_NS), default=None)
    if before is not None and press_ns - before <= LATE_NS:
        if not any(before - SAME_NS <= t_ns < press_ns - SAME_NS for t_ns in story.presses(judged.seat)):
            return FOR_OTHER
        if press_ns - before <= 500 * MS:
            return "a rival's second slap"
    if after is not None and after - press_ns <= EARLY_NS:
        return "a rival's early slap"
    return "a rival's slap without a die"


def _gift(story: RoundStory, fair: SheetReading, slot: Slot, judged: Judged, owner: int | None) -> str:
    """Why the table counts a die for a seat that is not its own by the sheets."""
    if owner is not None:
        return fate(story, slot, owner, fair.end_ns)
    put = next(((t_ns, put) for t_ns, put in reversed(list(story.puts())) if put.slot == slot), None)
    if put is not None and put[0] > fair.end_ns:
        return f"{LATE_DIE}: {why_no_stop(story, fair)}"
    return "wrong die counted"


def _was_refused(story: RoundStory, slot: Slot, put_ns: int) -> bool:
    return any(
        isinstance(effect, SlotChanged)
        and effect.slot == slot
        and effect.state is SlotState.ILLEGAL
        and put_ns <= effect.t_ns <= put_ns + 2 * S
        for _, effect in story.effects
    )


def _fate_of_slap(story: RoundStory, seat: int, put_ns: int, end_ns: int) -> str:
    own = [t_ns for t_ns in story.presses(seat) if put_ns - EARLY_NS <= t_ns <= end_ns + AFTER_LAST_NS]
    after = [t_ns for t_ns in own if t_ns >= put_ns]
    first = story.verdict_on(seat, after[0]) if after and after[0] <= put_ns + LATE_NS else None
    if first is not None and after[0] <= put_ns + AT_ONCE_NS:
        return _words_of(first)
    reached_ns = story.reached_ns(seat, put_ns)
    if any(reached_ns < t_ns < put_ns for t_ns in own):
        return "slapped before the die was down"
    if first is not None:
        return f"slapped late, {_words_of(first)}"
    if after and after[0] <= put_ns + LATE_NS:
        return "its own slap was not seen"
    return "slapped much later" if after else "never slapped for"


def _words_of(judged: Judged) -> str:
    if judged.verdict is Verdict.NOT_RUNNING:
        return "its own slap came after the stop"
    if isinstance(judged.what, Slot) and judged.verdict in (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON):
        return "its own slap went to another die"
    return f"its own slap was {judged.verdict.value}"


def _why_no_end(story: RoundStory) -> str:
    """Why a seat has none left at the table, but still has some by the sheets."""
    finisher = story.scored.finisher
    by_seat = {put.slot: put.seat for _, put in story.puts()}
    for slot, judged in story.counted(story.effects[-1].t_ns).items():
        if judged.seat == finisher and by_seat.get(slot) != finisher:
            return f"die robbed by {press_kind(story, judged)}"
    return "a wrong die counted, or was not taken back"


def card_cause(story: RoundStory) -> str:
    """The main cause in a few words that are the same for all rounds of its kind."""
    fair = story.fair
    if fair is None:
        return "no deal was seen"
    late = {
        movement.seat
        for t_ns, movement in story.moves
        if isinstance(movement, LigrettoMoved) and t_ns > fair.end_ns
    }
    played = [effect.card.seat for _, effect in story.effects if isinstance(effect, CardPlayed)]
    for seat, left in fair.left.items():
        if story.table_left[seat] < left and seat in late:
            return "Ligretto card moved to the row after the end"
        if story.table_left[seat] != left:
            more = story.table_left[seat] > left
            return "more Ligretto cards counted than left" if more else "Ligretto cards left not counted"
    for seat in fair.left:
        if played.count(seat) != fair.centre[seat]:
            more = played.count(seat) > fair.centre[seat]
            return "card counted after the end" if more else "card in the centre not counted"
    return "counts right, points wrong"


SAME_PRESS_NS = 5 * MS
"""A verdict belongs to the press that its stamp is no further from."""


class TimedEffect(NamedTuple):
    """A decision of the table, and when it was shown."""

    t_ns: int
    effect: Effect


@dataclass
class RoundStory:
    """One scored round since its deal."""

    seed: int | str
    scored: RoundScored
    moves: Sequence[TimedMovement]
    effects: Sequence[TimedEffect]
    readings: Sequence[SheetReading]
    cause: str = ""
    """Why the points of the table fit none of the readings."""

    @cached_property
    def table_left(self) -> dict[int, int]:
        """What each seat has left by the table."""
        return {seat: self.scored.leftovers[seat - 1] for seat in self.scored.seats}

    @cached_property
    def table_points(self) -> dict[int, int]:
        """What each seat gets from the table."""
        return {seat: self.scored.scores[seat - 1] for seat in self.scored.seats}

    @cached_property
    def fair(self) -> SheetReading | None:
        """The reading that is closest to the points of the table; None if the sheets know no end."""
        return closest(self.readings, self.table_left, self.table_points)

    @property
    def fits(self) -> bool:
        """Whether the points of the table are a fair result."""
        return self.fair is not None and self.fair.points == self.table_points

    @property
    def finisher_fits(self) -> bool:
        """Whether the finisher by the table is one by any reading."""
        return self.scored.finisher in {reading.finisher for reading in self.readings}

    @property
    def fair_points(self) -> dict[int, int]:
        """The points of the closest reading, or those of the table if there is none."""
        return self.table_points if self.fair is None else dict(self.fair.points)

    # -- what is asked about dice

    def puts(self, seat: int | None = None) -> Iterator[tuple[int, DiePut]]:
        """The dice that were put down, by one seat or by all."""
        for t_ns, movement in self.moves:
            if isinstance(movement, DiePut) and seat in (None, movement.seat):
                yield t_ns, movement

    def presses(self, seat: int) -> list[int]:
        """When a button was pressed."""
        return [t_ns for t_ns, each in self.moves if isinstance(each, ButtonPressed) and each.seat == seat]

    def reached_ns(self, seat: int, until_ns: int) -> int:
        """When a hand last set out for a place up to that moment, or that moment if it never did."""
        set_out = [t_ns for t_ns, each in self.moves if isinstance(each, HandReached) and each.seat == seat]
        return max((t_ns for t_ns in set_out if t_ns <= until_ns), default=until_ns)

    def verdicts(self, seat: int | None = None) -> Iterator[Judged]:
        """The verdicts on the slaps of one seat or of all."""
        for _, effect in self.effects:
            if isinstance(effect, Judged) and seat in (None, effect.seat):
                yield effect

    def verdict_on(self, seat: int, press_ns: int) -> Judged | None:
        """The verdict on one press."""
        for judged in self.verdicts(seat):
            if abs(judged.stamp.earliest_ns - press_ns) <= SAME_PRESS_NS:
                return judged
        return None

    def counted(self, until_ns: int) -> dict[Slot, Judged]:
        """The verdicts by which dice counted for a seat at the table, for stamps up to that moment."""
        counted: dict[Slot, Judged] = {}
        for _, effect in self.effects:
            match effect:
                case Judged(what=Slot() as slot) if effect.verdict in WINNING:
                    if effect.stamp.earliest_ns <= until_ns + SAME_PRESS_NS:
                        counted[slot] = effect
                case SlotChanged(state=SlotState.FREE):
                    counted.pop(effect.slot, None)
        return counted

    def put_ns(self, slot: Slot, seat: int, until_ns: int) -> int:
        """When a seat had put down the die that lay there at that moment."""
        return max(
            (t_ns for t_ns, put in self.puts(seat) if put.slot == slot and t_ns <= until_ns), default=0
        )
