"""What a picture of a round shows, at which scale; and the picture as lines of text, a lane for each seat.

Lines consist of pieces, so that they can be printed in colour; they say the same without colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from firmware_host.history.story import Contest, StampedVerdict, Story, contests
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
from firmware_host.show.pages import margin_text

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
    far = [(max(each.hull.earliest_ns - t_ns, t_ns - each.hull.latest_ns, 0), each) for each in found]
    near = [(distance_ns, contest) for distance_ns, contest in far if distance_ns <= BESIDE_NS]
    return min(near, key=lambda each: (each[0], abs(each[1].winner.t_ns - t_ns)))[1] if near else None


def round_step(least_ns: int) -> int:
    """The smallest of 1, 2, 5, 10, 20 ... nanoseconds that is not below this."""
    step_ns = 1
    while True:
        for factor in (1, 2, 5):
            if step_ns * factor >= least_ns:
                return step_ns * factor
        step_ns *= 10


class Tone(Enum):
    """The kind of a piece of a line."""

    LABEL = "label"  # names, numbers and words
    GROUND = "ground"  # the ground under the signs


Piece = tuple[str, Verdict | Tone]
PictureLine = tuple[Piece, ...]
LABEL_COLUMNS = 8
TICK_COLUMNS = 9
LEGEND_ENTRIES, LEGEND_COLUMNS = 3, 22
_TABLE = "table"
_ORDER = {verdict: rank for rank, verdict in enumerate(SIGNS)}


def draw_lanes(scene: Scene, columns: int = 80) -> list[PictureLine]:
    """The picture of a scene with its legend, at most `columns` wide."""
    width = columns - LABEL_COLUMNS
    lines = [_label(text, "") for text in _axis(scene, width)]
    lanes = [_lane(scene, seat, width) for seat in scene.story.seats]
    lines += lanes
    letters = _letters(scene, width)
    if letters.strip():
        lines.append(_label(letters, _TABLE))
    if scene.close:
        lines += [_label(text, "") for contest in scene.contests for text in _margins(scene, contest, width)]
    entries = max(1, min(LEGEND_ENTRIES, width // LEGEND_COLUMNS))
    return [*lines, *_legend(lanes, letters, entries)]


def plain(line: PictureLine) -> str:
    """A line without colour."""
    return "".join(text for text, _ in line).rstrip()


def _label(text: str, name: str) -> PictureLine:
    return ((f"{name:<{LABEL_COLUMNS}}{text}", Tone.LABEL),)


def _axis(scene: Scene, width: int) -> tuple[str, str]:
    """The names of the ticks, and the ticks."""
    names, marks, free = [" "] * width, ["-"] * width, 0
    for tick_ns in scene.ticks(max(1, width // TICK_COLUMNS)):
        column, name = scene.place(tick_ns, width), scene.tick_text(tick_ns)
        if not 0 <= column < width:
            continue
        marks[column] = "+"
        at = min(column, width - len(name))
        if at >= free:
            names[at : at + len(name)] = name
            free = at + len(name) + 1
    return "".join(names).rstrip(), "".join(marks)


def _lane(scene: Scene, seat: int, width: int) -> PictureLine:
    """The lane of a seat: its verdicts, on a ground that shows when the round runs."""
    cells: list[Piece] = [(sign, Tone.GROUND) for sign in _ground(scene, width)]
    mine = [given for given in scene.verdicts if given.judged.seat == seat]
    for given in sorted(mine, key=lambda given: -_ORDER[given.judged.verdict]):
        _put(cells, scene, given)
    return ((f"{f'seat {seat}':<{LABEL_COLUMNS}}", Tone.LABEL), *_joined(cells))


def _ground(scene: Scene, width: int) -> str:
    """`-` while the round runs, `:` while it stands still, nothing before and after it."""
    story = scene.story
    ground = [" "] * width
    last_ns = story.ended_ns if story.ended_ns is not None else story.last_ns
    for column in range(_within(scene.place(story.start_ns, width), width), width):
        ground[column] = "-"
    for pause in story.pauses:
        if pause.from_ns >= last_ns:
            break
        first = scene.place(pause.from_ns, width)
        last = width if pause.to_ns is None else scene.place(pause.to_ns, width)
        for column in range(_within(first, width), _within(last, width)):
            ground[column] = ":"
    for column in range(_within(scene.place(last_ns, width) + 1, width), width):
        ground[column] = " "
    return "".join(ground)


def _within(column: int, width: int) -> int:
    return max(0, min(column, width))


def _put(cells: list[Piece], scene: Scene, given: StampedVerdict) -> None:
    """Draw a verdict: its sign, and its stamp around it if that is wide enough at this scale."""
    width, verdict = len(cells), given.judged.verdict
    middle = scene.place(given.t_ns, width)
    if scene.close:
        first, last = (scene.place(t_ns, width) for t_ns in given.stamp)
        if last - first >= 2:
            for column in range(max(0, first), min(last + 1, width)):
                edge = "[" if column == first else "]" if column == last else "_"
                cells[column] = (edge, verdict)
    if 0 <= middle < width:
        cells[middle] = (SIGNS[verdict], verdict)


def _joined(cells: list[Piece]) -> list[Piece]:
    """The line with neighbouring cells of one kind as one piece."""
    pieces: list[Piece] = []
    for text, kind in cells:
        if pieces and pieces[-1][1] is kind:
            pieces[-1] = (pieces[-1][0] + text, kind)
        else:
            pieces.append((text, kind))
    return pieces


def _letters(scene: Scene, width: int) -> str:
    """The letters for what happened to the table."""
    cells = [" "] * width
    found = [(letter_of(each.effect), each.t_ns) for each in scene.story.events]
    for letter in reversed(LETTERS):
        for each, t_ns in found:
            column = scene.place(t_ns, width)
            if each == letter and 0 <= column < width:
                cells[column] = letter
    return "".join(cells)


def _margins(scene: Scene, contest: Contest, width: int) -> list[str]:
    """How much later each loser was, from middle to middle, to scale."""
    lines = []
    for loser in contest.losers:
        ends = sorted((scene.place(contest.winner.t_ns, width), scene.place(loser.t_ns, width)))
        first, last = (_within(column, width - 1) for column in ends)
        text = margin_text(loser.judged.margin_ns or 0).lstrip("+")
        inner = last - first - 1
        if inner >= len(text) + 2:
            lines.append(" " * first + f"|{f' {text} '.replace(' ', '-'):-^{inner}}|")
        else:
            arrow = f"|{'-' * inner}|" if inner >= 0 else "|"
            free = width - last - 1
            fits = free >= len(text) + 1
            lines.append(
                " " * first + f"{arrow} {text}" if fits else " " * (first - len(text) - 1) + f"{text} {arrow}"
            )
    return lines


def _legend(lanes: list[PictureLine], letters: str, in_a_line: int) -> list[PictureLine]:
    """The signs that were drawn."""
    used = {kind for lane in lanes for _, kind in lane}
    drawn = "".join(plain(lane) for lane in lanes)
    entries: list[PictureLine] = [
        ((sign, verdict), (f" {verdict.value.replace('-', ' ')}", Tone.LABEL))
        for verdict, sign in SIGNS.items()
        if verdict in used
    ]
    entries += [((f"{key} {word}", Tone.LABEL),) for key, word in LETTERS.items() if key in letters]
    if ":" in drawn:
        entries.append((("::", Tone.GROUND), (" stands still", Tone.LABEL)))
    if "_" in drawn:
        entries.append((("[___] its stamp", Tone.LABEL),))
    lines: list[PictureLine] = []
    for start in range(0, len(entries), in_a_line):
        line: list[Piece] = [(" " * LABEL_COLUMNS, Tone.LABEL)]
        for entry in entries[start : start + in_a_line]:
            length = sum(len(text) for text, _ in entry)
            line += [*entry, (" " * (LEGEND_COLUMNS - length), Tone.LABEL)]
        lines.append(tuple(line))
    return lines
