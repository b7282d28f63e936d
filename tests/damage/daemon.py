"""The daemon on a damaged store: it opens it as it does at a start, and writes and plays."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from firmware_host.model.errors import TableError
from firmware_host.model.states import Phase
from firmware_host.profile.table import StoreConfig
from firmware_host.run.daemon_store import DaemonStore
from firmware_host.run.table_files import load_profile
from firmware_host.store.store_reader import reading
from hw.ports import Health
from tests.run.evenings import R1, Evening, config_for
from tests.run.rooms import Room

NOW = "2026-11-19T20:00:00"
WORDS = "written after the damage"
WRITTEN_S = 20


def starts(store: Path) -> list[str]:
    """Whether the daemon opens it, says what it has lost, and writes: what is wrong with that."""
    told: list[Health] = []
    memory = DaemonStore(StoreConfig(file=str(store)), told.append, lambda: NOW)
    is_said = bool(memory.was.trouble or told)
    faults = (
        []
        if memory.was.session_log or is_said
        else ["the daemon: the last session is lost, and it is not said"]
    )
    memory.note("test", WORDS)
    written = memory.writer.settle(WRITTEN_S)
    memory.close()
    if not written:
        faults.append(f"the daemon: nothing is written: {[each.seen for each in told]}")
    return faults + _unread(store)


def _unread(store: Path) -> list[str]:
    """Whether what was written last is there."""
    with suppress(TableError), reading(str(store)) as book:
        if any(text == WORDS for _, _, text in book.log(1000)):
            return []
    return ["the daemon: what it wrote can't be found"]


def plays(folder: Path, store: Path) -> list[str]:
    """The same, and people sit down and play a round at it."""
    faults = starts(store)
    room = Room("dice4")
    table = Evening(room, store, config_for(load_profile("dice4"), store))
    try:
        table.start()
        table.play(1, 2)
        table.place(1, R1)
        if table.phase is not Phase.PLAY or table.left[0] != 11:
            faults.append(f"the daemon: nothing is played: {table.phase}, {table.left}")
        table.written()
    finally:
        if table.runs:
            table.stop()
    with reading(str(store)) as book:
        if not any(row.state == "running" for row in book.rounds()):
            faults.append("the daemon: the round that was played is not in the store")
    return faults
