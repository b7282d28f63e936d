"""A scene as an SVG drawing: a lane for each seat, signs for verdicts, stamps to scale.

It has its own background and colours for light and for dark mode, loads nothing from elsewhere, and is
readable without colour. A tooltip on each sign says what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from firmware_host.history.scene import LETTERS, SIGNS, Scene, letter_of
from firmware_host.history.story import Contest, StampedVerdict
from firmware_host.model.effects import Effect, Verdict
from firmware_host.show.pages import margin_text

WIDTH, LEFT, RIGHT = 1200, 76, 24
LANE, CLOSE_LANE, CLOSE_MIDDLE = 40, 66, 44
TOP, RADIUS, BAR = 92, 9, 14
LETTER = 14
_STEPS = (WIDTH - LEFT - RIGHT) * 100
_TICKS = 12
_LEGEND_COLUMNS, _LEGEND_WIDTH, _LEGEND_LINE = 6, 184, 24

_LIGHT = {
    "ground": "#ffffff", "ink": "#1f2430", "faint": "#c9ced8", "still": "#eceff4",
    "accepted": "#15803d", "late": "#b45309", "wrong": "#c81e1e", "other": "#5b6472",
    "won": "#0e7490", "lost": "#a21caf",
}  # fmt: skip
_DARK = {
    "ground": "#14171d", "ink": "#e8eaf0", "faint": "#434b59", "still": "#262c37",
    "accepted": "#4ade80", "late": "#fbbf24", "wrong": "#f87171", "other": "#9aa4b5",
    "won": "#22d3ee", "lost": "#e879f9",
}  # fmt: skip
_COLOUR = {
    Verdict.ACCEPTED: "accepted",
    Verdict.TOO_LATE: "late",
    Verdict.ILLEGAL: "wrong",
    Verdict.FALSE_CLAIM: "wrong",
    Verdict.LOCKED: "wrong",
    Verdict.NOT_RUNNING: "other",
    Verdict.TAKEN_BACK: "other",
    Verdict.REPEATED: "other",
    Verdict.DEAD_HEAT_WON: "won",
    Verdict.DEAD_HEAT_LOST: "lost",
}
_SHAPES = """
text { font: 14px DejaVu Sans, Helvetica, Arial, sans-serif; }
text.title { font-size: 18px; font-weight: bold; }
.sign text, text.letter { font-weight: bold; text-anchor: middle; }
.lane, .tick { stroke-width: 1.5; }
.link { stroke-width: 1.5; stroke-dasharray: 4 3; }
.sign circle { stroke-width: 2; }
.sign rect { fill-opacity: 0.35; }
"""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A letter, its place, and all that it stands for."""

    letter: str
    x: float
    effects: list[Effect]


def _colours(colour: dict[str, str]) -> str:
    rules = [
        f"text {{ fill: {colour['ink']}; }}",
        f".ground, .sign circle {{ fill: {colour['ground']}; }}",
        f".still {{ fill: {colour['still']}; }}",
        f".lane, .tick {{ stroke: {colour['faint']}; }}",
        f".link {{ stroke: {colour['ink']}; }}",
    ]
    for name in dict.fromkeys(_COLOUR.values()):
        rules.append(f".{name} circle {{ stroke: {colour[name]}; }}")
        rules.append(f".{name} rect, .{name} text {{ fill: {colour[name]}; }}")
    return "".join(f"{rule}\n" for rule in rules)


def draw_svg(scene: Scene, title: str, tell: Callable[[Effect], str]) -> str:
    """The drawing; `tell` gives a sentence about an effect."""
    seats = scene.story.seats
    lane, middle = (CLOSE_LANE, CLOSE_MIDDLE) if scene.close else (LANE, LANE // 2)
    bottom = TOP + lane * len(seats)
    legend = _legend(scene, bottom + 62)
    height = bottom + 62 + _LEGEND_LINE * (1 + (len(legend) - 1) // _LEGEND_COLUMNS)
    rank = {verdict: -n for n, verdict in enumerate(SIGNS)}
    on_top = sorted(scene.verdicts, key=lambda given: rank[given.judged.verdict])  # the most important last
    lane_of = {seat: TOP + lane * row + middle for row, seat in enumerate(seats)}
    # Many viewers do not know CSS variables, so each rule is written for both modes.
    dark = f"@media (prefers-color-scheme: dark) {{\n{_colours(_DARK)}}}\n"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{_SHAPES}{_colours(_LIGHT)}{dark}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
        _text(LEFT, 34, title, "title"),
        *_stills(scene, bottom),
        *_axis(scene, bottom),
        *(_lane(seat, y) for seat, y in lane_of.items()),
        *(_link(scene, contest, lane_of) for contest in scene.contests),
        *(_sign(scene, given, lane_of[given.judged.seat], tell) for given in on_top),
        *_letters(scene, bottom + 22, tell),
        *legend,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(scene: Scene, t_ns: int) -> float:
    """The x coordinate of a moment, at most a little outside the picture."""
    return LEFT + scene.place(t_ns, _STEPS) / 100


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "") -> str:
    attributes = f' class="{kind}"' if kind else ""
    attributes += f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:g}" y="{y:g}"{attributes}>{escape(text)}</text>'


