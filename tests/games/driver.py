"""Hands, an operator and a clock for one referee, in virtual time.

A contact reaches its session when it has settled, and time goes from one due moment to the next.
What happens "now" is stamped now, with the usual uncertainty.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from random import Random
from typing import TypeVar

from firmware_host.games.dice.dice import parse_position
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.games import Table
from firmware_host.games.phase_states import COUNT_FROM
from firmware_host.model.effects import Effect, Judged, PhaseEntered, SlotChanged, Verdict
from firmware_host.model.events import (
    Command,
    Contact,
    DeviceChanged,
    Emptied,
    Filled,
    Interrupted,
    Masked,
    Pause,
    Pressed,
    Released,
    SignalsLost,
    SourceEdge,
    StartMatch,
    TagEvent,
    TroubleReport,
    Unmasked,
    VoidRound,
)
from firmware_host.model.places import SLOT_INDEX, Button, Colour, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, MaskReason, Phase, SlotState
from firmware_host.model.times import MS, S, Stamp, exactly
from firmware_host.referee import Referee, Step
from firmware_host.show.news import ShowState
from firmware_host.show.pages import page, page_lines, takes_turns
from firmware_host.show.picture import next_change_ns
from firmware_host.timing.arbiter import Arbiter, CleanEvent
from firmware_host.timing.lanes import StampQueue

E = TypeVar("E")
Given = Contact | Masked | Unmasked | TagEvent

RED, YELLOW, GREEN, BLUE = Colour
ONE_TO_GO = "r5y0g0b0 1/6,6/6,-,-"
"""Seat 1 holds one die, and red 6 is a place for it."""
SWITCHED_ON_NS = 3600 * S
MOMENT_NS = 1 * MS
"""A press surely comes after what it answers."""
TAP_NS = 80 * MS
SLAP_NS = 50 * MS
NEXT_DIE_NS = 300 * MS  # no hand is faster
MOST_AT_ONCE = 10
"""A session may need some ticks for all that is due at one moment, but not for ever."""


def next_change(view: ShowState, now_ns: int, columns: int = 20) -> int | None:
    """When lamps or page of that width may differ next."""
    return next_change_ns(view, now_ns, takes_turns(page_lines(view, now_ns, columns)))


class SettledContacts(Arbiter):
    """Hands on contacts that nothing has to be done about: they are clean, and only have to settle.

    What edges come to is tested with the arbiter itself, and at whole tables.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, ())
        self.coming: list[Given] = []
        """What the next edge comes to."""
        self.delay_ns = max(settings.buttons.settle_ns, settings.slots.settle_ns)
        self._events: StampQueue[tuple[int, Given]] = StampQueue()
        self._entries = 0
        self._released_ns = 0
        self._at_once = 0

    def put(self, signal: SourceEdge, now_ns: int) -> None:
        source = signal.source
        rank = SLOT_INDEX[source] if isinstance(source, Slot) else source.seat
        self._entries += 1
        key = isinstance(source, Button), rank, self._entries
        self._events.put(signal.stamp, key, (signal.stamp.earliest_ns, self.coming.pop()))

    @property
    def due_ns(self) -> int | None:
        first_ns, tag_ns = self._events.first_ns, self._tags.first_ns
        moments = [] if first_ns is None else [first_ns + self.delay_ns]
        return min(moments if tag_ns is None else [*moments, tag_ns + self.delay_ns], default=None)

    def release(self, now_ns: int) -> list[tuple[int, CleanEvent | TagEvent]]:
        self._at_once = self._at_once + 1 if now_ns == self._released_ns else 0
        self._released_ns = now_ns
        assert self._at_once < MOST_AT_ONCE, f"the referee is busy for ever at {now_ns}"
        self.known_ns = now_ns - self.delay_ns
        released = [*self._events.take(self.known_ns), *self._tags.take(self.known_ns)]
        return sorted(released, key=itemgetter(0))


