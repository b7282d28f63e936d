"""What a picture of a round shows, and at which scale: from when to when, in how many steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.durations import MS, format_duration, format_seconds
from firmware_host.recall.contests import Contest, contests
from firmware_host.recall.story import StampedVerdict, Story
from firmware_host.recall.symbols import letter_of

LEAST_NS = 1_000
"""Nothing is drawn at a finer scale than a whole picture of this."""
BESIDE_NS = 250 * MS
"""Around a moment without a contest so much is shown to either side."""
MARGIN = 6
"""So many times narrower than a close finish is the room left to either side of it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A part of a round on the time of the table, with what happened in it."""

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
        """The verdicts whose stamps may lie in it."""
        return tuple(
            given
            for given in self.story.verdicts
            if given.stamp.latest_ns >= self.from_ns and given.stamp.earliest_ns <= self.to_ns
        )

    @property
    def is_beside(self) -> bool:
        """Whether it is before or after the round, and nothing that a picture shows falls into it."""
        story = self.story
        last_ns = story.last_ns if story.ended_ns is None else story.ended_ns
        if self.from_ns <= last_ns and self.to_ns >= story.start_ns:
            return False
        moments = [each.t_ns for each in story.events if letter_of(each.effect)]
        return not self.verdicts and not any(self.from_ns <= t_ns <= self.to_ns for t_ns in moments)

    def place(self, t_ns: int, steps: int) -> int:
        """Which of so many equal steps a moment falls into; outside it is one before or behind."""
        if t_ns < self.from_ns:
            return -1
        return min((t_ns - self.from_ns) * steps // self.length_ns, steps)

    @property
    def zero_ns(self) -> int:
        """The moment from which time is counted: the start call, or the slap that won the one contest."""
        return self.contests[0].winner.t_ns if self._of_one_contest else self.story.start_ns

    @property
    def _of_one_contest(self) -> bool:
        return self.close and len(self.contests) == 1

    def ticks(self, most: int) -> list[int]:
        """Moments at round times from `zero_ns` on, before and after it, at most so many."""
        step_ns, zero_ns = _round_step(-(-self.length_ns // most)), self.zero_ns
        first = -(-(self.from_ns - zero_ns) // step_ns)
        last = (self.to_ns - zero_ns) // step_ns
        return [zero_ns + n * step_ns for n in range(first, last + 1)]

    def tick_text(self, tick_ns: int) -> str:
        """How a tick is called: seconds, or from the slap that won in what fits."""
        offset_ns = tick_ns - self.zero_ns
        if not self._of_one_contest:
            return f"{format_seconds(offset_ns).removesuffix('.0')}s"
        sign = "-" if offset_ns < 0 else "+"
        return f"{sign}{format_duration(abs(offset_ns))}" if offset_ns else "0"


def whole(story: Story) -> Scene:
    """All of a round: from the start call, or from an earlier slap, to a little after the last verdict."""
    moments = [given.t_ns for given in story.verdicts]
    moments += [story.start_ns, story.ended_ns if story.ended_ns is not None else story.last_ns]
    moments += [story.voided.t_ns] if story.voided is not None else []
    first_ns, last_ns = min(moments), max(moments)
    return Scene(story, first_ns, last_ns + max(1, (last_ns - first_ns) // 50), contests(story.verdicts))


def around(story: Story, t_ns: int, span_ns: int | None = None) -> Scene:
    """The surroundings of a moment: the nearest contest, or so much as was asked for, to scale."""
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
    """The verdict whose slap was nearest to that moment; None if nobody slapped."""
    return min(story.verdicts, key=lambda given: abs(given.t_ns - t_ns), default=None)


def _nearest(found: Sequence[Contest], t_ns: int) -> Contest | None:
    """The contest that this moment is in or next to."""
    near = [(_distance_ns(contest, t_ns), contest) for contest in found]
    near = [(distance_ns, contest) for distance_ns, contest in near if distance_ns <= BESIDE_NS]
    return min(near, key=lambda each: (each[0], abs(each[1].winner.t_ns - t_ns)))[1] if near else None


def _distance_ns(contest: Contest, t_ns: int) -> int:
    earliest_ns, latest_ns = contest.hull
    return max(earliest_ns - t_ns, t_ns - latest_ns, 0)


def _round_step(least_ns: int) -> int:
    """The smallest of 1, 2, 5, 10, 20 ... nanoseconds that is not below this."""
    step_ns = 1
    while True:
        for factor in (1, 2, 5):
            if step_ns * factor >= least_ns:
                return step_ns * factor
        step_ns *= 10
