"""The signs that a profile can name, one row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hw.scoreboard.alpha import ALPHA, AlphaSign
from hw.scoreboard.cd5220 import Cd5220Sign
from hw.scoreboard.charset import ASCII, CHARSETS, PC437, PC850, Charset, for_terminals
from hw.scoreboard.dmd import DmdSign
from hw.scoreboard.serial_sign import SerialSign
from hw.scoreboard.text import TextSign
from hw.scoreboard.vt100 import Vt100Sign

ANY_CHARSET = tuple(CHARSETS.values())
ANY_FOR_TERMINALS = tuple(map(for_terminals, ANY_CHARSET))


@dataclass(frozen=True, slots=True)
class SignKind:
    """One kind of sign; `make` takes columns and one of its charsets; the first of them is the default."""

    title: str
    fewest_columns: int
    most_columns: int
    charsets: tuple[Charset, ...]
    make: Callable[[int, Charset], SerialSign]

    def charset(self, name: str = "") -> Charset:
        """The charset of that name; the default without a name."""
        return {charset.name: charset for charset in self.charsets}[name] if name else self.charsets[0]


SIGNS: dict[str, SignKind] = {
    "alpha": SignKind("Alpha sign with two rows", 20, 62, (ALPHA,), lambda columns, _: AlphaSign(columns)),
    "betabrite": SignKind(
        "BetaBrite or another Alpha sign with one row",
        20,
        62,
        (ALPHA,),
        lambda columns, _: AlphaSign(columns, tall=False),
    ),
    "cd5220": SignKind(
        "CD5220 pole display", 20, 20, (ASCII, PC437, PC850), lambda _, charset: Cd5220Sign(charset)
    ),
    "dm-d": SignKind("Epson DM-D pole display", 20, 20, (PC850, PC437), lambda _, charset: DmdSign(charset)),
    "text": SignKind("plain text with form feeds", 20, 80, ANY_CHARSET, TextSign),
    "vt100": SignKind("VT100 with cursor addressing", 20, 80, ANY_FOR_TERMINALS, Vt100Sign),
}
