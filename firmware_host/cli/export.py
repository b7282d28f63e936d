"""`export`: results for spreadsheets and programs."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from firmware_host.cli.store_options import end_with, store_options, store_path
from firmware_host.cli.written import write_whole
from firmware_host.history.exporting import EXPORTS, Wanted, as_csv, as_json
from firmware_host.model.errors import BadSettings
from firmware_host.store.store_reader import reading


def readable_text(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """The option, if it is text: a shell may pass any bytes, but the store has only text."""
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        raise click.BadParameter(f"{text!r} is not valid UTF-8") from None
    return text


@click.command()
@click.option("--what", type=click.Choice(list(EXPORTS)), required=True, help="What to export.")
@store_options
@click.option("--day", help="Only this day: 2026-11-18, or today.")
@click.option("--event", callback=readable_text, help="Only this event.")
@click.option("--format", "form", type=click.Choice(("csv", "json")), default="csv", show_default=True)
@click.argument("file", required=False, type=click.Path(path_type=Path))
def export(
    what: str,
    config: Path | None,
    store: Path | None,
    day: str | None,
    event: str | None,
    form: str,
    file: Path | None,
) -> None:
    """Write matches, rounds, verdicts or standings to a FILE, or to the standard output.

    The names of players are only in players (their standings) and seats (who sat where).

    CSV has a header line; lists in it are separated by spaces, with one number for each seat of the
    table. A text that a spreadsheet would take for a formula begins with an apostrophe.
    Standings cover each day, each event and all time, or what --day or --event names.
    The table may be in use meanwhile.

    \b
    Examples:
      ligretto-table export --what standings --day today
      ligretto-table export --what rounds --event "Club evening" rounds.csv
      ligretto-table export --what verdicts --format json --store table.db verdicts.json
    """
    wanted = Wanted(wanted_day(day), event or "")
    chosen = EXPORTS[what]
    path = store_path(config, store)
    with reading(path) as book:
        rows = list(chosen.rows(book, wanted))
    text = as_csv(chosen.columns, rows) if form == "csv" else as_json(chosen.columns, rows)
    write_whole(file or Path("-"), text.encode())
    if not rows and not book.losses:
        of = [f"of {wanted.day}"] if wanted.day else []
        of += [f"of the event '{wanted.event}'"] if wanted.event else []
        click.echo(f"there are no {what} {' '.join(of) or 'yet'}", err=True)
    end_with(path, book.losses)


def wanted_day(text: str | None) -> str:
    """The day that an option names, as results have it; empty if it names none."""
    if text is None:
        return ""
    if text == "today":
        return date.today().isoformat()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise BadSettings([f"--day {text}: a day looks like 2026-11-18, or is called today"]) from None
