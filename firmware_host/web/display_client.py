"""A client of the web process on this machine: which displays there are, and what they show."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from firmware_host.errors import TableError
from firmware_host.web.command_pass import HEADER, CommandPass, passes_in

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
