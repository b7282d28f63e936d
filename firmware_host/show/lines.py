"""The parts of the lines of the scoreboard: calls, names, and lists of seats.

What does not fit into a line is split evenly into several texts, which take turns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from firmware_host.games.session import Session
from firmware_host.games.troubles import LostDevice, Trouble
from firmware_host.model.phrases import Phrase, place_text, say
from firmware_host.model.places import Button, Call
from firmware_host.model.states import AwayReason

TurningLine = str | tuple[str, ...]
"""A text, or several that take turns."""
Lines = tuple[TurningLine, TurningLine]

MOST_UNNAMED = 4
"""With at most this many seats the order alone shows whose number is whose."""


def in_turns(words: Sequence[str], columns: int) -> TurningLine:
    """The words in one text, or in as few texts as they fit into."""
    count = 1
    texts = _dealt(words, count)
    while count < len(words) and max(map(len, texts)) > columns:
        count += 1
        texts = _dealt(words, count)
    return texts[0] if count == 1 else texts


def one_after_another(lines: Sequence[TurningLine]) -> TurningLine:
    """A line in which the texts of all these lines take turns."""
    texts = [text for line in lines for text in ((line,) if isinstance(line, str) else line)]
    return texts[0] if len(texts) == 1 else tuple(texts)


def _dealt(words: Sequence[str], count: int) -> tuple[str, ...]:
    bounds = [turn * len(words) // count for turn in range(count + 1)]
    return tuple(" ".join(words[bounds[turn] : bounds[turn + 1]]) for turn in range(count))


def per_seat(seats: Sequence[int], texts: Sequence[str], columns: int) -> TurningLine:
    """`1:3 2:1 3:0`; if that is too long, few seats have no numbers, and many take turns."""
    named = [f"{seat}:{text}" for seat, text in zip(seats, texts, strict=True)]
    in_one = " ".join(named)
    if len(in_one) > columns and len(seats) <= MOST_UNNAMED:
        in_one = " ".join(texts)
    return in_one if len(in_one) <= columns else in_turns(named, columns)


def seat_ranges(seats: Collection[int]) -> str:
    """`1-3 5 7-9`."""
    ranges: list[list[int]] = []
    for seat in sorted(seats):
        if ranges and ranges[-1][-1] == seat - 1:
            ranges[-1][1:] = [seat]
        else:
            ranges.append([seat])
    return " ".join("-".join(map(str, each)) for each in ranges)


def of_seated(session: Session, values: Sequence[int], columns: int, sign: bool = False) -> TurningLine:
    """A list of the values of the seats that play."""
    return _listed(tuple(sorted(session.seated)), tuple(values), columns, sign)


@lru_cache(maxsize=64)  # the same numbers are asked for again and again
def _listed(seats: tuple[int, ...], values: tuple[int, ...], columns: int, sign: bool) -> TurningLine:
    texts = [f"{values[seat - 1]:+d}" if sign else str(values[seat - 1]) for seat in seats]
    return per_seat(seats, texts, columns)


def winners_line(session: Session, winners: Sequence[int], columns: int) -> TurningLine:
    """The winners."""
    language = session.settings.language
    words = seat_ranges(winners).split() if session.table.piles else [str(seat) for seat in winners]
    seats = in_turns(words, columns - len(say(language, Phrase.WINNER, seats="")))
    if isinstance(seats, str):
        return say(language, Phrase.WINNER, seats=seats)
    return tuple(say(language, Phrase.WINNER, seats=some) for some in seats)


def call_lines(text: str, below: TurningLine, columns: int) -> Lines:
    """A call, on both lines if it needs them."""
    if len(text) <= columns:
        return text, below
    first, _, rest = text.rpartition(" ")
    return first, rest


def check_line(session: Session, trouble: Trouble) -> str:
    """The request to check something."""
    return say(session.settings.language, Phrase.CHECK, what=_name(session, trouble))


def interruption_lines(session: Session) -> Lines:
    """That the table was away, what has changed on the board since, and what can be done about it."""
    language, round_ = session.settings.language, session.round
    first = say(language, Phrase.WAS_OFF if session.interrupted is AwayReason.POWER else Phrase.PAUSED)
    misplaced = round_.misplaced if round_ is not None else ()
    if not misplaced:
        return first, ""
    wrong = [say(language, Phrase.CHECK, what=place_text(language, slot)) for slot in misplaced]
    ways = say(language, Phrase.HOLD_TO_GO_ON), say(language, Phrase.HOLD_TO_VOID)
    return first, one_after_another([*wrong, *ways])


def _name(session: Session, trouble: Trouble) -> str:
    """A trouble's name for people at the table."""
    if isinstance(trouble, LostDevice):
        return trouble.name
    language, source = session.settings.language, trouble.source
    if isinstance(source, Button):
        return say(language, Phrase.SEAT, seat=source.seat)
    if isinstance(source, Call):
        return say(language, Phrase.CALL_BUTTON, seat=source.seat)
    return place_text(language, source)
