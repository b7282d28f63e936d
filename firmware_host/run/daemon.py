"""The daemon: one table, run until it is stopped.

It takes care of everything around the games: the store, the configuration and its changes, the health
page, systemd, and the end. The games themselves are the host's.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from firmware_host import __version__
from firmware_host.model.errors import BadSettings
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.model.times import S
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.daemon_store import DaemonStore, missing_folders, remove_new
from firmware_host.run.devices import SPEAKER, device_names
from firmware_host.run.equipment import Equipment, HealthBox
from firmware_host.run.health import HealthFile, health_page, status_line
from firmware_host.run.host import Host
from firmware_host.run.recorded_sessions import was_cut_off
from firmware_host.run.system import Notifier, UnixSignals, Watchdog
from firmware_host.run.table_files import rewired
from firmware_host.run.table_settings import with_choices
from firmware_host.run.table_sockets import TableSockets
from firmware_host.store.store_health import STORE
from firmware_host.store.store_reader import SessionLog

STEP_NS = 1 * S
"""At least this often the daemon looks after things itself."""
NEWS_NS = 1 * S
"""At most this often the health page is written for news, except for a new phase."""
PAGE_NS = 5 * S
"""At least this often the health page is written."""
FIXED = {
    "profiles": "the wiring",
    "ports": "the ports",
    "store": "the store",
    "sound_card": "the sound card",
}
"""What takes effect only at the next start, and what people call it."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration, and the tags that go with it."""

    config: TableConfig
    registry: Registry | None


