"""A scene as lines of text: one lane for each seat, time from left to right.

Lines consist of pieces, so that they can be printed in colour; they say the same without colour.
"""

from __future__ import annotations

from enum import Enum

from firmware_host.history.contests import Contest
from firmware_host.history.scene import LETTERS, SIGNS, Scene, letter_of
from firmware_host.history.story import StampedVerdict
from firmware_host.model.effects import Verdict
from firmware_host.show.pages import margin_text


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


# -- lanes


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


# -- legend


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
