"""The GPIO lines that a board has for contacts and lamps, by the revision code of its Raspberry Pi.

A 40-pin header has GPIO 0 to 27, of which 0 and 1 are for the EEPROM of a HAT: the firmware looks for one
there at every start. A Compute Module has no header. Those on a DIMM bring out GPIO 0 to 45, later ones
0 to 27.
"""

from __future__ import annotations

import re
from typing import NamedTuple

GPIO_LINES = 54
"""The highest line of the chip; no board brings out all of them."""
_REVISION = re.compile(r"[0-9a-f]{4,8}")
_NEW_STYLE = 1 << 23
_ON_A_DIMM = (0x06, 0x0A, 0x10, 0x15)  # Compute Module 1, 3, 3+ and 4S
_LATER_MODULES = (0x14, 0x18, 0x1A)  # Compute Module 4, 5 and 5 Lite
_FIRST_BOARDS = range(0x02, 0x16)
_OLD_MODULES = (0x11, 0x14)  # Compute Module 1, before codes had a type in them


class BoardLines(NamedTuple):
    """The first and the last line that may be used, and why no others."""

    first: int
    last: int
    why: str = ""


def is_revision(value: object) -> bool:
    """Whether this can be a revision code: one with a type, or that of one of the first boards."""
    if not isinstance(value, str) or not _REVISION.fullmatch(value):
        return False
    code = int(value, 16)
    return bool(code & _NEW_STYLE) or code & 0xFFFF in _FIRST_BOARDS


def lines_of(board: object) -> BoardLines:
    """The lines of the board with that revision code; all lines of the chip if it is not a code."""
    if not isinstance(board, str) or not is_revision(board):
        return BoardLines(0, GPIO_LINES - 1)
    code = int(board, 16)
    kind = code >> 4 & 0xFF if code & _NEW_STYLE else -1
    if kind in _ON_A_DIMM or (kind < 0 and code & 0xFFFF in _OLD_MODULES):
        return BoardLines(0, 45, f"gpio.board {board!r} is a Compute Module")
    if kind in _LATER_MODULES:
        return BoardLines(0, 27, f"gpio.board {board!r} is a Compute Module")
    return BoardLines(
        2, 27, f"gpio.board {board!r} has a 40-pin header, where 0 and 1 are for the EEPROM of a HAT"
    )
