"""One round in full, for people: its result, all that happened, and pictures of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from firmware_host.history.finish import Finish, finish_id, finish_of
from firmware_host.history.scene import Scene
from firmware_host.history.story import (
    Contest,
    RoundEvent,
    StampedVerdict,
    Story,
    apart_ns,
    contests,
    tell_story,
)
from firmware_host.model.effects import (
    CardArmed,
    CardPlayed,
    DieShown,
    Effect,
    Judged,
    Noise,
    PhaseEntered,
    RoundFinished,
    SeatTaken,
    SlotChanged,
    TieBroken,
    Verdict,
)
from firmware_host.model.plain_text import in_a_line
from firmware_host.model.states import Phase, void_words
from firmware_host.model.times import MS, US, S, format_duration, format_seconds
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.show.pages import margin_text
from firmware_host.store.results import RoundRow
from firmware_host.store.store_reader import EVERY, StoreReader

_INDENT, _NARROW_INDENT = " " * 23, " " * 4
_NOT_SHOWN = (
    SlotChanged | CardArmed | CardPlayed | DieShown | Noise | SeatTaken | PhaseEntered | TieBroken | Judged
)
"""What is clear without words, or part of another line; shown only with --verbose."""


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as the store has it."""

    row: RoundRow
    session: int | None
    match: int | None
    story: Story | None
    inputs_kept: bool
    last: bool = False
    damaged: bool = False
    finishes: tuple[Finish, ...] = ()
    """Its photo finishes, in the order of its contests."""

    @property
    def why_unknown(self) -> str:
        """Why nothing but its result is known, if that is so."""
        why = "can't be read" if self.damaged else "is not kept any more"
        return f"what was decided in it {why}"

    @property
    def title(self) -> str:
        """Which round this is."""
        begun = self.row.begun.replace("T", " ")
        event = f", {self.row.event}" if self.row.event else ""
        return in_a_line(f"round {self.row.number} of {self.row.game}, {begun}{event}")

    @property
    def outcome(self) -> str:
        """How it ended. Who ended it may be another one than was called, if counts were corrected."""
        corrected = ", after a correction" if self._was_corrected else ""
        return f"{outcome(self.row, self.last)}{corrected}"

    @property
    def _was_corrected(self) -> bool:
        events = self.story.events if self.story else ()
        called = [each.effect.seat for each in events if isinstance(each.effect, RoundFinished)]
        return self.row.finisher is not None and called[-1:] != [self.row.finisher] and bool(called)


def heading(round_: StoredRound, width: int) -> list[str]:
    """Its result."""
    row = round_.row
    ended = f", ended {row.ended.replace('T', ' ')}" if row.ended else ""
    lines = [
        f"{round_.title}: {round_.outcome}",
        f"round {row.n} of the store, match {round_.match}, session {round_.session}{ended}",
    ]
    if row.scores:
        seats = row.seats
        lines.append(f"scores {numbers(seats, row.scores, '+')}; totals {numbers(seats, row.totals, '+')}")
        lines.append(f"left over {numbers(seats, row.leftovers)}")
    return [line for long in lines for line in textwrap.wrap(long, width, subsequent_indent="  ")]


def drawing_title(round_: StoredRound, scene: Scene) -> str:
    """What a drawing shows: a round and its result, or a close finish and who won it."""
    if not scene.close:
        return f"{round_.title}: {round_.outcome}"
    raced = f": {_raced(scene.contests[0])}" if len(scene.contests) == 1 else ""
    return f"{round_.title}{raced}"


def _raced(contest: Contest) -> str:
    what, winner = contest.winner.judged.what, contest.winner.judged.seat
    if contest.winner.tie is not None:
        return f"{what}, dead heat of {_seats(contest.winner.tie.seats)}, seat {winner} gets it"
    return f"{what}, seat {winner} before {_seats([given.judged.seat for given in contest.losers])}"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {' and '.join(map(str, seats))}"


def account(story: Story, everything: bool, columns: int) -> Iterator[str]:
    """All that happened, line by line: seconds since the start call, how wide the stamp is, and what."""
    yield f"{'since start':>13} {'stamp':>7}"
    verdicts = {given.n: given for given in story.verdicts}
    held = story.held
    for each in story.events:
        t_ns = each.t_ns - story.start_ns
        given = verdicts.get(each.n)
        if given is not None:
            width = format_duration(given.stamp.latest_ns - given.stamp.earliest_ns)
            words = verdict_words(given, story.start_ns)
            words += "; held until the round was voided" if given.n in held else ""
            yield from _entry(t_ns, width, words, columns)
        elif (said := _words(each, story, everything)) is not None:
            yield from _entry(t_ns, "", said, columns)
    noises = sum(isinstance(each.effect, Noise) for each in story.events)
    if noises and not everything:
        words = f"{noises} disturbance{'' if noises == 1 else 's'} on wires changed nothing"
        yield from _wrapped(words, columns, _INDENT if columns >= NARROW else _NARROW_INDENT)


