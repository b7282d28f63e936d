"""Puts the sessions of a table together: what each begins with, and everybody who looks on."""

from __future__ import annotations

import secrets
from dataclasses import replace

from firmware_host import __version__
from firmware_host.model.effects import MatchEnded
from firmware_host.run.daemon_store import DaemonStore
from firmware_host.run.equipment import Equipment
from firmware_host.run.recorded_sessions import RecordedSession, begin_session, resumed, standings
from firmware_host.run.roster import NamedSeats
from firmware_host.run.shell import OnInput
from firmware_host.run.table_files import settings_for, table_for
from firmware_host.run.table_settings import TableSettings
from firmware_host.run.table_sockets import TableSockets
from firmware_host.store.head import Head
from firmware_host.store.result_rows import close_open_ends


class Assembly:
    """What the sessions of one table are made of."""

    def __init__(
        self, equipment: Equipment, settings: TableSettings, store: DaemonStore, sockets: TableSockets
    ) -> None:
        self.settings = settings
        self.named_seats = NamedSeats(store.roster, store.writer)
        self._equipment = equipment
        self._store = store
        self._sockets = sockets

    def left_off(self) -> tuple[RecordedSession | None, MatchEnded | None]:
        """The session that was cut off, if it can go on at this table, and the last standings. Asked once."""
        store = self._store
        session_log, store.was.session_log = store.was.session_log, None
        if session_log is None:
            return None, None
        table, people = table_for(self.settings.config), self._equipment.people

        def refuse(why: str) -> None:
            store.note("resume", f"the last match can't be resumed: {why}")

        going_on = resumed(session_log, table, store.audits, store.now_text, refuse, people)
        return going_on, standings(session_log, table)

    def fresh(self, now_ns: int, last_match: MatchEnded | None) -> RecordedSession:
        """A session that begins now, in which nothing has happened yet."""
        config, equipment, store = self.settings.config, self._equipment, self._store
        settings = settings_for(config.profile, config.settings)
        # The table can't know more than its drivers do.
        uncertainty_ns = max(settings.stamp_uncertainty_ns, equipment.uncertainty_ns)
        head = Head(
            version=__version__,
            begun=store.now_text(),
            event=config.event,
            table=table_for(config),
            settings=replace(settings, stamp_uncertainty_ns=uncertainty_ns),
            columns=equipment.scoreboard.columns,
            seed=secrets.randbits(63),
            t_ns=now_ns,
            active=tuple(equipment.active),
            last_match=last_match,
        )
        return begin_session(secrets.randbits(62), head, store.audits, store.now_text)

    def play(self, recorded: RecordedSession, on_input: OnInput) -> None:
        """From now on this session is played, written and told; `on_input` gets what comes in."""
        store, feed, named_seats = self._store, self._sockets.feed, self.named_seats
        self._equipment.intake.widen(recorded.head.settings.stamp_uncertainty_ns)
        journal, shell = recorded.journal, recorded.shell
        decided = [each.effect for each in journal.decisions]
        journal.begin(store.writer, [*close_open_ends(journal.id, store.now_text()), *store.tidying])
        shell.on_input = on_input
        shell.onlookers = [store.logbook.write, named_seats.follow]
        named_seats.begin(recorded)
        if feed is not None:
            shell.onlookers.append(feed.follow)
            shell.on_felt = feed.feel
            feed.begin(recorded, decided)
