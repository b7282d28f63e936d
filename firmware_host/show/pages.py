"""What the scoreboard says, for every phase: the session in, lines of text out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.durations import MS, S
from firmware_host.effects import Judged, Verdict
from firmware_host.places import Button
from firmware_host.show.phrases import COLOUR_WORD, VERDICT_WORD, Phrase, say
from firmware_host.table.between import Clear
from firmware_host.table.phases import Phase
from firmware_host.table.playing import Countdown, Paused
from firmware_host.table.session import Session
from firmware_host.table.settling import Settle, Step
from firmware_host.table.troubles import Trouble

Page = tuple[str, ...]

CALL_NS = 2 * S
"""How long the start call and each verdict stand."""
WIN_NS = 1 * S
"""How long a win stands, whatever is decided meanwhile."""
TURN_NS = 3 * S
"""How long each of two alternating texts stands."""


_NO_NEWS = (Verdict.LOCKED, Verdict.NOT_RUNNING)


def page(session: Session, now_ns: int, columns: int = 20) -> Page:
    """The two lines of the scoreboard."""
    return tuple(line[:columns] for line in _PAGES[session.phase](session, now_ns, columns))


def headline(session: Session, now_ns: int) -> Judged | None:
    """The verdict to show now: the one decided last, but a win stands for a while."""
    win = session.last_win
    if win is not None and now_ns < win.decided_ns + WIN_NS:
        return win
    newest: Judged | None = None
    for judged in session.judged.values():
        if judged.verdict not in _NO_NEWS and now_ns < judged.decided_ns + CALL_NS:
            newest = judged if newest is None else max(newest, judged, key=_moment)
    return newest


def _moment(judged: Judged) -> tuple[int, int]:
    return judged.decided_ns, judged.seat


def margin_text(margin_ns: int) -> str:
    """A margin for people: +50us, +3.1ms, +0.42s."""
    for limit, unit, word, digits in ((999.5, 1_000, "us", 0), (99.95, MS, "ms", 1)):
        if margin_ns / unit < limit:
            return f"+{margin_ns / unit:.{digits}f}{word}"
    return f"+{margin_ns / S:.2f}s"


def verdict_text(language: str, judged: Judged, columns: int) -> str:
    """Seat, verdict and what matters most about it: where, or by how much."""
    text = f"{judged.seat} {VERDICT_WORD[language][judged.verdict]}"
    if judged.verdict is Verdict.TOO_LATE and judged.margin_ns is not None:
        detail = margin_text(judged.margin_ns)
    elif judged.slot is not None:
        detail = f"{COLOUR_WORD[language][judged.slot.colour]} {judged.slot.number}"
    else:
        return text
    return f"{text} {detail}" if len(text) + 1 + len(detail) <= columns else text


def _call(text: str, below: str, columns: int) -> Page:
    """A call, on both lines if it needs them."""
    if len(text) <= columns:
        return text, below
    first, _, rest = text.rpartition(" ")
    return first, rest


def _per_seat(session: Session, values: Sequence[int], columns: int, sign: bool = False) -> str:
    """`1:3 2:1 3:0`, or without the seats' numbers if that would not fit."""
    seats = sorted(session.seated)
    texts = [f"{values[seat - 1]:+d}" if sign else str(values[seat - 1]) for seat in seats]
    return _numbered(seats, texts, columns)


def _numbered(seats: Sequence[int], texts: Sequence[str], columns: int) -> str:
    named = " ".join(f"{seat}:{text}" for seat, text in zip(seats, texts, strict=True))
    return named if len(named) <= columns else " ".join(texts)


def _what(session: Session, trouble: Trouble) -> str:
    """A trouble's name as people at the table know it."""
    language, source = session.settings.language, trouble.source
    if isinstance(source, Button):
        return say(language, Phrase.SEAT, seat=source.seat)
    return trouble.name if source is None else f"{COLOUR_WORD[language][source.colour]} {source.number}"


def _check(session: Session, trouble: Trouble) -> str:
    """What somebody should look at."""
    return say(session.settings.language, Phrase.CHECK, what=_what(session, trouble))