def verdict_words(given: StampedVerdict, start_ns: int) -> str:
    """A verdict, the dead heat that it settled, and until when it locks."""
    words = effect_sentence(given.judged)
    if given.judged.locked_until_ns:
        words += f"; locked until {seconds(given.judged.locked_until_ns - start_ns)}"
    if given.tie is not None:
        won = numbers_of(given.tie)
        words = f"{effect_sentence(given.tie)} (won before: {won}). {words[0].upper()}{words[1:]}"
    return words


def numbers_of(tie: TieBroken) -> str:
    """How many dead heats each of them had won before."""
    return " ".join(f"{seat}:{won}" for seat, won in zip(tie.seats, tie.won_before, strict=True))


def contest_lines(contest: Contest, start_ns: int, columns: int) -> Iterator[str]:
    """Why a close finish was decided as it was."""
    yield f"{contest.winner.judged.what}:"
    for given in contest.all:
        width_ns = given.stamp.latest_ns - given.stamp.earliest_ns
        first, last = (seconds(t_ns - start_ns, digits=9) for t_ns in given.stamp)
        words = f"seat {given.judged.seat} slapped between {first} and {last} ({format_duration(width_ns)})"
        yield from _wrapped(words, columns, "  ")
    for loser in contest.losers:
        yield from _wrapped(_why(contest.winner, loser), columns, "  ")
    if contest.winner.tie is not None:
        words = f"{effect_sentence(contest.winner.tie)} (won before: {numbers_of(contest.winner.tie)})"
        yield from _wrapped(words, columns, "  ")


def _why(winner: StampedVerdict, loser: StampedVerdict) -> str:
    apart = apart_ns(winner.stamp, loser.stamp)
    seat, rival = loser.judged.seat, winner.judged.seat
    margin = margin_text(loser.judged.margin_ns or 0).lstrip("+")
    if apart > 0:
        return f"seat {seat} came {margin} after seat {rival}, at least {_at_least(apart)}: certain"
    overlap = f"the stamps of seat {rival} and seat {seat} overlap by {_at_least(-apart)}"
    tied = loser.judged.verdict is Verdict.DEAD_HEAT_LOST
    return f"{overlap}: nobody can say who was first" if tied else overlap


def _at_least(t_ns: int) -> str:
    """A time that is not longer than this."""
    return f"{t_ns // US}us" if t_ns < MS else f"{t_ns // (10 * US) / 100:.2f}ms"


def _entry(t_ns: int, width: str, words: str, columns: int) -> list[str]:
    first = f"{seconds(t_ns):>13} {width:>7}  "
    indent = _INDENT if columns >= NARROW else _NARROW_INDENT
    return textwrap.wrap(words, columns, initial_indent=first, subsequent_indent=indent)


def _wrapped(words: str, columns: int, indent: str) -> list[str]:
    return textwrap.wrap(words, columns, initial_indent=indent, subsequent_indent=indent)


def seconds(t_ns: int, digits: int = 6) -> str:
    """A moment to the microsecond, or to so many digits."""
    whole, _, rest = format_seconds(t_ns - t_ns % 10 ** (9 - digits)).partition(".")
    return f"{whole}.{rest:0<{digits}}"


def _words(each: RoundEvent, story: Story, everything: bool) -> str | None:
    effect: Effect = each.effect
    if isinstance(effect, PhaseEntered) and effect.phase is Phase.PAUSED:
        pause = next((pause for pause in story.pauses if pause.from_ns == each.decided_ns), None)
        lasted = f" for {(pause.to_ns - pause.from_ns) / S:.1f} s" if pause and pause.to_ns else ""
        return f"the round pauses{lasted}"
    if not everything and isinstance(effect, _NOT_SHOWN):
        return None
    return None if isinstance(effect, TieBroken | Judged) else effect_sentence(effect)


WIDTH = 80
NARROW = 65
"""With fewer columns a round's result is below it."""
_HEADING, _OUTCOME = " no   round  begun             game   nr", "result"
_LIST_INDENT, _NARROW_LIST_INDENT = " " * 41, " " * 5


