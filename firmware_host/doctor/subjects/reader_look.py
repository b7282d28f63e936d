"""Speaks to readers of tags until each has said which firmware it has, or why it can't."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from firmware_host.config.profile import TagSpot
from firmware_host.device_kinds import READER
from firmware_host.doctor.subjects.reader_findings import ReaderFacts
from firmware_host.doctor.system import System
from hw.ports import Condition, Health
from hw.rfid.field import FieldToken
from hw.rfid.pn532 import Pn532
from hw.uart.port import OpenPort, PortWork
from hw.work import OwnerThread

PATIENCE_S = 3.0
"""A silent reader is lost after a third of a second."""
PAUSE_S = 0.01
NO_VERSION = (
    "works, but reports no version",
    f"it may not be a {READER.title}; check what is printed on the chip",
)


class _Bench:
    """One reader being spoken to."""

    def __init__(self, system: System, spot: TagSpot, number: int, field: FieldToken) -> None:
        self.spot = spot
        self._reported: list[Health] = []
        self._driver = Pn532(spot.name, number, field)
        self._owner = OwnerThread(
            PortWork(_reader_opener(system, spot.port), self._driver, self._reported.append),
            self._reported.append,
        )

    @property
    def lost(self) -> Health | None:
        """What is wrong with it, if it can't be reached."""
        last = self._reported[-1:]
        return last[0] if last and last[0].condition is Condition.LOST else None

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to wait for."""
        return self._driver.firmware is not None or self.lost is not None

    def outcome(self, there: bool) -> ReaderFacts:
        lost, version = self.lost, self._driver.firmware
        seen, advice = (lost.seen, lost.advice) if lost else NO_VERSION
        if version is not None:
            seen, advice = (lost.seen, lost.advice) if lost else ("", "")
        return ReaderFacts(
            name=self.spot.name,
            port=self.spot.port,
            there=there,
            firmware="" if version is None else str(version),
            seen=seen,
            advice=advice,
        )

    def close(self) -> None:
        """Its field is off, its port is free."""
        self._driver.close()
        self._owner.close()


def look_at_readers(system: System, spots: Sequence[TagSpot]) -> tuple[ReaderFacts, ...]:
    """What came of speaking to each reader, all at the same time."""
    field = FieldToken()  # one for all: at no time is more than one field on
    benches: list[_Bench] = []
    try:
        benches += (_Bench(system, spot, number, field) for number, spot in enumerate(spots))
        until = time.monotonic() + PATIENCE_S
        while not all(bench.settled for bench in benches) and time.monotonic() < until:
            time.sleep(PAUSE_S)
    finally:
        for bench in benches:
            bench.close()
    return tuple(bench.outcome(system.has(bench.spot.port)) for bench in benches)


def _reader_opener(system: System, port: str) -> Callable[[], OpenPort]:
    return lambda: system.open_port(system.at(port), READER.baud, 8, "N")
