"""The way of an event through the table: arbiter, session, show, outputs.

`advance` walks from one due moment to the next, however late it is called, so what is
decided and shown does not depend on how often the loop gets to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush

from firmware_host.arbiter.arbiter import Arbiter
from firmware_host.arbiter.ties import Lot
from firmware_host.effects import Effect, MatchEnded
from firmware_host.events import Command, Event, Filled, Released, Report, Signal, TagEvent
from firmware_host.input_text import Input
from firmware_host.places import ALL_SLOTS, Slot, Source
from firmware_host.settings import Settings
from firmware_host.show.changes import beats_of, next_beat_ns, next_change_ns
from firmware_host.show.lamps import BEATS, TICK_NS, Lamp, frame, frame_length
from firmware_host.show.pages import Page, page
from firmware_host.show.picture import lamps
from firmware_host.stamps import exactly
from firmware_host.table.phases import Phase
from firmware_host.table.session import Session, Table
from hw.ports import LedPanel, Scoreboard

Observer = Callable[[int, list[Effect]], None]
Inlet = Callable[[int, int, Input], None]
"""Takes each thing that comes in: until when the table had been advanced, when it came, and what it is.

Whoever gives the same things to a new pipeline, advanced alike in between, makes it do the same again.
"""


class Pipeline:
    """One table from signals to light: everything but the devices and the clock."""

    def __init__(
        self,
        table: Table,
        settings: Settings,
        lot: Lot,
        now_ns: int,
        leds: LedPanel,
        scoreboard: Scoreboard,
        observers: Iterable[Observer] = (),
        last_match: MatchEnded | None = None,
    ) -> None:
        self.session = Session(table, settings, lot, now_ns, last_match)
        seats = range(1, table.seats + 1)
        slots = () if table.piles else ALL_SLOTS
        self.arbiter = Arbiter(settings, seats, slots, calls=seats if table.call_buttons else ())
        self.observers = list(observers)
        self.inlet: Inlet | None = None
        self.lamps: list[Lamp] = []
        self._leds = leds
        self._scoreboard = scoreboard
        self._commands: list[tuple[int, int, Command | Report]] = []
        self._entries = 0
        self._settled_ns = now_ns
        self.advanced_ns = now_ns
        self._frames: dict[int, bytes] = {}
        self._beats: frozenset[int] = frozenset()
        self._session_due_ns: int | None = None
        self._decide_due_ns: int | None = None
        self._show_due_ns: int | None = now_ns
        self._beat_due_ns: int | None = None
        self._due_ns: int | None = now_ns
        self._changed = True
        self._frame = bytes(frame_length(table.seats, table.piles))
        self._page: Page = ()

    def begin(self, active: Iterable[Source], now_ns: int) -> None:
        """Take over a table with these contacts active already, and light it."""
        for source in active:
            if isinstance(source, Slot):
                self.arbiter.preset_slot(source, True, now_ns)
                self._handle(Filled(source, exactly(now_ns)), now_ns)
            else:
                self.arbiter.preset_button(source, True, now_ns)
        self._decide_due_ns = _first(self._decide_due_ns, self.arbiter.due_ns)
        self._due_ns = _first(self._due_ns, self._decide_due_ns)
        self.advance(now_ns)

    def arrive(self, signal: Signal, now_ns: int) -> None:
        """An edge has arrived."""
        if self.inlet is not None:
            self.inlet(self.advanced_ns, now_ns, signal)
        self.arbiter.put(signal, now_ns)
        self._arrived()

    def arrive_tag(self, event: TagEvent, now_ns: int) -> None:
        """A reader has told of a tag."""
        if self.inlet is not None:
            self.inlet(self.advanced_ns, now_ns, event)
        self.arbiter.put_tag(event, now_ns)
        self._arrived()

    def _arrived(self) -> None:
        due_ns = self.arbiter.due_ns
        if due_ns is not None and (self._decide_due_ns is None or due_ns < self._decide_due_ns):
            self._decide_due_ns = due_ns
            self._due_ns = _first(self._due_ns, due_ns)

    def command(self, command: Command | Report) -> None:
        """The operator or a device has said something; it counts from its stamp on."""
        if self.inlet is not None:
            self.inlet(self.advanced_ns, self.advanced_ns, command)
        self._entries += 1
        heappush(self._commands, (command.stamp.earliest_ns, self._entries, command))
        self._decide_due_ns = _first(self._decide_due_ns, self._commands[0][0])
        self._due_ns = _first(self._due_ns, self._decide_due_ns)

    def notice(self, effect: Effect, now_ns: int) -> None:
        """Something that the session needs not know, for whoever looks on."""
        self._tell(now_ns, [effect])

    @property
    def due_ns(self) -> int | None:
        """When `advance` is needed next."""
        return self._due_ns

    def advance(self, now_ns: int) -> None:
        """Do all that is due by now, each thing as of its own moment."""
        while self._due_ns is not None and self._due_ns <= now_ns:
            t_ns = self._settled_ns = max(self._due_ns, self._settled_ns)
            if self._decide_due_ns is not None and self._decide_due_ns <= t_ns:
                self._decide(t_ns)
            if self._changed or (self._show_due_ns is not None and self._show_due_ns <= t_ns):
                self._look_again(t_ns)
            elif self._beat_due_ns is not None and self._beat_due_ns <= t_ns:
                self._light(t_ns)
            self._due_ns = _first(_first(self._decide_due_ns, self._show_due_ns), self._beat_due_ns)
        self.advanced_ns = now_ns

    def _decide(self, t_ns: int) -> None:
        """Let the session know all that is settled, and let it decide."""
        while self._commands and self._commands[0][0] <= t_ns:
            self._handle(heappop(self._commands)[2], t_ns)
        for contact in self.arbiter.release(t_ns):
            self._handle(contact, t_ns)
        notes = self.arbiter.take_notes()
        if notes:
            self._tell(t_ns, list(notes))
        if self._session_due_ns is not None and self._session_due_ns <= t_ns:
            self._changed = True
        self._tell(t_ns, self.session.tick(t_ns))
        self._session_due_ns = self.session.due_after_ns(t_ns)
        self._decide_due_ns = _first(self.arbiter.due_ns, self._session_due_ns)
        if self._commands:
            self._decide_due_ns = _first(self._decide_due_ns, self._commands[0][0])

    def _handle(self, event: Event, t_ns: int) -> None:
        # In play nothing can look different because a button came up; elsewhere that is an answer.
        if type(event) is not Released or self.session.phase is not Phase.PLAY:
            self._changed = True
        self._tell(t_ns, self.session.handle(event, t_ns))

    def _tell(self, t_ns: int, effects: list[Effect]) -> None:
        if effects:
            self._changed = True
            for observer in self.observers:
                observer(t_ns, effects)

    def _look_again(self, t_ns: int) -> None:
        """Show the session as it is now."""
        self._changed = False
        burning = lamps(self.session, t_ns)
        if burning != self.lamps:
            self.lamps = burning
            self._beats = beats_of(burning)
            self._frames.clear()
        self._light(t_ns)
        new_page = page(self.session, t_ns, self._scoreboard.columns)
        if new_page != self._page:
            self._page = new_page
            self._scoreboard.show(new_page, self.session.settings.language)
        self._show_due_ns = next_change_ns(self.session, t_ns, self._scoreboard.columns)

    def _light(self, t_ns: int) -> None:
        """Let the lamps burn as they do at this moment."""
        beat = t_ns // TICK_NS % BEATS
        new_frame = self._frames.get(beat)
        if new_frame is None:
            new_frame = self._frames[beat] = frame(self.lamps, t_ns)
        if new_frame != self._frame:
            self._frame = new_frame
            self._leds.show(new_frame)
        self._beat_due_ns = next_beat_ns(self._beats, t_ns)


def _first(one_ns: int | None, other_ns: int | None) -> int | None:
    """The earlier of two moments that may never come."""
    if one_ns is None or other_ns is None:
        return other_ns if one_ns is None else one_ns
    return one_ns if one_ns < other_ns else other_ns
