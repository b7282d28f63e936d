"""The state of the table: one page for people and programs, written as JSON whenever it changes.

By it others see the daemon: whether it runs, what its page says, and whether it still answers. It runs as
long as the lock on its store is held. Where nobody can tell that, or the disk could not take a lock, the
process has to be the one that wrote the page: a number is given again when its process has ended.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.files import replace_whole
from firmware_host.games.games import DICE_GAME
from firmware_host.games.session import Session
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.model.times import S
from firmware_host.profile.table import SIMULATED, TableConfig
from firmware_host.store.store_lock import is_locked

# Where a health page goes while its usual place can't be written: a full disk, a folder that is gone.
#
# A daemon that somebody runs by hand has its page beside its store, and so loses both at once, just when
# people want to know what is the matter. The spare folder is in memory, which does not fill up with a disk.
# Everybody may make folders there, so one counts only if it is a real folder of the right user in which
# nobody else may write.


ROOTS = (Path("/dev/shm"), Path("/tmp"))
_OF_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def own_spare_folders(make: bool = False) -> Iterator[Path]:
    """The spare folders of this user, the best one first."""
    for root in ROOTS:
        folder = _named(root, os.geteuid())
        if make:
            with suppress(OSError):  # it is there, or there is no such memory here
                folder.mkdir(mode=0o755)
        if _is_of(folder, os.geteuid()):
            yield folder


def trusted_spare_folders() -> list[Path]:
    """Those of this user and of root: nobody else can lead this user astray."""
    users = sorted({os.geteuid(), 0}, reverse=True)
    folders = [(_named(root, user), user) for user in users for root in ROOTS]
    return [folder for folder, user in folders if _is_of(folder, user)]


def _named(root: Path, user: int) -> Path:
    return root / f"ligretto-table-{user}"


def _is_of(folder: Path, user: int) -> bool:
    """Whether this is a folder, and no link to one, that only that user can have written in."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == user and not status.st_mode & _OF_OTHERS


_ROUND_UNDER_WAY = (Phase.COUNTDOWN, Phase.PLAY, Phase.PAUSED, Phase.SETTLE)

log = logging.getLogger(__name__)


def health_page(
    session: Session,
    phase: str,
    now_ns: int,
    devices: Mapping[str, DeviceCondition],
    counts: Mapping[str, int],
    started: str,
    now_text: str,
) -> dict[str, Any]:
    """How the table is at that moment of the game, as a JSON object.

    Of a round there is which one of how many; while it runs also for how long, and what each seat has left or
    has laid. Of a match there is how long it has been going on, the totals, and who leads.
    """
    return {
        "version": __version__,
        "written": now_text,
        "started": started,
        "pid": os.getpid(),
        "phase": phase,
        "game": session.table.game.name,
        "seats": session.table.seats,
        "seated": sorted(session.seated),
        "round": _round_of(session, now_ns),
        "match": _match_of(session, now_ns),
        "devices": {
            name: {"condition": each.condition, "seen": each.seen, "advice": each.advice}
            for name, each in sorted(devices.items())
        },
        "masked": dict(sorted((trouble.name, trouble.reason) for trouble in session.troubles.masked)),
        "counts": dict(sorted(counts.items())),
    }


def status_line(page: Mapping[str, Any]) -> str:
    """What `systemctl status` says of a health page."""
    wrong = [name for name, device in page["devices"].items() if device["condition"] != Condition.OK]
    wrong += page["masked"]
    round_ = page["round"]
    playing = f"round {round_['number']}/{round_['of']}, " if round_ else ""
    said = f"{page['phase']}, {playing}{len(page['seated'])} seated"
    return f"{said}; check {', '.join(wrong)}" if wrong else f"{said}; all is well"


def _round_of(session: Session, now_ns: int) -> dict[str, Any] | None:
    match, round_ = session.match, session.round
    if match is None:
        return None
    number = len(match.scores) if session.phase is Phase.SCORES else match.round_number
    page: dict[str, Any] = {"number": number, "of": match.rounds}
    if round_ is not None and round_.started_ns is not None and session.phase in _ROUND_UNDER_WAY:
        counted = "dice_left" if session.table.game is DICE_GAME else "cards_laid"
        page["seconds"] = (now_ns - round_.started_ns) // S
        page[counted] = {str(seat): round_.tally[seat - 1] for seat in sorted(session.seated)}
    return page


def _match_of(session: Session, now_ns: int) -> dict[str, Any] | None:
    match = session.match
    if match is None:
        return None
    return {
        "seconds": (now_ns - session.match_begun_ns) // S,
        "totals": {str(seat): match.totals[seat - 1] for seat in match.seats},
        "leaders": [seat for rank, seat, _ in match.ranking if rank == 1 and match.scores],
    }


