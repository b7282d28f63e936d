"""What the scoreboard says in every phase: the session goes in, lines of text come out.

A line consists of several texts that take turns if it would be too long, or if it is about several things.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.games import Match
from firmware_host.games.knowledge import LostDevice, Trouble
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import Clear, Countdown, Join, Paused, Play, Result, Scores
from firmware_host.games.phases import CheckStep, Transition
from firmware_host.games.session import Session
from firmware_host.model.effects import Cue, Judged, TagRefused, Verdict
from firmware_host.model.phrases import Phrase, place_text, say, verdict_key
from firmware_host.model.places import Button, Call, Pad, Slot, Spot
from firmware_host.model.states import AwayReason
from firmware_host.model.times import MS, S
from firmware_host.show.news import News, ShowState


def settle_lines(session: Session, state: Settle, columns: int) -> Lines:
    """How the round ended, and what each seat has left."""
    language, cards = session.settings.language, bool(session.table.piles)
    if state.step is CheckStep.LATE:
        return _end_lines(session, state, columns)
    if state.step is CheckStep.ASK:
        return say(language, Phrase.WHOSE, n=state.excess), of_seated(session, state.counts, columns)
    if state.step is CheckStep.CHECK:
        wrong = say(language, Phrase.LEFT_RIGHT)
        if state.excess:
            return (say(language, Phrase.SUM_WRONG), wrong), of_seated(session, state.counts, columns)
        scanning = cards and session.table.pads
        check = (say(language, Phrase.SCAN_LEFT), wrong) if scanning else wrong
        return check, of_seated(session, state.counts, columns)
    if state.step is CheckStep.ENTRY:
        enter = Phrase.ENTER_CARDS if cards else Phrase.ENTER_DICE
        return say(language, enter, seat=state.disputing), str(state.entered)
    holds = say(language, Phrase.HOLDS, seat=state.disputing, n=state.entered)
    return holds, say(language, Phrase.CONFIRM)


def _end_lines(session: Session, state: Settle, columns: int) -> Lines:
    """How the round ended, with leftover dice. Leftover cards are not known yet."""
    language, round_ = session.settings.language, state.round
    if not isinstance(round_, CardRound):
        return call_lines(say(language, Phrase.STOP_DICE), of_seated(session, state.counts, columns), columns)
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


def clear_lines(session: Session, news: News, state: Clear, columns: int) -> Lines:
    """What to do before a round.

    Below that, as long as things lie on the board, the points of the round and the totals take turns; then
    what each seat is dealt, and the totals if there are any.
    """
    language, match = session.settings.language, state.match
    totals = of_seated(session, match.totals, columns, sign=True)
    if session.occupied:
        trouble = session.blocking  # what was last seen there may be gone
        if trouble is not None:
            return say(language, Phrase.TAKE_OFF), check_line(session, trouble)
        if session.entered_by is not Transition.SHOWN:
            return say(language, Phrase.TAKE_OFF), totals
        _, points = scores_lines(session, news, columns)
        return say(language, Phrase.TAKE_OFF), one_after_another([points, totals])
    counts = {count for count in match.deal if count}
    each = say(language, Phrase.EACH, n=counts.pop()) if len(counts) == 1 else None
    below: list[TurningLine] = [each or of_seated(session, match.deal, columns)]
    if match.scores:
        below.append(totals)
    ask = Phrase.DEAL_CARDS if session.table.piles else Phrase.DEAL
    return say(language, ask), one_after_another(below)


def result_lines(session: Session, news: News, columns: int) -> Lines:
    """The winners, and the totals of the match."""
    last = news.last_match
    assert last is not None
    winners = winners_line(session, last.winners, columns)
    return winners, of_seated(session, last.totals, columns, sign=True)


ScoreboardPage = tuple[str, ...]

CALL_NS = 2 * S
"""How long the start call, each verdict and each refusal of a tag are shown."""
WIN_NS = 1 * S
"""How long a win is shown, whatever is decided meanwhile."""
TURN_NS = 3 * S
"""How long each of several texts that take turns is shown."""

_NO_NEWS = (Verdict.LOCKED, Verdict.NOT_RUNNING)


def page(view: ShowState, now_ns: int, columns: int = 20) -> ScoreboardPage:
    """The two lines of the scoreboard."""
    return page_at(page_lines(view, now_ns, columns), now_ns, columns)


def page_at(lines: Lines, now_ns: int, columns: int) -> ScoreboardPage:
    """The lines at this moment: of texts that take turns, the one whose turn it is."""
    turn = now_ns // TURN_NS
    return tuple([(line if isinstance(line, str) else line[turn % len(line)])[:columns] for line in lines])


def takes_turns(lines: Lines) -> bool:
    """Whether a line has texts that take turns."""
    first, below = lines
    return not (isinstance(first, str) and isinstance(below, str))


# -- what was decided


def headline(news: News, now_ns: int) -> Judged | TagRefused | None:
    """The verdict or refusal to show now: the last one, but a win stays for a while."""
    win = news.last_win
    if win is not None and now_ns < win.decided_ns + WIN_NS:
        return win
    newest: Judged | TagRefused | None = None
    latest = (0, 0)
    for judged in news.judged.values():
        moment = judged.decided_ns, judged.seat
        if judged.verdict not in _NO_NEWS and now_ns < judged.decided_ns + CALL_NS and latest < moment:
            newest, latest = judged, moment
    for refused in news.refused.values():
        moment = refused.t_ns, refused.at[0]
        if now_ns < refused.t_ns + CALL_NS and latest < moment:
            newest, latest = refused, moment
    return newest


def margin_text(margin_ns: int) -> str:
    """A margin as people read it: +50us, +3.1ms, +0.42s."""
    for limit, unit, word, digits in ((999.5, 1_000, "us", 0), (99.95, MS, "ms", 1)):
        if margin_ns / unit < limit:
            return f"+{margin_ns / unit:.{digits}f}{word}"
    return f"+{margin_ns / S:.2f}s"


def cue_text(language: str, at: Spot, cue: Cue, columns: int = 20) -> str:
    """Where a tag was put, and what is wrong with it; `#3` is a pile."""
    word = say(language, cue)
    if isinstance(at, Slot):
        text = f"{place_text(language, at)}: {word}"
    else:
        text = f"{at.seat}: {word}" if isinstance(at, Pad) else f"#{at.number}: {word}"
    return text if len(text) <= columns else word


def verdict_text(language: str, judged: Judged, columns: int, by_pads: bool = False) -> str:
    """Seat, verdict and what matters most: the place or card, the margin, or what was wrong.

    Where cards are played `by_pads`, nobody puts anything in a wrong place.
    """
    if judged.cue is not None:
        return cue_text(language, Pad(judged.seat), judged.cue, columns)
    text = f"{judged.seat} {say(language, verdict_key(judged.verdict, by_pads))}"
    if judged.verdict is Verdict.TOO_LATE and judged.margin_ns is not None:
        detail = margin_text(judged.margin_ns)
    elif judged.what is not None:
        detail = place_text(language, judged.what)
    else:
        return text
    return f"{text} {detail}" if len(text) + 1 + len(detail) <= columns else text


# -- phase by phase


def _attract(session: Session, news: News, columns: int) -> Lines:
    """The invitation. Below it the last standings, the winners and all troubles take turns."""
    last = news.last_match
    below: list[TurningLine] = [""]
    if last is not None:
        totals = [f"{last.totals[seat - 1]:+d}" for seat in last.seats]
        below = [per_seat(last.seats, totals, columns), winners_line(session, last.winners, columns)]
    below += [check_line(session, trouble) for trouble in session.troubles.all]
    return say(session.settings.language, Phrase.PRESS_TO_PLAY), one_after_another(below)


def _join(session: Session) -> Lines:
    if session.table.piles:
        taken = seat_ranges(session.seated)
    else:
        seats = range(1, session.table.seats + 1)
        taken = " ".join(str(seat) if seat in session.seated else "-" for seat in seats)
    return say(session.settings.language, Phrase.PRESS_TO_SIT), taken


def _round_name(language: str, match: Match) -> str:
    return say(language, Phrase.ROUND, n=match.round_number, of=match.rounds)


def _countdown(session: Session, state: Countdown, now_ns: int) -> Lines:
    language, refuted = session.settings.language, session.entered_by is Transition.REFUTED
    first = say(language, Phrase.REFUTED) if refuted else _round_name(language, state.match)
    return first, str(state.number(now_ns))


def _play(view: ShowState, state: Play, now_ns: int, columns: int) -> Lines:
    session, news = view
    language, tally = session.settings.language, of_seated(session, state.round.tally, columns)
    latest, table = headline(news, now_ns), session.table
    if isinstance(latest, Judged):
        return verdict_text(language, latest, columns, by_pads=table.piles > 0 and table.pads), tally
    if latest is not None:
        return cue_text(language, latest.at, latest.cue, columns), tally
    if now_ns < state.entered_ns + CALL_NS:
        return call_lines(say(language, Phrase.START), tally, columns)
    return _round_name(language, state.match), tally


def _paused(session: Session, state: Paused) -> Lines:
    language = session.settings.language
    if state.by_operator:
        return say(language, Phrase.PAUSED), ""
    if session.interrupted:
        return interruption_lines(session)
    trouble = session.blocking
    first = say(language, Phrase.PAUSED) if trouble is None else check_line(session, trouble)
    return first, say(language, Phrase.HOLD_TO_GO_ON)


def page_lines(view: ShowState, now_ns: int, columns: int = 20) -> Lines:
    """The lines of the scoreboard, with all texts that take turns."""
    session, news = view
    match session.state:
        case Play() as state:
            return _play(view, state, now_ns, columns)
        case Countdown() as state:
            return _countdown(session, state, now_ns)
        case Paused() as state:
            return _paused(session, state)
        case Settle() as state:
            return settle_lines(session, state, columns)
        case Scores():
            return scores_lines(session, news, columns)
        case Clear() as state:
            return clear_lines(session, news, state, columns)
        case Result():
            return result_lines(session, news, columns)
        case Join():
            return _join(session)
        case _:
            return _attract(session, news, columns)


# The parts of the lines of the scoreboard: calls, names, and lists of seats.
#
# What does not fit into a line is split evenly into several texts, which take turns.


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
