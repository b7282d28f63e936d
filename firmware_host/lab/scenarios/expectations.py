"""What can be expected of the table.

Each subject is a row: how to read the wanted text, and how to find the same text on the
table. Both sides are texts of one form, so a mismatch shows what differs.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import NamedTuple

from firmware_host.lab.scenarios import finding as f
from firmware_host.lab.scenarios import wording as w
from firmware_host.lab.scenarios.finding import (
    Observed,
    correction_text,
    cue_text,
    scan_text,
    tie_text,
    verdict_text,
)
from firmware_host.model.errors import MalformedText
from firmware_host.profile.profile import Profile

_SEAT = r"\d{1,2}"
_TROUBLE = r"([\w-]+|\w+ \d+ (chatters|stuck))"
_PILE = rf"(-|[rygb]{_SEAT}(\.{_SEAT}){{0,9}})"


def _anywhere(profile: Profile) -> bool:
    return True


def _with_dice(profile: Profile) -> bool:
    return not profile.piles


def _with_cards(profile: Profile) -> bool:
    return profile.piles > 0


def _with_readers(profile: Profile) -> bool:
    return bool(profile.readers)


class Subject(NamedTuple):
    """One thing that can be expected: `read` splits the words, `find` looks at the table.

    It makes sense at tables of which `fits` is true. `with_cards` is the example there, if it is another.
    """

    read: w.Words
    find: Callable[[Observed, str], str]
    example: str
    fits: Callable[[Profile], bool] = _anywhere
    with_cards: str = ""


def parse_expectation(words: list[str], profile: Profile) -> tuple[str, str, str]:
    """Subject, argument and wanted text of the words after `expect`, at a table of that profile."""
    name = words[0] if words else ""
    known = [each for each, subject in SUBJECTS.items() if subject.fits(profile)]
    if name not in known:
        near = get_close_matches(name, known, n=1)
        where = " of this table" if name in SUBJECTS else ""
        hint = f"did you mean '{near[0]}'?" if near and not where else f"known: {', '.join(known)}"
        raise MalformedText(f"'{name}' can't be expected{where}; {hint}")
    subject = SUBJECTS[name]
    try:
        argument, wanted = subject.read(words[1:], profile)
    except MalformedText as error:
        example = subject.with_cards if profile.piles and subject.with_cards else subject.example
        raise MalformedText(f"{error} (as in: expect {name} {example})") from None
    return name, argument, wanted


_NUMBERS = rf"{_SEAT}(,{_SEAT})*"
_POINTS = r"none|[+-]\d+(,[+-]\d+)*"
_COUNT = w.read_form(r"\d+", "count")

SUBJECTS: dict[str, Subject] = {
    "phase": Subject(w.read_phase, lambda o, _: o.referee.session.phase.name, "PLAY"),
    "step": Subject(w.read_step, f.find_step, "CHECK"),
    "verdict": Subject(
        w.read_verdict,
        f.next_of(lambda o: o.verdicts, verdict_text),
        "2 too-late red 1 margin 300us",
        with_cards="2 too-late red 7 margin 300us",
    ),
    "tie": Subject(
        w.read_form(rf"none|{_SEAT}(,{_SEAT})+ (drawn|by-fewest-won)", "dead heat"),
        f.next_of(lambda o: o.ties, tie_text),
        "1,2,3 drawn",
    ),
    "position": Subject(
        w.read_position, f.find_position, "r1y0g0b0 5/6,6/6,6/6,6/6", with_cards="10,10,-,10 r1.3.3 - b4"
    ),
    "board": Subject(w.read_form(r"r\dy\dg\db\d", "board"), f.find_board, "r1y0g0b0", fits=_with_dice),
    "piles": Subject(
        w.read_form(rf"none|{_PILE}( {_PILE})*", "row of piles"),
        f.find_piles,
        "r1.3.3 - b4",
        fits=_with_cards,
    ),
    "centre": Subject(
        w.read_per_seat(_NUMBERS, "list of cards in the centre"), f.find_centre, "3,0,1,2", fits=_with_cards
    ),
    "left": Subject(
        w.read_per_seat(r"\d+(,\d+)*", "list of dice left"), f.find_left, "5,6,6,6", with_cards="0,2,0,5"
    ),
    "scores": Subject(w.read_per_seat(_POINTS, "list of scores"), f.find_scores, "+8,-3,-1,-4"),
    "totals": Subject(w.read_per_seat(_POINTS, "list of totals"), f.find_totals, "+8,-3,-1,-4"),
    "winners": Subject(w.read_seats(rf"none|{_NUMBERS}", "list of seats"), f.find_winners, "1,3"),
    "slot": Subject(w.read_slot, f.find_slot, "red 1 counted", fits=_with_dice),
    "armed": Subject(w.read_armed, f.find_armed, "3 red 7 pile 2", fits=_with_cards),
    "cue": Subject(w.read_cue, f.next_of(lambda o: o.cues, cue_text), "3 unknown-tag", fits=_with_readers),
    "scanned": Subject(
        w.read_form(rf"none|{_SEAT} (red|yellow|green|blue) \d{{1,2}} count \d{{1,2}}", "leftover card"),
        f.next_of(lambda o: o.scanned, scan_text),
        "3 red 7 count 2",
        fits=_with_cards,
    ),
    "led": Subject(w.read_led, f.find_led, "red 1 white fast", with_cards="pile 3 head red steady"),
    "panel": Subject(w.read_panel, f.find_panel, "2 green steady"),
    "line": Subject(w.read_line, f.find_line, '1 "Start Ligretto"'),
    "correction": Subject(
        w.read_form(rf"none|{_SEAT} \d+ to \d+ by (players|operator|owner)", "correction"),
        f.next_of(lambda o: o.corrections, correction_text),
        "3 4 to 3 by players",
    ),
    "refused": Subject(
        w.read_form(r".+", "reason"),
        f.next_of(lambda o: o.refused, lambda refused: refused.reason),
        "Pause is not possible in ATTRACT",
    ),
    "late": Subject(_COUNT, lambda o, _: str(o.late), "0"),
    "noise": Subject(_COUNT, lambda o, _: str(o.noise), "0"),
    "lost": Subject(_COUNT, lambda o, _: str(o.lost), "0"),
    "troubles": Subject(
        w.read_form(rf"none|{_TROUBLE}(, {_TROUBLE})*", "list of troubles"),
        f.find_troubles,
        "left, red 3 chatters, seat 1 stuck",
        with_cards="pad-3, seat 1 stuck",
    ),
}
