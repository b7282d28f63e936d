"""An evening at one table: the host, its store, and people who press buttons and place dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.model.effects import Effect
from firmware_host.model.events import EndMatch
from firmware_host.model.places import Colour, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S, exactly
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import StoreConfig, TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.daemon_store import DaemonStore
from firmware_host.run.host import Host
from firmware_host.run.table_settings import with_choices
from firmware_host.run.table_sockets import TableSockets
from firmware_host.store.head import Head
from firmware_host.store.store_reader import StoreReader, reading
from hw.ports import Health
from tests.run.rooms import TAP_NS, Room

WRITTEN_S = 20
ONE_DIE: dict[str, Any] = {"rounds": 1, "handicap": (23, 11)}
"""A match of one round in which each of two players has a single die."""
R1, R2, R3, B1 = Slot(Colour.RED, 1), Slot(Colour.RED, 2), Slot(Colour.RED, 3), Slot(Colour.BLUE, 1)
TODAY = "2026-11-18T20:00:00"


def config_for(profile: Profile, file: Path, **values: object) -> TableConfig:
    """A table.toml with just the profile and a store."""
    plain = TableConfig(
        file="table.toml",
        profiles={profile.game: profile},
        game=profile.game,
        settings=Settings(),
        rounds=2,
        store=StoreConfig(file=str(file)),
    )
    return replace(plain, **values)  # type: ignore[arg-type]


@dataclass(slots=True)
class Evening:
    """One table; `start` and `stop` are those of its program."""

    room: Room
    file: Path
    config: TableConfig
    now_text: Callable[[], str] = lambda: TODAY
    sockets_in: Path | None = None
    """The folder of its sockets; without one it has none."""
    told: list[Health] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    _host: Host | None = None
    _memory: DaemonStore | None = None
    _sockets: TableSockets | None = None

    # -- the program

    def start(self, config: TableConfig | None = None) -> Host:
        """As the daemon does it, without what is around it."""
        self.config = config or self.config
        self._memory = DaemonStore(self.config.store, self.told.append, self.now_text)
        chosen = with_choices(self.config, self._memory.was.choices)
        equipment = self.room.open(chosen.profile)
        sockets = self._sockets = TableSockets(self.sockets_in)
        self._host = Host(equipment, chosen, self.config, self._memory, sockets)
        return self._host

    def stop(self) -> None:
        """It ends; what is written by now is all that the next one knows."""
        self.host.flush()
        self.memory.close()
        self.room.leave()
        if self._sockets is not None:
            self._sockets.close()
        self._host = self._memory = self._sockets = None

    def restart(self, off_ns: int = 10 * S, config: TableConfig | None = None) -> Host:
        """The power is gone for a while."""
        self.stop()
        self.room.wait(off_ns)
        return self.start(config)

    @property
    def host(self) -> Host:
        assert self._host is not None
        return self._host

    @property
    def memory(self) -> DaemonStore:
        assert self._memory is not None
        return self._memory

    @property
    def runs(self) -> bool:
        return self._host is not None

    # -- time

    def wait(self, duration_ns: int) -> None:
        """Let the world go on for so long."""
        until_ns = self.room.clock.now_ns() + duration_ns
        while (left_ns := until_ns - self.room.clock.now_ns()) > 0:
            self.host.step(self.host.loop.now_ns + left_ns)

    def until(self, so: Callable[[], bool], within_ns: int = 60 * S) -> None:
        """Let the world go on until that is so."""
        until_ns = self.room.clock.now_ns() + within_ns
        while not so():
            left_ns = until_ns - self.room.clock.now_ns()
            assert left_ns > 0, f"not within {within_ns // S} s; it is {self.host.phase}"
            self.host.step(self.host.loop.now_ns + min(left_ns, 100 * MS))

    def until_phase(self, phase: Phase, within_ns: int = 120 * S) -> None:
        """Until the table is at that, and goes on if it was away."""
        host = self.host
        self.until(
            lambda: self.phase is phase and host.service is None and host._device_wait is None, within_ns
        )

    # -- people

    def tap(self, *seats: int) -> None:
        self.room.press(*seats)
        self.wait(TAP_NS)
        self.room.release(*seats)
        self.wait(300 * MS)

    def hold(self, *seats: int, for_ns: int = 1200 * MS) -> None:
        self.room.press(*seats)
        self.wait(for_ns)
        self.room.release(*seats)
        self.wait(300 * MS)

    def sit_down(self, *seats: int) -> None:
        """They sit down, one of them calls the match, and all deal."""
        self.wait(500 * MS)
        self.tap(*seats)
        self.until(lambda: self.phase is Phase.JOIN)
        self.hold(seats[0])
        self.until(lambda: self.phase is Phase.CLEAR)
        self.wait(100 * MS)
        self.tap(*seats)
        self.until(lambda: self.phase is Phase.COUNTDOWN)

    def play(self, *seats: int) -> None:
        """A match has been called, and its first round runs."""
        self.sit_down(*(seats or (1, 2)))
        self.until_phase(Phase.PLAY)
        self.wait(100 * MS)

    def place(self, seat: int, slot: Slot) -> None:
        """A seat puts a die down and slaps for it."""
        self.room.fill(slot)
        self.wait(120 * MS)
        self.tap(seat)

    def open_door(self) -> None:
        """Somebody holds the buttons that lead into service mode."""
        keys = (1, self.room.profile.seats)
        self.room.press(*keys)
        self.until(lambda: self.host.service is not None)
        self.wait(100 * MS)
        self.room.release(*keys)
        self.wait(300 * MS)

    # -- what a test asks

    @property
    def phase(self) -> Phase:
        return self.host.session.phase

    def state(self, slot: Slot) -> SlotState:
        round_ = self.host.session.round
        assert isinstance(round_, DiceRound)
        return round_.records.at(slot).visible

    def serves(self) -> bool:
        """Whether the table is in service mode."""
        return self.host.service is not None

    @property
    def left(self) -> tuple[int, ...]:
        """What each seat has left by the verdicts so far."""
        round_ = self.host.session.round
        assert round_ is not None
        return round_.tally

    def written(self) -> None:
        """Wait until the store has everything."""
        self.host.flush()
        assert self.memory.writer.settle(WRITTEN_S)

    @contextmanager
    def book(self) -> Iterator[StoreReader]:
        """What is written, by now or at the end."""
        if self.runs:
            self.written()
        with reading(str(self.file)) as book:
            yield book

    def log(self, kind: str = "") -> list[str]:
        """The log that operators read."""
        with self.book() as book:
            return [text for _, each, text in book.log() if not kind or each == kind]


@contextmanager
def evening(
    tmp_path: Path, profile: str | Profile = "dice4", registry: Registry | None = None, **values: object
) -> Iterator[Evening]:
    """A table that nobody has started yet; whatever happens, it is closed at the end."""
    room = Room(profile)
    file = tmp_path / "table.db"
    each = Evening(room, file, config_for(room.profile, file, **values))
    try:
        yield each
    finally:
        if each.runs:
            each.stop()


def session_of(table: Evening) -> int:
    """The session that is being written now."""
    with table.book() as book:
        session_log = book.last_session()
    assert session_log is not None
    return session_log.id


def head_of(table: Evening) -> Head:
    """What the present session began with, as it is written."""
    with table.book() as book:
        return book.head(session_of(table))


def end_match(table: Evening) -> None:
    """The operator ends the match; whatever lies there is taken away."""
    shell = table.host.recorded.shell
    shell.command(EndMatch(exactly(table.host.loop.now_ns)))
    if table.room.profile.game == "dice":
        table.room.empty(R1, R2, R3, B1)
    table.until_phase(Phase.ATTRACT)


def play_to_the_end(table: Evening) -> None:
    """Seat 1 wins a match of one round with a single die."""
    table.start(replace(table.config, **ONE_DIE))
    win_with_one_die(table)


def win_with_one_die(table: Evening) -> None:
    """The same at a table that was started with `ONE_DIE`."""
    table.play()
    assert table.left == (1, 1, 0, 0)
    table.place(1, R1)
    table.until_phase(Phase.SETTLE)
    table.until_phase(Phase.SCORES)
    table.until_phase(Phase.CLEAR)
    table.room.empty(R1)
    table.until_phase(Phase.RESULT)
