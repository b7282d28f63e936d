"""The referee of one table, as a value.

It takes inputs in any order, each with the moment at which it arrived, and is advanced to a given time. It
yields what follows, step by step, each as of its own moment. The steps are a function of the table, the
settings, the random source and the inputs. However seldom `advance` is called they are the same, as long as
each input is there before it has advanced beyond the moment from which that input counts.

It writes nothing, shows nothing and calls nobody. The shell (`run/shell.py`) decides what is done with a
step, and in which order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from firmware_host.games.games import Table
from firmware_host.games.phase_states import PhaseState
from firmware_host.games.session import Session
from firmware_host.model.effects import Effect, MatchEnded
from firmware_host.model.events import (
    Command,
    Event,
    Filled,
    Input,
    Released,
    SourceEdge,
    TagSeen,
    TroubleReport,
    Withdrawn,
)
from firmware_host.model.places import ALL_SLOTS, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import exactly
from firmware_host.show.lamps import BEATS, TICK_NS, Lamp, frame, frame_length
from firmware_host.show.news import News, ShowState
from firmware_host.show.pages import ScoreboardPage, page_at, page_lines, takes_turns
from firmware_host.show.picture import lamps, next_beat_ns, next_change_ns
from firmware_host.timing.arbiter import Arbiter
from firmware_host.timing.ties import RandomSource


class Step(NamedTuple):
    """All that was decided at one moment, and what the table shows from then on.

    It has to be written before it is shown.
    """

    t_ns: int
    effects: tuple[Effect, ...]
    frame: bytes | None
    """The lamps, one byte each; None if they have not changed."""
    page: ScoreboardPage | None
    """The lines of the scoreboard; None if they have not changed."""


class Referee:
    """One table from inputs to steps: everything except the devices, the disk and the clock."""

    def __init__(
        self,
        table: Table,
        settings: Settings,
        draws: RandomSource,
        now_ns: int,
        *,
        columns: int = 20,
        active: Iterable[Source] = (),
        last_match: MatchEnded | None = None,
    ) -> None:
        """A table with these `active` contacts closed; `columns` is the width of its scoreboard."""
        self.session = Session(table, settings, draws, now_ns)
        self.news = News(last_match)
        seats = range(1, table.seats + 1)
        slots = () if table.piles else ALL_SLOTS
        self.arbiter = Arbiter(settings, seats, slots, calls=seats if table.call_buttons else ())
        self.advanced_ns = now_ns
        """The time up to which everything is decided."""
        self.frame = bytes(frame_length(table.seats, table.piles))
        """What the lamps show."""
        self.page: ScoreboardPage = ()
        """What the scoreboard shows."""
        self.lamps: list[Lamp] = []
        """Each lamp with its tint and its rhythm."""
        self._columns = columns
        self._view = ShowState(self.session, self.news)
        self._frames: dict[int, bytes] = {}
        self._beats: frozenset[int] = frozenset()
        self._commands: list[tuple[int, int, Command | TroubleReport]] = []
        self._entries = 0
        self._effects: list[Effect] = []
        self._stepped_ns = now_ns
        self._changed = True
        self._clock_due_ns: int | None = None
        self._decide_due_ns: int | None = None
        self._show_due_ns: int | None = now_ns
        self._beat_due_ns: int | None = None
        self.due_ns: int | None = now_ns
        """When `advance` is needed next; None if nothing is due without a new input."""
        self._preset(active, now_ns)

    def _preset(self, active: Iterable[Source], now_ns: int) -> None:
        for source in active:
            if isinstance(source, Slot):
                self.arbiter.preset_slot(source, True, now_ns)
                self._handle(Filled(source, exactly(now_ns)), now_ns, now_ns)
            else:
                self.arbiter.preset_button(source, True, now_ns)
        self._decide_by(self.arbiter.due_ns)

    # -- what comes in

    def put(self, seen: Input, now_ns: int) -> None:
        """Take an input that has arrived now; commands and reports count from their stamps on."""
        if isinstance(seen, SourceEdge):
            self.arbiter.put(seen, now_ns)
            # It is expensive to find out when something is due, and mostly something else is due before this.
            due_ns = self._decide_due_ns
            if due_ns is None or seen.stamp.earliest_ns + self.arbiter.delay_ns < due_ns:
                self._decide_by(self.arbiter.due_ns)
        elif isinstance(seen, TagSeen | Withdrawn):
            self.arbiter.put_tag(seen, now_ns)
            self._decide_by(self.arbiter.due_ns)
        else:
            self._entries += 1
            heappush(self._commands, (seen.stamp.earliest_ns, self._entries, seen))
            self._decide_by(self._commands[0][0])

    def _decide_by(self, due_ns: int | None) -> None:
        if due_ns is not None and (self._decide_due_ns is None or due_ns < self._decide_due_ns):
            self._decide_due_ns = due_ns
            if self.due_ns is None or due_ns < self.due_ns:
                self.due_ns = due_ns

    # -- what follows

    def advance(self, now_ns: int) -> Iterable[Step]:
        """All steps that are due by now, in order.

        It advances while they are taken: iterate over all of them. More inputs may be put in meanwhile.
        """
        if self.due_ns is None or self.due_ns > now_ns:
            self.advanced_ns = max(self.advanced_ns, now_ns)
            return ()
        return self._steps(now_ns)

    def _steps(self, now_ns: int) -> Iterator[Step]:
        while self.due_ns is not None and self.due_ns <= now_ns:
            t_ns = self._stepped_ns = max(self.due_ns, self._stepped_ns)
            if self._decide_due_ns is not None and self._decide_due_ns <= t_ns:
                self._decide(t_ns)
            effects, self._effects = self._effects, []
            frame_before, page_before = self.frame, self.page
            if self._changed or effects or (self._show_due_ns is not None and self._show_due_ns <= t_ns):
                self._look_again(t_ns)
            elif self._beat_due_ns is not None and self._beat_due_ns <= t_ns:
                self._light(t_ns)
            new_frame = None if self.frame is frame_before else self.frame
            new_page = None if self.page is page_before else self.page
            self.due_ns = _first(_first(self._decide_due_ns, self._show_due_ns), self._beat_due_ns)
            if effects or new_frame is not None or new_page is not None:
                self.advanced_ns = max(self.advanced_ns, t_ns)
                yield Step(t_ns, tuple(effects), new_frame, new_page)
        self.advanced_ns = max(self.advanced_ns, now_ns)

    def _decide(self, t_ns: int) -> None:
        """Give the session all that is known by now, in order, and let it decide at each moment of it.

        `t_ns` is now: decisions are given and shown then, and what goes by the clock is done.
        `counts_ns` is when an event happened, or, for a tag, from when on it counts: it gives the order.
        `known_ns` is up to when the session was given all that happened: its decisions depend on that alone.
        `awaits_ns` is the next moment up to which the session has to know everything to decide something.
        """
        session, arbiter = self.session, self.arbiter
        state: PhaseState | None = session.state
        while self._commands and self._commands[0][0] <= t_ns:
            self._handle(heappop(self._commands)[2], session.known_ns, t_ns)
            state = None
        for counts_ns, events in groupby(arbiter.release(t_ns), key=itemgetter(0)):
            self._decide_before(counts_ns, t_ns)
            known_ns = max(counts_ns, session.known_ns)  # what came late has happened before that
            for _, event in events:
                self._handle(event, known_ns, t_ns)
            self._take(session.decide(known_ns, t_ns))
        self._decide_before(arbiter.known_ns + 1, t_ns)
        self._effects += arbiter.take_notes()
        if self._clock_due_ns is not None and self._clock_due_ns <= t_ns:
            self._changed = True
        self._take(session.tick(t_ns))
        if session.state is not state:
            self._take(session.decide(session.known_ns, t_ns))
        self.news.refresh(session)
        self._clock_due_ns = session.state.due_after_ns(t_ns)
        self._decide_due_ns = _first(arbiter.due_ns, self._clock_due_ns)
        awaits_ns = session.awaits_after_ns(session.known_ns)
        if awaits_ns is not None and awaits_ns + arbiter.delay_ns > t_ns:
            self._decide_due_ns = _first(self._decide_due_ns, awaits_ns + arbiter.delay_ns)
        if self._commands:
            self._decide_due_ns = _first(self._decide_due_ns, self._commands[0][0])

    def _decide_before(self, counts_ns: int, t_ns: int) -> None:
        """Let the session decide at each moment that it awaits before that one."""
        session = self.session
        while (awaits_ns := session.awaits_after_ns(session.known_ns)) is not None and awaits_ns < counts_ns:
            self._changed = True
            self._take(session.decide(awaits_ns, t_ns))

    def _handle(self, event: Event, known_ns: int, t_ns: int) -> None:
        if type(event) is not Released:
            self._changed = True
            self.news.on_event(event, self.session, t_ns)
        elif self.session.phase is not Phase.PLAY:
            self._changed = True  # an answer; in play nothing looks different because a button came up
        self._take(self.session.handle(event, known_ns, t_ns))

    def _take(self, effects: list[Effect]) -> None:
        if effects:
            self._effects += effects
            self.news.fold(effects)

    # -- what it looks like

    def _look_again(self, t_ns: int) -> None:
        """Make lamps and page from the session as it is now."""
        self._changed = False
        burning = lamps(self._view, t_ns)
        if burning != self.lamps:
            self.lamps = burning
            self._beats = frozenset([lamp.beat for lamp in burning])
            self._frames.clear()
        self._light(t_ns)
        lines = page_lines(self._view, t_ns, self._columns)
        new_page = page_at(lines, t_ns, self._columns)
        if new_page != self.page:
            self.page = new_page
        self._show_due_ns = next_change_ns(self._view, t_ns, takes_turns(lines))

    def _light(self, t_ns: int) -> None:
        """Make the frame of this moment."""
        beat = t_ns // TICK_NS % BEATS
        new_frame = self._frames.get(beat)
        if new_frame is None:
            new_frame = self._frames[beat] = frame(self.lamps, t_ns)
        if new_frame != self.frame:
            self.frame = new_frame
        self._beat_due_ns = next_beat_ns(self._beats, t_ns)


def _first(one_ns: int | None, other_ns: int | None) -> int | None:
    """The earlier of two moments that may never come."""
    if one_ns is None or other_ns is None:
        return other_ns if one_ns is None else one_ns
    return one_ns if one_ns < other_ns else other_ns
