"""The board of dice in the terminal's picture."""

from __future__ import annotations

from typing import ClassVar

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware_host.cli.seen_table import SeenTable
from firmware_host.cli.styles import LIGHT, STYLE
from firmware_host.places import PLACES_PER_ROW, Colour, Slot
from firmware_host.show.lamps import ROW_SYMBOL, slot_lamp_index
from firmware_host.states import Phase, SlotState

_MARK = {SlotState.OPEN.word: "!", SlotState.ILLEGAL.word: "x", SlotState.LAPSED.word: "~"}


AWAY = "The table does something else for a while."


class DiceView:
    """Rows of places with dice on them."""

    mark = "■"
    counted = "left"
    _hints: ClassVar[dict[Phase, str]] = {
        Phase.ATTRACT: "Nobody plays. Press a button to sit down.",
        Phase.JOIN: "Players press their button to sit down.",
        Phase.COUNTDOWN: "Everybody holds a cup with dice. Get ready ...",
        Phase.PLAY: "Throw all your dice; put one that fits on its row's next place and SLAP!",
        Phase.PAUSED: "The round is paused. Hold a button to go on.",
        Phase.SETTLE: "Somebody is out of dice: stop! Are the counts of dice left right? Hold if not.",
        Phase.SCORES: "The first one out scores what the others hold; they lose as much.",
        Phase.CLEAR: "Dice off the board, mix and deal. Press when ready.",
        Phase.RESULT: "The match is over.",
    }

    def what_to_do(self, seen: SeenTable) -> str:
        if seen.phase is None:
            return AWAY
        if seen.table["owned_by_tag"] and seen.phase is Phase.PLAY:
            return "Throw all dice; put one that fits on its row's next place. No slap is needed."
        return self._hints[seen.phase]

    def centre(self, seen: SeenTable) -> Panel:
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
        about = seen.seat(seat)
        return about.get("left") if about.get("dealt") else None
