"""One table at work: session after session, and service mode in between.

A session begins in ATTRACT, when nobody touches anything, and takes over what was decided about the
table meanwhile: a changed configuration, choices made in service mode, another seed. If the journal ends
in the middle of a match, that session is replayed instead, and the match is resumed.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from firmware_host import __version__
from firmware_host.feed.teller import Surroundings
from firmware_host.games.games import EXPERT
from firmware_host.games.session import Session, Table
from firmware_host.model.effects import MatchEnded
from firmware_host.model.events import EndMatch, Input, SourceEdge, TagSeen, VoidRound
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.settings import Settings
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, Phase
from firmware_host.model.times import MS, S, exactly
from firmware_host.profile.table import TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.daemon_store import DaemonStore
from firmware_host.run.equipment import Equipment, Reporter
from firmware_host.run.feed_outlet import TableSockets
from firmware_host.run.journal import Logbook
from firmware_host.run.kept_choices import PLAYER_NAMES, format_choice, with_choices
from firmware_host.run.operator_commands import ROUND_PHASES, NotPossible, obey
from firmware_host.run.recorded_sessions import (
    DeviceWait,
    RecordedSession,
    begin_session,
    come_back,
    resumed,
    standings,
)
from firmware_host.run.roster import NamedSeats, Roster
from firmware_host.run.service_mode import Service, panel_info
from firmware_host.run.shell import Loop
from firmware_host.run.table_files import settings_for, table_of
from firmware_host.service.page import Outcome
from firmware_host.service.panel import ServiceCombination
from firmware_host.show.news import News
from firmware_host.store.head import Head
from firmware_host.store.result_rows import Audits, close_open_ends
from firmware_host.store.store_reader import SessionLog
from hw.ports import NoScoreboard, Scoreboard

# The sign of the table with a notice on it for a while, such as a PIN.
#
# A notice is on the device only. The referee's page goes on underneath, and so does what the feed tells of
# it: who wants to read the notice has to stand at the table.


class NoticeSign:
    """A scoreboard that shows a notice instead of what it is given, until the notice is over."""

    def __init__(self, sign: Scoreboard) -> None:
        self._sign = sign
        self._below: tuple[tuple[str, ...], str] | None = None
        self.until_ns: int | None = None
        """When the notice is over; None if there is none."""

    @property
    def columns(self) -> int:
        """How many characters fit in a line."""
        return self._sign.columns

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        """Show these lines from now on, or as soon as the notice is over."""
        self._below = lines, language
        if self.until_ns is None:
            self._sign.show(lines, language)

    def notice(self, lines: tuple[str, ...], until_ns: int) -> None:
        """Show this until then."""
        self.until_ns = until_ns
        self._sign.show(lines)

    def end_notice(self) -> None:
        """Show again what is underneath."""
        if self.until_ns is not None:
            self.until_ns = None
            if self._below is not None:
                self._sign.show(*self._below)

    def look(self, now_ns: int) -> None:
        """End the notice if it is over."""
        if self.until_ns is not None and now_ns >= self.until_ns:
            self.end_notice()

    def close(self) -> None:
        """Leave a blank display behind."""
        self._sign.close()


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
        audits: Audits,
        now_text: Callable[[], str],
        logbook: Logbook,
        others: list[Reporter],
        sockets: TableSockets | None = None,
    ) -> None:
        """`config` is played first; `configured` is what table.toml says, without what was chosen since."""
        self.equipment = equipment
        self.service: Service | None = None
        self._config = config
        self._configured = configured
        self._store = store
        self._audits = audits
        self._now_text = now_text
        self._logbook = logbook
        self._sockets = sockets or TableSockets(None)
        self._named_seats = NamedSeats(store.roster, store.writer)
        self._asked: tuple[TableConfig, Registry | None] | None = None
        profile = config.profile
        self._combination = ServiceCombination(1, profile.seats)
        self._sign = NoticeSign(equipment.scoreboard)
        self._match_before = False
        self._device_wait: DeviceWait | None = None
        session_log, store.was.session_log = store.was.session_log, None
        going_on = self._resumed(session_log)
        last_match = standings(session_log, table_for(config)) if session_log else None
        now_ns = equipment.clock.now_ns()
        self.recorded = going_on or self._fresh(now_ns, last_match)
        """The session that is played."""
        self.loop = Loop(equipment, self.recorded.shell, 0, others)
        if equipment.waits_for_devices:
            self.loop.descriptors += self._sockets.descriptors
        if self._sockets.feed is not None:
            self._sockets.feed.around = self._surroundings
        if self._sockets.desk is not None:
            self._sockets.desk.obey = partial(obey, self)
        self._play(self.recorded)
        if going_on is None:
            self._show()
        else:
            self._store.note("resume", f"the match is resumed: {self.session.phase.value}")
            self._asked = config, None  # it was begun with what was configured then
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
        return self._named_seats.roster

    @property
    def now_ns(self) -> int:
        """The time of the table."""
        return self.loop.now_ns

    @property
    def wanted_config(self) -> TableConfig:
        """The configuration that the next session will have."""
        return self._config if self._asked is None else self._asked[0]

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
        asked = self._asked
        return asked is not None and asked[0].game != self._config.game and self._may_begin_session()

    # -- as time goes by

    def step(self, limit_ns: int) -> None:
        """Run the table until something has happened, at most until that moment of its time."""
        due_ns = self._combination.due_ns
        for each in (due_ns, self._sign.until_ns):
            limit_ns = limit_ns if each is None else min(limit_ns, max(each, self.loop.now_ns))
        if self._sockets.desk is not None and self._sockets.desk.owes:
            limit_ns = min(limit_ns, self.loop.now_ns + SOON_NS)
        self.loop.step(limit_ns)
        self._look_after_notice()
        self.recorded.journal.flush()
        if self._device_wait is not None:
            self._go_on(self._device_wait)
        elif self.service is not None:
            if self.service.outcome is not None:
                self._leave_service(self.service, self.service.outcome)
        elif due_ns is None:
            self._match_before = self.session.match is not None
        if self.service is None and self._combination.completed(self.loop.now_ns):
            self._enter_service()
        elif self._wants_new_session() and self._may_begin_session():
            self._next_session()
        self._named_seats.look(self.loop.now_ns, not self.away and self.session.phase is Phase.ATTRACT)
        self._sockets.look()

    def notify(self, lines: tuple[str, ...], for_ns: int) -> None:
        """Show a notice at the sign for so long, unless a round begins; NotPossible without a sign."""
        if isinstance(self.equipment.scoreboard, NoScoreboard):
            raise NotPossible("this table has no sign")
        self._sign.notice(lines, self.loop.now_ns + for_ns)

    def _look_after_notice(self) -> None:
        if self.service is None:
            self._sign.look(self.loop.now_ns)
            if self.session.phase in ROUND_PHASES:
                self._sign.end_notice()

    def reconfigure(self, config: TableConfig, registry: Registry | None) -> None:
        """Apply this with all that was chosen at the table, as soon as no match is played."""
        self._configured = config
        self._asked = with_choices(config, self._store.was.choices), registry

    def flush(self) -> None:
        """Have all that has happened written."""
        self.recorded.journal.flush()

    # -- sessions

    def _wants_new_session(self) -> bool:
        journal = self.recorded.journal
        idle_ns = self.loop.now_ns - self.recorded.head.t_ns
        return (
            self._asked is not None
            or journal.results.matches > 0
            or journal.inputs > LONG
            or idle_ns > IDLE_NS
        )

    def _may_begin_session(self) -> bool:
        session = self.session
        if self.service is not None or session.phase is not Phase.ATTRACT:
            return False
        at_rest = self.recorded.shell.referee.arbiter.due_ns is None and not session.somebody_presses
        return at_rest or self.recorded.journal.inputs > TOO_LONG

    def _next_session(self) -> None:
        """Begin the next session."""
        if self._asked is not None:
            config, registry = self._asked
            if config.game != self._config.game:
                return  # it needs other equipment
            self._config, self._asked = config, None
            if registry is not None:
                self.equipment.intake.registry = registry
            self.equipment.dim(config.brightness)
            self.equipment.set_volume(config.volume)
        before = self.recorded
        before.journal.flush()
        before.shell.disconnect()
        self._play(self._fresh(self.loop.now_ns, before.shell.referee.news.last_match))
        self._show()
        self._report_state(self.loop.now_ns)

    def _fresh(self, now_ns: int, last_match: MatchEnded | None) -> RecordedSession:
        config = self._config
        head = Head(
            version=__version__,
            begun=self._now_text(),
            event=config.event,
            table=table_for(config),
            settings=self._settings(),
            columns=self.equipment.scoreboard.columns,
            seed=secrets.randbits(63),
            t_ns=now_ns,
            active=tuple(self.equipment.active),
            last_match=last_match,
        )
        return begin_session(secrets.randbits(62), head, self._audits, self._now_text)

    def _settings(self) -> Settings:
        """The table can't know more than its drivers do."""
        settings = settings_for(self._config.profile, self._config.settings)
        uncertainty_ns = max(settings.stamp_uncertainty_ns, self.equipment.uncertainty_ns)
        return replace(settings, stamp_uncertainty_ns=uncertainty_ns)

    def _play(self, recorded: RecordedSession) -> None:
        """Make this the session that is played from now on."""
        self.recorded = recorded
        self.equipment.intake.widen(recorded.head.settings.stamp_uncertainty_ns)
        journal = recorded.journal
        tidying = [*close_open_ends(journal.id, self._now_text()), *self._store.tidying]
        decided = [each.effect for each in journal.decisions]
        journal.begin(self._store.writer, tidying)
        recorded.shell.on_input = self._watch_combination
        recorded.shell.onlookers.append(self._logbook.write)
        self._named_seats.begin(recorded)
        if self._sockets.feed is not None:
            self._sockets.feed.begin(recorded, decided)
        self.loop.feed(recorded.shell)

    def _surroundings(self) -> Surroundings:
        """What the feed tells of the table that its referee does not know."""
        simulated = self.equipment.people is not None
        told = self.wanted_config.player_names
        names = self.roster.names if told else {}
        return Surroundings(
            self._config.event,
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

    def _resumed(self, session_log: SessionLog | None) -> RecordedSession | None:
        """The session that was cut off, if it can go on at this table."""
        if session_log is None:
            return None
        table, people = table_for(self._config), self.equipment.people
        return resumed(session_log, table, self._audits, self._now_text, self._refuse, people)

    def _refuse(self, why: str) -> None:
        self._store.note("resume", f"the last match can't be resumed: {why}")

    def _await(self) -> None:
        """Before the match is resumed, wait for all devices; people see that it is not running yet."""
        self._device_wait = DeviceWait(self.loop.now_ns)
        self.loop.feed(self._device_wait)
        language = self.session.settings.language
        self.equipment.scoreboard.show((say(language, Phrase.WAS_OFF), ""), language)

    def _go_on(self, wait: DeviceWait) -> None:
        """Resume the match that was cut off as soon as all devices had time to report."""
        if wait.over:
            self._device_wait = None
            come_back(self.recorded.shell, self.loop, AwayReason.POWER, wait.missed)
            self._show()

    # -- service mode

    def _enter_service(self) -> None:
        session, config = self.session, self._config
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
            self._audits.counters(),
            self.loop.health.values(),
            speaker=self.equipment.soundboard is not None,
        )
        self._store.note("service", f"service mode was entered in {session.phase.value}")
        self.service = Service(info, session.settings, self.equipment, self.loop.now_ns)
        self.loop.feed(self.service)

    def _leave_service(self, service: Service, outcome: Outcome) -> None:
        """Let the game go on where it was, and then happen what was decided."""
        self.service = None
        self._combination = ServiceCombination(1, self._config.profile.seats)
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
        registry = None if self._asked is None else self._asked[1]
        self.reconfigure(self._configured, registry)
        if name == "volume":
            self.equipment.set_volume(self.wanted_config.volume)
            return True
        return name == PLAYER_NAMES or (name != "game" and self._may_begin_session())


def table_for(config: TableConfig) -> Table:
    """The table as its wiring and its configuration make it."""
    seats = range(1, config.profile.seats + 1)
    closed = frozenset(seats) - frozenset(config.open_seats or seats)
    handicap = config.handicap[: config.profile.seats]  # the table of the other game may be bigger
    table = table_of(config.profile, config.rounds, expert=config.variant == EXPERT)
    return replace(table, handicap=handicap, closed=closed)
