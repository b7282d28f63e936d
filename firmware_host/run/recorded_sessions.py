"""Sessions: begun afresh, or resumed from the journal as they were when the table stopped.

A shell does the same with the same inputs, so a session that was cut off is not restored but replayed,
in no time: heads, inputs and the moments up to which it had been advanced are all that it
takes. If the replay differs from what was written then, it is not resumed: nothing that people have seen
may change. Where nothing was going on, only the last standings go on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from firmware_host.games.games import Table
from firmware_host.games.knowledge import LostDevice
from firmware_host.games.session import Session
from firmware_host.model.effects import (
    Judged,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    RoundStarted,
    WasInterrupted,
    as_written,
)
from firmware_host.model.errors import TableError
from firmware_host.model.events import DeviceChanged, Input, Interrupted, SourceEdge, TagSeen, Withdrawn
from firmware_host.model.settings import TIMINGS, Settings, time_of
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, Phase
from firmware_host.model.times import MS, S, Stamp, exactly, format_seconds
from firmware_host.referee import Referee
from firmware_host.run.journal import Journal
from firmware_host.run.shell import Loop, Shell
from firmware_host.store.head import Head, is_of
from firmware_host.store.result_rows import Audits
from firmware_host.store.store_reader import Decision, SessionLog

HOUR_NS = 3600 * S
DEVICE_WAIT_NS = 1500 * MS
"""After a start, every device that is there has reported by then; readers take longest."""


class ReplayMismatch(TableError):
    """A replay of the journal does not come to what was decided."""


@dataclass(slots=True)
class RecordedSession:
    """A session with its shell and its journal; under way, or replayed."""

    head: Head
    shell: Shell
    journal: Journal


def begin_session(id: int, head: Head, audits: Audits, now_text: Callable[[], str]) -> RecordedSession:
    """A session from its head on; nothing of it is handed to a store or to devices yet."""
    journal = Journal(id, head, audits, now_text)
    shell = Shell(new_referee(head), journal)
    shell.advance(head.t_ns)
    return RecordedSession(head, shell, journal)


def new_referee(head: Head) -> Referee:
    """The referee that a head describes, before its first step."""
    return Referee(
        head.table,
        head.settings,
        Random(head.seed),
        head.t_ns,
        columns=head.columns,
        active=head.active,
        last_match=head.last_match,
    )


def replay(session_log: SessionLog, audits: Audits, now_text: Callable[[], str]) -> RecordedSession:
    """The session replayed, up to the last moment that is known."""
    recorded = begin_session(session_log.id, session_log.head, audits, now_text)
    for to_ns in replayed_moments(recorded, session_log):
        recorded.shell.advance(to_ns)
    return recorded


def replayed_moments(recorded: RecordedSession, session_log: SessionLog) -> Iterator[int]:
    """The moments up to which the session has to be advanced, one by one; its inputs are put in between."""
    shell = recorded.shell
    longest_ns = longest_silence_ns(session_log.head.settings)

    def checked(to_ns: int) -> int:
        silence_ns = to_ns - shell.referee.advanced_ns
        if silence_ns > longest_ns:
            raise ReplayMismatch(
                f"nothing happened for {silence_ns / HOUR_NS:,.0f} hours, which is impossible"
            )
        return to_ns

    for entry in session_log.entries:
        if entry.advanced_ns > shell.referee.advanced_ns:  # else it came together with the one before
            yield checked(entry.advanced_ns)
        shell.put(entry.seen, entry.arrived_ns)
    yield checked(session_log.last_ns)


def longest_silence_ns(settings: Settings) -> int:
    """Within so long something comes in, or the session is over: every phase has a way out by time."""
    return HOUR_NS + sum(time_of(settings, name) for name in TIMINGS)


def first_difference(written: Sequence[Decision], replayed: Sequence[Decision]) -> str:
    """The first decision that was written and not replayed, in words; empty if there is none."""
    for n, decision in enumerate(written):
        again = replayed[n] if n < len(replayed) else None
        if again == decision:
            continue
        # What an earlier version did not write makes no difference.
        if again is None or replace(again, effect=as_written(again.effect, decision.effect)) != decision:
            return f"decision {n} was {_words(decision)}; now {_words(again) if again else 'there is none'}"
    return ""


def _words(decision: Decision) -> str:
    shown = f", with {decision.shown} shown by then" if decision.shown else ""
    return f"{decision.effect} at {format_seconds(decision.t_ns)} s{shown}"


def resume(session_log: SessionLog, audits: Audits, now_text: Callable[[], str]) -> RecordedSession:
    """The session as it was when the table stopped; ReplayMismatch if it can't have been so."""
    recorded = replay(session_log, audits, now_text)
    difference = first_difference(session_log.decisions, recorded.journal.decisions)
    if difference:
        raise ReplayMismatch(f"the journal was written by {session_log.head.version}: {difference}")
    recorded.shell.advance(
        session_log.last_ns + 1
    )  # what comes now did not come together with the last entry
    return recorded


class DeviceWait:
    """Waits for the devices before a game is resumed: the loop learns what is where, and how they are."""

    def __init__(self, now_ns: int) -> None:
        self._until_ns = now_ns + DEVICE_WAIT_NS
        self.due_ns: int | None = self._until_ns
        self.missed: list[DeviceChanged] = []

    @property
    def over(self) -> bool:
        """Whether everybody had the time to speak."""
        return self.due_ns is None

    def put(self, seen: Input, now_ns: int) -> None:
        """Keep how devices are; what contacts and readers show at the end is all that counts."""
        if isinstance(seen, DeviceChanged):
            self.missed.append(seen)

    def advance(self, now_ns: int) -> None:
        if now_ns >= self._until_ns:
            self.due_ns = None


