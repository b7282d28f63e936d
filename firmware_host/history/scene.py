"""What a picture of a round shows: from when to when, and at which scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.history.contests import Contest, contests
from firmware_host.history.story import StampedVerdict, Story
from firmware_host.model.effects import (
    Corrected,
    DeviceReported,
    EdgesLost,
    Effect,
    LateSignal,
    MatchAbandoned,
    PhaseEntered,
    RoundFinished,
    RoundStarted,
    RoundStuck,
    RoundVoided,
    SourceMasked,
    SourceUnmasked,
    Verdict,
    WasInterrupted,
)
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, format_duration, format_seconds

# The signs of a picture: one for each verdict, and letters for what happened to the table.
#
# They differ in shape and not only in colour. If several are at one place, the first one is drawn.


SIGNS: dict[Verdict, str] = {
    Verdict.DEAD_HEAT_LOST: "~",
    Verdict.DEAD_HEAT_WON: "=",
    Verdict.TOO_LATE: ">",
    Verdict.FALSE_CLAIM: "!",
    Verdict.ILLEGAL: "x",
    Verdict.LOCKED: "#",
    Verdict.ACCEPTED: "o",
    Verdict.TAKEN_BACK: "<",
    Verdict.REPEATED: '"',
    Verdict.NOT_RUNNING: ".",
}

LETTERS: dict[str, str] = {
    "E": "end called",
    "V": "round is void",
    "A": "match given up",
    "S": "start call",
    "I": "table was away",
    "P": "pause",
    "C": "count corrected",
    "L": "edges lost or late",
    "D": "device or contact",
}


def letter_of(effect: Effect) -> str:
    """The letter for an effect that happened to the table; empty if it has none."""
    match effect:
        case RoundFinished() | RoundStuck():
            return "E"
        case RoundVoided():
            return "V"
        case MatchAbandoned():
            return "A"
        case RoundStarted():
            return "S"
        case WasInterrupted():
            return "I"
        case PhaseEntered(phase=Phase.PAUSED):
            return "P"
        case Corrected():
            return "C"
        case EdgesLost() | LateSignal():
            return "L"
        case DeviceReported() | SourceMasked() | SourceUnmasked():
            return "D"
        case _:
            return ""


LEAST_NS = 1_000
"""The shortest time that a picture shows."""
BESIDE_NS = 250 * MS
"""How much is shown on either side of a moment without a contest."""
MARGIN = 6
"""The margin on either side of a close finish is its length divided by this."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A part of a round in the time of the table, with what happened in it."""

    story: Story
    from_ns: int
    to_ns: int
    contests: tuple[Contest, ...] = ()
    close: bool = False  # stamps are drawn to scale

    @property
    def length_ns(self) -> int:
        return self.to_ns - self.from_ns

    @property
    def middle_ns(self) -> int:
        return (self.from_ns + self.to_ns) // 2

    @property
    def verdicts(self) -> tuple[StampedVerdict, ...]:
        """The verdicts whose stamps overlap it."""
        return tuple(
            given
            for given in self.story.verdicts
            if given.stamp.latest_ns >= self.from_ns and given.stamp.earliest_ns <= self.to_ns
        )

    @property
    def is_beside(self) -> bool:
        """Whether it is before or after the round and has nothing that a picture shows."""
        story = self.story
        last_ns = story.last_ns if story.ended_ns is None else story.ended_ns
        if self.from_ns <= last_ns and self.to_ns >= story.start_ns:
            return False
        moments = [each.t_ns for each in story.events if letter_of(each.effect)]
        return not self.verdicts and not any(self.from_ns <= t_ns <= self.to_ns for t_ns in moments)

    def place(self, t_ns: int, steps: int) -> int:
        """The index of a moment among so many equal steps; -1 before them, `steps` after them."""
        if t_ns < self.from_ns:
            return -1
        return min((t_ns - self.from_ns) * steps // self.length_ns, steps)

    @property
    def zero_ns(self) -> int:
        """The moment from which time is counted: the start call, or the winning slap of the only contest."""
        return self.contests[0].winner.t_ns if self._of_one_contest else self.story.start_ns

    @property
    def _of_one_contest(self) -> bool:
        return self.close and len(self.contests) == 1

    def ticks(self, most: int) -> list[int]:
        """At most `most` moments at round times from `zero_ns`, before and after it."""
        step_ns, zero_ns = round_step(-(-self.length_ns // most)), self.zero_ns
        first = -(-(self.from_ns - zero_ns) // step_ns)
        last = (self.to_ns - zero_ns) // step_ns
        return [zero_ns + n * step_ns for n in range(first, last + 1)]

    def tick_text(self, tick_ns: int) -> str:
        """The label of a tick: in seconds, or relative to the winning slap in the unit that fits."""
        offset_ns = tick_ns - self.zero_ns
        if not self._of_one_contest:
            return f"{format_seconds(offset_ns).removesuffix('.0')}s"
        sign = "-" if offset_ns < 0 else "+"
        return f"{sign}{format_duration(abs(offset_ns))}" if offset_ns else "0"


def whole(story: Story) -> Scene:
    """A whole round, from the start call or an earlier slap to a little after the last verdict."""
    moments = [given.t_ns for given in story.verdicts]
    moments += [story.start_ns, story.ended_ns if story.ended_ns is not None else story.last_ns]
    moments += [story.voided.t_ns] if story.voided is not None else []
    first_ns, last_ns = min(moments), max(moments)
    return Scene(story, first_ns, last_ns + max(1, (last_ns - first_ns) // 50), contests(story.verdicts))


def around(story: Story, t_ns: int, span_ns: int | None = None) -> Scene:
    """The scene around a moment: the nearest contest, or as long as `span_ns`."""
    found = contests(story.verdicts)
    if span_ns is None and (contest := _nearest(found, t_ns)) is not None:
        hull = contest.hull
        room_ns = max(LEAST_NS, hull.latest_ns - hull.earliest_ns) // MARGIN + 1
        return Scene(story, hull.earliest_ns - room_ns, hull.latest_ns + room_ns, (contest,), close=True)
    half_ns = BESIDE_NS if span_ns is None else max(LEAST_NS, span_ns) // 2
    scene = Scene(story, t_ns - half_ns, t_ns + half_ns, close=True)
    inside = {given.n for given in scene.verdicts}
    shown = tuple(contest for contest in found if all(given.n in inside for given in contest.all))
    return Scene(story, scene.from_ns, scene.to_ns, shown, close=True)


def nearest(story: Story, t_ns: int) -> StampedVerdict | None:
    """The verdict on the slap nearest to that moment; None if nobody slapped."""
    return min(story.verdicts, key=lambda given: abs(given.t_ns - t_ns), default=None)


def _nearest(found: Sequence[Contest], t_ns: int) -> Contest | None:
    """The contest that the moment is in or nearest to."""
    near = [(_distance_ns(contest, t_ns), contest) for contest in found]
    near = [(distance_ns, contest) for distance_ns, contest in near if distance_ns <= BESIDE_NS]
    return min(near, key=lambda each: (each[0], abs(each[1].winner.t_ns - t_ns)))[1] if near else None


def _distance_ns(contest: Contest, t_ns: int) -> int:
    earliest_ns, latest_ns = contest.hull
    return max(earliest_ns - t_ns, t_ns - latest_ns, 0)


def round_step(least_ns: int) -> int:
    """The smallest of 1, 2, 5, 10, 20 ... nanoseconds that is not below this."""
    step_ns = 1
    while True:
        for factor in (1, 2, 5):
            if step_ns * factor >= least_ns:
                return step_ns * factor
        step_ns *= 10