def _attract(session: Session, now_ns: int, columns: int) -> Page:
    """The invitation; below it the last standings, its winners and all that is broken take turns."""
    language = session.settings.language
    last = session.last_match
    below = [""]
    if last is not None:
        totals = [f"{last.totals[seat - 1]:+d}" for seat in last.seats]
        winners = say(language, Phrase.WINNER, seats=" ".join(map(str, last.winners)))
        below = [_numbered(last.seats, totals, columns), winners]
    below += [_check(session, trouble) for trouble in session.troubles.all]
    return say(language, Phrase.PRESS_TO_PLAY), below[now_ns // TURN_NS % len(below)]


def _join(session: Session, now_ns: int, columns: int) -> Page:
    seats = range(1, session.table.seats + 1)
    taken = " ".join(str(seat) if seat in session.seated else "-" for seat in seats)
    return say(session.settings.language, Phrase.PRESS_TO_SIT), taken


def _round_name(session: Session) -> str:
    match = session.match
    assert match is not None
    return say(session.settings.language, Phrase.ROUND, n=match.round_number, of=match.rounds)


def _countdown(session: Session, now_ns: int, columns: int) -> Page:
    room = session.room
    assert isinstance(room, Countdown)
    return _round_name(session), str(room.number(now_ns))


def _play(session: Session, now_ns: int, columns: int) -> Page:
    round_ = session.round
    assert round_ is not None
    counts = _per_seat(session, round_.position.left, columns)
    language = session.settings.language
    latest = headline(session, now_ns)
    if latest is not None:
        return verdict_text(language, latest, columns), counts
    if now_ns < session.room.entered_ns + CALL_NS:
        return _call(say(language, Phrase.START), counts, columns)
    return _round_name(session), counts


def _paused(session: Session, now_ns: int, columns: int) -> Page:
    language = session.settings.language
    room = session.room
    assert isinstance(room, Paused)
    if room.by_operator:
        return say(language, Phrase.PAUSED), ""
    trouble = session.blocking
    first = say(language, Phrase.PAUSED) if trouble is None else _check(session, trouble)
    return first, say(language, Phrase.HOLD_TO_GO_ON)


def _settle(session: Session, now_ns: int, columns: int) -> Page:
    room = session.room
    assert isinstance(room, Settle)
    language = session.settings.language
    counts = _per_seat(session, room.counts, columns)
    if room.step is Step.LATE:
        return _call(say(language, Phrase.STOP), counts, columns)
    if room.step is Step.CHECK:
        return say(language, Phrase.LEFT_RIGHT), counts
    if room.step is Step.ENTRY:
        return say(language, Phrase.ENTER_DICE, seat=room.disputing), str(room.entered)
    holds = say(language, Phrase.HOLDS, seat=room.disputing, n=room.entered)
    return holds, say(language, Phrase.CONFIRM)


def _scores(session: Session, now_ns: int, columns: int) -> Page:
    scored = session.last_round
    assert scored is not None
    done = say(session.settings.language, Phrase.DONE, seat=scored.finisher)
    return done, _per_seat(session, scored.scores, columns, sign=True)


def _clear(session: Session, now_ns: int, columns: int) -> Page:
    room, match = session.room, session.match
    assert isinstance(room, Clear) and match is not None
    trouble = session.blocking
    below = _per_seat(session, match.totals, columns, sign=True)
    if session.occupied and trouble is not None:
        below = _check(session, trouble)  # what seems to lie there may be long gone
    phrase = Phrase.TAKE_OFF if session.occupied else Phrase.DEAL
    return say(session.settings.language, phrase), below


def _result(session: Session, now_ns: int, columns: int) -> Page:
    last = session.last_match
    assert last is not None
    winners = " ".join(map(str, last.winners))
    return (
        say(session.settings.language, Phrase.WINNER, seats=winners),
        _per_seat(session, last.totals, columns, sign=True),
    )


_PAGES: dict[Phase, Callable[[Session, int, int], Page]] = {
    Phase.ATTRACT: _attract,
    Phase.JOIN: _join,
    Phase.COUNTDOWN: _countdown,
    Phase.PLAY: _play,
    Phase.PAUSED: _paused,
    Phase.SETTLE: _settle,
    Phase.SCORES: _scores,
    Phase.CLEAR: _clear,
    Phase.RESULT: _result,
}