class Driver:
    """A referee that time passes for; `effects` is all it ever decided."""

    def __init__(
        self,
        table: Table | None = None,
        settings: Settings | None = None,
        seed: int = 1,
        watch: Callable[[ShowState, int], object] | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.now_ns = SWITCHED_ON_NS
        self.referee = Referee(table or Table(), self.settings, Random(seed), self.now_ns)
        self.contacts = self.referee.arbiter = SettledContacts(self.settings)
        self.session, self.news = self.referee.session, self.referee.news
        self.view = ShowState(self.session, self.news)
        self.effects: list[Effect] = []
        self.onlookers: list[Callable[[Step], object]] = []
        self._watch = watch
        self._masked: set[Source] = set()
        self._shown: dict[Source, Contact] = {}

    # -- hands

    def press(self, *seats: int) -> Stamp:
        for seat in seats:
            self._touch(Button(seat), Pressed(seat, self.stamp))
        return self.stamp

    def release(self, *seats: int) -> Stamp:
        for seat in seats:
            self._touch(Button(seat), Released(seat, self.stamp))
        return self.stamp

    def fill(self, slot: Slot) -> Stamp:
        return self._touch(slot, Filled(slot, self.stamp))

    def empty(self, slot: Slot) -> Stamp:
        return self._touch(slot, Emptied(slot, self.stamp))

    def tap(self, *seats: int) -> None:
        """Short presses, all at once and after a moment, and long enough until they are known."""
        self._press_for(TAP_NS, seats)

    def hold(self, *seats: int) -> None:
        """Presses just long enough to be a call, all at once and after a moment."""
        self._press_for(self.settings.hold_ns + 1 * MS, seats)

    def _press_for(self, duration_ns: int, seats: tuple[int, ...]) -> None:
        self.wait(MOMENT_NS)
        self.press(*seats)
        self.wait(duration_ns)
        self.release(*seats)
        self.wait(self.known_after_ns)

    def slap_for(self, seat: int, slot: Slot, after_ns: int = 100 * MS) -> Stamp:
        """A die comes down, and a seat presses for it a little later."""
        self.fill(slot)
        self.wait(after_ns)
        return self.press(seat)

    def play(self, seat: int, *slots: Slot) -> None:
        """A seat places its dice one by one, and slaps for each as a player should."""
        for i, slot in enumerate(slots):
            self.wait(NEXT_DIE_NS if i else 0)
            self.fill(slot)
            self.wait(SLAP_NS)
            self.tap(seat)

    def clear_board(self) -> None:
        """Everything is taken off the board."""
        for slot in sorted(self.session.occupied):
            self.empty(slot)
        self.wait(100 * MS)

    # -- what goes wrong

    def mask(self, source: Source, reason: str = "chatters") -> Stamp:
        """The arbiter does not listen to this one any more, whatever hands do to it."""
        self._masked.add(source)
        return self._soon(source, Masked(source, MaskReason(reason), self.stamp))

    def unmask(self, source: Source) -> Stamp:
        """The arbiter listens again, and tells how a slot stands."""
        self._masked.discard(source)
        stamp = self._soon(source, Unmasked(source, self.stamp))
        shown = self._shown.get(source)
        if isinstance(shown, Filled | Emptied):
            self._soon(source, type(shown)(shown.slot, stamp, late=True))
        return stamp

    def device(self, name: str, condition: str, needed: bool = True, seen: str = "") -> list[Effect]:
        """The health of a device has changed."""
        return self.command(
            DeviceChanged(DeviceCondition(name, Condition(condition), seen), needed, self.exactly)
        )

    def lose_edges(self, within_ns: int = 0, count: int = 1) -> list[Effect]:
        """A driver notices that edges are missing."""
        return self.command(SignalsLost(count, within_ns, self.exactly))

    def interrupt(self, reason: str = "power") -> Stamp:
        """The table was away; when it is back, all that was under way has been decided."""
        settings = self.settings
        away_ns = settings.settle_ns + settings.tag_settle_ns + 1 * S
        away = Stamp(self.now_ns, self.now_ns + away_ns)
        self.command(Interrupted(AwayReason(reason), away))
        self.wait(away_ns)
        return away

    # -- operator and arbiter

    def command(self, command: Command | TroubleReport) -> list[Effect]:
        """The operator or a device says something; what it leads to at once."""
        self.referee.put(command, self.now_ns)
        return self._advance()

    def late(self, event: Contact | TagEvent) -> list[Effect]:
        """What the arbiter could not put in order comes in now."""
        self._give(Button(1), event, exactly(self.now_ns - self.contacts.delay_ns))
        return self._advance()

    # -- time

    @property
    def stamp(self) -> Stamp:
        """Now, as a driver would say it."""
        doubt_ns = self.settings.stamp_uncertainty_ns
        return Stamp(self.now_ns - doubt_ns, self.now_ns + doubt_ns)

    @property
    def exactly(self) -> Stamp:
        """Now, as the table itself would say it."""
        return exactly(self.now_ns)

    @property
    def known_after_ns(self) -> int:
        """How long after now the session learns of what happens now."""
        return self.settings.settle_ns + self.settings.stamp_uncertainty_ns

    def wait(self, duration_ns: int) -> None:
        self.until(self.now_ns + duration_ns)

    def until(self, t_ns: int) -> None:
        """Go on up to that moment."""
        self.now_ns = t_ns
        self._advance()

    def _advance(self) -> list[Effect]:
        """Let all happen that is due by now; what was decided."""
        now_ns, before = self.now_ns, len(self.effects)
        for step in self.referee.advance(now_ns):
            self.now_ns = step.t_ns
            self.effects += step.effects
            for look_on in self.onlookers:
                look_on(step)
            if self._watch is not None:
                self._watch(self.view, step.t_ns)
        self.now_ns = now_ns
        return self.effects[before:]

    def tick(self) -> None:
        """Let the session look although nothing is due."""
        effects = self.session.decide(self.contacts.known_ns, self.now_ns) + self.session.tick(self.now_ns)
        self.effects += effects
        self.news.fold(effects)

    def until_deadline(self, before_ns: int = 0) -> None:
        """Wait until the present phase is left, or begins another step, by time alone; or so long before."""
        deadline_ns = self.session.state.deadline_ns
        assert deadline_ns is not None, f"nothing ends {self.phase().name} by time"
        self.until(deadline_ns - before_ns)

    def _touch(self, source: Source, contact: Contact) -> Stamp:
        self._shown[source] = contact
        return contact.stamp if source in self._masked else self._soon(source, contact)

    def _soon(self, source: Source, contact: Contact | Masked | Unmasked) -> Stamp:
        self._give(source, contact, contact.stamp)
        return contact.stamp

    def _give(self, source: Source, event: Given, stamp: Stamp) -> None:
        """Have an event handed on when that stamp is settled."""
        self.contacts.coming.append(event)
        self.referee.put(SourceEdge(source, True, stamp, 0), self.now_ns)

    # -- what a test asks

    def phase(self) -> Phase:
        return self.session.phase

    @property
    def path(self) -> list[str]:
        """The phases gone through so far."""
        return [effect.phase.name for effect in self.all_of(PhaseEntered)]

    @property
    def verdicts(self) -> list[tuple[int, Verdict]]:
        """(seat, verdict) of every slap so far."""
        return [(judged.seat, judged.verdict) for judged in self.all_of(Judged)]

    @property
    def dice(self) -> DiceRound:
        """The round of dice that is under way."""
        assert isinstance(self.session.round, DiceRound)
        return self.session.round

    def state(self, slot: Slot) -> SlotState:
        return self.dice.records.at(slot).visible

    def history(self, slot: Slot) -> list[str]:
        """The states that a slot went through."""
        return [change.state.word for change in self.all_of(SlotChanged) if change.slot == slot]

    def lines(self, columns: int = 20) -> tuple[str, ...]:
        """What the scoreboard says."""
        return page(self.view, self.now_ns, columns)

    def all_of(self, kind: type[E]) -> list[E]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    def last(self, kind: type[E]) -> E:
        """The latest effect of a kind."""
        return self.all_of(kind)[-1]

    # -- ways to begin

    def start_from(self, text: str) -> None:
        """Put the dice of a position on the board and play on from it."""
        position = parse_position(text)
        for slot in sorted(position.board):
            self.fill(slot)
        self.wait(100 * MS)
        self.command(StartMatch(position.dealt, self.exactly, text))
        self.count_down()

    def end_round(self, text: str = ONE_TO_GO) -> None:
        """Play on from a position in which seat 1 holds one die, until the counts are on show."""
        self.start_from(text)
        self.play(1, Slot(RED, 6))
        self.until_deadline()

    def start(self, *deal: int) -> None:
        """The operator calls a match, and the countdown runs."""
        self.command(StartMatch(deal, self.exactly))
        self.count_down()

    def count_down(self) -> None:
        assert self.phase() is Phase.COUNTDOWN, self.phase()
        self.wait(COUNT_FROM * self.settings.count_ns)
        assert self.phase() is Phase.PLAY, self.phase()


def reach(phase: Phase, settings: Settings | None = None) -> Driver:
    """A session of two seats in that phase; in SETTLE the counts are shown already."""
    if phase is Phase.ATTRACT or phase is Phase.JOIN:
        driver = Driver(settings=settings)
        if phase is Phase.JOIN:
            driver.tap(2)
        return driver
    if phase in (Phase.SETTLE, Phase.SCORES, Phase.RESULT):
        return _reach_end(phase, settings)
    driver = Driver(settings=settings)
    driver.command(StartMatch((12, 12), driver.exactly))
    if phase is not Phase.COUNTDOWN:
        driver.count_down()
    if phase is Phase.PAUSED:
        driver.command(Pause(driver.exactly))
    elif phase is Phase.CLEAR:
        driver.command(VoidRound(driver.exactly))
    return driver


def reach_idle_pause(settings: Settings | None = None) -> Driver:
    """A round of two seats that has paused by itself."""
    driver = reach(Phase.PLAY, settings)
    driver.wait(driver.settings.idle_ns)
    assert driver.phase() is Phase.PAUSED
    return driver


def reach_impaired_pause(settings: Settings | None = None) -> Driver:
    """A round of two seats that has paused because the device `left` is lost."""
    driver = reach(Phase.PLAY, settings)
    driver.device("left", "lost")
    assert driver.phase() is Phase.PAUSED
    return driver


def _reach_end(phase: Phase, settings: Settings | None) -> Driver:
    driver = Driver(Table(rounds=1), settings)
    driver.end_round()
    if phase is not Phase.SETTLE:
        driver.tap(1, 2)
    if phase is Phase.RESULT:
        driver.tap(1, 2)
        driver.clear_board()
    return driver
