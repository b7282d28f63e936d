"""The lines of the scoreboard between rounds: leftovers, scores, the deal, the winners."""

from __future__ import annotations

from firmware_host.show.lines import (
    Lines,
    TurningLine,
    call_lines,
    check_line,
    of_seated,
    one_after_another,
    winners_line,
)
from firmware_host.show.news import News
from firmware_host.table.between import Clear
from firmware_host.table.card_round import CardRound
from firmware_host.table.leftover_check import Settle
from firmware_host.table.phases import CheckStep, Transition
from firmware_host.table.session import Session
from firmware_host.texts import Phrase, say


def settle_lines(session: Session, room: Settle, columns: int) -> Lines:
    """How the round ended, and what each seat has left."""
    language, cards = session.settings.language, bool(session.table.piles)
    if room.step is CheckStep.LATE:
        return _end_lines(session, room, columns)
    if room.step is CheckStep.ASK:
        return say(language, Phrase.WHOSE, n=room.excess), of_seated(session, room.counts, columns)
    if room.step is CheckStep.CHECK:
        wrong = say(language, Phrase.LEFT_RIGHT)
        if room.excess:
            return (say(language, Phrase.SUM_WRONG), wrong), of_seated(session, room.counts, columns)
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


def clear_lines(session: Session, news: News, room: Clear, columns: int) -> Lines:
    """What to do before a round.

    Below that, as long as things lie on the board, the points of the round and the totals take turns; then
    what each seat is dealt, and the totals if there are any.
    """
    language, match = session.settings.language, room.match
    totals = of_seated(session, match.totals, columns, sign=True)
    if session.occupied:
        trouble = session.blocking  # what was last seen there may be gone
        if trouble is not None:
            return say(language, Phrase.TAKE_OFF), check_line(session, trouble)
        if session.entered_by is not Transition.SHOWN:
            return say(language, Phrase.TAKE_OFF), totals
        _, points = scores_lines(session, news, columns)
        return say(language, Phrase.TAKE_OFF), one_after_another([points, totals])
    below = [_deal_line(session, match.deal, columns)]
    if match.scores:
        below.append(totals)
    ask = Phrase.DEAL_CARDS if session.table.piles else Phrase.DEAL
    return say(language, ask), one_after_another(below)


def _deal_line(session: Session, deal: tuple[int, ...], columns: int) -> TurningLine:
    """How many dice or Ligretto cards each seat draws."""
    counts = {count for count in deal if count}
    if len(counts) == 1:
        return say(session.settings.language, Phrase.EACH, n=counts.pop())
    return of_seated(session, deal, columns)


def result_lines(session: Session, news: News, columns: int) -> Lines:
    """The winners, and the totals of the match."""
    last = news.last_match
    assert last is not None
    winners = winners_line(session, last.winners, columns)
    return winners, of_seated(session, last.totals, columns, sign=True)
