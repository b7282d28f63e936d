"""The journal of one session: what comes in and what is decided, written down before it is shown.

A verdict follows from what came in. So all that came in before it, and the verdict itself, are handed to
the store when it is decided, and it is shown when they are written: what people have seen is never
missing. Where the store is too slow or broken the game does not wait for it; each decision that is shown
before it is written is counted. As soon as the store has caught up the next one waits for it again.

The logbook is what operators find in the log: the state of devices and the results of matches; no line for an
edge. The system's log and that of the table's own store have the same lines. A device that comes and goes
must fill neither, and what is only repeated to a new session is not logged again.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from typing import Protocol

from firmware_host.model.effects import (
    DeviceReported,
    EdgesLost,
    Judged,
    LateSignal,
    MatchAbandoned,
    MatchEnded,
    Noise,
    PhaseEntered,
    Refused,
    RoundScored,
    RoundVoided,
    SourceMasked,
    SourceUnmasked,
    TagRefused,
    format_effect,
)
from firmware_host.model.events import Input, format_input
from firmware_host.model.states import MASKED, Condition, DeviceCondition, void_words
from firmware_host.model.times import S
from firmware_host.referee import Step
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.show.lamps import lamp_names
from firmware_host.store.head import Head, format_head
from firmware_host.store.open_file import Row
from firmware_host.store.result_rows import Audits, ResultRows
from firmware_host.store.store_reader import Decision
from firmware_host.store.writer import Writer

# What the table has shown so far, summed up.
#
# Two runs with the same digest have shown the same frames and the same pages, in the same order.


DIGEST_BYTES = 8


class ShownDigest:
    """Takes the steps of a match in their order."""

    def __init__(self) -> None:
        self.lit: Counter[int] = Counter()
        """How often each lamp went on; whoever counts on may clear it."""
        self._frame = b""
        self._sum = blake2b(digest_size=DIGEST_BYTES)

    @property
    def digest(self) -> str:
        """The sum of all that was shown so far."""
        return self._sum.hexdigest()

    def add(self, step: Step) -> None:
        """This is shown next."""
        frame, page = step.frame, step.page
        if frame is not None:
            before, self._frame = self._frame or bytes(len(frame)), frame
            self.lit.update(lamp for lamp, burns in enumerate(frame) if burns and not before[lamp])
            self._sum.update(b"lamps" + frame)
        if page is not None:
            self._sum.update("\n".join(("page", *page, "")).encode())


SETTLE_S = 0.25
"""The longest that something waits to be shown because it is not written yet."""
_SESSION = "INSERT OR IGNORE INTO sessions (id, begun, head) VALUES (?, ?, ?)"
_INPUT = "INSERT OR REPLACE INTO inputs (session, n, advanced_ns, arrived_ns, text) VALUES (?, ?, ?, ?, ?)"
_EFFECT = "INSERT OR REPLACE INTO effects (session, n, t_ns, text, shown) VALUES (?, ?, ?, ?, ?)"
_QUIET = (Noise, LateSignal)
_ENDS = (RoundScored, MatchEnded)
_SHOWN = (Judged, TagRefused, *_ENDS)
"""What people see at once, and would miss."""

log = logging.getLogger(__name__)


def session_row(id: int, head: Head) -> Row:
    """What is written of a session's beginning."""
    return _SESSION, (id, head.begun, format_head(head))


def input_row(session_log: int, n: int, advanced_ns: int, arrived_ns: int, seen: Input) -> Row:
    """What is written of something that came in."""
    return _INPUT, (session_log, n, advanced_ns, arrived_ns, format_input(seen))


