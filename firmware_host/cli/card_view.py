"""The centre of a card table in the terminal's picture."""

from __future__ import annotations

from typing import ClassVar

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware_host.cli.dice_view import AWAY
from firmware_host.cli.seen_table import SeenTable
from firmware_host.cli.styles import STYLE
from firmware_host.places import CARD_NUMBERS, Colour
from firmware_host.show.lamps import ROW_SYMBOL, pile_lamp_index
from firmware_host.states import Phase

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
        Phase.ATTRACT: "Nobody plays. Press a button to sit down.",
        Phase.JOIN: "Players press their button to sit down.",
        Phase.COUNTDOWN: "Everybody has laid out row, Ligretto pile and hand. Get ready ...",
        Phase.PLAY: "Card to your pad, SLAP when lit, lay it down. Ligretto pile empty? Call stop!",
        Phase.PAUSED: "The round is paused. Hold a button to go on.",
        Phase.SETTLE: "Stop! Show what is left of your Ligretto pile to your pad, then press.",
        Phase.SCORES: "A point for each card in the centre, two less for each Ligretto card left.",
        Phase.CLEAR: "Sort the cards and deal. Press when ready.",
        Phase.RESULT: "The match is over.",
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
