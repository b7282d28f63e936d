"""`display`: what the displays show that are open in browsers."""

from __future__ import annotations

import json
import os
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import click

from firmware_host.cli.web import SERVICE_FOLDER, access_file
from firmware_host.model.errors import TableError
from firmware_host.web.access import HEADER, CommandPass, passes_in

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


REFUSED = 1
RELOAD = "reload"


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="The port of the web process, if several run.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.argument("name", required=False)
@click.argument("shows", required=False)
def display(port: int | None, as_json: bool, name: str | None, shows: str | None) -> None:
    """List the displays, say what one of them SHOWS, or have it reload its page.

    A display is any browser with the page /display; its NAME is the number in its corner. The web process
    is asked that this user has started; the one that runs as a service is asked with sudo. Exit code 0 if it
    was done, 1 if it is refused, 2 if no web process runs.

    \b
    Examples:
      ligretto-table display               all displays, and what they can show
      ligretto-table display 2 finish      display 2 shows the photo finish
      ligretto-table display 2 reload      display 2 loads its page again
    """
    if name is not None and shows is None:
        raise click.UsageError(
            f"say what display {name} is to show, or {RELOAD}; try: ligretto-table display"
        )
    folder = access_file().parent
    other = SERVICE_FOLDER if SERVICE_FOLDER.is_dir() and os.geteuid() != 0 else None
    web = found_pass(folder, port, other)
    order = {"name": name} | ({"reload": True} if shows == RELOAD else {"shows": shows})
    try:
        answer = displays(web) if name is None else assign(web, order)
    except Refused as error:
        click.echo(f"ligretto-table: {error}", err=True)
        raise SystemExit(REFUSED) from None
    if as_json:
        click.echo(json.dumps(answer))
    elif name is None:
        _print_displays(answer)
    elif shows == RELOAD:
        click.echo(f"display {name} loads its page again")
    else:
        click.echo(f"display {name} shows {shows}")


def _print_displays(answer: dict[str, Any]) -> None:
    for each in answer["displays"]:
        click.echo(f"display {each['name']} shows {each['shows']}")
    if not answer["displays"]:
        click.echo("no display is there; open /display in a browser")
    click.echo(f"each can show: {', '.join(answer['shown'])}")
