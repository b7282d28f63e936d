"""A photo finish as lines of text, for a terminal."""

from __future__ import annotations

import textwrap

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

NAME_COLUMNS = 12
TICKS = 4


def finish_lines(finish: Finish, language: str, columns: int = 80) -> list[str]:
    """What was raced for, a lane for each rival, and why it was decided like that."""
    width = columns - NAME_COLUMNS
    scale = finish_scale(finish)
    when = when_text(language, finish)
    title = f"{finish_text(language, FinishText.TITLE)}: {what_text(language, finish.what)}"
    lines = [f"{title} ({when})" if when else title, _axis(scale, width)]
    for rival in finish.rivals:
        name = finish_text(language, FinishText.SEAT, seat=rival.seat)
        lines.append(f"{name:<{NAME_COLUMNS}}{_lane(finish, rival, scale, width)}")
        lines += _indented(_words(finish, rival, language), columns)
    for sentence in finish_sentences(language, finish):
        lines += textwrap.wrap(sentence, columns)
    return lines


def _axis(scale: FinishScale, width: int) -> str:
    cells = [" "] * (width + NAME_COLUMNS)
    for tick_ns, name in scale.ticks(TICKS):
        at = min(NAME_COLUMNS + int(scale.place(tick_ns) * width), len(cells) - len(name))
        cells[at : at + len(name)] = name
    return "".join(cells).rstrip()


def _lane(finish: Finish, rival: Rival, scale: FinishScale, width: int) -> str:
    """The stamp as a bar: full for the winner, a frame for the others; an arrow for one far away."""
    if not scale.holds(rival):
        return f"{'>':>{width}}" if rival.stamp.latest_ns > scale.to_ns else "<"
    first, last = (min(width - 1, int(scale.place(t_ns) * width)) for t_ns in rival.stamp)
    sign = SIGNS[rival.verdict]
    fill = "=" if rival is finish.winner else "-"
    inner = last - first - 1
    bar = f"[{sign:{fill}^{inner}}]" if inner > 0 else sign
    return " " * first + bar


def _words(finish: Finish, rival: Rival, language: str) -> str:
    told = [say(language, rival.verdict)]
    if rival is not finish.winner:
        told += margin_words(language, rival)
    if rival.arrived is not None:
        told.append(f"{finish_text(language, FinishText.RECEIVED)}: {rival.arrived}.")
    return ", ".join(told)


def _indented(text: str, columns: int) -> list[str]:
    indent = " " * NAME_COLUMNS
    return textwrap.wrap(text, columns, initial_indent=indent, subsequent_indent=indent)