def resumes_without_progress(session_log: SessionLog) -> int:
    """How often this session was resumed since anything was decided in it.

    That a round goes on is nothing new: it does so after each time.
    """
    count = 0
    for effect in (decision.effect for decision in reversed(session_log.decisions)):
        if isinstance(effect, WasInterrupted):
            count += 1
        elif isinstance(effect, Judged | RoundScored) or (
            isinstance(effect, RoundStarted) and not effect.again
        ):
            break
    return count


def away_ns(settings: Settings) -> int:
    """By so much the time of the table goes on while it is away: what was under way is settled by then."""
    return settings.settle_ns + settings.tag_settle_ns + 1 * S


def come_back(shell: Shell, loop: Loop, reason: AwayReason, missed: Sequence[DeviceChanged] = ()) -> None:
    """Go on after the table was away: the time is that of its last moment, and a little more.

    What looks different now has changed at some time in between. It is put as a change that was found by
    looking again, as after a loss of edges; so it moves no verdict. `missed` is what devices have reported
    meanwhile; one that was lost, and of which nothing is known to be wrong any more, is back.
    """
    referee = shell.referee
    last_ns = referee.advanced_ns
    now_ns = last_ns + away_ns(referee.session.settings)
    loop.shift(loop.shift_ns + now_ns - loop.now_ns)
    shell.command(Interrupted(reason, Stamp(last_ns, now_ns)))
    shell.advance(now_ns)
    found = Stamp(last_ns + 1, now_ns)
    before, after = referee.arbiter.active, set(loop.active)
    for source in sorted(before ^ after, key=str):
        shell.put(SourceEdge(source, source in after, found, 0), now_ns)
    # They count at once; whatever readers report from now on comes after that.
    found = Stamp(last_ns + 1, now_ns - referee.session.settings.tag_settle_ns)
    lay, lies = referee.session.tags.everywhere, loop.present
    for at in sorted(lay.keys() | lies.keys(), key=str):
        for tag in sorted(lay.get(at, set()) - lies.get(at, set()), key=str):
            shell.put(Withdrawn(at, tag, found), now_ns)
        for tag in sorted(lies.get(at, set()) - lay.get(at, set()), key=str):
            shell.put(TagSeen(at, tag, found), now_ns)
    for changed in (*_recovered(referee.session, loop), *missed):
        shell.command(replace(changed, stamp=exactly(now_ns)))
    loop.feed(shell)


def _recovered(session: Session, loop: Loop) -> list[DeviceChanged]:
    """The devices that the game thinks are lost, and that work: a driver that starts well says nothing."""
    lost = [each for each in session.troubles.all if isinstance(each, LostDevice)]
    return [
        DeviceChanged(DeviceCondition(each.name, Condition.OK), each.needed, exactly(0), each.seat)
        for each in lost
        if each.name not in loop.health
    ]


WIRED_OTHERWISE = "the wiring of the table has changed"
MOST_RESUMES = 8


log = logging.getLogger(__name__)


def resumed(
    session_log: SessionLog,
    table: Table,
    audits: Audits,
    now_text: Callable[[], str],
    refuse: Callable[[str], None],
    people: frozenset[int] | None = None,
) -> RecordedSession | None:
    """The session as it was when the table stopped, if something was going on; `refuse` gets why not.

    `people` are the seats that can play now, where that is known: without the others no round could end.
    """
    try:
        if last_phase(session_log) is Phase.ATTRACT:
            return None
        if not fits(session_log, table):
            refuse(WIRED_OTHERWISE)
            return None
        if resumes_without_progress(session_log) >= MOST_RESUMES:
            refuse(f"it was resumed {MOST_RESUMES} times, and nothing was played")
            return None
        recorded = resume(session_log, audits, now_text)
    except TableError as error:
        refuse(str(error))
        return None
    except Exception as error:  # a mistake that ended the daemon must not do so at each start again
        log.exception("the last match can't be resumed")
        refuse(f"internal error: {error!r}")
        return None
    session = recorded.shell.referee.session
    if session.phase is Phase.ATTRACT:
        return None
    seated = session.seated
    # As long as people join, more may come.
    if people is not None and (seated - people if session.phase is Phase.JOIN else seated != people):
        refuse(f"it began with {_listed(seated)}, and now {_listed(people)} play")
        return None
    return recorded


def _listed(seats: Collection[int]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, sorted(seats)))}"


def standings(session_log: SessionLog, table: Table) -> MatchEnded | None:
    """The last match that was played to its end, if it was at a table like this one."""
    if not fits(session_log, table):
        return None
    ended = [each.effect for each in session_log.decisions if isinstance(each.effect, MatchEnded)]
    last = ended[-1] if ended else session_log.head.last_match
    return last if last is not None and is_of(last, table) else None


def was_cut_off(session_log: SessionLog) -> bool:
    """Whether it ends in the middle of something."""
    return last_phase(session_log) is not Phase.ATTRACT


def last_phase(session_log: SessionLog) -> Phase:
    """What the table did when the session was cut off, as far as people can have seen it."""
    entered = [each.effect.phase for each in session_log.decisions if isinstance(each.effect, PhaseEntered)]
    return entered[-1] if entered else Phase.ATTRACT


def fits(session_log: SessionLog, table: Table) -> bool:
    """Whether that session was played at a table that is built like this one."""
    return _built_like(session_log.head.table) == _built_like(table)


def _built_like(table: Table) -> Table:
    """The table without what may differ from match to match."""
    return replace(table, rounds=None, deal=None, handicap=(), closed=frozenset())