def _stills(scene: Scene, bottom: int) -> list[str]:
    """The pauses of the round."""
    boxes = []
    for pause in scene.story.pauses:
        first = max(float(LEFT), _x(scene, pause.from_ns))
        last = WIDTH - RIGHT if pause.to_ns is None else _x(scene, pause.to_ns)
        if last > first:
            size = f'width="{last - first:g}" height="{bottom - TOP}"'
            boxes.append(f'<rect class="still" x="{first:g}" y="{TOP}" {size}/>')
    return boxes


def _axis(scene: Scene, bottom: int) -> list[str]:
    parts = []
    for tick_ns in scene.ticks(_TICKS):
        x = _x(scene, tick_ns)
        parts.append(f'<line class="tick" x1="{x:g}" y1="{TOP - 8}" x2="{x:g}" y2="{bottom}"/>')
        parts.append(_text(x, TOP - 16, scene.tick_text(tick_ns), anchor="middle"))
    return parts


def _lane(seat: int, y: int) -> str:
    line = f'<line class="lane" x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}"/>'
    return _text(12, y + 5, f"seat {seat}") + line


def _link(scene: Scene, contest: Contest, lane_of: dict[int, int]) -> str:
    """The lines from the winner to each loser, with how much later that one was."""
    won = contest.winner
    x, y = _x(scene, won.t_ns), lane_of[won.judged.seat]
    parts = []
    for loser in contest.losers:
        other_x, other_y = _x(scene, loser.t_ns), lane_of[loser.judged.seat]
        parts.append(f'<line class="link" x1="{x:g}" y1="{y}" x2="{other_x:g}" y2="{other_y}"/>')
        if scene.close:
            margin = margin_text(loser.judged.margin_ns or 0).lstrip("+")
            side, anchor = (-6, "end") if other_x < x else (6, "start")
            parts.append(_text(other_x + side, other_y + BAR + 6, margin, anchor=anchor))
    return "".join(parts)


def _sign(scene: Scene, given: StampedVerdict, y: int, tell: Callable[[Effect], str]) -> str:
    """A verdict's sign on its lane; in a close-up its stamp is drawn, with the sign above it."""
    verdict = given.judged.verdict
    told = ". ".join(tell(effect) for effect in (given.tie, given.judged) if effect is not None)
    stamp = ""
    if scene.close:
        first, last = (_x(scene, t_ns) for t_ns in given.stamp)
        width = max(1.5, last - first)
        stamp = f'<rect x="{first:g}" y="{y - BAR // 2}" width="{width:g}" height="{BAR}"/>'
        y -= RADIUS + BAR // 2 + 3
    disc = _disc(_x(scene, given.t_ns), y, verdict)
    return f'<g class="sign {_COLOUR[verdict]}"><title>{escape(told)}</title>{stamp}{disc}</g>'


def _disc(x: float, y: float, verdict: Verdict) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}"/>{_text(x, y + 5, SIGNS[verdict])}'


def _letters(scene: Scene, y: int, tell: Callable[[Effect], str]) -> list[str]:
    """The letters for what happened to the table."""
    marks = _marks(scene)
    places = _side_by_side([mark.x for mark in marks])
    parts = []
    for mark, x in zip(marks, places, strict=True):
        told = escape("\n".join(map(tell, mark.effects)))
        parts.append(f"<g><title>{told}</title>{_text(x, y, mark.letter, 'letter')}</g>")
    return parts


def _marks(scene: Scene) -> list[_Mark]:
    """The letters in the order of their moments; one letter is not drawn twice at the same place."""
    marks: list[_Mark] = []
    last: dict[str, _Mark] = {}
    for each in scene.story.events:
        letter = letter_of(each.effect)
        if not letter or not scene.from_ns <= each.t_ns <= scene.to_ns:
            continue
        x, before = _x(scene, each.t_ns), last.get(letter)
        if before is not None and x - before.x < LETTER:
            before.effects.append(each.effect)
        else:
            last[letter] = _Mark(letter, x, [each.effect])
            marks.append(last[letter])
    return marks


def _side_by_side(places: Sequence[float]) -> list[float]:
    """These places from left to right, at least the width of a letter apart."""
    found: list[float] = []
    for x in places:
        found.append(max(x, found[-1] + LETTER) if found else x)
    last = float(WIDTH - RIGHT)
    for n in reversed(range(len(found))):
        found[n] = min(found[n], last)
        last = found[n] - LETTER
    return found


def _legend(scene: Scene, y: int) -> list[str]:
    """The meaning of the signs in the drawing."""
    used = {given.judged.verdict for given in scene.verdicts}
    shown = [each.effect for each in scene.story.events if scene.from_ns <= each.t_ns <= scene.to_ns]
    letters = {letter_of(effect) for effect in shown}
    entries: list[tuple[Verdict | str, str]] = [
        (verdict, verdict.value.replace("-", " ")) for verdict in SIGNS if verdict in used
    ]
    entries += [(letter, words) for letter, words in LETTERS.items() if letter in letters]
    parts = []
    for n, (sign, words) in enumerate(entries):
        x = LEFT + _LEGEND_WIDTH * (n % _LEGEND_COLUMNS)
        line = y + _LEGEND_LINE * (n // _LEGEND_COLUMNS)
        if isinstance(sign, Verdict):
            drawn = f'<g class="sign {_COLOUR[sign]}">{_disc(x, line - 5, sign)}</g>'
        else:
            drawn = _text(x, line, sign, "letter")
        parts.append(drawn + _text(x + 16, line, words))
    return parts
