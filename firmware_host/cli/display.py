"""`display`: what the displays show that are open in browsers."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from firmware_host.cli.web import SERVICE_FOLDER, access_file
from firmware_host.web.display_client import Refused, assign, displays, found_pass

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
