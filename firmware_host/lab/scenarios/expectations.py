"""What can be expected of the table.

Each subject is a row: how to read the wanted text, and how to find the same text on the
table. Both sides are texts of one form, so a mismatch shows what differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NamedTuple, TypeVar

from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.cards.cards import CardsPosition
from firmware_host.games.dice.dice import DicePosition
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.knowledge import MaskedSource
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phases import CheckStep
from firmware_host.lab.scenarios import wording as w
from firmware_host.model.effects import (
    Corrected,
    EdgesLost,
    Judged,
    LateSignal,
    LeftoverScanned,
    Noise,
    Refused,
    TagRefused,
    TieBroken,
)
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import parse_slot
from firmware_host.model.places import Pad
from firmware_host.model.states import Phase
from firmware_host.model.times import format_duration
from firmware_host.profile.profile import Profile
from firmware_host.referee import Referee, Step
from firmware_host.show.lamps import panel_lamp_index, pile_lamp_index, slot_lamp_index

_BETWEEN = (Phase.SCORES, Phase.CLEAR, Phase.RESULT)
_NO_ROUND = "no round"
T = TypeVar("T")


def next_of(said: Callable[[Observed], list[T]], words: Callable[[T], str]) -> Callable[[Observed, str], str]:
    """Finds the next thing of a kind that was said and not asked for."""

    def find(observed: Observed, argument: str) -> str:
        things = said(observed)
        return words(things.pop(0)) if things else "none"

    return find


def _phase(observed: Observed, argument: str) -> str:
    return observed.referee.session.phase.name


def _position_of(observed: Observed) -> DicePosition | CardsPosition | None:
    round_ = observed.referee.session.round
    return round_.position if isinstance(round_, DiceRound | CardRound) else None


def _position(observed: Observed, argument: str) -> str:
    position = _position_of(observed)
    return _NO_ROUND if position is None else str(position)


def _board(observed: Observed, argument: str) -> str:
    position = _position_of(observed)
    return _NO_ROUND if position is None else str(position).split()[0]


def _piles(observed: Observed, argument: str) -> str:
    position = _position_of(observed)
    if not isinstance(position, CardsPosition):
        return _NO_ROUND
    return " ".join("-" if pile is None else str(pile) for pile in position.piles) or "none"


def _centre(observed: Observed, argument: str) -> str:
    position = _position_of(observed)
    return ",".join(map(str, position.counts)) if isinstance(position, CardsPosition) else _NO_ROUND


def _step(observed: Observed, argument: str) -> str:
    state = observed.referee.session.state
    return state.step.name if isinstance(state, Settle) else "none"


def _left(observed: Observed, argument: str) -> str:
    session, last_round = observed.referee.session, observed.referee.news.last_round
    if isinstance(session.state, Settle):
        return ",".join(map(str, session.state.counts))
    if session.phase in _BETWEEN and last_round is not None:
        return ",".join(map(str, last_round.leftovers))
    return ",".join(map(str, session.round.owed)) if session.round else _NO_ROUND


def _scores(observed: Observed, argument: str) -> str:
    match = observed.referee.session.match
    return ",".join(f"{score:+d}" for score in match.scores[-1]) if match and match.scores else "none"


def _totals(observed: Observed, argument: str) -> str:
    match = observed.referee.session.match
    return ",".join(f"{total:+d}" for total in match.totals) if match else "none"


def _winners(observed: Observed, argument: str) -> str:
    last = observed.referee.news.last_match
    return ",".join(map(str, last.winners)) if last else "none"


def _slot(observed: Observed, argument: str) -> str:
    round_ = observed.referee.session.round
    if not isinstance(round_, DiceRound):
        return _NO_ROUND
    return round_.records.at(parse_slot(argument.split())).visible.word


def _armed(observed: Observed, argument: str) -> str:
    round_, seat = observed.referee.session.round, int(argument)
    if not isinstance(round_, CardRound):
        return _NO_ROUND
    card, _, place = round_.on_pad(seat)
    if card is None:
        return "none"
    return f"{card} nowhere" if place is None else f"{card} pile {place}"


def _troubles(observed: Observed, argument: str) -> str:
    session = observed.referee.session
    found = ["interruption"] if session.interrupted else []
    for each in session.troubles.all:
        found.append(f"{each.name} {each.reason}" if isinstance(each, MaskedSource) else each.name)
    return ", ".join(found) or "none"


def _led(observed: Observed, argument: str) -> str:
    words = argument.split()
    if words[0] == "pile":
        index = pile_lamp_index(int(words[1]), 0 if words[2] == "head" else int(words[2]))
    else:
        index = slot_lamp_index(parse_slot(words))
    return str(observed.referee.lamps[index])


def _panel(observed: Observed, argument: str) -> str:
    table = observed.referee.session.table
    return str(observed.referee.lamps[panel_lamp_index(int(argument), table.piles)])


def _line(observed: Observed, argument: str) -> str:
    return f'"{observed.lines()[int(argument) - 1]}"'


@dataclass(slots=True)
class Observed:
    """The table, and what it has said and nobody has asked for yet."""

    referee: Referee
    lines: Callable[[], tuple[str, ...]]
    verdicts: list[Judged] = field(default_factory=list)
    ties: list[TieBroken] = field(default_factory=list)
    corrections: list[Corrected] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    cues: list[TagRefused] = field(default_factory=list)
    scanned: list[LeftoverScanned] = field(default_factory=list)
    late: int = 0
    noise: int = 0
    lost: int = 0

    def observe(self, step: Step) -> None:
        """Remember what is of interest to a scenario."""
        for effect in step.effects:
            match effect:
                case Judged():
                    self.verdicts.append(effect)
                case TieBroken():
                    self.ties.append(effect)
                case Corrected():
                    self.corrections.append(effect)
                case Refused():
                    self.refused.append(effect)
                case TagRefused():
                    self.cues.append(effect)
                case LeftoverScanned():
                    self.scanned.append(effect)
                case LateSignal():
                    self.late += 1
                case Noise():
                    self.noise += 1
                case EdgesLost():
                    self.lost += effect.count
                case _:
                    pass


def verdict_text(judged: Judged) -> str:
    """`2 too-late red 1 margin 300us`."""
    words = [str(judged.seat), judged.verdict.value]
    if judged.what is not None:
        words.append(str(judged.what))
    if judged.margin_ns is not None:
        words.append(f"margin {format_duration(judged.margin_ns)}")
    if judged.cue is not None:
        words.append(judged.cue.value)
    if judged.doubtful:
        words.append("doubtful")
    return " ".join(words)


def tie_text(tie: TieBroken) -> str:
    """`1,2,3 drawn`."""
    how = "drawn" if tie.drawn else "by-fewest-won"
    return f"{','.join(map(str, tie.seats))} {how}"


def correction_text(corrected: Corrected) -> str:
    """`3 4 to 3 by players`."""
    return f"{corrected.seat} {corrected.before} to {corrected.after} by {corrected.by}"


def cue_text(refused: TagRefused) -> str:
    """`3 unknown-tag` at the pad of seat 3, or `pile 2 two-tags`."""
    where = str(refused.at.seat) if isinstance(refused.at, Pad) else str(refused.at)
    return f"{where} {refused.cue.value}"


def scan_text(scanned: LeftoverScanned) -> str:
    """`3 red 7 count 2`."""
    return f"{scanned.card.seat} {scanned.card} count {scanned.count}"


# -- what may be expected
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
    "phase": Subject(
        w.read_word(Phase.__members__, "phase"), lambda o, _: o.referee.session.phase.name, "PLAY"
    ),
    "step": Subject(
        w.read_word(["none", *CheckStep.__members__], "step of the leftover check"), _step, "CHECK"
    ),
    "verdict": Subject(
        w.read_verdict,
        next_of(lambda o: o.verdicts, verdict_text),
        "2 too-late red 1 margin 300us",
        with_cards="2 too-late red 7 margin 300us",
    ),
    "tie": Subject(
        w.read_form(rf"none|{_SEAT}(,{_SEAT})+ (drawn|by-fewest-won)", "dead heat"),
        next_of(lambda o: o.ties, tie_text),
        "1,2,3 drawn",
    ),
    "position": Subject(
        w.read_position, _position, "r1y0g0b0 5/6,6/6,6/6,6/6", with_cards="10,10,-,10 r1.3.3 - b4"
    ),
    "board": Subject(w.read_form(r"r\dy\dg\db\d", "board"), _board, "r1y0g0b0", fits=_with_dice),
    "piles": Subject(
        w.read_form(rf"none|{_PILE}( {_PILE})*", "row of piles"),
        _piles,
        "r1.3.3 - b4",
        fits=_with_cards,
    ),
    "centre": Subject(
        w.read_per_seat(_NUMBERS, "list of cards in the centre"), _centre, "3,0,1,2", fits=_with_cards
    ),
    "left": Subject(
        w.read_per_seat(r"\d+(,\d+)*", "list of dice left"), _left, "5,6,6,6", with_cards="0,2,0,5"
    ),
    "scores": Subject(w.read_per_seat(_POINTS, "list of scores"), _scores, "+8,-3,-1,-4"),
    "totals": Subject(w.read_per_seat(_POINTS, "list of totals"), _totals, "+8,-3,-1,-4"),
    "winners": Subject(w.read_seats(rf"none|{_NUMBERS}", "list of seats"), _winners, "1,3"),
    "slot": Subject(w.read_slot, _slot, "red 1 counted", fits=_with_dice),
    "armed": Subject(w.read_armed, _armed, "3 red 7 pile 2", fits=_with_cards),
    "cue": Subject(w.read_cue, next_of(lambda o: o.cues, cue_text), "3 unknown-tag", fits=_with_readers),
    "scanned": Subject(
        w.read_form(rf"none|{_SEAT} (red|yellow|green|blue) \d{{1,2}} count \d{{1,2}}", "leftover card"),
        next_of(lambda o: o.scanned, scan_text),
        "3 red 7 count 2",
        fits=_with_cards,
    ),
    "led": Subject(w.read_led, _led, "red 1 white fast", with_cards="pile 3 head red steady"),
    "panel": Subject(w.read_panel, _panel, "2 green steady"),
    "line": Subject(w.read_line, _line, '1 "Start Ligretto"'),
    "correction": Subject(
        w.read_form(rf"none|{_SEAT} \d+ to \d+ by (players|operator|owner)", "correction"),
        next_of(lambda o: o.corrections, correction_text),
        "3 4 to 3 by players",
    ),
    "refused": Subject(
        w.read_form(r".+", "reason"),
        next_of(lambda o: o.refused, lambda refused: refused.reason),
        "Pause is not possible in ATTRACT",
    ),
    "late": Subject(_COUNT, lambda o, _: str(o.late), "0"),
    "noise": Subject(_COUNT, lambda o, _: str(o.noise), "0"),
    "lost": Subject(_COUNT, lambda o, _: str(o.lost), "0"),
    "troubles": Subject(
        w.read_form(rf"none|{_TROUBLE}(, {_TROUBLE})*", "list of troubles"),
        _troubles,
        "left, red 3 chatters, seat 1 stuck",
        with_cards="pad-3, seat 1 stuck",
    ),
}
