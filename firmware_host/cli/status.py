"""`status`: how the running table is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from firmware_host.errors import TableError
from firmware_host.runtime.assembly.configs import config_path, load_config
from firmware_host.runtime.health import HEALTH_FILE

SERVICE_FOLDER = Path("/run/ligretto-table")
"""Where systemd lets the daemon keep what it shows while it runs."""
NOT_WELL = 1


class NotRunning(TableError):
    """There is no daemon that could be asked."""


@click.command()
@click.option(
    "--config", type=click.Path(path_type=Path), envvar="LIGRETTO_TABLE_CONFIG", help="The table.toml."
)
@click.option("--json", "as_json", is_flag=True, help="The health page as it is.")
def status(config: Path | None, as_json: bool) -> None:
    """Say how the running table is: its phase, its devices, and what has happened since it was started.

    Exit code 0 if all is well, 1 if something is not, 2 if no daemon runs.

    \b
    Examples:
      ligretto-table status
      ligretto-table status --json | jq .devices
    """
    page = _page(config)
    if as_json:
        click.echo(json.dumps(page, indent=1))
    else:
        for line in _lines(page):
            click.echo(line)
    raise SystemExit(NOT_WELL if _wrong(page) else 0)


def _page(config: Path | None) -> dict[str, Any]:
    """The page of the daemon that runs this table."""
    folders = [SERVICE_FOLDER, Path(load_config(config_path(config)).config.store.file).parent]
    for folder in folders:
        try:
            page: dict[str, Any] = json.loads((folder / HEALTH_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if _runs(page["pid"]):
            return page
    looked = " and ".join(map(str, folders))
    raise NotRunning(f"no daemon runs this table (looked in {looked}); start it with: ligretto-table run")


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it is there, and somebody else's
    return True


def _wrong(page: dict[str, Any]) -> dict[str, str]:
    """What is not as it should be, each with words."""
    devices = page["devices"].items()
    wrong = {
        name: f"{each['condition']}: {each['words']}" for name, each in devices if each["condition"] != "ok"
    }
    return wrong | {name: f"not listened to, it {reason}" for name, reason in page["masked"].items()}


def _lines(page: dict[str, Any]) -> list[str]:
    round_ = page["round"]
    playing = f", round {round_['number']} of {round_['of']}" if round_ else ""
    seated = f", seats {', '.join(map(str, page['seated']))} play" if page["seated"] else ""
    lines = [
        f"{page['game']} for {page['seats']}: {page['phase']}{playing}{seated}",
        f"ligretto-table {page['version']}, process {page['pid']}, since {page['started']}",
    ]
    wrong = _wrong(page)
    lines += [f"check {name}: {words}" for name, words in wrong.items()] or ["all devices are well"]
    counts = ", ".join(f"{name} {count}" for name, count in page["counts"].items())
    return [*lines, f"since then: {counts or 'nothing'}"]