def list_lines(book: StoreReader, most: int, width: int = WIDTH) -> list[str]:
    """The last rounds, one a line, the last one first; long ones take several."""
    narrow = width < NARROW
    lines = [_HEADING, f"{_NARROW_LIST_INDENT}{_OUTCOME}"] if narrow else [f"{_HEADING}  {_OUTCOME}"]
    rows = {row.n: row for row in book.rounds(most)}
    for position, n in enumerate(book.round_numbers(most), start=1):
        row = rows.get(n)
        first, words = f"{position:>3}  {n:>6}  {'?':<25}  ", "can't be read"
        if row is not None:
            begun = row.begun[:16].replace("T", " ")
            first = f"{position:>3}  {row.n:>6}  {begun:<16}  {row.game:<5} {row.number:>3}  "
            points = f": {numbers(row.seats, row.scores, '+')}" if row.scores else ""
            words = f"{outcome(row, is_last(book, row))}{points}"
        if narrow:
            lines.append(first.rstrip())
            lines += textwrap.wrap(
                words, width, initial_indent=_NARROW_LIST_INDENT, subsequent_indent=_NARROW_LIST_INDENT
            )
        else:
            lines += textwrap.wrap(words, width, initial_indent=first, subsequent_indent=_LIST_INDENT)
    return lines


def outcome(row: RoundRow, last: bool = False) -> str:
    """How a round ended; `last` is said of the one that may still be under way."""
    match row.state:
        case "scored" if row.finisher is not None:
            return f"seat {row.finisher} ended it"
        case "scored":
            return "all were stuck"
        case "void":
            reason = row.void_reason
            return "voided" if reason is None else f"voided: {void_words(reason, row.void_seats)}"
        case "abandoned":
            return "given up"
        case "unreadable":
            return "its result can't be read"
        case _:
            return "under way" if last else "cut off"


def is_last(book: StoreReader, row: RoundRow) -> bool:
    """Whether it belongs to the session that was begun last."""
    return list(book.session_ids().values())[-1:] == [row.session]


def numbers(seats: Sequence[int], values: Sequence[int], sign: str = "") -> str:
    """A number for each seat: `1:+3 2:-1`."""
    return " ".join(f"{seat}:{values[seat - 1]:{sign}d}" for seat in seats)


def story_of(book: StoreReader, row: RoundRow) -> Story | None:
    """What was decided in a round; None if that is not kept any more."""
    decided = book.numbered(row.session, book.before(row), row.last_effect)
    return tell_story([(n, each.t_ns, each.effect) for n, each in decided])


def finishes_of(book: StoreReader, row: RoundRow, story: Story) -> tuple[Finish, ...]:
    """The photo finishes of a round. Who arrived first is known as long as the inputs are kept."""
    found = contests(story.verdicts)
    if not found:
        return ()
    from_ns, to_ns = (min(each.hull.earliest_ns for each in found), story.last_ns)
    arrivals = book.arrivals(row.session, from_ns, to_ns)
    return tuple(finish_of(contest, row.session, arrivals, row.number, story.start_ns) for contest in found)


def stored_round(book: StoreReader, n: int, with_finishes: bool = False) -> StoredRound:
    """The round with that number, with what was decided in it."""
    row = book.round(n)
    story = story_of(book, row)
    matches = {(match.session, match.number): match.n for match in book.matches()}
    return StoredRound(
        row,
        next((number for number, id in book.session_ids().items() if id == row.session), None),
        matches.get((row.session, row.match)),
        story,
        book.has_inputs(row.session),
        is_last(book, row),
        damaged=bool(book.losses),
        finishes=finishes_of(book, row, story) if with_finishes and story is not None else (),
    )


def stored_finish(book: StoreReader, session: int, n: int) -> Finish | None:
    """The photo finish of the contest that this verdict has won; None if there is none."""
    rows = (row for row in book.rounds(EVERY) if row.session == session and row.holds(n))
    row = next(rows, None)
    story = None if row is None else story_of(book, row)
    if row is None or story is None:
        return None
    found = finishes_of(book, row, story)
    return next((each for each in found if each.id == finish_id(session, n)), None)


def last_finishes(book: StoreReader, most: int, rounds: int = 20) -> tuple[Finish, ...]:
    """The last contests of the last rounds, oldest first; what can't be read is left out."""
    found: list[Finish] = []
    for row in book.rounds(rounds):
        story = story_of(book, row)
        if story is not None:
            found = [*finishes_of(book, row, story), *found]
        if len(found) >= most:
            break
    return tuple(found[-most:])


def list_record(book: StoreReader, most: int) -> list[dict[str, Any]]:
    """The last rounds, the last one first."""
    return [row_record(book, row) for row in book.rounds(most)]


def row_record(book: StoreReader, row: RoundRow) -> dict[str, Any]:
    """What is known of a round without its decisions."""
    record = asdict(row)
    id = record.pop("session")
    number = next((n for n, each in book.session_ids().items() if each == id), None)
    reason, seats = record.pop("void_reason"), list(record.pop("void_seats"))
    voided = None if reason is None else {"reason": reason, "seats": seats}
    return record | {"round": row.n, "chapter": number, "voided": voided}
