"""A client of the web process on this machine: which displays there are, and what they show."""

from __future__ import annotations

import json
import logging
import re
import secrets
import socket
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from firmware_host.files import PRIVATE, Draft
from firmware_host.model.errors import TableError

# What commands on this machine need to do what the operator may: where the web process is, and a key.
#
# The web process writes it into a file of its own when it starts, and removes the file at its end. Whoever
# can read the file is its user or root. The key is made at each start: a file that was left behind opens
# nothing.


HEADER = "X-Command-Key"
_NAME = re.compile(r"web-[0-9]{1,5}\.json")
_LOOPBACK = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}
_ANSWER_S = 1.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CommandPass:
    """Where the web process listens, and the key for it."""

    host: str
    port: int
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def address(self) -> str:
        """Where a command connects; a process that listens everywhere is reached from here, too."""
        return _LOOPBACK.get(self.host, self.host)

    @property
    def origin(self) -> str:
        """What a page of that process would name as its origin."""
        return f"http://{f'[{self.address}]' if ':' in self.address else self.address}:{self.port}"

    def put(self, folder: Path) -> None:
        """Leave it for commands; without it they say that no web process runs."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            draft = Draft(self._file(folder), mode=PRIVATE, durable=False)
            draft.write(json.dumps(asdict(self)).encode())
            draft.put()
        except OSError as error:
            log.error("%s can't be written, so no command finds this process: %s", self._file(folder), error)

    def withdraw(self, folder: Path) -> None:
        """Remove it, unless it is of another process by now."""
        with suppress(OSError):
            if _read(self._file(folder)) == self:
                self._file(folder).unlink()

    def _file(self, folder: Path) -> Path:
        return folder / f"web-{self.port}.json"

    @property
    def is_valid(self) -> bool:
        """Whether some process listens there; the one that wrote this may have been killed."""
        try:
            socket.create_connection((self.address, self.port), _ANSWER_S).close()
        except OSError:
            return False
        return True


def passes_in(folder: Path) -> list[CommandPass]:
    """Those of the web processes that run, by port; OSError if the folder may not be read."""
    files = [each for each in sorted(folder.iterdir()) if _NAME.fullmatch(each.name)]
    found = [each for each in map(_read, files) if each is not None and each.is_valid]
    return sorted(found, key=lambda each: each.port)


def _read(file: Path) -> CommandPass | None:
    """What the file says; None if that makes no sense."""
    with suppress(ValueError, TypeError, LookupError):
        record = json.loads(file.read_bytes())
        return CommandPass(str(record["host"]), int(record["port"]), str(record["key"]))
    return None


ANSWER_S = 10.0
DISPLAYS = "/api/displays"
START = "start it with: ligretto-table web"


class NoWebProcess(TableError):
    """There is no web process that could be asked: why, and what to do."""


class Refused(TableError):
    """The web process does not do it: why."""


def found_pass(folder: Path, port: int | None, service: Path | None = None) -> CommandPass:
    """That of the web process whose files are in the folder; NoWebProcess if there is not exactly one.

    `service` is the folder of the one that runs as a service; only root can read it.
    """
    try:
        running = passes_in(folder)
    except FileNotFoundError:
        running = []
    except OSError as error:
        raise NoWebProcess(f"{folder} can't be read: {error.strerror or error}; use sudo") from None
    meant = [each for each in running if port in (None, each.port)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        ports = ", ".join(str(each.port) for each in meant)
        raise NoWebProcess(f"several web processes run; name one with --port: {ports}")
    which = "no web process of yours runs" if port is None else f"no web process of yours listens at {port}"
    advice = "the one that runs as a service is asked with sudo" if service is not None else START
    raise NoWebProcess(f"{which}; {advice}")


def displays(of: CommandPass) -> dict[str, Any]:
    """All displays, and what they can show."""
    return _asked(of, "GET", None)


def assign(of: CommandPass, order: dict[str, Any]) -> dict[str, Any]:
    """Have a display show something, or load its page again; what it has been told."""
    return _asked(of, "POST", order)


def _asked(of: CommandPass, method: str, order: dict[str, Any] | None) -> dict[str, Any]:
    connection = HTTPConnection(of.address, of.port, timeout=ANSWER_S)
    headers = {"Origin": of.origin, "Content-Type": "application/json", HEADER: of.key, "X-CSRF": of.key}
    try:
        connection.request(method, DISPLAYS, None if order is None else json.dumps(order), headers)
        answer = connection.getresponse()
        told = json.loads(answer.read())
        status = answer.status
    except (OSError, HTTPException, ValueError) as error:
        raise NoWebProcess(f"{of.origin} does not answer: {error}") from None
    finally:
        connection.close()
    if not isinstance(told, dict) or status != 200:
        raise Refused(str(told.get("why", status) if isinstance(told, dict) else status))
    return told
