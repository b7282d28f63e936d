"""A photo finish as an SVG drawing: a lane for each rival, its stamp as a bar on a time axis.

All colours are attributes, so that it looks the same in programs that know no style sheets; a style sheet
adds dark mode. It loads nothing from elsewhere and is readable without colour: seats are numbers, rows have
their symbols, and the winner's bar is full where the others are hatched.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape

from firmware_host.history.finish import Finish, FinishScale, Rival, finish_scale
from firmware_host.history.finish_words import (
    FinishText,
    finish_sentences,
    finish_text,
    margin_words,
    what_text,
    when_text,
)
from firmware_host.history.scene import SIGNS
from firmware_host.model.phrases import say

_LIGHT = {
    "ground": "#ffffff", "ink": "#1f2430", "muted": "#5b6472", "rule": "#d5dae3", "band": "#cfe8ee",
    "won": "#15803d", "tied": "#0e7490", "lost": "#b45309",
}  # fmt: skip
_DARK = {
    "ground": "#14171d", "ink": "#e8eaf0", "muted": "#9aa4b5", "rule": "#39414f", "band": "#17404a",
    "won": "#4ade80", "tied": "#22d3ee", "lost": "#fbbf24",
}  # fmt: skip
FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"
TOP, BAR, LANE = 116, 26, 70
SENTENCE = 23
LETTER = 7.9
"""The usual width of a letter in the words below a bar."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The measures of a drawing."""

    width: int
    left: int
    right: int
    """Beside the axis: the names of the seats, and the order of arrival."""
    columns: int
    ticks: int


WIDE = Sheet(width=960, left=168, right=110, columns=104, ticks=8)
NARROW = Sheet(width=480, left=128, right=74, columns=50, ticks=4)
"""For a phone held upright."""


