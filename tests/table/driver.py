"""Hands, an operator and a clock for one session, in virtual time.

The driver does with a session what `firmware_host/runtime/pipeline.py` does: a contact
reaches the session when it has settled, and time goes from one due moment to the next.
What happens "now" is stamped now, with the usual doubt.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

from firmware_host.arbiter.settling import SettlingQueue
from firmware_host.durations import MS, S
from firmware_host.effects import Effect, Judged, PhaseEntered, Verdict
from firmware_host.engine.dice import parse_position
from firmware_host.events import (
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
    Report,
    SignalsLost,
    StartMatch,
    Unmasked,
    VoidRound,
)
from firmware_host.places import SLOT_INDEX, Button, Colour, Slot, Source
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, exactly
from firmware_host.table.dice_round import DiceRound
from firmware_host.table.phases import Phase
from firmware_host.table.playing import COUNT_FROM
from firmware_host.table.session import Session, Table

E = TypeVar("E")

RED, YELLOW, GREEN, BLUE = Colour
ONE_TO_GO = "r5y0g0b0 1/6,6/6,-,-"
"""Seat 1 holds one die, and red 6 is a place for it."""
SWITCHED_ON_NS = 3600 * S
MOMENT_NS = 1 * MS
"""A press surely comes after what it answers."""
TAP_NS = 80 * MS
SLAP_NS = 50 * MS
MOST_STEPS_AT_ONCE = 10
"""A session may need some ticks for all that is due at one moment, but not for ever."""


def dice_of(session: Session) -> DiceRound:
    """The round of dice that is under way."""
    assert isinstance(session.round, DiceRound)
    return session.round


class Driver:
    """One session that time passes for; `effects` is all it ever decided."""

    def __init__(
        self,
        table: Table | None = None,
        settings: Settings | None = None,
        seed: int = 1,
        watch: Callable[[Session, int], object] | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.now_ns = SWITCHED_ON_NS
        self.session = Session(table or Table(), self.settings, Random(seed), self.now_ns)
        self.effects: list[Effect] = []
        self._watch = watch
        self._contacts: SettlingQueue[Contact | Masked | Unmasked] = SettlingQueue(self.settings.settle_ns)
        self._masked: set[Source] = set()
        self._shown: dict[Source, Contact] = {}
        self._entries = 0
        self._steps_at_once = 0
        self._session_due_ns: int | None = None

    # -- hands

    def press(self, seat: int) -> Stamp:
        return self._touch(Button(seat), Pressed(seat, self.stamp))

    def release(self, seat: int) -> Stamp:
        return self._touch(Button(seat), Released(seat, self.stamp))

    def fill(self, slot: Slot) -> Stamp:
        return self._touch(slot, Filled(slot, self.stamp))

    def empty(self, slot: Slot) -> Stamp:
        return self._touch(slot, Emptied(slot, self.stamp))

    def tap(self, *seats: int) -> None:
        """Short presses, all at once and after a moment, and long enough until they are known."""
        self.wait(MOMENT_NS)
        for seat in seats:
            self.press(seat)
        self.wait(TAP_NS)
        for seat in seats:
            self.release(seat)
        self.wait(self.known_after_ns)

    def hold(self, *seats: int) -> None:
        """Presses just long enough to be a call, all at once and after a moment."""
        self.wait(MOMENT_NS)
        for seat in seats:
            self.press(seat)
        self.wait(self.settings.hold_ns + 1 * MS)
        for seat in seats:
            self.release(seat)
        self.wait(self.known_after_ns)

    def play(self, seat: int, *slots: Slot) -> None:
        """A seat places its dice one by one, and slaps for each as a player should."""
        for slot in slots:
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
        return self._soon(source, Masked(source, reason, self.stamp))

    def unmask(self, source: Source) -> Stamp:
        """The arbiter listens again, and tells how a slot stands."""
        self._masked.discard(source)
        stamp = self._soon(source, Unmasked(source, self.stamp))
        shown = self._shown.get(source)
        if isinstance(shown, Filled | Emptied):
            self._soon(source, type(shown)(shown.slot, stamp, late=True))
        return stamp

    def device(self, name: str, condition: str, needed: bool = True, words: str = "") -> list[Effect]:
        """The health of a device has changed."""
        return self.command(DeviceChanged(name, condition, needed, words, self.exactly))

    def lose_edges(self, within_ns: int = 0, count: int = 1) -> list[Effect]:
        """A driver notices that edges are missing."""
        return self.command(SignalsLost(count, within_ns, self.exactly))

    def interrupt(self, reason: str = "power") -> Stamp:
        """The table was away; when it is back, all that was under way has been decided."""
        settings = self.settings
        away_ns = settings.settle_ns + settings.tag_settle_ns + 1 * S
        away = Stamp(self.now_ns, self.now_ns + away_ns)
        self.command(Interrupted(reason, away))
        self.wait(away_ns)
        return away

    # -- operator and arbiter

    def command(self, command: Command | Report) -> list[Effect]:
        """The operator or a device says something; what it leads to at once."""
        return self._take(self.session.handle(command, self.now_ns))

    def late(self, contact: Contact) -> list[Effect]:
        """A contact that the arbiter could not put in order comes in now."""
        return self._take(self.session.handle(contact, self.now_ns))

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

    @property
    def due_ns(self) -> int | None:
        """When the session or a contact under way needs attention next."""
        first_ns = self._contacts.first_ns
        contact_due_ns = None if first_ns is None else first_ns + self.settings.settle_ns
        moments = (self._session_due_ns, contact_due_ns)
        return min((moment for moment in moments if moment is not None), default=None)

    def wait(self, duration_ns: int) -> None:
        self.until(self.now_ns + duration_ns)

    def until(self, t_ns: int) -> None:
        """Go from one due moment to the next, up to that one."""
        while (due_ns := self.due_ns) is not None and due_ns <= t_ns:
            self._step(max(due_ns, self.now_ns))
        self.now_ns = t_ns
        self._steps_at_once = 0
        assert self.due_ns is None or self.due_ns > t_ns

    def tick(self) -> None:
        """Let the session look although nothing is due."""
        self._take([])

    def until_deadline(self) -> None:
        """Wait until the present room is left, or begins another step, by time alone."""
        deadline_ns = self.session.room.deadline_ns
        assert deadline_ns is not None, f"nothing ends {self.phase().name} by time"
        self.until(deadline_ns)

    def _step(self, t_ns: int) -> None:
        self._steps_at_once = self._steps_at_once + 1 if t_ns == self.now_ns else 0
        assert self._steps_at_once < MOST_STEPS_AT_ONCE, f"busy loop at {t_ns} in {self.phase().name}"
        self.now_ns = t_ns
        effects: list[Effect] = []
        for contact in self._contacts.release(t_ns):
            effects += self.session.handle(contact, t_ns)
        self._take(effects)

    def _take(self, effects: list[Effect]) -> list[Effect]:
        """Note these effects, and what a tick brings."""
        self.effects += effects
        self.effects += self.session.tick(self.now_ns)
        self._session_due_ns = self.session.due_after_ns(self.now_ns)
        if self._watch is not None:
            self._watch(self.session, self.now_ns)
        return effects

    def _touch(self, source: Source, contact: Contact) -> Stamp:
        self._shown[source] = contact
        return contact.stamp if source in self._masked else self._soon(source, contact)

    def _soon(self, source: Source, contact: Contact | Masked | Unmasked) -> Stamp:
        rank = SLOT_INDEX[source] if isinstance(source, Slot) else source.seat
        self._entries += 1
        self._contacts.put(contact.stamp, (isinstance(source, Button), rank, self._entries), contact)
        return contact.stamp

    # -- what a test asks

    def phase(self) -> Phase:
        return self.session.phase

    @property
    def path(self) -> list[str]:
        """The phases gone through so far."""
        return [effect.phase for effect in self.all_of(PhaseEntered)]

    @property
    def verdicts(self) -> list[tuple[int, Verdict]]:
        """(seat, verdict) of every slap so far."""
        return [(judged.seat, judged.verdict) for judged in self.all_of(Judged)]

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
    driver.start_from(ONE_TO_GO)
    driver.play(1, Slot(RED, 6))
    driver.until_deadline()
    if phase is not Phase.SETTLE:
        driver.tap(1, 2)
    if phase is Phase.RESULT:
        driver.tap(1, 2)
        driver.clear_board()
    return driver
