"""The board of dice in the terminal's picture."""

from __future__ import annotations

from typing import ClassVar

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware_host.cli.styles import LIGHT, STYLE
from firmware_host.places import PLACES_PER_ROW, Colour, Slot
from firmware_host.show.lamps import ROW_SYMBOL, slot_lamp_index
from firmware_host.simulation.party import Party
from firmware_host.states import Phase, SlotState
from firmware_host.table.dice_round import DiceRound
from firmware_host.table.session import Session

_MARK = {SlotState.OPEN: "!", SlotState.ILLEGAL: "x", SlotState.LAPSED: "~"}


class DiceView:
    """Rows of places with dice on them."""

    mark = "■"
    _hints: ClassVar[dict[Phase, str]] = {
        Phase.ATTRACT: "Nobody plays. Press a button to sit down.",
        Phase.JOIN: "Players press their button to sit down.",
        Phase.COUNTDOWN: "Everybody holds a cup with dice. Get ready ...",
        Phase.PLAY: "Throw all your dice; put one that fits on its row's next place and SLAP!",
        Phase.PAUSED: "The round is paused. Hold a button to go on.",
        Phase.SETTLE: "Somebody is out of dice: stop! Are the counts of dice left right? Hold if not.",
        Phase.SCORES: "The first one out scores what the others hold; they lose as much.",
        Phase.CLEAR: "Dice off the board, mix, deal again. Press when ready.",
        Phase.RESULT: "The match is over.",
    }

    def what_to_do(self, session: Session) -> str:
        if session.table.owned_by_tag and session.phase is Phase.PLAY:
            return "Throw all dice; put one that fits on its row's next place. No slap is needed."
        return self._hints[session.phase]

    def centre(self, party: Party) -> Panel:
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
        round_ = party.table.shell.referee.session.round
        state = round_.board.state(slot) if isinstance(round_, DiceRound) else SlotState.FREE
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

    def legend(self) -> Text:
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

    def left(self, party: Party, seat: int) -> int | None:
        round_ = party.table.shell.referee.session.round
        return round_.owed[seat - 1] if round_ is not None and round_.dealt[seat - 1] else None
