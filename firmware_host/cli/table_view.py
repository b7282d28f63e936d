"""The table as a picture in the terminal: the game's own part, seats, scoreboard, and what just happened."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rich.console import Console, ConsoleDimensions, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware_host.cli.terminal import LIGHT, LIGHT_LETTER, STYLE, VERDICT_STYLE, wrapped
from firmware_host.feed.feed_client import FeedReader
from firmware_host.feed.known_state import State
from firmware_host.model.effects import (
    CardArmed,
    CardPlayed,
    Effect,
    Judged,
    Noise,
    PhaseEntered,
    SlotChanged,
    parse_effect,
)
from firmware_host.model.phrases import say, verdict_key
from firmware_host.model.places import CARD_NUMBERS, PLACES_PER_ROW, Card, Colour, Slot
from firmware_host.model.states import Condition, Phase, SlotState
from firmware_host.model.times import S
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.show.lamps import (
    ROW_SYMBOL,
    TICK_NS,
    Beat,
    panel_lamp_index,
    pile_lamp_index,
    slot_lamp_index,
)

_BEATS = 8


@dataclass(frozen=True, slots=True)
class SeenTable:
    """The state, the lamps and the sign at one moment."""

    state: State
    lamps: tuple[tuple[int, int], ...]
    """The tint and the beat of each lamp."""
    page: tuple[str, ...]
    t_ns: int

    def light(self, lamp: int) -> int:
        """The tint of a lamp as it burns at this moment; 0 if it is dark."""
        tint, beat = self.lamps[lamp]
        return tint if beat & 0x80 >> self.t_ns // TICK_NS % _BEATS else 0

    def at(self, t_ns: int) -> SeenTable:
        """The same at another moment."""
        return replace(self, t_ns=t_ns)

    def flickers(self, lamp: int) -> bool:
        """Whether a lamp says: act now."""
        return self.lamps[lamp][1] == Beat.FAST

    @property
    def phase(self) -> Phase | None:
        """None while the game stands still for another reason."""
        word = self.state["phase"]
        return Phase(word) if word in _PHASES else None

    @property
    def table(self) -> dict[str, Any]:
        """What kind of table it is."""
        about: dict[str, Any] = self.state["table"]
        return about

    def seat(self, seat: int) -> dict[str, Any]:
        """What is known of a seat."""
        about: dict[str, Any] = self.state["seats"][str(seat)]
        return about

    @property
    def seated(self) -> list[int]:
        """The seats that play."""
        return [int(seat) for seat, about in self.state["seats"].items() if about["seated"]]

    @property
    def lost_store(self) -> str:
        """Why nothing is kept of what is played, and what to do; empty if it is kept."""
        lost = self.state.get("devices", {}).get("store", {}).get("condition") == Condition.LOST
        return self.trouble_of("store") if lost else ""

    def trouble_of(self, device: str) -> str:
        """What is wrong with a device, and what to do; empty if it is well."""
        about = self.state.get("devices", {}).get(device, {"condition": Condition.OK})
        wrong = about["condition"] != Condition.OK
        return "; ".join(filter(None, (about["seen"], about["advice"]))) if wrong else ""

    def judged(self, seat: int) -> Judged | None:
        """The last verdict of a seat."""
        record = self.state.get("last", {}).get(str(seat))
        effect = None if record is None else parse_effect(json.dumps(record))
        return effect if isinstance(effect, Judged) else None


_PHASES = {phase.value for phase in Phase}


def seen_by(reader: FeedReader, t_ns: int) -> SeenTable:
    """A table whose feed is read; `t_ns` is its present time."""
    text = reader.lamps
    lamps = tuple((int(text[at], 16), int(text[at + 1 : at + 3], 16)) for at in range(0, len(text), 3))
    return SeenTable(reader.state, lamps, reader.page, t_ns)


_MARK = {SlotState.OPEN.word: "!", SlotState.ILLEGAL.word: "x", SlotState.LAPSED.word: "~"}
AWAY = "The table does something else for a while."


HINTS = {
    Phase.ATTRACT: "Nobody plays. Press a button to sit down.",
    Phase.JOIN: "Players press their button to sit down.",
    Phase.PAUSED: "The round is paused. Hold a button to go on.",
    Phase.RESULT: "The match is over.",
}


class DiceView:
    """Rows of places with dice on them."""

    mark = "■"
    """Stands for one of the things that are counted at a seat."""
    counted = "left"
    """The heading of their column."""
    _hints: ClassVar[dict[Phase, str]] = {
        **HINTS,
        Phase.COUNTDOWN: "Everybody holds a cup with dice. Get ready ...",
        Phase.PLAY: "Throw all your dice; put one that fits on its row's next place and SLAP!",
        Phase.SETTLE: "Somebody is out of dice: stop! Are the counts of dice left right? Hold if not.",
        Phase.SCORES: "The first one out scores what the others hold; they lose as much.",
        Phase.CLEAR: "Dice off the board, mix and deal. Press when ready.",
    }

    def what_to_do(self, seen: SeenTable) -> str:
        """What people at this table have to do now."""
        if seen.phase is None:
            return AWAY
        if seen.table["owned_by_tag"] and seen.phase is Phase.PLAY:
            return "Throw all dice; put one that fits on its row's next place. No slap is needed."
        return self._hints[seen.phase]

    def centre(self, seen: SeenTable) -> Panel:
        """What lies in the middle of the table."""
        grid = Table.grid(padding=(0, 1))
        for colour in Colour:
            cells = [self._cell(seen, Slot(colour, number)) for number in range(1, PLACES_PER_ROW + 1)]
            name = Text(f"{ROW_SYMBOL[colour]} {colour.word:<6}", style=STYLE[colour])
            grid.add_row(name, *cells)
        return Panel(grid, title="board", title_align="left", border_style="dim")

    def _cell(self, seen: SeenTable, slot: Slot) -> Text:
        """A die is a filled square; marks around it show what its lamp says."""
        lamp = LIGHT.get(seen.light(slot_lamp_index(slot)))
        state = seen.state.get("board", {}).get(str(slot), {}).get("state", SlotState.FREE.word)
        mark = _MARK.get(state, "")
        if state not in (SlotState.FREE.word, SlotState.MISSING.word):
            left, right = (mark, mark) if mark and lamp else (" ", " ")
            text = Text(left, style=lamp or "")
            text.append(str(slot.number), style=f"bold black on {STYLE[slot.colour]}")
            return text.append(right, style=lamp or "")
        if lamp and state == SlotState.FREE.word:
            return Text(f"[{slot.number}]", style=f"bold {lamp}")
        if lamp:
            return Text(f"?{slot.number}?", style=lamp)
        return Text(" · ", style="bright_black")

    def legend(self) -> Text:
        """What the signs in it mean."""
        return Text.assemble(
            ("[3]", "bold green"),
            (" next place   ", "dim"),
            ("!3!", "bright_white"),
            (" waits for a slap\n", "dim"),
            ("x3x", "red"),
            (" wrong place  ", "dim"),
            ("?3?", "yellow"),
            (" knocked off\n", "dim"),
            ("(G)", "green"),
            (" a seat's lamp is green", "dim"),
        )

    def count(self, seen: SeenTable, seat: int) -> int | None:
        """How many a seat has; None if it does not play."""
        about = seen.seat(seat)
        return about.get("left") if about.get("dealt") else None


NAME_COLUMNS = 8
PILE_COLUMNS = 3
CARD_COLUMNS = 44

WITHOUT_PADS = {
    Phase.PLAY: "Lay a card on its pile's reader. Ligretto pile empty? Hold your button!",
    Phase.SETTLE: "Stop! Ligretto cards left? Hold your button to enter them, else press.",
}
"""What is different where the piles have readers."""


class CardView:
    """Piles by colour, each with the card on its top."""

    mark = "▮"
    counted = "played"
    _hints: ClassVar[dict[Phase, str]] = {
        **HINTS,
        Phase.COUNTDOWN: "Everybody has laid out row, Ligretto pile and hand. Get ready ...",
        Phase.PLAY: "Card to your pad, SLAP when lit, lay it down. Ligretto pile empty? Call stop!",
        Phase.SETTLE: "Stop! Show what is left of your Ligretto pile to your pad, then press.",
        Phase.SCORES: "A point for each card in the centre, two less for each Ligretto card left.",
        Phase.CLEAR: "Sort the cards and deal. Press when ready.",
    }

    def what_to_do(self, seen: SeenTable) -> str:
        if seen.phase is None:
            return AWAY
        if not seen.table["pads"] and seen.phase in WITHOUT_PADS:
            return WITHOUT_PADS[seen.phase]
        return self._hints[seen.phase]

    def centre(self, seen: SeenTable) -> Panel:
        grid = Table.grid(padding=(0, 1))
        for colour in Colour:
            name = Text(f"{ROW_SYMBOL[colour]} {colour.word:<6}", style=STYLE[colour])
            grid.add_row(name, self._piles(seen, colour))
        # Each seat has one card that opens a pile of this colour.
        needed = NAME_COLUMNS + 1 + seen.table["seats"] * PILE_COLUMNS + 4
        width = max(CARD_COLUMNS, needed)
        return Panel(grid, title="centre", title_align="left", border_style="dim", width=width)

    def _piles(self, seen: SeenTable, colour: Colour) -> Text:
        """The tops of the piles of one colour; one whose next card is on some pad is marked."""
        cells = []
        for place, pile in seen.state.get("piles", {}).items():
            height = pile["height"]
            if pile["colour"] != colour.word:
                continue
            if height == CARD_NUMBERS:
                cells.append(Text("10 ", style=f"{STYLE[colour]} dim"))
            elif seen.flickers(pile_lamp_index(int(place), height + 1)):
                cells.append(Text(f"[{height}]", style=f"bold black on {STYLE[colour]}"))
            else:
                cells.append(Text(f" {height} ", style=f"bold {STYLE[colour]}"))
        return Text.assemble(*cells) if cells else Text(" · ", style="bright_black")

    def legend(self) -> Text:
        return Text.assemble(
            (" 3 ", "bold green"),
            (" top of a pile", "dim"),
            ("  10", "green dim"),
            (" full\n", "dim"),
            ("[3]", "bold black on green"),
            (" its next card is near\n", "dim"),
            ("(G)", "green"),
            (" its lamp is green", "dim"),
        )

    def count(self, seen: SeenTable, seat: int) -> int | None:
        """The cards in the centre: nobody but its owner sees how many a Ligretto pile has."""
        about = seen.seat(seat)
        return about.get("tally") if about.get("dealt") else None


LEAST_COLUMNS, LEAST_LINES = 78, 24
CUE_NS = 2 * S
HEADING_LINES, MIDDLE_LINES = 2, 7
FRAME_LINES = 3
"""The frame around the seats, and their headings."""
LEAST_LOG_LINES = 6
"""With the frame around it; where seats in one column would leave less, they stand in two."""
SMALL_TABLE = 6
"""At a bigger one only those seats are shown that play."""
WIDE_COLUMNS, LEFT_COLUMNS = 140, 80
"""From so many columns on the log stands beside the table."""
MOST_BLOCKS = 12
KEPT = 100
STAMP_COLUMNS = 8
NOT_SHOWN = SlotChanged | PhaseEntered | Noise | CardArmed | CardPlayed


class TablePicture:
    """Shows a table as its feed tells it; `title` is what its heading says first."""

    def __init__(self, game: str = "dice", title: str = "LIGRETTO TABLE, simulated") -> None:
        self._game = CardView() if game == "cards" else DiceView()
        self._title = title
        self._log: deque[tuple[str, str]] = deque(maxlen=KEPT)

    def observe(self, effects: Iterable[Effect], t_ns: int) -> None:
        """Keep what is worth a line."""
        for effect in effects:
            if isinstance(effect, NOT_SHOWN):
                continue
            style = VERDICT_STYLE[effect.verdict] if isinstance(effect, Judged) else "bold"
            self._log.append((f"{_clock(t_ns)}  {effect_sentence(effect)}", style))

    def note(self, line: str) -> None:
        """Keep something that no table has said."""
        self._log.append((line, "bold"))

    def render(self, seen: SeenTable, size: ConsoleDimensions, trouble: str = "") -> RenderableType:
        """The whole picture for a terminal of this size; `trouble` stands in place of what to do."""
        if not fits(size.width, size.height):
            return Text(too_small(size.width, size.height))
        wide = size.width >= WIDE_COLUMNS
        room = size.height - HEADING_LINES - MIDDLE_LINES
        seats = self._seats_shown(seen)
        two_columns = len(seats) + FRAME_LINES > room - (0 if wide else LEAST_LOG_LINES)
        middle = Layout(self._middle(seen), size=MIDDLE_LINES)
        playing = Layout(self._seats(seen, seats, two_columns))
        log = Layout(_framed(_Latest(list(self._log)), "what the referee says"))
        picture = Layout()
        heading = Layout(self._heading(seen, trouble), size=HEADING_LINES)
        if wide:
            beside, left = Layout(), Layout(size=LEFT_COLUMNS)
            left.split_column(middle, playing)
            beside.split_row(left, log)
            picture.split_column(heading, beside)
        else:
            playing.size = FRAME_LINES + (-(-len(seats) // 2) if two_columns else len(seats))
            picture.split_column(heading, middle, playing, log)
        return picture

    def _heading(self, seen: SeenTable, trouble: str) -> Group:
        match, about = seen.state.get("match"), seen.state.get("round")
        round_ = f"round {about['number']} of {match['rounds']}" if match and about else ""
        top = Table.grid(expand=True)
        top.add_column(ratio=1)
        top.add_column(justify="right")
        top.add_row(
            Text(f"{self._title}   {round_}", style="bold"),
            Text(f"{seen.state['phase'].upper()}  {_clock(seen.t_ns)}", style="bold"),
        )
        hint = Text(self._game.what_to_do(seen), style="italic", no_wrap=True)
        return Group(top, Text(trouble, style="bold", no_wrap=True, overflow="ellipsis") if trouble else hint)

    def _middle(self, seen: SeenTable) -> Table:
        lines = "\n".join(f"{line:<20}" for line in seen.page)
        shown = Text(lines, style="bold bright_yellow on grey7")
        right = Table.grid()
        right.add_row(Panel(shown, title="scoreboard", expand=False))
        right.add_row(self._game.legend())
        middle = Table.grid(padding=(0, 1))
        middle.add_row(self._game.centre(seen), right)
        return middle

    def _seats_shown(self, seen: SeenTable) -> list[int]:
        """All seats of a small table; of a big one those that play."""
        seats = list(range(1, seen.table["seats"] + 1))
        playing = seen.seated
        return playing if len(seats) > SMALL_TABLE and playing else seats

    def _seats(self, seen: SeenTable, seats: Sequence[int], two_columns: bool) -> Panel:
        columns = 2 if two_columns else 1
        rows = -(-len(seats) // columns)
        table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, expand=True)
        for _ in range(columns):
            table.add_column("seat", width=7)
            counted = self._game.counted
            table.add_column(counted, width=6 if two_columns else MOST_BLOCKS + 3, no_wrap=True)
            table.add_column("score", justify="right", width=5)
            table.add_column("verdict", ratio=1)
        for row in range(rows):
            cells: list[RenderableType] = []
            for seat in seats[row::rows]:
                cells += self._seat(seen, seat, short=two_columns)
            table.add_row(*cells)
        return _framed(table, "seats")

    def _seat(self, seen: SeenTable, seat: int, short: bool) -> list[RenderableType]:
        light = seen.light(panel_lamp_index(seat, seen.table["piles"]))
        lamp = Text(f"({LIGHT_LETTER.get(light, '.')})", style=LIGHT.get(light, "grey23"))
        left = self._game.count(seen, seat)
        total = seen.seat(seat).get("total")
        blocks = "" if short or left is None else f" {self._game.mark * min(left, MOST_BLOCKS)}"
        return [
            lamp.append(f" {seat}", style="default"),
            Text("" if left is None else f"{left:>2}{blocks}", style="white"),
            "" if total is None else f"{total:+d}",
            self._verdict(seen, seat),
        ]

    def _verdict(self, seen: SeenTable, seat: int) -> RenderableType:
        judged, language = seen.judged(seat), seen.table["language"]
        if judged is None or seen.t_ns > judged.decided_ns + CUE_NS:
            return ""
        by_pads = seen.table["piles"] > 0 and seen.table["pads"]
        words = say(language, judged.cue or verdict_key(judged.verdict, by_pads))
        style = VERDICT_STYLE[judged.verdict]
        if judged.what is None:
            return Text(words, style=style)
        what = judged.what
        number = what.number if isinstance(what, Card) else what
        whole = f"{words}: {ROW_SYMBOL[what.colour]} {number}"
        return _Fitting(Text(whole, style=style), Text(words, style=style))


class _Fitting:
    """A text where there is room for it, else a shorter one."""

    def __init__(self, whole: Text, short: Text) -> None:
        self._whole, self._short = whole, short

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._whole if self._whole.cell_len <= options.max_width else self._short


class _Latest:
    """The last entries of the log that there is room for, broken only between words."""

    def __init__(self, entries: Sequence[tuple[str, str]]) -> None:
        self._entries = entries

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.height or len(self._entries)
        lines: list[Text] = []
        for words, style in reversed(self._entries):
            broken = [Text(line, style=style) for line in wrapped(words, options.max_width, STAMP_COLUMNS)]
            if len(broken) + len(lines) > room:
                lines[:0] = [] if lines else broken[:room]
                break
            lines[:0] = broken
        yield from lines


def fits(columns: int, lines: int) -> bool:
    """Whether the picture fits into a terminal of this size."""
    return columns >= LEAST_COLUMNS and lines >= LEAST_LINES


def too_small(columns: int, lines: int) -> str:
    """The message where the picture does not fit."""
    return f"the picture needs {LEAST_COLUMNS} x {LEAST_LINES}; the terminal has {columns} x {lines}"


def _framed(inside: RenderableType, title: str) -> Panel:
    return Panel(inside, title=title, title_align="left", border_style="dim")


def _clock(t_ns: int) -> str:
    seconds, tenths = divmod(t_ns // (S // 10), 10)
    return f"{seconds // 60}:{seconds % 60:02d}.{tenths}"
