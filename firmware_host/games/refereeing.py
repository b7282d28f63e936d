"""What differs between the games for the session: their rounds and their rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware_host.games.cards import cards
from firmware_host.games.cards.card_leftovers import CardSettle
from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.cards.cards import CardsPosition
from firmware_host.games.dice import dice
from firmware_host.games.dice.dice import DicePosition
from firmware_host.games.dice.dice_leftovers import DiceSettle
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.games import CARD_GAME, DICE_GAME, Game
from firmware_host.games.playing import CardPlay, DicePlay
from firmware_host.games.rooms import Room
from firmware_host.games.round import Round
from firmware_host.model.states import Phase
from firmware_host.timing.ties import TieBreaker

if TYPE_CHECKING:
    from firmware_host.games.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReferee:
    """One game: a new round from a deal, a round resumed from a position, and rooms of its own.

    `resume` raises MalformedText for a text that is not a position. `obstacle` says why a round can't go on
    from a position; it is empty if it can.
    """

    game: Game
    open: Callable[[Session, tuple[int, ...], TieBreaker], Round]
    resume: Callable[[Session, str, TieBreaker], Round]
    obstacle: Callable[[Session, Round, tuple[int, ...]], str]
    rooms: Mapping[Phase, type[Room]]


def _open_dice(session: Session, deal: tuple[int, ...], ties: TieBreaker) -> DiceRound:
    return _dice_round(session, dice.opening(deal), ties)


def _resume_dice(session: Session, text: str, ties: TieBreaker) -> DiceRound:
    return _dice_round(session, dice.parse_position(text).at_table_of(session.table.seats), ties)


def _dice_round(session: Session, position: DicePosition, ties: TieBreaker) -> DiceRound:
    table = session.table
    tags = session.tags if table.identified else None
    owners = session.owners if table.owned_by_tag else None
    return DiceRound(session.settings, position, ties, session.out, tags, owners)


def _open_cards(session: Session, deal: tuple[int, ...], ties: TieBreaker) -> CardRound:
    return _card_round(session, cards.opening(deal), ties)


def _resume_cards(session: Session, text: str, ties: TieBreaker) -> CardRound:
    return _card_round(session, cards.parse_position(text).at_table_of(session.table.seats), ties)


def _card_round(session: Session, position: CardsPosition, ties: TieBreaker) -> CardRound:
    table = session.table
    return CardRound(
        session.settings,
        position,
        ties,
        session.out,
        session.tags,
        pads=table.pads,
        expert=table.expert,
        long_press=not table.call_buttons,
    )


def _dice_obstacle(session: Session, round_: Round, deal: tuple[int, ...]) -> str:
    assert isinstance(round_, DiceRound)
    position = round_.position
    if position.dealt != deal or position.finisher is not None or position.unclaimed:
        return f"no round can go on from '{position}'"
    return "" if session.occupied == position.board else f"the board does not hold '{position}'"


def _card_obstacle(session: Session, round_: Round, deal: tuple[int, ...]) -> str:
    assert isinstance(round_, CardRound)
    position = round_.position
    return f"no round can go on from '{position}'" if position.dealt != deal or position.over else ""


DICE_REFEREE = GameReferee(
    game=DICE_GAME,
    open=_open_dice,
    resume=_resume_dice,
    obstacle=_dice_obstacle,
    rooms={Phase.PLAY: DicePlay, Phase.SETTLE: DiceSettle},
)
CARD_REFEREE = GameReferee(
    game=CARD_GAME,
    open=_open_cards,
    resume=_resume_cards,
    obstacle=_card_obstacle,
    rooms={Phase.PLAY: CardPlay, Phase.SETTLE: CardSettle},
)
REFEREES = {referee.game: referee for referee in (DICE_REFEREE, CARD_REFEREE)}
