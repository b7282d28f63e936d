"""The table as a picture in the terminal: the game's own part, seats, scoreboard, and what just happened."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware_host.cli.card_view import CardView
from firmware_host.cli.dice_view import DiceView
from firmware_host.cli.styles import LIGHT, VERDICT_STYLE
from firmware_host.cli.telling import tell_line
from firmware_host.durations import S
from firmware_host.effects import (
    CardArmed,
    CardPlayed,
    Effect,
    Judged,
    Noise,
    PhaseEntered,
    SlotChanged,
    TagNoticed,
)
from firmware_host.places import Card
from firmware_host.show.lamps import ROW_SYMBOL, panel_lamp_index
from firmware_host.show.phrases import VERDICT_WORD
from firmware_host.show.words import CUE_WORD, PAD_VERDICT_WORD
from firmware_host.simulation.party import Party
from firmware_host.table.session import Session

CUE_NS = 2 * S
MOST_LINES = 6
ONE_COLUMN = 6
"""More seats than that stand in two columns, and leave less room for the log."""
NOT_TOLD = SlotChanged | PhaseEntered | Noise | CardArmed | CardPlayed | TagNoticed


class GameView(Protocol):
    """What only one of the games has to show."""

    def what_to_do(self, session: Session) -> str:
        """What people at this table have to do now."""

    def centre(self, party: Party) -> RenderableType:
        """What lies in the middle of the table."""

    def legend(self) -> Text:
        """What the signs in it mean."""

    def left(self, party: Party, seat: int) -> str:
        """What a seat has left."""


class View:
    """Watches a party as a spectator with a view of all devices."""

    def __init__(self, game: str = "dice") -> None:
        self._game: GameView = CardView() if game == "cards" else DiceView()
        self._log: deque[Text] = deque(maxlen=MOST_LINES)

    def observe(self, t_ns: int, effects: list[Effect]) -> None:
        """Keep what is worth a line."""
        for effect in effects:
            if isinstance(effect, NOT_TOLD):
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
        middle.add_row(self._game.centre(party), Group(self._scoreboard(party), self._game.legend()))
        lines = MOST_LINES if len(self._seats_shown(party)) <= ONE_COLUMN else MOST_LINES - 4
        told = list(self._log)[-lines:]
        happened = told + [Text("")] * (lines - len(told))
        return Group(
            top,
            Text(self._game.what_to_do(session), style="italic"),
            middle,
            self._seats(party, now_ns),
            Panel(Group(*happened), title="what the referee says", title_align="left", border_style="dim"),
        )

    def _scoreboard(self, party: Party) -> Panel:
        lines = "\n".join(f"{line:<20}" for line in party.world.lines)
        return Panel(Text(lines, style="bold bright_yellow on grey7"), title="scoreboard", expand=False)

    def _seats_shown(self, party: Party) -> list[int]:
        """All seats of a small table; of a big one those that play."""
        session = party.table.pipeline.session
        seats = list(range(1, session.table.seats + 1))
        playing = [seat for seat in seats if seat in session.seated]
        return playing if len(seats) > ONE_COLUMN and playing else seats

    def _seats(self, party: Party, now_ns: int) -> Panel:
        seats = self._seats_shown(party)
        columns = 1 if len(seats) <= ONE_COLUMN else 2
        rows = -(-len(seats) // columns)
        table = Table(box=None, padding=(0, 1), expand=True)
        for _ in range(columns):
            table.add_column("lamp", width=4)
            table.add_column("seat", width=4)
            table.add_column("left", width=16 if columns == 1 else 4)
            table.add_column("score", justify="right", width=5)
            table.add_column("verdict", ratio=1, no_wrap=True)
        for row in range(rows):
            cells: list[Text | str] = []
            for seat in seats[row::rows]:
                cells += self._seat(party, seat, now_ns, short=columns > 1)
            table.add_row(*cells)
        return Panel(table, title="seats", title_align="left", border_style="dim")

    def _seat(self, party: Party, seat: int, now_ns: int, short: bool) -> list[Text | str]:
        session = party.table.pipeline.session
        lamp = LIGHT.get(party.world.leds.frame[panel_lamp_index(seat, session.table.piles)], "grey23")
        total = session.match.totals[seat - 1] if session.match else 0
        left = self._game.left(party, seat)
        return [
            Text("(O)" if lamp != "grey23" else "(.)", style=lamp),
            str(seat),
            Text(left.split()[-1] if short and left else left, style="white"),
            f"{total:+d}" if session.match else "",
            self._verdict(session, seat, now_ns),
        ]

    def _verdict(self, session: Session, seat: int, now_ns: int) -> Text:
        judged, language = session.judged.get(seat), session.settings.language
        if judged is None or now_ns > judged.decided_ns + CUE_NS:
            return Text("")
        words = VERDICT_WORD[language][judged.verdict]
        if judged.cue is not None:
            words = CUE_WORD[language][judged.cue]
        elif session.table.piles and session.table.pads:
            words = PAD_VERDICT_WORD[language].get(judged.verdict, words)
        if judged.what is not None:
            what = judged.what
            words += f": {ROW_SYMBOL[what.colour]} {what.number if isinstance(what, Card) else what}"
        return Text(words, style=VERDICT_STYLE[judged.verdict])


def _clock(t_ns: int) -> str:
    seconds, tenths = divmod(t_ns // (S // 10), 10)
    return f"{seconds // 60}:{seconds % 60:02d}.{tenths}"