class Journal:
    """Writes down one session. Until `begin` it keeps all to itself: so does a replay."""

    def __init__(self, id: int, head: Head, audits: Audits, now_text: Callable[[], str]) -> None:
        self.id = id
        self.head = head
        self.inputs = 0
        self.effects = 0
        self._behind_since: int | None = None
        """How many rows there were when something was shown last that was not written."""
        self.results = ResultRows(id, head.event, head.table.game.name, now_text)
        self.shown = ShownDigest()
        self._audits = audits
        self.decisions: list[Decision] = []
        self._writer: Writer | None = None
        self._rows: list[Row] = [session_row(id, head)]

    def begin(self, writer: Writer, tidy: list[Row] | None = None) -> None:
        """From now on all goes to this writer, beginning with what was heard so far."""
        self._writer = writer
        self.decisions.clear()
        rows, self._rows = self._rows, []
        writer.begin_session(rows, tidy or [])
        writer.secure()

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is not handed on yet; of a session that was replayed, all of it."""
        return tuple(self._rows)

    def came(self, advanced_ns: int, arrived_ns: int, seen: Input) -> None:
        """Something came in."""
        self._rows.append(input_row(self.id, self.inputs, advanced_ns, arrived_ns, seen))
        self.inputs += 1
        if self._writer is not None:
            self._audits.saw(seen)

    def commit(self, step: Step) -> None:
        """Write down a step before it is shown; it waits for the disk if something was decided."""
        news = ended = False
        for effect in step.effects:
            shown = self.shown.digest if isinstance(effect, PhaseEntered) else None
            if self._writer is None:
                self.decisions.append(Decision(step.t_ns, effect, shown))
            else:
                self._audits.decided(effect)
            self._rows.append((_EFFECT, (self.id, self.effects, step.t_ns, format_effect(effect), shown)))
            self._rows += self.results.take(self.effects, effect)
            self.effects += 1
            news = news or not isinstance(effect, _QUIET)
            ended = ended or isinstance(effect, _ENDS)
        if news and self._writer is not None:
            self._secure_news(self._writer, step)
        if ended:
            self._count_lamps()
            if self._writer is not None:
                self._writer.secure()
        self.shown.add(step)

    def flush(self) -> None:
        """Hand on what was heard."""
        if self._writer is None:
            return
        rows = self._rows + self._audits.take_rows()
        if rows:
            self._rows = []
            self._writer.put(rows)

    def _count_lamps(self) -> None:
        """What was lit up to here; while the session is replayed that has been counted before."""
        table, lit = self.head.table, self.shown.lit
        names = lamp_names(table.seats, table.piles)
        for lamp, times in lit.items() if self._writer is not None else ():
            self._audits.count("lamp", names[lamp], times)
        lit.clear()

    @property
    def behind(self) -> bool:
        """Whether something was shown that was not written, and may not be yet."""
        return self._behind_since is not None

    def _secure_news(self, writer: Writer, step: Step) -> None:
        """Wait until all is written; once that was too slow nobody waits again before it has caught up."""
        since = self._behind_since
        if since is not None and writer.has_written(since):
            self._behind_since = None
            log.info("the store has caught up: all that was shown is written")
        self.flush()
        if writer.settle(0.0 if self.behind else SETTLE_S):
            self._behind_since = None
            return
        if not self.behind:
            log.warning("the store is behind: decisions are shown before they are written")
        self._audits.count("table", "journal behind")
        self._behind_since = writer.ever
        if not writer.failing:  # else nothing is written at all, and that has been said
            first = self.effects - len(step.effects)
            for n, effect in enumerate(step.effects, start=first):
                if isinstance(effect, _SHOWN):
                    log.warning("shown before it is written: decision %d, %s", n, effect_sentence(effect))


WINDOW_NS, MOST_LINES = 600 * S, 10
"""The most lines about one device in that time; then one line says that there were more."""
LOST_EVERY_NS = 10 * S
"""Lost edges are summed up for so long."""


class Note(Protocol):
    """Writes a line into both logs."""

    def __call__(self, kind: str, text: str, level: int = logging.INFO) -> None: ...


class Logbook:
    """Writes for as long as the daemon runs, whatever is played."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._logged: dict[str, str] = {}
        """The last line on each device."""
        self._lines: dict[str, tuple[int, int]] = {}
        """For each device since when its lines are counted, and how many there were."""
        self._lost: int = 0
        self._some_lost = False
        self._lost_logged_ns: int | None = None

    def write(self, step: Step) -> None:
        """Log what is worth a line."""
        t_ns = step.t_ns
        for effect in step.effects:
            match effect:
                case DeviceReported():
                    self._device(effect.device, t_ns)
                case SourceMasked():
                    text = f"{effect.source} is ignored, because it {MASKED[effect.reason]}"
                    self._of_device(str(effect.source), text, logging.WARNING, t_ns)
                case SourceUnmasked():
                    self._of_device(str(effect.source), f"{effect.source} is used again", logging.INFO, t_ns)
                case EdgesLost():
                    self._lost += effect.count
                    self._some_lost = True
                case RoundVoided():
                    why = void_words(effect.reason, effect.seats)
                    self._note("match", f"round {effect.number} is void: {why}")
                case RoundScored():
                    log.info("round %d is scored, totals %s", effect.number, _totals(effect))
                case MatchEnded():
                    self._note("match", f"the match is over, totals {_totals(effect)}")
                case MatchAbandoned():
                    self._note("match", f"the match is given up: {effect.reason}")
                case Refused():
                    self._note("refused", f"{effect.command} was refused: {effect.reason}", logging.WARNING)
                case PhaseEntered():
                    log.debug("%s", effect.phase.name)
                case _:
                    pass
        if self._some_lost:
            self._log_lost(t_ns)

    def _device(self, device: DeviceCondition, t_ns: int) -> None:
        name, well = device.name, device.condition is Condition.OK
        text = f"{name} is ok" if well else f"{name} is {device.condition}: {device.words}"
        if text != self._logged.get(name, f"{name} is ok"):
            self._logged[name] = text
            self._of_device(name, text, logging.INFO if well else logging.WARNING, t_ns)

    def _of_device(self, name: str, text: str, level: int, t_ns: int) -> None:
        since_ns, lines = self._lines.get(name, (t_ns, 0))
        if t_ns - since_ns > WINDOW_NS:
            since_ns, lines = t_ns, 0
        self._lines[name] = since_ns, lines + 1
        if lines < MOST_LINES:
            self._note("device", text, level)
        elif lines == MOST_LINES:
            minutes = WINDOW_NS // (60 * S)
            self._note(
                "device", f"{name} comes and goes; not logged again for up to {minutes} minutes", level
            )

    def _log_lost(self, t_ns: int) -> None:
        if self._lost_logged_ns is not None and 0 <= t_ns - self._lost_logged_ns < LOST_EVERY_NS:
            return
        what = {0: "some edges were", 1: "1 edge was"}.get(self._lost, f"{self._lost} edges were")
        log.warning("%s lost", what)
        self._lost, self._some_lost, self._lost_logged_ns = 0, False, t_ns


def _totals(effect: RoundScored | MatchEnded) -> str:
    return ", ".join(f"seat {seat}: {effect.totals[seat - 1]:+d}" for seat in effect.seats)
