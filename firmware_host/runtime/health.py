"""How the table is: one page for people and programs, written as JSON whenever it changes."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.config.table import TableConfig
from firmware_host.events import DeviceChanged
from firmware_host.table.session import Session

HEALTH_FILE = "health.json"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Everything that the page says, but for when it was written."""

    phase: str
    game: str
    seats: int
    seated: tuple[int, ...]
    round: str
    devices: Mapping[str, Mapping[str, str]]
    masked: Mapping[str, str]
    counts: Mapping[str, int]
    started: str
    pid: int

    def page(self, now_text: str) -> dict[str, Any]:
        """As a JSON object."""
        match_round = None
        if self.round:
            number, of = self.round.split("/")
            match_round = {"number": int(number), "of": int(of)}
        return {
            "version": __version__,
            "written": now_text,
            "started": self.started,
            "pid": self.pid,
            "phase": self.phase,
            "game": self.game,
            "seats": self.seats,
            "seated": list(self.seated),
            "round": match_round,
            "devices": {name: dict(device) for name, device in sorted(self.devices.items())},
            "masked": dict(sorted(self.masked.items())),
            "counts": dict(sorted(self.counts.items())),
        }

    @property
    def status(self) -> str:
        """One line for `systemctl status`."""
        wrong = [name for name, device in sorted(self.devices.items()) if device["condition"] != "ok"]
        wrong += sorted(self.masked)
        words = [self.phase, f"round {self.round}" if self.round else "", f"{len(self.seated)} seated"]
        said = ", ".join(word for word in words if word)
        return f"{said}; check {', '.join(wrong)}" if wrong else f"{said}; all is well"


def health_of(
    session: Session,
    phase: str,
    devices: Mapping[str, DeviceChanged],
    counts: Mapping[str, int],
    started: str,
) -> Health:
    """How the table is now."""
    match = session.match
    return Health(
        phase=phase,
        game=session.table.game.name,
        seats=session.table.seats,
        seated=tuple(sorted(session.seated)),
        round=f"{match.round_number}/{match.rounds}" if match else "",
        devices={name: {"condition": each.condition, "words": each.words} for name, each in devices.items()},
        masked={
            trouble.name: trouble.words for trouble in session.troubles.all if trouble.source is not None
        },
        counts=dict(counts),
        started=started,
        pid=os.getpid(),
    )


class HealthFile:
    """Keeps the page in a file; a disk that can't take it is told once and tried again.

    Beside the page the file says whose it is, and when it was written by a clock that nobody sets.
    """

    def __init__(self, folder: Path, table: TableConfig) -> None:
        self.path = folder / HEALTH_FILE
        self._about = {
            "config": os.path.abspath(table.file),
            "store": os.path.abspath(table.store.file),
        }
        self._failing = False

    def write(self, page: Mapping[str, Any]) -> None:
        """Replace the file at once: readers see the old page or the new one.

        It is not made safe from power cuts as other files are: a page is worth nothing without its daemon,
        and where there is no /run it would wear out the card.
        """
        beside = self.path.with_suffix(".new")
        whole = {**page, **self._about, "stamp_ns": since_boot_ns()}
        try:
            beside.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
            beside.replace(self.path)
            self._failing = False
        except OSError as error:
            if not self._failing:
                log.warning("%s can't be written: %s", self.path, error.strerror)
            self._failing = True
            self.remove()  # an old page would say that all is well, and later that nobody answers
            with suppress(OSError):
                beside.unlink(missing_ok=True)

    def remove(self) -> None:
        """Nobody is there any more."""
        with suppress(OSError):  # what can't be written can't be removed either
            self.path.unlink(missing_ok=True)


def since_boot_ns() -> int:
    """How long this machine has been on; that goes on in its sleep, and for all processes alike."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
