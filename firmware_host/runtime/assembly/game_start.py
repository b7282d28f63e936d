"""A game on equipment, begun: nothing of it is written down."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.arbiter.ties import RandomSource
from firmware_host.referee.referee import Referee
from firmware_host.runtime.equipment import Equipment
from firmware_host.runtime.loop import Loop
from firmware_host.runtime.shell import UNWRITTEN, Onlooker, Shell, StepLog
from firmware_host.settings import Settings
from firmware_host.table.session import Table


def begin_game(
    equipment: Equipment,
    table: Table,
    settings: Settings,
    draws: RandomSource,
    onlookers: Iterable[Onlooker] = (),
    journal: StepLog = UNWRITTEN,
) -> tuple[Shell, Loop]:
    """A referee that takes over the table as it is now, and the loop that feeds it."""
    now_ns, scoreboard = equipment.clock.now_ns(), equipment.scoreboard
    referee = Referee(table, settings, draws, now_ns, columns=scoreboard.columns, active=equipment.active)
    devices = equipment.leds, scoreboard
    shell = Shell(referee, journal, devices, onlookers, equipment.soundboard)
    shell.advance(now_ns)
    return shell, Loop(equipment, shell)
