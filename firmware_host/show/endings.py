"""The lines of the scoreboard after the end of a round: leftovers, scores, the next deal, the winners."""

from __future__ import annotations

from firmware_host.show.lines import Lines, call_lines, check_line, of_seated, winners_line
from firmware_host.show.news import News
from firmware_host.table.between import Clear
from firmware_host.table.card_round import CardRound
from firmware_host.table.leftover_check import Settle
from firmware_host.table.phases import CheckStep
from firmware_host.table.session import Session
from firmware_host.texts import Phrase, say


def settle_lines(session: Session, room: Settle, columns: int) -> Lines:
    """How the round ended, and what each seat has left."""
    language, cards = session.settings.language, bool(session.table.piles)
    if room.step is CheckStep.LATE:
        return _end_lines(session, room, columns)
    if room.step is CheckStep.CHECK:
        wrong = say(language, Phrase.LEFT_RIGHT)
        scanning = cards and session.table.pads
        check = (say(language, Phrase.SCAN_LEFT), wrong) if scanning else wrong
        return check, of_seated(session, room.counts, columns)
    if room.step is CheckStep.ENTRY:
        enter = Phrase.ENTER_CARDS if cards else Phrase.ENTER_DICE
        return say(language, enter, seat=room.disputing), str(room.entered)
    holds = say(language, Phrase.HOLDS, seat=room.disputing, n=room.entered)
    return holds, say(language, Phrase.CONFIRM)


def _end_lines(session: Session, room: Settle, columns: int) -> Lines:
    """How the round ended, with leftover dice. Leftover cards are not known yet."""
    language, round_ = session.settings.language, room.round
    if not isinstance(round_, CardRound):
        return call_lines(say(language, Phrase.STOP_DICE), of_seated(session, room.counts, columns), columns)
    caller = round_.position.caller
    if caller is None:
        return say(language, Phrase.STUCK), ""
    return call_lines(say(language, Phrase.STOP_CARDS), say(language, Phrase.CALLED, seat=caller), columns)


def scores_lines(session: Session, news: News, columns: int) -> Lines:
    """The points of the round."""
    scored = news.last_round
    assert scored is not None
    language, finisher = session.settings.language, scored.finisher
    how = say(language, Phrase.STUCK) if finisher is None else say(language, Phrase.DONE, seat=finisher)
    return how, of_seated(session, scored.scores, columns, sign=True)


def clear_lines(session: Session, room: Clear, columns: int) -> Lines:
    """What to do before the next round, and the totals."""
    language = session.settings.language
    below = of_seated(session, room.match.totals, columns, sign=True)
    if session.table.piles:
        return say(language, Phrase.DEAL_CARDS), below
    if not session.occupied:
        return say(language, Phrase.DEAL), below
    trouble = session.blocking
    if trouble is not None:
        below = check_line(session, trouble)  # what was last seen there may be gone
    return say(language, Phrase.TAKE_OFF), below


def result_lines(session: Session, news: News, columns: int) -> Lines:
    """The winners, and the totals of the match."""
    last = news.last_match
    assert last is not None
    winners = winners_line(session, last.winners, columns)
    return winners, of_seated(session, last.totals, columns, sign=True)
