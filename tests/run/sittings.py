"""A table whose devices only report what a test tells them to, and a session that may be cut off anywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from firmware_host.model.effects import Effect
from firmware_host.model.events import Input, StartMatch, format_input, parse_input
from firmware_host.model.places import Source, Spot, Tag
from firmware_host.model.settings import Settings
from firmware_host.model.states import AwayReason
from firmware_host.model.times import MS, S, exactly
from firmware_host.run.equipment import Equipment
from firmware_host.run.recorded_sessions import DeviceWait, RecordedSession, begin_session, come_back, resume
from firmware_host.run.shell import Loop
from firmware_host.run.table_files import load_profile, settings_for, simulated_registry, table_of
from firmware_host.show.lamps import frame_length
from firmware_host.store.head import Head
from firmware_host.store.result_rows import Audits
from firmware_host.store.store_reader import Entry, SessionLog
from hw.ports import Condition, Edge, Gap, Health, TagRead
from hw.scoreboard.text import PlainScoreboard
from hw.sim.agenda import VirtualClock
from hw.sim.outputs import SimLedPanel, SimTextDisplay
from hw.work import Mailbox

T = TypeVar("T")
DOUBT_NS = 100_000
SEED = 5


def now_text() -> str:
    return "2026-11-18T20:00:00"


class Told(Generic[T]):
    """A device that reports what a test makes it report."""

    def __init__(self) -> None:
        self.mailbox: Mailbox[T] = Mailbox()

    def read(self) -> list[T]:
        return self.mailbox.take()

    def fileno(self) -> int:
        return self.mailbox.fileno()

    def close(self) -> None:
        self.mailbox.close()


class ToldLines(Told[Edge | Gap]):
    """All lines; a low one is active."""

    uncertainty_ns = DOUBT_NS

    def __init__(self, lines: list[int]) -> None:
        super().__init__()
        self.highs = dict.fromkeys(lines, True)

    def levels(self) -> dict[int, bool]:
        return dict(self.highs)


class Sitting:
    """One session at one table. Switches stay as they are set while the program is away."""

    def __init__(self, profile: str = "dice4-direct", settings: Settings | None = None) -> None:
        self.profile = load_profile(profile)
        self.clock = VirtualClock(100 * S)
        self.lines = ToldLines(list(self.profile.lines))
        self.others: Told[Health | TagRead] = Told()
        self.registry = simulated_registry(self.profile)
        self.readers = [reader.at for reader in self.profile.readers]
        self.lying: set[tuple[Spot, Tag]] = set()
        self.entries: list[Entry] = []
        self.effects: list[Effect] = []
        self._seq = 0
        self._last_ns: dict[Source, int] = {}
        self.head = Head(
            version="1",
            begun=now_text(),
            event="",
            table=table_of(self.profile, 2),
            settings=settings_for(self.profile, settings or Settings()),
            columns=20,
            seed=SEED,
            t_ns=self.clock.now_ns(),
        )
        self._open()
        self._seat(begin_session(1, self.head, self.audits, now_text))

    @property
    def audits(self) -> Audits:
        return Audits(now_text)

    def _open(self) -> None:
        """Devices that know nothing of what was before."""
        leds = SimLedPanel(frame_length(self.profile.seats, self.profile.piles), self.clock.now_ns)
        self.equipment = Equipment(
            self.profile,
            self.clock,
            DOUBT_NS,
            lines=[self.lines],
            leds=leds,
            scoreboard=PlainScoreboard(SimTextDisplay().write),
            registry=self.registry,
            others=[self.others],
        )

    def _seat(self, playing: RecordedSession) -> None:
        """This is the session that is played from now on."""
        self.playing = playing
        self.shell = playing.shell
        self.loop = Loop(self.equipment, self.shell)
        self.shell.on_input = self._came
        self.shell.onlookers.append(lambda step: self.effects.extend(step.effects))

    def _came(self, seen: Input, arrived_ns: int) -> None:
        self.entries.append(
            Entry(self.shell.referee.advanced_ns, arrived_ns, parse_input(format_input(seen)))
        )

    # -- hands and devices

    def set(self, source: Source, active: bool, age_ns: int = 0) -> None:
        """A contact closes or opens; a program that runs is told, though it may be some time ago."""
        line = self.profile.line_of(source)
        if self.lines.highs[line] is active:
            self.lines.highs[line] = not active
            self._seq += 1
            t_ns = max(self.clock.now_ns() - age_ns, self._last_ns.get(source, 0) + 1)
            self._last_ns[source] = t_ns
            self.lines.mailbox.post(Edge(line, not active, t_ns, self._seq))

    def lose(self, within_ns: int) -> None:
        """A driver has lost edges, some time ago."""
        until_ns = self.clock.now_ns() - within_ns
        self.lines.mailbox.post(Gap(1, until_ns - within_ns, until_ns))

    def tag(self, at: Spot, tag: Tag, present: bool) -> None:
        """A reader tells that a tag has come, or has gone."""
        (self.lying.add if present else self.lying.discard)((at, tag))
        self._read(at, tag, present)

    def health(self, device: str, condition: Condition, seen: str = "") -> None:
        self.others.mailbox.post(Health(device, condition, seen))

    def _read(self, at: Spot, tag: Tag, present: bool) -> None:
        t_ns = self.clock.now_ns()
        read = TagRead(self.readers.index(at), self.registry.uid_of(tag), present, t_ns - 40 * MS, t_ns)
        self.others.mailbox.post(read)

    # -- time

    def wait(self, duration_ns: int) -> None:
        self.loop.run(self.loop.now_ns + duration_ns)

    def start(self, *deal: int, position: str = "") -> None:
        """The operator calls a match, and its first round runs."""
        self.shell.command(StartMatch(deal, exactly(self.loop.now_ns), position))
        self.wait(3100 * MS)

    # -- the end, and another beginning

    @property
    def session_log(self) -> SessionLog:
        """The session as it would be written by now."""
        return SessionLog(1, self.head, tuple(self.entries), tuple(self.playing.journal.decisions))

    def cut(self, off_ns: int = 10 * S, meanwhile: Callable[[], None] = lambda: None) -> SessionLog:
        """The power is gone for a while; what happens meanwhile nobody is told."""
        session_log = self.session_log
        meanwhile()
        self.lines.mailbox.take()
        self.others.mailbox.take()
        self.clock.wait(self.clock.now_ns() + off_ns, [])
        return session_log

    def return_from(self, session_log: SessionLog, told: Callable[[], None] = lambda: None) -> None:
        """The program is started again: it listens for a moment, and goes on with that session.

        `told` is what devices report in that moment, besides the tags that lie there.
        """
        self._open()
        self.effects.clear()
        self.entries = list(session_log.entries)
        resumed = resume(session_log, self.audits, now_text)
        self._seat(resumed)
        listener = DeviceWait(self.loop.now_ns)
        self.loop.feed(listener)
        for at, tag in sorted(self.lying, key=str):
            self._read(at, tag, True)
        told()
        while not listener.over:
            self.loop.step()
        come_back(self.shell, self.loop, AwayReason.POWER, listener.missed)

    def interrupt(
        self,
        off_ns: int = 10 * S,
        meanwhile: Callable[[], None] = lambda: None,
        told: Callable[[], None] = lambda: None,
    ) -> None:
        """The power is gone for a while, and comes back."""
        self.return_from(self.cut(off_ns, meanwhile), told)

    def serve(self, for_ns: int = 10 * S) -> DeviceWait:
        """Somebody has the table in service for a while."""
        listener = DeviceWait(self.loop.now_ns)
        self.loop.feed(listener)
        self.loop.run(self.loop.now_ns + for_ns)
        return listener
