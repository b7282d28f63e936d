"""Where on the table an expectation looks, and how it words what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.cards.cards import CardsPosition
from firmware_host.games.dice.dice import DicePosition
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.knowledge import MaskedSource
from firmware_host.games.leftover_check import Settle
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
from firmware_host.model.events import parse_slot
from firmware_host.model.places import Pad
from firmware_host.model.states import Phase
from firmware_host.model.times import format_duration
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


def _position(observed: Observed) -> DicePosition | CardsPosition | None:
    round_ = observed.referee.session.round
    return round_.position if isinstance(round_, DiceRound | CardRound) else None


def find_position(observed: Observed, argument: str) -> str:
    """The whole round."""
    position = _position(observed)
    return _NO_ROUND if position is None else str(position)


def find_board(observed: Observed, argument: str) -> str:
    """The rows of the board."""
    position = _position(observed)
    return _NO_ROUND if position is None else str(position).split()[0]


def find_piles(observed: Observed, argument: str) -> str:
    """The piles in the centre."""
    position = _position(observed)
    if not isinstance(position, CardsPosition):
        return _NO_ROUND
    return " ".join("-" if pile is None else str(pile) for pile in position.piles) or "none"


def find_centre(observed: Observed, argument: str) -> str:
    """How many cards of each seat lie in the centre."""
    position = _position(observed)
    return ",".join(map(str, position.counts)) if isinstance(position, CardsPosition) else _NO_ROUND


def find_step(observed: Observed, argument: str) -> str:
    """The step of the leftover check."""
    state = observed.referee.session.state
    return state.step.name if isinstance(state, Settle) else "none"


def find_left(observed: Observed, argument: str) -> str:
    """What each seat has left, as far as the table knows."""
    session, last_round = observed.referee.session, observed.referee.news.last_round
    if isinstance(session.state, Settle):
        return ",".join(map(str, session.state.counts))
    if session.phase in _BETWEEN and last_round is not None:
        return ",".join(map(str, last_round.leftovers))
    return ",".join(map(str, session.round.owed)) if session.round else _NO_ROUND


def find_scores(observed: Observed, argument: str) -> str:
    """The points of the last scored round."""
    match = observed.referee.session.match
    return ",".join(f"{score:+d}" for score in match.scores[-1]) if match and match.scores else "none"


def find_totals(observed: Observed, argument: str) -> str:
    """The points of the match."""
    match = observed.referee.session.match
    return ",".join(f"{total:+d}" for total in match.totals) if match else "none"


def find_winners(observed: Observed, argument: str) -> str:
    """Who has won the last match."""
    last = observed.referee.news.last_match
    return ",".join(map(str, last.winners)) if last else "none"


def find_slot(observed: Observed, argument: str) -> str:
    """The state of a place of the board."""
    round_ = observed.referee.session.round
    return (
        round_.records.at(parse_slot(argument.split())).visible.word
        if isinstance(round_, DiceRound)
        else _NO_ROUND
    )


def find_armed(observed: Observed, argument: str) -> str:
    """The card that a slap of this seat would play, and where."""
    round_, seat = observed.referee.session.round, int(argument)
    if not isinstance(round_, CardRound):
        return _NO_ROUND
    card, _, place = round_.on_pad(seat)
    if card is None:
        return "none"
    return f"{card} nowhere" if place is None else f"{card} pile {place}"


def find_troubles(observed: Observed, argument: str) -> str:
    """What is wrong with the table."""
    session = observed.referee.session
    found = ["interruption"] if session.interrupted else []
    for each in session.troubles.all:
        found.append(f"{each.name} {each.reason}" if isinstance(each, MaskedSource) else each.name)
    return ", ".join(found) or "none"


def find_led(observed: Observed, argument: str) -> str:
    """The lamp of a place of the board, or of a pile."""
    words = argument.split()
    if words[0] == "pile":
        index = pile_lamp_index(int(words[1]), 0 if words[2] == "head" else int(words[2]))
    else:
        index = slot_lamp_index(parse_slot(words))
    return str(observed.referee.lamps[index])


def find_panel(observed: Observed, argument: str) -> str:
    """The lamp of a seat."""
    table = observed.referee.session.table
    return str(observed.referee.lamps[panel_lamp_index(int(argument), table.piles)])


def find_line(observed: Observed, argument: str) -> str:
    """A line of the scoreboard."""
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
