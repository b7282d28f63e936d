"""What an operator may say about players: who sits where, what they are called, and who sat where.

None of this is an input of the referee: it does not know who plays.
"""

from __future__ import annotations

from firmware_host.errors import MalformedText
from firmware_host.numerals import whole_number
from firmware_host.runtime.roster import PlayerRefused, Roster
from firmware_host.tag_text import MOST_SEATS, shortened

FORMS = {
    "name": "'name 3 Anna', or 'name 3' for a guest",
    "guests": "'guests': all players have left, and guests sit there",
    "names": "'names': who sits where",
    "player": "'player 7 name Anna', 'player 7 merge 4' or 'player 7 delete'",
    "correct": "'correct 12 3 Anna': in match 12 it was Anna at seat 3; without a name it was a guest",
}
"""The commands, and what they look like."""
_NAMED_AFTER = {"name": 2, "player": 3, "correct": 3}
"""After so many words comes a name."""


def obey_naming(roster: Roster, words: list[str], seats: int = MOST_SEATS) -> None:
    """Do what the operator says; MalformedText or PlayerRefused says why not, and nothing has changed."""
    kind, rest = words[0], words[1:]
    match kind, rest:
        case (("names" | "guests"), []):
            if kind == "guests":
                roster.leave(*roster.seats)
        case "name", [seat]:
            roster.leave(_seat(seat, seats))
        case "name", [seat, *name]:
            roster.sit(_seat(seat, seats), " ".join(name))
        case "player", [number, "name", *name] if name:
            roster.rename(_number(number, kind), " ".join(name))
        case "player", [number, "merge", into]:
            roster.merge(_number(number, kind), _number(into, kind))
        case "player", [number, "delete"]:
            roster.delete(_number(number, kind))
        case "correct", [number, seat, *name]:
            roster.correct(_number(number, kind), _seat(seat, MOST_SEATS), " ".join(name))
        case _:
            raise _malformed(kind)


def without_names(text: str) -> str:
    """A command as it may be put into a log."""
    words = text.split()
    known = _NAMED_AFTER.get(words[0], len(words)) if words else 0
    return " ".join([*words[:known], "…"]) if words[known:] else text


def _number(word: str, kind: str) -> int:
    number = whole_number(word)
    if number is None:
        raise _malformed(kind)
    return number


def _seat(word: str, seats: int) -> int:
    seat = whole_number(word)
    if seat is None or not 1 <= seat <= seats:
        raise PlayerRefused(f"there is no seat '{shortened(word)}'; seats are 1 to {seats}")
    return seat


def _malformed(kind: str) -> MalformedText:
    return MalformedText(f"{kind} looks like {FORMS[kind]}")
