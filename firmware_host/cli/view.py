"""The table as a picture in the terminal: board, seats, scoreboard, and what just happened."""

from __future__ import annotations

from collections import deque

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware_host.cli.telling import tell_line
from firmware_host.durations import S
from firmware_host.effects import Effect, Judged, Noise, PhaseEntered, SlotChanged, Verdict
from firmware_host.places import PLACES_PER_ROW, Colour, Slot
from firmware_host.show.lamps import ROW_SYMBOL, panel_lamp_index, slot_lamp_index
from firmware_host.show.phrases import VERDICT_WORD
from firmware_host.simulation.party import Party
from firmware_host.table.phases import Phase
from firmware_host.table.round import SlotState

STYLE = {Colour.RED: "red", Colour.YELLOW: "yellow", Colour.GREEN: "green", Colour.BLUE: "bright_blue"}
LIGHT = {1: "bright_blue", 2: "green", 3: "cyan", 4: "red", 5: "magenta", 6: "yellow", 7: "bright_white"}
CUE_NS = 2 * S
LOG_LINES = 6

WHAT_TO_DO = {
    Phase.ATTRACT: "Nobody plays. Press a button to sit down.",
    Phase.JOIN: "Players press their button to sit down.",
    Phase.COUNTDOWN: "Everybody holds a cup with dice. Get ready ...",
    Phase.PLAY: "Throw all your dice; put one that fits on its row's next place, then SLAP your button.",
    Phase.PAUSED: "The round stands still. Hold a button to go on.",
    Phase.SETTLE: "Somebody is out of dice: stop! Are the counts of dice left right? Hold if not.",
    Phase.SCORES: "The first one out scores what the others hold; they lose as much.",
    Phase.CLEAR: "Dice off the board, mix, deal again. Press when ready.",
    Phase.RESULT: "The match is over.",
}

VERDICT_STYLE = {
    Verdict.ACCEPTED: "green",
    Verdict.TOO_LATE: "yellow",
    Verdict.ILLEGAL: "red",
    Verdict.FALSE_CLAIM: "red",
    Verdict.LOCKED: "red",
    Verdict.NOT_RUNNING: "bright_black",
    Verdict.DEAD_HEAT_WON: "cyan",
    Verdict.DEAD_HEAT_LOST: "magenta",
}


class View:
    """Watches a party as a spectator with a view of all devices."""

    def __init__(self) -> None:
        self._log: deque[Text] = deque(maxlen=LOG_LINES)

    def observe(self, t_ns: int, effects: list[Effect]) -> None:
        """Keep what is worth a line."""
        for effect in effects:
            if isinstance(effect, SlotChanged | PhaseEntered | Noise):
                continue
            style = VERDICT_STYLE[effect.verdict] if isinstance(effect, Judged) else "bold"
            self._log.append(Text(f"{_clock(t_ns)}  {tell_line(effect)}", style=style, overflow="ellipsis"))

    def render(self, party: Party) -> RenderableType:
        """The whole picture as of now."""
        session = party.table.pipeline.session
        match = session.match
        now_ns = party.world.now_ns
        top = Table.grid(expand=True)
        top.add_column(ratio=1)
        top.add_column(justify="right")
        round_ = f"round {match.round_number} of {match.rounds}" if match else ""
        top.add_row(
            Text(f"LIGRETTO TABLE, simulated   {round_}", style="bold"),
            Text(f"{session.phase.name}  {_clock(now_ns)}", style="bold"),
        )
        middle = Table.grid(padding=(0, 1))
        middle.add_row(self._board(party), Group(self._scoreboard(party), self._legend()))
        happened = list(self._log) + [Text("")] * (LOG_LINES - len(self._log))
        return Group(
            top,
            Text(WHAT_TO_DO[session.phase], style="italic"),
            middle,
            self._seats(party, now_ns),
            Panel(Group(*happened), title="what the referee says", title_align="left", border_style="dim"),
        )

    def _board(self, party: Party) -> Panel:
        grid = Table.grid(padding=(0, 1))
        for colour in Colour:
            cells = [self._cell(party, Slot(colour, number)) for number in range(1, PLACES_PER_ROW + 1)]
            name = Text(f"{ROW_SYMBOL[colour]} {colour.word:<6}", style=STYLE[colour])
            grid.add_row(name, *cells)
        return Panel(grid, title="board", title_align="left", border_style="dim")

    def _cell(self, party: Party, slot: Slot) -> Text:
        """A die is a filled square; marks around it show what its lamp says."""
        world = party.world
        light = world.leds.frame[slot_lamp_index(slot)]
        lamp = LIGHT.get(light)
        round_ = party.table.pipeline.session.round
        state = round_.state(slot) if round_ else SlotState.FREE
        mark = _MARK.get(state, "")
        if world.is_filled(slot):
            left, right = (mark, mark) if mark and lamp else (" ", " ")
            text = Text(left, style=lamp or "")
            text.append(str(slot.number), style=f"bold black on {STYLE[slot.colour]}")
            return text.append(right, style=lamp or "")
        if lamp and state is SlotState.FREE:
            return Text(f"[{slot.number}]", style=f"bold {lamp}")
        if lamp:
            return Text(f"?{slot.number}?", style=lamp)
        return Text(" · ", style="bright_black")

    def _scoreboard(self, party: Party) -> Panel:
        lines = "\n".join(f"{line:<20}" for line in party.world.lines)
        return Panel(Text(lines, style="bold bright_yellow on grey7"), title="scoreboard", expand=False)

    def _legend(self) -> Text:
        return Text.assemble(
            ("[3]", "bold green"),
            (" next place   ", "dim"),
            ("!3!", "bright_white"),
            (" waits for a slap\n", "dim"),
            ("x3x", "red"),
            (" wrong place  ", "dim"),
            ("?3?", "yellow"),
            (" knocked off", "dim"),
        )

    def _seats(self, party: Party, now_ns: int) -> Panel:
        session = party.table.pipeline.session
        table = Table(box=None, padding=(0, 1), expand=True)
        table.add_column("lamp", width=4)
        table.add_column("seat", width=4)
        table.add_column("dice left", width=16)
        table.add_column("score", justify="right", width=5)
        table.add_column("verdict", ratio=1)
        language = session.settings.language
        for seat in range(1, session.table.seats + 1):
            lamp = LIGHT.get(party.world.leds.frame[panel_lamp_index(seat)], "grey23")
            left = session.round.position.left[seat - 1] if session.round else 0
            total = session.match.totals[seat - 1] if session.match else 0
            table.add_row(
                Text("(O)" if lamp != "grey23" else "(.)", style=lamp),
                str(seat),
                Text("■" * left + f" {left}" if left else "", style="white"),
                f"{total:+d}" if session.match else "",
                self._verdict(session.judged.get(seat), now_ns, language),
            )
        return Panel(table, title="seats", title_align="left", border_style="dim")

    def _verdict(self, judged: Judged | None, now_ns: int, language: str) -> Text:
        if judged is None or now_ns > judged.decided_ns + CUE_NS:
            return Text("")
        words = VERDICT_WORD[language][judged.verdict]
        if judged.slot is not None:
            words += f": {ROW_SYMBOL[judged.slot.colour]} {judged.slot}"
        return Text(words, style=VERDICT_STYLE[judged.verdict])


_MARK = {SlotState.OPEN: "!", SlotState.ILLEGAL: "x", SlotState.LAPSED: "~"}


def _clock(t_ns: int) -> str:
    seconds, tenths = divmod(t_ns // (S // 10), 10)
    return f"{seconds // 60}:{seconds % 60:02d}.{tenths}"
