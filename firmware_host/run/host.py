"""One table at work: session after session, and service mode in between.

A session begins in ATTRACT, when nobody touches anything, and takes over what was decided about the
table meanwhile: a changed configuration, choices made in service mode, another seed. If the journal ends
in the middle of a match, that session is replayed instead, and the match is resumed.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from firmware_host.feed.teller import Surroundings
from firmware_host.games.session import Session
from firmware_host.model.events import EndMatch, Input, SourceEdge, TagSeen, VoidRound
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, Phase
from firmware_host.model.times import MS, S, exactly
from firmware_host.profile.table import TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.assembly import Assembly
from firmware_host.run.daemon_store import DaemonStore
from firmware_host.run.equipment import Equipment, Reporter
from firmware_host.run.operator_commands import ROUND_PHASES, NoticeSign, NotPossible, obey
from firmware_host.run.recorded_sessions import (
    DeviceWait,
    RecordedSession,
    come_back,
)
from firmware_host.run.roster import Roster
from firmware_host.run.service_mode import Service, panel_info
from firmware_host.run.shell import Loop
from firmware_host.run.table_settings import PLAYER_NAMES, TableSettings, format_choice
from firmware_host.run.table_sockets import TableSockets
from firmware_host.service.page import Outcome
from firmware_host.service.panel import ServiceCombination
from firmware_host.show.news import News
from hw.ports import NoScoreboard

IDLE_NS = 600 * S
"""After so long a new session begins even if nobody has come: a long one takes long to replay."""
SOON_NS = 10 * MS
"""How often to look while somebody waits for an answer."""
LONG = 5_000
"""After so many inputs a new session begins even if nobody has played."""
TOO_LONG = 50_000
"""After so many it begins even if some contact never rests."""

log = logging.getLogger(__name__)


class Host:
    """Runs the games of one table on its equipment."""

    def __init__(
        self,
        equipment: Equipment,
        config: TableConfig,
        configured: TableConfig,
        store: DaemonStore,
        sockets: TableSockets,
        others: Sequence[Reporter] = (),
    ) -> None:
        """`config` is played first; `configured` is what table.toml says, without what was chosen since."""
        self.equipment = equipment
        self.service: Service | None = None
        self._settings = TableSettings(config, configured, store.was.choices)
        self._store = store
        self._sockets = sockets
        self._assembly = Assembly(equipment, self._settings, store, sockets)
        self._combination = ServiceCombination(1, config.profile.seats)
        self._sign = NoticeSign(equipment.scoreboard)
        self._match_before = False
        self._device_wait: DeviceWait | None = None
        going_on, last_match = self._assembly.left_off()
        self.recorded = going_on or self._assembly.fresh(equipment.clock.now_ns(), last_match)
        """The session that is played."""
        self.loop = Loop(equipment, self.recorded.shell, 0, others)
        if equipment.waits_for_devices:
            self.loop.descriptors += sockets.descriptors
        sockets.attend(self._surroundings, partial(obey, self))
        self._play(self.recorded)
        if going_on is None:
            self._show()
        else:
            self._store.note("resume", f"the match is resumed: {self.session.phase.value}")
            self._settings.next = config, None  # it was begun with what was configured then
            self._await()

    @property
    def session(self) -> Session:
        """The game as it is now."""
        return self.recorded.shell.referee.session

    @property
    def news(self) -> News:
        """What was decided last."""
        return self.recorded.shell.referee.news

    @property
    def away(self) -> str:
        """Why the game stands still, for people; empty if it does not."""
        if self._device_wait is not None:
            return "coming back"
        return "service" if self.service is not None else ""

    @property
    def phase(self) -> str:
        """What the table does, for people."""
        return self.away or self.session.phase.value

    @property
    def roster(self) -> Roster:
        """The players that are known, and who of them sits where."""
        return self._store.roster

    @property
    def now_ns(self) -> int:
        """The time of the table."""
        return self.loop.now_ns

    @property
    def wanted_config(self) -> TableConfig:
        """The configuration that the next session will have."""
        return self._settings.wanted

    @property
    def played_ns(self) -> int:
        """How far the game has come, in its own time, which stands still during service."""
        return self.recorded.shell.referee.advanced_ns

    @property
    def devices(self) -> dict[str, DeviceCondition]:
        """The condition of each device that has reported one, and what is wrong with the sockets."""
        return {name: changed.device for name, changed in self.loop.health.items()} | self._sockets.faults

    @property
    def version(self) -> tuple[int, int, str]:
        """A value that changes whenever there may be news of the table."""
        journal = self.recorded.journal
        return journal.id, journal.effects, self.phase

    @property
    def wants_other_game(self) -> bool:
        """Whether this game is over and another one is to be set up."""
        settings = self._settings
        return settings.wanted.game != settings.config.game and self._may_begin_session()

    # -- as time goes by

    def step(self, limit_ns: int) -> None:
        """Run the table until something has happened, at most until that moment of its time."""
        due_ns = self._combination.due_ns
        for each in (due_ns, self._sign.until_ns):
            limit_ns = limit_ns if each is None else min(limit_ns, max(each, self.loop.now_ns))
        if self._sockets.owes:
            limit_ns = min(limit_ns, self.loop.now_ns + SOON_NS)
        self.loop.step(limit_ns)
        if self.service is None:
            self._sign.look(self.loop.now_ns)
            if self.session.phase in ROUND_PHASES:
                self._sign.end_notice()
        self.recorded.journal.flush()
        wait = self._device_wait
        if wait is not None:
            if wait.over:  # all devices had time to report: the match that was cut off is resumed
                self._device_wait = None
                come_back(self.recorded.shell, self.loop, AwayReason.POWER, wait.missed)
                self._show()
        elif self.service is not None:
            if self.service.outcome is not None:
                self._leave_service(self.service, self.service.outcome)
        elif due_ns is None:
            self._match_before = self.session.match is not None
        if self.service is None and self._combination.completed(self.loop.now_ns):
            self._enter_service()
        elif self._wants_new_session() and self._may_begin_session():
            self._next_session()
        self._assembly.named_seats.look(
            self.loop.now_ns, not self.away and self.session.phase is Phase.ATTRACT
        )
        self._sockets.look()

    def notify(self, lines: tuple[str, ...], for_ns: int) -> None:
        """Show a notice at the sign for so long, unless a round begins; NotPossible without a sign."""
        if isinstance(self.equipment.scoreboard, NoScoreboard):
            raise NotPossible("this table has no sign")
        self._sign.notice(lines, self.loop.now_ns + for_ns)

    def reconfigure(self, config: TableConfig, registry: Registry | None) -> None:
        """Apply this with all that was chosen at the table, as soon as no match is played."""
        self._settings.reconfigure(config, registry)

    def flush(self) -> None:
        """Have all that has happened written."""
        self.recorded.journal.flush()

    # -- sessions

    def _wants_new_session(self) -> bool:
        journal = self.recorded.journal
        idle_ns = self.loop.now_ns - self.recorded.head.t_ns
        return (
            self._settings.next is not None
            or journal.results.matches > 0
            or journal.inputs > LONG
            or idle_ns > IDLE_NS
        )

    def _may_begin_session(self) -> bool:
        session = self.session
        if self.service is not None or session.phase is not Phase.ATTRACT:
            return False
        at_rest = self.recorded.shell.referee.arbiter.due_ns is None and not session.pressing
        return at_rest or self.recorded.journal.inputs > TOO_LONG

    def _next_session(self) -> None:
        """Begin the next session."""
        settings = self._settings
        if settings.next is not None:
            config, registry = settings.next
            if config.game != settings.config.game:
                return  # it needs other equipment
            settings.config, settings.next = config, None
            if registry is not None:
                self.equipment.intake.registry = registry
            self.equipment.dim(config.brightness)
            self.equipment.set_volume(config.volume)
        before = self.recorded
        before.journal.flush()
        before.shell.disconnect()
        self._play(self._assembly.fresh(self.loop.now_ns, before.shell.referee.news.last_match))
        self._show()
        self._report_state(self.loop.now_ns)

    def _play(self, recorded: RecordedSession) -> None:
        """Make this the session that is played from now on."""
        self.recorded = recorded
        self._assembly.play(recorded, self._watch_combination)
        self.loop.feed(recorded.shell)

    def _surroundings(self) -> Surroundings:
        """What the feed tells of the table that its referee does not know."""
        simulated = self.equipment.people is not None
        told = self.wanted_config.player_names
        names = self.roster.names if told else {}
        return Surroundings(
            self._settings.config.event,
            simulated,
            names,
            names_hidden=not told,
            players_changed=self.roster.changes,
            devices=self.devices,
            away=self.away,
        )

    def _show(self) -> None:
        """From now on people see the game."""
        equipment = self.equipment
        self.recorded.shell.connect(equipment.leds, self._sign, equipment.soundboard)

    def _report_state(self, now_ns: int) -> None:
        """Report tags and faulty devices to a new session, which knows only its contacts."""
        shell = self.recorded.shell
        for changed in self.loop.health.values():
            if changed.device.condition is not Condition.OK:
                shell.command(replace(changed, stamp=exactly(now_ns)))
        for at, tags in sorted(self.loop.present.items(), key=str):
            for tag in sorted(tags, key=str):
                shell.put(TagSeen(at, tag, exactly(now_ns)), now_ns)

    def _watch_combination(self, seen: Input, arrived_ns: int) -> None:
        if type(seen) is SourceEdge:
            self._combination.take(seen)

    def _await(self) -> None:
        """Before the match is resumed, wait for all devices; people see that it is not running yet."""
        self._device_wait = DeviceWait(self.loop.now_ns)
        self.loop.feed(self._device_wait)
        language = self.session.settings.language
        self.equipment.scoreboard.show((say(language, Phrase.WAS_OFF), ""), language)

    # -- service mode

    def _enter_service(self) -> None:
        session, config = self.session, self._settings.config
        self._sign.end_notice()
        self.recorded.shell.disconnect()
        if not self._match_before and session.phase is not Phase.ATTRACT:
            # Whoever came in sat down and called a match by that.
            self.recorded.shell.command(EndMatch(exactly(self.loop.now_ns)))
            self.recorded.shell.advance(self.loop.now_ns)
        info = panel_info(
            config,
            session,
            self._match_before,
            self._store.audits.counters(),
            self.loop.health.values(),
            speaker=self.equipment.soundboard is not None,
        )
        self._store.note("service", f"service mode was entered in {session.phase.value}")
        self.service = Service(info, session.settings, self.equipment, self.loop.now_ns)
        self.loop.feed(self.service)

    def _leave_service(self, service: Service, outcome: Outcome) -> None:
        """Let the game go on where it was, and then happen what was decided."""
        self.service = None
        self._combination = ServiceCombination(1, self._settings.config.profile.seats)
        shell = self.recorded.shell
        come_back(shell, self.loop, AwayReason.SERVICE, service.missed)
        self._show()
        now = exactly(self.loop.now_ns)
        if outcome.void_round:
            shell.command(VoidRound(now))
        if outcome.end_match:
            shell.command(EndMatch(now))
        for name, value in outcome.choices.items():
            self.choose(name, format_choice(value))
        self._store.note("service", "service mode was left")

    # -- settings

    def choose(self, name: str, value: str) -> bool:
        """Keep a setting; whether it is in force at once."""
        self._store.choose(name, value)
        self._store.note("service", f"{name} was set to {value or 'its default'}")
        self._settings.chosen()
        if name == "volume":
            self.equipment.set_volume(self.wanted_config.volume)
            return True
        return name == PLAYER_NAMES or (name != "game" and self._may_begin_session())