class Daemon:
    """Runs a table; `run` returns when somebody has asked for the end."""

    def __init__(
        self,
        setup: Setup,
        load: Callable[[], Setup],
        open_equipment: Callable[[Profile, Registry | None], Equipment],
        signals: UnixSignals,
        *,
        notifier: Notifier | None = None,
        health_folder: Path | None = None,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self.host: Host | None = None
        self._setup = setup
        self._load = load
        self._open_equipment = open_equipment
        self._signals = signals
        self._notifier = notifier or Notifier({})
        self._folder = health_folder
        self._health_file = HealthFile(health_folder, setup.config) if health_folder else None
        self._now = now
        self._started = self.now_text()
        self._box = HealthBox()
        self._devices: dict[str, DeviceCondition] = {}
        self._news: object = None
        self._phase = ""
        self._page_ns = 0
        self._watchdog = Watchdog(self._notifier)

    def now_text(self) -> str:
        """The time for people."""
        return self._now().isoformat(timespec="seconds")

    def run(self) -> bool:
        """Run the table; whether all that happened is written. GpioError or StoreTaken if it can't be had."""
        config = self._setup.config.store
        closed: list[bool] = []
        new_folders = missing_folders(config.file)
        with ExitStack() as closing:
            closing.callback(lambda: None if self.host else remove_new(config.file, new_folders))
            closing.callback(self._box.close)
            store = DaemonStore(config, self._box.tell, self.now_text)
            closing.callback(lambda: closed.append(store.close()))
            if self._health_file is not None:
                self._health_file.remove()  # it may be that of a daemon that was killed
                closing.callback(self._health_file.remove)
            store.reconcile(self._setup.config)
            sockets = TableSockets(self._folder)
            closing.callback(sockets.close)
            if store.was.session_log is not None:
                store.audits.count("table", "restarts")
            store.note("start", f"ligretto-table {__version__} starts with {self._setup.config.file}")
            while not self._signals.end:
                self._run_game(store, sockets)
            store.note("end", "stopped on request")
        return all(closed)

    def _run_game(self, store: DaemonStore, sockets: TableSockets) -> None:
        """Run one game's equipment until the end, or until another game is wanted."""
        configured, choices = self._setup.config, store.was.choices
        wanted = with_choices(configured, choices)
        config = with_choices(configured, {**choices, "game": _first_game(store.was.session_log, wanted)})
        try:
            profile = rewired(config.profile, config)
            equipment = self._open_equipment(profile, self._setup.registry)
        except Exception as error:
            if config.game == self._setup.config.game:
                raise
            log.error("%s can't be played here: %s", config.game, error)
            if config.game != wanted.game:
                store.was.session_log = None
                store.note("resume", f"the last match can't be resumed: {error}")
            else:
                store.forget("game")  # it was chosen at the table, where nobody could choose another one now
            return
        speakers = [SPEAKER] if equipment.soundboard else []
        names = (*device_names(profile), *speakers, STORE)
        self._devices = {name: DeviceCondition(name, Condition.OK) for name in names}
        with ExitStack() as closing:
            closing.callback(equipment.close)
            equipment.dim(config.brightness)
            equipment.set_volume(config.volume)
            if self.host is not None:
                store.writer.retell()  # all others report when they are opened
            host = self.host = Host(equipment, config, configured, store, sockets, [self._box])
            if config.game != wanted.game:
                host.reconfigure(configured, self._setup.registry)
            if equipment.waits_for_devices:
                host.loop.descriptors.append(self._signals.fileno())
            closing.callback(host.flush)
            self._notifier.ready()
            log.info("ready: %s, %d seats", config.game, profile.seats)
            while not self._signals.end and not host.wants_other_game:
                host.step(host.loop.now_ns + STEP_NS)
                self._look_after(host, store, equipment)
            if self._signals.end:
                self._notifier.stopping()

    # -- now and then

    def _look_after(self, host: Host, store: DaemonStore, equipment: Equipment) -> None:
        if self._signals.take_read_again():
            self._signals.quiet()
            self._notifier.reloading()
            self._reload(host, store)
            self._notifier.ready()
        store.writer.look()
        now_ns = time.monotonic_ns()
        writer = store.writer
        self._watchdog.look(now_ns, lambda: [*equipment.stuck(), *(["store"] if writer.stuck else [])])
        self._write_page(now_ns, host, store.audits.counted)

    def _write_page(self, now_ns: int, host: Host, counted: Mapping[str, int]) -> None:
        entered = host.phase != self._phase
        for_ns = now_ns - self._page_ns
        if not entered and for_ns < (PAGE_NS if host.version == self._news else NEWS_NS):
            return
        self._phase = host.phase
        self._news, self._page_ns = host.version, now_ns
        devices = self._devices | host.devices
        page = health_page(
            host.session, host.phase, host.played_ns, devices, counted, self._started, self.now_text()
        )
        self._notifier.status(status_line(page))
        if self._health_file is not None:
            self._health_file.write(page)

    def _reload(self, host: Host, store: DaemonStore) -> None:
        """Read the configuration again; what can't change while the table runs is reported and left."""
        setup, before = self._read_again(store), self._setup.config
        if setup is None:
            return
        fixed = [name for name in FIXED if getattr(setup.config, name) != getattr(before, name)]
        if fixed:
            words = " and ".join(FIXED[name] for name in fixed)
            rest = ", as does everything else" if "profiles" in fixed else ""
            store.note("config", f"{words} changed: takes effect at the next start{rest}")
        if setup.config.profiles != before.profiles:
            return  # seats, handicap and tags were checked for another table
        config = replace(setup.config, **{name: getattr(before, name) for name in FIXED})
        if config.game not in config.profiles:
            config = replace(config, game=before.game)
        self._setup = Setup(config, setup.registry)
        store.reconcile(config)
        host.reconfigure(config, setup.registry)
        store.note("config", "reloaded; takes effect as soon as no match is played")

    def _read_again(self, store: DaemonStore) -> Setup | None:
        """The configuration as it is now; None, with the reason in the log, if it can't be applied."""
        try:
            return self._load()
        except BadSettings as error:
            store.note("config", "reloaded, but not applied: it has faults", logging.ERROR)
            for fault in error.faults:
                store.note("config", fault, logging.ERROR)
        except Exception as error:  # whatever it is, it must not end a table that plays
            log.exception("the configuration can't be read")
            store.note(
                "config", f"reloaded, but not applied: internal error: {error!r}; report it", logging.ERROR
            )
        return None


def _first_game(session_log: SessionLog | None, wanted: TableConfig) -> str:
    """The game of a match that was cut off, if it can be played here; else the one that is wanted."""
    game = wanted.game
    if session_log is not None and was_cut_off(session_log):
        game = session_log.head.table.game.name
    return game if game in wanted.profiles else wanted.game


def health_folder_of(config: TableConfig) -> Path:
    """Where the health page is: systemd's folder for what runs, or beside the store."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return Path(folder) if folder else Path(config.store.file).parent
