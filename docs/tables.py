"""Draws the two tables that the pages for players show: `make docs`.

Colours, symbols and texts are those of the real lamps and of the real scoreboard. A lamp that flashes has
a dashed ring.

    .venv/bin/python docs/tables.py
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from firmware_host.model.effects import Verdict
from firmware_host.model.phrases import say
from firmware_host.model.places import CARD_NUMBERS, Colour
from firmware_host.model.states import SlotState
from firmware_host.show.lamps import DARK, ROW_SYMBOL, ROW_TINT, VERDICT_LAMP, Beat, Lamp, Tint
from firmware_host.show.pages import per_seat
from firmware_host.show.picture import FITS

DOCS = Path(__file__).parent
WIDTH, HEIGHT = 1120, 560
COLUMNS = 20
SEATS = (1, 2, 3, 4)
LEFT, RIGHT = 8, 962
"""Where the labels begin."""
STYLE = """
text { font: 15px DejaVu Sans, Helvetica, Arial, sans-serif; fill: #e8eaf0; text-anchor: middle; }
text.label { fill: #1f2430; text-anchor: start; }
text.number { font-weight: bold; fill: #1f2430; }
text.sign { font: 17px DejaVu Sans Mono, Menlo, Consolas, monospace; fill: #ffd75e; text-anchor: start; }
.ground { fill: #ffffff; }
.wood { fill: #39424f; }
.board { fill: #232a34; }
.die, .card { fill: #f6f4ee; stroke: #151a21; }
.pad { fill: #4b5666; stroke: #aeb8c7; }
.button { fill: #d8dde6; stroke: #8592a6; stroke-width: 4; }
.call { fill: #d63b3b; stroke: #e8eaf0; stroke-width: 2; }
.dark { fill: #151a21; stroke: #566274; }
.lit { stroke: #ffffff; }
.flashing { fill: none; stroke-width: 2.5; stroke-dasharray: 4 3; }
.pointer { stroke: #8b94a3; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
.ground { fill: #14171d; }
text.label { fill: #e8eaf0; }
}
""".strip()
BRIGHT = {
    Tint.RED: "#ff5d5d",
    Tint.YELLOW: "#ffd83d",
    Tint.GREEN: "#4ade80",
    Tint.BLUE: "#6ea8ff",
    Tint.WHITE: "#ffffff",
}
FLASHING = {
    SlotState.OPEN: Lamp(Tint.WHITE, Beat.FAST),
    SlotState.ILLEGAL: Lamp(Tint.RED, Beat.DOUBLE),
}


def draw_dice() -> str:
    """A board with four seats, a moment after seat 1 has claimed red 5."""
    parts = [*_table(), *_scoreboard(1, Colour.RED, 5, ["2", "1", "2", "1"])]
    rows = {Colour.RED: 5, Colour.YELLOW: 6, Colour.GREEN: 2, Colour.BLUE: 6}
    odd = {(Colour.YELLOW, 6): SlotState.OPEN, (Colour.GREEN, 6): SlotState.ILLEGAL}
    for (colour, height), y in zip(rows.items(), range(205, 400, 58), strict=True):
        parts.append(_symbol(378, y + 8, 24, colour))
        for number, x in enumerate(range(434, 720, 56), start=1):
            usual = Lamp(ROW_TINT[colour], Beat.STEADY) if number == height + 1 else DARK
            state = odd.get((colour, number))
            parts += _lamp(x, y, 20, usual if state is None else FLASHING[state])
            if number <= height or state is not None:
                parts.append(f'<rect class="die" x="{x - 13}" y="{y - 13}" width="26" height="26" rx="5"/>')
                parts.append(f'<text class="number" x="{x}" y="{y + 5}">{number}</text>')
    for seat, x, inwards, y, down in (
        (1, 240, 1, 150, 1),
        (2, 860, -1, 150, 1),
        (3, 860, -1, 440, -1),
        (4, 240, 1, 440, -1),
    ):
        lamp = VERDICT_LAMP[Verdict.ACCEPTED] if seat == 1 else DARK
        parts += [
            _button(x, y),
            *_lamp(x + 64 * inwards, y - 32 * down, 12, lamp),
            _text(x + 64 * inwards, y + 20 * down + 5, f"seat {seat}"),
        ]
    parts += [
        *_label(LEFT, 62, ["your lamp: your", "die counts"], (292, 114)),
        *_label(LEFT, 150, ["your button: slap", "it when your", "die lies there"], (200, 158)),
        *_label(LEFT, 256, ["row symbol: you", "need no colours"], (362, 263)),
        *_label(RIGHT, 62, ["scoreboard: what", "was decided, and", "dice left"], (684, 82)),
        *_label(RIGHT, 196, ["lit: the next die", "goes here"], (738, 205)),
        *_label(RIGHT, 256, ["white flicker: this", "die waits for a slap"], (742, 263)),
        *_label(RIGHT, 316, ["two red flashes:", "wrong, take it off"], (742, 321)),
        *_label(RIGHT, 376, ["dark: counted"], (738, 379)),
    ]
    return _svg("A table for dice: the board in the middle, a button and a lamp at each seat", parts)


def draw_cards() -> str:
    """Piles in the centre and four seats, with a card for the red pile on the pad of seat 1."""
    parts = [*_table(), *_scoreboard(2, Colour.GREEN, 2, ["3", "5", "2", "5"])]
    parts += _pile(400, Colour.RED, 5, Beat.FAST, ["quick: a", "card for it", "is on a pad"])
    parts += _pile(500, Colour.GREEN, 2, Beat.SLOW, ["slow: the", "next one"])
    parts += _pile(600, Colour.BLUE, 8, Beat.SLOW, ["steady: up to", "the top card"])
    parts += _pile(700, None, 0, Beat.DARK, ["free: for", "any 1"])
    parts.append(_text(554, 38, "scoreboard: each seat's cards in the centre"))
    parts.append(_text(550, 152, "head: the colour of the pile"))
    for seat, x, inwards, y, down in (
        (1, 240, 1, 100, 1),
        (2, 860, -1, 100, 1),
        (3, 860, -1, 460, -1),
        (4, 240, 1, 460, -1),
    ):
        lamp = {1: FITS, 2: VERDICT_LAMP[Verdict.ACCEPTED]}.get(seat, DARK)
        aside = x + 72 * inwards
        pad = y + 104 * down
        parts += [
            _button(x, y),
            *_lamp(aside, y - 48 * down, 12, lamp),
            f'<circle class="call" cx="{aside}" cy="{y + 46 * down}" r="12"/>',
            f'<rect class="pad" x="{x - 42}" y="{pad - 54}" width="84" height="108" rx="8"/>',
            _text(aside, y + 5, f"seat {seat}"),
        ]
        if seat == 1:
            parts += _card(x - 29, pad - 42, 58, 84, Colour.RED, 6)
    parts += [
        *_label(LEFT, 36, ["your lamp: a pile", "wants your card"], (298, 51)),
        *_label(LEFT, 100, ["your button: slap"], (200, 98)),
        *_label(LEFT, 194, ["your pad reads the", "card; it may be", "your button, too"], (196, 206)),
        *_label(LEFT, 410, ["call button: you", "call stop"], (298, 415)),
    ]
    title = "A table for cards: piles in the middle; a pad, two buttons and a lamp at each seat"
    return _svg(title, parts, width=RIGHT - 16)


# -- the parts of a table


def _table() -> list[str]:
    return [
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>',
        '<rect class="wood" x="170" y="16" width="760" height="528" rx="44"/>',
        '<rect class="board" x="350" y="164" width="400" height="256" rx="10"/>',
    ]


def _scoreboard(seat: int, colour: Colour, number: int, tally: Sequence[str]) -> list[str]:
    """The scoreboard, which says that this seat's die or card counts, and the tally of all seats."""
    verdict = f"{seat} {say('en', Verdict.ACCEPTED)} {say('en', colour)} {number}"
    lines = verdict, str(per_seat(SEATS, tally, COLUMNS))
    return [
        '<rect class="dark" x="430" y="44" width="248" height="76" rx="6"/>',
        *(f'<text class="sign" x="446" y="{74 + 28 * row}">{line}</text>' for row, line in enumerate(lines)),
    ]


def _button(x: int, y: int) -> str:
    return f'<circle class="button" cx="{x}" cy="{y}" r="36"/>'


def _lamp(x: int, y: int, radius: int, lamp: Lamp) -> list[str]:
    if lamp.tint is Tint.OFF:
        return [f'<circle class="dark" cx="{x}" cy="{y}" r="{radius}"/>']
    colour = BRIGHT[lamp.tint]
    lit = [f'<circle class="lit" cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>']
    if lamp.beat == Beat.STEADY:
        return lit
    return [*lit, f'<circle class="flashing" cx="{x}" cy="{y}" r="{radius + 5}" stroke="{colour}"/>']


def _pile(x: int, colour: Colour | None, height: int, following: Beat, below: Sequence[str]) -> list[str]:
    """A pile of that height with its lights; `following` is the light for the next number."""
    texts = [_text(x, 446 + 20 * row, line) for row, line in enumerate(below)]
    if colour is None:
        place = f'<rect class="dark" x="{x - 40}" y="250" width="52" height="76" rx="6"/>'
        return [place, *_lamp(x + 30, 190, 9, DARK), *_lights(x, DARK, 0, DARK), *texts]
    steady = Lamp(ROW_TINT[colour], Beat.STEADY)
    return [
        *_card(x - 40, 250, 52, 76, colour, height),
        *_lamp(x + 30, 190, 9, steady),
        *_lights(x, steady, height, Lamp(ROW_TINT[colour], following)),
        *texts,
    ]


def _lights(x: int, lit: Lamp, height: int, following: Lamp) -> list[str]:
    lamps = [lit] * height + [following] + [DARK] * CARD_NUMBERS
    ys = range(396, 396 - 19 * CARD_NUMBERS, -19)
    return [part for y, lamp in zip(ys, lamps, strict=False) for part in _lamp(x + 30, y, 5, lamp)]


def _card(x: int, y: int, width: int, height: int, colour: Colour, number: int) -> list[str]:
    middle = x + width // 2
    return [
        f'<rect class="card" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>',
        _symbol(middle, y + 30, 22, colour),
        f'<text class="number" x="{middle}" y="{y + height - 18}" style="font-size:20px">{number}</text>',
    ]


def _symbol(x: int, y: int, size: int, colour: Colour) -> str:
    style = f"font-size:{size}px;fill:{BRIGHT[ROW_TINT[colour]]}"
    return f'<text x="{x}" y="{y}" style="{style}">{ROW_SYMBOL[colour]}</text>'


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}">{escape(text)}</text>'


def _label(x: int, y: int, lines: Sequence[str], at: tuple[int, int]) -> list[str]:
    """A label beside the table, and a line from it to what it names."""
    from_x = x - 6 if x == RIGHT else x + 148
    from_y = y + 10 * (len(lines) - 1) - 5
    texts = [
        f'<text class="label" x="{x}" y="{y + 20 * row}">{escape(line)}</text>'
        for row, line in enumerate(lines)
    ]
    pointer = f'<line class="pointer" x1="{from_x}" y1="{from_y}" x2="{at[0]}" y2="{at[1]}"/>'
    return [pointer, f'<circle cx="{at[0]}" cy="{at[1]}" r="3.5" fill="#8b94a3"/>', *texts]


def _svg(title: str, parts: Sequence[str], width: int = WIDTH) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title><style>\n{STYLE}\n</style>", *parts, "</svg>\n"])


if __name__ == "__main__":
    (DOCS / "dice-table.svg").write_text(draw_dice(), encoding="utf-8")
    (DOCS / "cards-table.svg").write_text(draw_cards(), encoding="utf-8")
