"""One table at work: session after session, and service mode in between.

A session begins in ATTRACT, when nobody touches anything, and takes over what was decided about the
table meanwhile: a changed configuration, choices made in service mode, another seed. If the journal ends
in the middle of a match, that session is lived through once more instead, and the match goes on.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from dataclasses import replace

from firmware_host import __version__
from firmware_host.config.table import TableConfig
from firmware_host.config.tags import Registry
from firmware_host.durations import S
from firmware_host.effects import MatchEnded
from firmware_host.events import EndMatch, Shown, Signal, VoidRound
from firmware_host.input_text import Input
from firmware_host.runtime.assembly.tables import settings_for, table_of
from firmware_host.runtime.daemon_store import DaemonStore
from firmware_host.runtime.equipment import Equipment, Reporter
from firmware_host.runtime.kept_choices import with_choices
from firmware_host.runtime.logbook import Logbook
from firmware_host.runtime.loop import Loop
from firmware_host.runtime.recorded_sessions import Listener, Playing, begin_session, come_back
from firmware_host.runtime.resuming import resumed, standings
from firmware_host.runtime.service_mode import Service, panel_info
from firmware_host.service.info import Outcome
from firmware_host.service.service_combination import ServiceCombination
from firmware_host.settings import Settings
from firmware_host.show.news import News
from firmware_host.stamps import exactly
from firmware_host.states import AwayReason, Condition, Phase
from firmware_host.store.audits import Audits
from firmware_host.store.head import Head
from firmware_host.store.result_rows import close_open_ends
from firmware_host.store.store_reader import SessionLog
from firmware_host.table.session import Session, Table
from firmware_host.texts import Phrase, say

IDLE_NS = 600 * S
"""After so long a new session begins even if nobody has come: a long one takes long to live through again."""
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
        memory: DaemonStore,
        audits: Audits,
        now_text: Callable[[], str],
        logbook: Logbook,
        others: list[Reporter],
    ) -> None:
        self.equipment = equipment
        self.service: Service | None = None
        self._config = config
        self._memory = memory
        self._audits = audits
        self._now_text = now_text
        self._logbook = logbook
        self._asked: tuple[TableConfig, Registry | None] | None = None
        profile = config.profile
        self._combination = ServiceCombination(1, profile.seats)
        self._match_before = False
        self._listener: Listener | None = None
        session_log, memory.was.session_log = memory.was.session_log, None
        going_on = self._resumed(session_log)
        last_match = standings(session_log, table_for(config)) if session_log else None
        now_ns = equipment.clock.now_ns()
        self._playing = going_on or self._fresh(now_ns, last_match)
        self.loop = Loop(equipment, self._playing.shell, 0, others)
        self._play(self._playing)
        if going_on is None:
            self._show()
        else:
            self._memory.note("resume", f"the match goes on where it was: {self.session.phase.value}")
            self._asked = config, None  # it was begun with what was configured then
            self._await()

    @property
    def session(self) -> Session:
        """The game as it is now."""
        return self._playing.shell.referee.session

    @property
    def news(self) -> News:
        """What was decided last."""
        return self._playing.shell.referee.news

    @property
    def phase(self) -> str:
        """What the table does, for people."""
        if self._listener is not None:
            return "coming back"
        return "service" if self.service is not None else self.session.phase.value

    @property
    def played_ns(self) -> int:
        """How far the game has come, in its own time, which stands still during service."""
        return self._playing.shell.referee.advanced_ns

    @property
    def version(self) -> tuple[int, int, str]:
        """Something that is another one whenever there may be news of the table."""
        journal = self._playing.journal
        return journal.id, journal.effects, self.phase

    @property
    def wants_other_game(self) -> bool:
        """Whether this game is over and another one is to be set up."""
        asked = self._asked
        return asked is not None and asked[0].game != self._config.game and self._may_turn()

    # -- as time goes by

    def step(self, limit_ns: int) -> None:
        """Let the table live until something has happened, at most until that moment of its time."""
        due_ns = self._combination.due_ns
        self.loop.step(limit_ns if due_ns is None else min(limit_ns, max(due_ns, self.loop.now_ns)))
        self._playing.journal.flush()
        if self._listener is not None:
            self._go_on(self._listener)
        elif self.service is not None:
            if self.service.outcome is not None:
                self._leave_service(self.service, self.service.outcome)
        elif due_ns is None:
            self._match_before = self.session.match is not None
        if self.service is None and self._combination.completed(self.loop.now_ns):
            self._enter_service()
        elif self._wants_turn() and self._may_turn():
            self._turn()

    def reconfigure(self, config: TableConfig, registry: Registry | None) -> None:
        """Have this taken over as soon as no match is played."""
        self._asked = config, registry

    def flush(self) -> None:
        """Have all that has happened written."""
        self._playing.journal.flush()

    # -- sessions

    def _wants_turn(self) -> bool:
        journal = self._playing.journal
        idle_ns = self.loop.now_ns - self._playing.head.t_ns
        return (
            self._asked is not None
            or journal.results.matches > 0
            or journal.inputs > LONG
            or idle_ns > IDLE_NS
        )

    def _may_turn(self) -> bool:
        session = self.session
        if self.service is not None or session.phase is not Phase.ATTRACT:
            return False
        at_rest = self._playing.shell.referee.arbiter.due_ns is None and not session.somebody_presses
        return at_rest or self._playing.journal.inputs > TOO_LONG

    def _turn(self) -> None:
        """Begin the next session."""
        if self._asked is not None:
            config, registry = self._asked
            if config.game != self._config.game:
                return  # it needs other equipment
            self._config, self._asked = config, None
            if registry is not None:
                self.equipment.intake.registry = registry
            self.equipment.dim(config.brightness)
        before = self._playing
        before.journal.flush()
        before.shell.disconnect()
        self._play(self._fresh(self.loop.now_ns, before.shell.referee.news.last_match))
        self._show()
        self._tell_what_is(self.loop.now_ns)

    def _fresh(self, now_ns: int, last_match: MatchEnded | None) -> Playing:
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
        doubt_ns = max(settings.stamp_uncertainty_ns, self.equipment.doubt_ns)
        return replace(settings, stamp_uncertainty_ns=doubt_ns)

    def _play(self, playing: Playing) -> None:
        """Let a session be played from now on."""
        self._playing = playing
        self.equipment.intake.widen(playing.head.settings.stamp_uncertainty_ns)
        journal = playing.journal
        tidying = [*close_open_ends(journal.id, self._now_text()), *self._memory.tidying]
        journal.begin(self._memory.writer, tidying)
        playing.shell.on_input = self._watch_combination
        playing.shell.onlookers.append(self._logbook.write)
        self.loop.feed(playing.shell)

    def _show(self) -> None:
        """From now on people see the game."""
        self._playing.shell.connect(self.equipment.leds, self.equipment.scoreboard)

    def _tell_what_is(self, now_ns: int) -> None:
        """A new session knows its contacts; tags and what is wrong with devices it has to be told."""
        shell = self._playing.shell
        for changed in self.loop.health.values():
            if changed.device.condition is not Condition.OK:
                shell.command(replace(changed, stamp=exactly(now_ns)))
        for at, tags in sorted(self.loop.present.items(), key=str):
            for tag in sorted(tags, key=str):
                shell.put(Shown(at, tag, exactly(now_ns)), now_ns)

    def _watch_combination(self, seen: Input, arrived_ns: int) -> None:
        if type(seen) is Signal:
            self._combination.take(seen)

    def _resumed(self, session_log: SessionLog | None) -> Playing | None:
        """The session that was cut off, if it can go on at this table."""
        if session_log is None:
            return None
        table, people = table_for(self._config), self.equipment.people
        return resumed(session_log, table, self._audits, self._now_text, self._refuse, people)

    def _refuse(self, why: str) -> None:
        self._memory.note("resume", f"the last match can't go on: {why}")

    def _await(self) -> None:
        """Before the match goes on, listen to all devices; nobody shall think that it runs meanwhile."""
        self._listener = Listener(self.loop.now_ns)
        self.loop.feed(self._listener)
        language = self.session.settings.language
        self.equipment.scoreboard.show((say(language, Phrase.WAS_OFF), ""), language)

    def _go_on(self, listener: Listener) -> None:
        """Let the match go on that was cut off, as soon as it is known how things are."""
        if listener.over:
            self._listener = None
            come_back(self._playing.shell, self.loop, AwayReason.POWER, listener.missed)
            self._show()

    # -- service mode

    def _enter_service(self) -> None:
        session, config = self.session, self._config
        self._playing.shell.disconnect()
        if not self._match_before and session.phase is not Phase.ATTRACT:
            # Whoever came in sat down and called a match by that.
            self._playing.shell.command(EndMatch(exactly(self.loop.now_ns)))
            self._playing.shell.advance(self.loop.now_ns)
        info = panel_info(
            config, session, self._match_before, self._audits.counters(), self.loop.health.values()
        )
        self._memory.note("service", f"service mode was entered in {session.phase.value}")
        self.service = Service(info, session.settings, self.equipment, self.loop.now_ns)
        self.loop.feed(self.service)

    def _leave_service(self, service: Service, outcome: Outcome) -> None:
        """Let the game go on where it was, and then happen what was decided."""
        self.service = None
        self._combination = ServiceCombination(1, self._config.profile.seats)
        shell = self._playing.shell
        come_back(shell, self.loop, AwayReason.SERVICE, service.missed)
        self._show()
        now = exactly(self.loop.now_ns)
        if outcome.void_round:
            shell.command(VoidRound(now))
        if outcome.end_match:
            shell.command(EndMatch(now))
        for name, value in outcome.choices.items():
            self._memory.choose(name, value)
            said = self._memory.was.choices[name] or "what the wiring profile says"
            self._memory.note("service", f"{name} was set to {said}")
        if outcome.choices:
            config, registry = self._asked or (self._config, None)
            self.reconfigure(with_choices(config, self._memory.was.choices), registry)
        self._memory.note("service", "service mode was left")


def table_for(config: TableConfig) -> Table:
    """The table as its wiring and its configuration make it."""
    seats = range(1, config.profile.seats + 1)
    closed = frozenset(seats) - frozenset(config.open_seats or seats)
    handicap = config.handicap[: config.profile.seats]  # the table of the other game may be bigger
    return replace(table_of(config.profile, config.rounds), handicap=handicap, closed=closed)