def draw_finish(
    finish: Finish, language: str, sheet: Sheet = WIDE, names: Mapping[int, str] | None = None
) -> str:
    """The drawing. With `names` the players of these seats are named."""
    scale = finish_scale(finish)
    bottom = TOP + LANE * len(finish.rivals)
    sentences = [*finish_sentences(language, finish), finish_text(language, FinishText.KEY)]
    lines = [line for each in sentences for line in textwrap.wrap(each, sheet.columns)]
    height = bottom + 44 + SENTENCE * len(lines)
    title = f"{finish_text(language, FinishText.TITLE)}: {what_text(language, finish.what)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width} {height}" '
        f'width="{sheet.width}" height="{height}" role="img" font-family="{FONT}" font-size="15">',
        f"<title>{escape(title)}</title><desc>{escape(' '.join(lines))}</desc>",
        f"<style>{_dark_mode()}</style>{_hatching()}",
        f'<rect width="{sheet.width}" height="{height}" {_fill("ground")}/>',
        _text(20, 38, title, size=22, bold=True),
        _text(20, 62, when_text(language, finish), "muted"),
        *_band(finish, scale, sheet, bottom),
        *_axis(scale, sheet, bottom),
        _text(
            sheet.width - 20, TOP - 34, finish_text(language, FinishText.RECEIVED), "muted", "end", size=13
        ),
    ]
    for row, rival in enumerate(finish.rivals):
        parts += _lane(finish, rival, TOP + LANE * row, scale, sheet, language, names or {})
    for n, line in enumerate(lines):
        parts.append(_text(20, bottom + 36 + SENTENCE * n, line))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _dark_mode() -> str:
    rules = "".join(
        f".f-{name}{{fill:{colour}}}.s-{name}{{stroke:{colour}}}" for name, colour in _DARK.items()
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"


def _hatching() -> str:
    patterns = "".join(
        f'<pattern id="{name}" width="7" height="7" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="3" height="7" {_fill(name)}/></pattern>'
        for name in ("tied", "lost")
    )
    return f"<defs>{patterns}</defs>"


def _fill(name: str) -> str:
    return f'class="f-{name}" fill="{_LIGHT[name]}"'


def _stroke(name: str) -> str:
    return f'class="s-{name}" stroke="{_LIGHT[name]}"'


def _text(
    x: float, y: float, text: str, ink: str = "ink", anchor: str = "start", size: int = 15, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"{weight} {_fill(ink)}>'
        f"{escape(text)}</text>"
    )


def _x(scale: FinishScale, sheet: Sheet, t_ns: int) -> float:
    return round(sheet.left + scale.place(t_ns) * (sheet.width - sheet.left - sheet.right), 2)


def _band(finish: Finish, scale: FinishScale, sheet: Sheet, bottom: int) -> list[str]:
    """The time in which all who tied may have slapped."""
    common = finish.common
    if common is None:
        return []
    first, last = (_x(scale, sheet, t_ns) for t_ns in common)
    size = f'width="{max(2.0, last - first):g}" height="{bottom - TOP}"'
    return [f'<rect x="{first:g}" y="{TOP}" {size} {_fill("band")}/>']


def _axis(scale: FinishScale, sheet: Sheet, bottom: int) -> list[str]:
    parts = []
    for tick_ns, name in scale.ticks(sheet.ticks):
        x = _x(scale, sheet, tick_ns)
        parts.append(f'<line x1="{x:g}" y1="{TOP - 6}" x2="{x:g}" y2="{bottom}" {_stroke("rule")}/>')
        parts.append(_text(x, TOP - 14, name, "muted", "middle", 13))
    return parts


def _lane(
    finish: Finish,
    rival: Rival,
    top: int,
    scale: FinishScale,
    sheet: Sheet,
    language: str,
    names: Mapping[int, str],
) -> list[str]:
    """One rival: who it is, its bar with its margin, and when its press arrived."""
    middle = top + LANE // 2
    end = sheet.width - sheet.right
    seat = finish_text(language, FinishText.SEAT, seat=rival.seat)
    name = names.get(rival.seat, "")
    most = (sheet.left - 58) // 9
    name = name if len(name) <= most else f"{name[: most - 1]}…"
    parts = [
        f'<line x1="20" y1="{top}" x2="{sheet.width - 20}" y2="{top}" {_stroke("rule")}/>',
        f'<circle cx="36" cy="{middle}" r="16" {_fill("ink")}/>',
        _text(36, middle + 6, str(rival.seat), "ground", "middle", 17, bold=True),
        _text(60, middle + (-3 if name else 5), seat, "muted" if name else "ink"),
        _text(60, middle + 16, name, bold=True) if name else "",
        *_bar(finish, rival, top, scale, sheet, language),
    ]
    if rival.arrived is not None:
        is_odd = (rival is finish.winner) != (rival.arrived == 1)
        parts.append(_text(sheet.width - 20, middle + 6, f"{rival.arrived}.", "ink", "end", 17, bold=is_odd))
    parts.append(f'<line x1="{end}" y1="{top}" x2="{end}" y2="{top + LANE}" {_stroke("rule")}/>')
    return parts


def _bar(
    finish: Finish, rival: Rival, top: int, scale: FinishScale, sheet: Sheet, language: str
) -> list[str]:
    kind = "tied" if rival.is_tied else "lost"
    told = f"{SIGNS[rival.verdict]} {say(language, rival.verdict)}"
    if rival is finish.winner:
        kind = "tied" if rival.is_tied else "won"
    else:
        told = ", ".join(margin_words(language, rival))
    end = sheet.width - sheet.right
    if not scale.holds(rival):
        late = rival.stamp.latest_ns > scale.to_ns
        x, turn, anchor = (end - 6, -14, "end") if late else (sheet.left + 6, 14, "start")
        arrow = f'<path d="M{x} {top + 19} l{turn} -9 v18 z" {_fill(kind)}/>'
        return [arrow, _margin(sheet, x, x, top, told, anchor)]
    first, last = (_x(scale, sheet, t_ns) for t_ns in rival.stamp)
    width = max(3.0, last - first)
    fill = _fill(kind) if rival is finish.winner else f'fill="url(#{kind})"'
    box = f'x="{first:g}" y="{top + 8}" width="{width:g}" height="{BAR}" rx="3"'
    parts = [
        f"<rect {box} {fill}/>",
        f'<rect {box} fill="none" {_stroke(kind)} stroke-width="2"/>',
    ]
    middle = (first + last) / 2
    side = "start" if middle < (sheet.left + end) / 2 else "end"
    return [*parts, _margin(sheet, first, last, top, told, side)]


def _margin(sheet: Sheet, first: float, last: float, top: int, told: str, anchor: str) -> str:
    """The words below a bar, inside the axis as far as they fit there."""
    width, end = len(told) * LETTER, sheet.width - sheet.right - 4
    if anchor == "start":
        x = max(sheet.left, min(first, end - width))
    else:
        x = min(end, max(last, sheet.left + width))
    return _text(x, top + 54, told, "ink", anchor, 14)
