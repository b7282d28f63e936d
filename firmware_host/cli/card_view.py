"""The centre of a card table in the terminal's picture."""

from __future__ import annotations

from typing import ClassVar

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware_host.cli.styles import STYLE
from firmware_host.engine.cards import CardPile
from firmware_host.places import CARD_NUMBERS, Colour
from firmware_host.players.cards.decks import Decks
from firmware_host.show.lamps import ROW_SYMBOL, Beat, pile_lamp_index
from firmware_host.simulation.party import Party
from firmware_host.states import Phase
from firmware_host.table.card_round import CardRound
from firmware_host.table.session import Session

NAME_COLUMNS = 8
PILE_COLUMNS = 3
LEAST_COLUMNS = 44

WITHOUT_PADS = {
    Phase.PLAY: "Lay a card on its pile's reader. Ligretto pile empty? Hold your button!",
    Phase.SETTLE: "Stop! Ligretto cards left? Hold your button to enter them, else press.",
}
"""What is different where the piles have readers."""


class CardView:
    """Piles by colour, each with the card on its top."""

    mark = "▮"
    _hints: ClassVar[dict[Phase, str]] = {
        Phase.ATTRACT: "Nobody plays. Press a button to sit down.",
        Phase.JOIN: "Players press their button to sit down.",
        Phase.COUNTDOWN: "Everybody has laid out row, Ligretto pile and hand. Get ready ...",
        Phase.PLAY: "Card to your pad, SLAP when lit, lay it down. Ligretto pile empty? Call stop!",
        Phase.PAUSED: "The round is paused. Hold a button to go on.",
        Phase.SETTLE: "Stop! Show what is left of your Ligretto pile to your pad, then press.",
        Phase.SCORES: "A point for each card in the centre, two less for each Ligretto card left.",
        Phase.CLEAR: "Sort the cards, deal again. Press when ready.",
        Phase.RESULT: "The match is over.",
    }

    def what_to_do(self, session: Session) -> str:
        if not session.table.pads and session.phase in WITHOUT_PADS:
            return WITHOUT_PADS[session.phase]
        return self._hints[session.phase]

    def centre(self, party: Party) -> Panel:
        session = party.table.shell.referee.session
        grid = Table.grid(padding=(0, 1))
        piles = session.round.position.piles if isinstance(session.round, CardRound) else ()
        for colour in Colour:
            name = Text(f"{ROW_SYMBOL[colour]} {colour.word:<6}", style=STYLE[colour])
            grid.add_row(name, self._piles(party, colour, piles))
        # Each seat has one card that opens a pile of this colour.
        needed = NAME_COLUMNS + 1 + session.table.seats * PILE_COLUMNS + 4
        width = max(LEAST_COLUMNS, needed)
        return Panel(grid, title="centre", title_align="left", border_style="dim", width=width)

    def _piles(self, party: Party, colour: Colour, piles: tuple[CardPile | None, ...]) -> Text:
        """The tops of the piles of one colour; one whose next card is on some pad is marked."""
        cells = []
        for place, pile in enumerate(piles, start=1):
            if pile is None or pile.colour is not colour:
                continue
            if pile.full:
                cells.append(Text("10 ", style=f"{STYLE[colour]} dim"))
                continue
            wanted = pile_lamp_index(place, min(pile.height + 1, CARD_NUMBERS))
            if party.table.shell.referee.lamps[wanted].beat == Beat.FAST:
                cells.append(Text(f"[{pile.height}]", style=f"bold black on {STYLE[colour]}"))
            else:
                cells.append(Text(f" {pile.height} ", style=f"bold {STYLE[colour]}"))
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

    def left(self, party: Party, seat: int) -> int | None:
        """What only a spectator sees: the cards of the Ligretto pile."""
        things = party.things
        assert isinstance(things, Decks)
        area = things.areas.get(seat)
        return area.leftovers if area is not None else None