class HealthFile:
    """Keeps the page in a file, or in the spare folder while its own place can't be written.

    Beside the page the file says whose it is, and when it was written by a clock that nobody sets.
    """

    def __init__(self, folder: Path, table: TableConfig) -> None:
        self.path = Path(os.path.abspath(folder)) / HEALTH_FILE
        self._about = {
            "config": SIMULATED if table.file == SIMULATED else os.path.abspath(table.file),
            "store": os.path.abspath(table.store.file),
        }
        store = os.path.realpath(table.store.file)
        self._spare_name = f"{hashlib.sha256(os.fsencode(store)).hexdigest()[:16]}.json"
        self._failing = False

    def write(self, page: Mapping[str, Any]) -> None:
        """Replace the file at once: readers see the old page or the new one.

        It is not made safe from power cuts as other files are: a page is worth nothing without its daemon,
        and where there is no /run it would wear out the card.
        """
        whole = {**page, **self._about, "stamp_ns": since_boot_ns()}
        error = _replace(self.path, whole)
        if error is None:
            if self._failing:
                self._remove_spare()
            self._failing = False
            return
        _remove(self.path)  # an old page would say that all is well, and later that nobody answers
        fault = f"{self.path} can't be written: {error.strerror}"
        whole["page_fault"] = fault
        places = (folder / self._spare_name for folder in own_spare_folders(make=True))
        spare = next((path for path in places if _replace(path, whole) is None), None)
        if not self._failing:
            log.warning("%s%s", fault, f"; the health page is {spare} meanwhile" if spare else "")
        self._failing = True

    def remove(self) -> None:
        """Remove the page: the daemon ends."""
        _remove(self.path)
        self._remove_spare()

    def _remove_spare(self) -> None:
        for folder in own_spare_folders():
            _remove(folder / self._spare_name)
            with suppress(OSError):  # another daemon has a page there
                folder.rmdir()


def _replace(path: Path, page: Mapping[str, Any]) -> OSError | None:
    """Put this in its place; why not, if that can't be done."""
    text = json.dumps(page, indent=1) + "\n"
    try:
        replace_whole(path, text.encode(), durable=False)
    except OSError as error:
        return error
    return None


def _remove(path: Path) -> None:
    with suppress(OSError):  # what can't be written can't be removed either
        path.unlink(missing_ok=True)


def since_boot_ns() -> int:
    """How long this machine has been on; that goes on in its sleep, and for all processes alike."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


SERVICE_FOLDER = Path("/run/ligretto-table")
"""Where systemd lets the daemon keep its health page."""
SILENT_NS = 20 * S
"""A page that is older than this is not written any more; it is written every five seconds."""


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon that runs."""

    page: Mapping[str, Any]
    """The last page that it wrote."""
    silent: bool
    """Whether it has not written for so long that it must be hanging."""
    folder: Path
    """Where its page is, and its sockets."""

    @property
    def age_ns(self) -> int:
        """How long ago it wrote that page."""
        return since_boot_ns() - int(self.page["stamp_ns"])

    @property
    def store(self) -> str:
        """The file that it keeps what happens in."""
        return str(self.page["store"])

    @property
    def config(self) -> str:
        """Its table.toml."""
        return str(self.page.get("config", ""))


def running_service() -> Running | None:
    """The daemon that runs as a service; None if none does."""
    return running_in(SERVICE_FOLDER)


def running_in(folder: Path) -> Running | None:
    """The daemon whose page is in this folder; None if there is none, or if it has ended."""
    return _running_by(folder / HEALTH_FILE)


def running_spare() -> list[Running]:
    """The daemons that can't write their pages at the usual places; those of this user and of root."""
    pages = [page for folder in trusted_spare_folders() for page in sorted(folder.glob("*.json"))]
    return [running for page in pages if (running := _running_by(page)) is not None]


def _running_by(file: Path) -> Running | None:
    """The daemon that has written this page, if it still runs."""
    try:
        page = json.loads(file.read_text(encoding="utf-8"))
        pid, stamp_ns, store = int(page["pid"]), int(page["stamp_ns"]), str(page["store"])
        for path in (store, str(page.get("config", ""))):
            os.access(path, os.F_OK)  # a ValueError where nothing can be called that
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    silent = not 0 <= since_boot_ns() - stamp_ns <= SILENT_NS
    locked = is_locked(store)
    if not locked and (not _is_there(pid, stamp_ns) or (silent and locked is False)):
        return None
    return Running(page, silent, file.parent)


def _is_there(pid: int, stamp_ns: int) -> bool:
    """Whether there still is the process that wrote then under this number."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # it is there, and somebody else's
    try:
        about = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True  # some machines hide what others run
    state, *fields = about.rpartition(")")[2].split()
    begun_ns = int(fields[18]) * S // os.sysconf("SC_CLK_TCK")
    return state not in "ZX" and begun_ns <= stamp_ns
