"""`audits`: what went wrong and which parts need a look, and how often each part of the table was used."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path

import click

from firmware_host.cli.store_options import NUMBER, end_with, store_options, store_path
from firmware_host.cli.terminal import columns_for
from firmware_host.history.exporting import IDLE_GAMES, Checked, audits_record, checked
from firmware_host.store.results import PARTS, Audit
from firmware_host.store.store_reader import reading

WIDTH = 73
LOG_WIDTH, LOG_INDENT = 10_000, 31
"""In files and pipes each event has one line, however long."""
_LABEL = {"table": "the table", "fault": "faults", "noise": "disturbances on wires"}
_IDLE = "parts that need a look"


@click.command()
@store_options
@click.option("--all", "everything", is_flag=True, help="Also show the parts with nothing wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--log", "lines", type=NUMBER, help="Print this many of the last events instead.")
def audits(
    config: Path | None, store: Path | None, everything: bool, as_json: bool, lines: int | None
) -> None:
    """Show which parts of the table need a look, what went wrong how often, and what was played.

    A part that was not used for more than five games while others like it were is marked idle: look
    at its contact, its wire or its reader. --all shows how often each part was used, and when last.

    \b
    Examples:
      ligretto-table audits
      ligretto-table audits --all
      ligretto-table audits --log 50
      ligretto-table audits --store table.db --json
    """
    path = store_path(config, store)
    with reading(path) as book:  # a pager may hold the output up: nothing is printed yet
        log = [] if lines is None else book.log(lines)
        found, games = (checked(book), book.games) if lines is None else ([], 0)
    if lines is not None:
        _print_log(log, as_json)
    else:
        _print_audits(found, games, everything, as_json)
    end_with(path, book.losses)


def _print_audits(found: Sequence[Checked], games: int, everything: bool, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(audits_record(found, games), indent=1))
        return
    columns = columns_for(WIDTH)
    narrow = columns < WIDTH
    click.echo(f"{games} game{'' if games == 1 else 's'} played to the end")
    for label, rows_of in _sections(found, everything):
        heading = f"\n{label:<24} {'count':>8}"
        click.echo(heading if narrow else f"{heading}  {'last':<19}  games since")
        for each in rows_of:
            click.echo(_two_lines(each) if narrow else _line(each))
    for words in _remarks(found, everything):
        click.echo("\n" + textwrap.fill(words, columns))


def _sections(found: Sequence[Checked], everything: bool) -> list[tuple[str, list[Checked]]]:
    """What is wrong first, then what was played, and then all the parts if they are asked for."""
    kinds = dict.fromkeys(("fault", "noise", "table", *PARTS, *(each.audit.kind for each in found)))
    sections = [(_IDLE, [each for each in found if each.idle])]
    sections += [
        (_LABEL.get(kind, f"{kind}s"), [each for each in found if each.audit.kind == kind])
        for kind in kinds
        if everything or kind not in PARTS
    ]
    return [(label, rows) for label, rows in sections if rows]


def _remarks(found: Sequence[Checked], everything: bool) -> list[str]:
    """The lines below the table."""
    parts = sum(each.audit.kind in PARTS for each in found)
    idle = sum(each.idle for each in found)
    remarks = []
    if idle:
        words = f"idle: not used in more than {IDLE_GAMES} games while others like it were; look at it"
        remarks.append(words)
    if parts and not everything:
        rest = f"the other {parts - idle}" if idle else f"all {parts}"
        remarks.append(f"{'' if idle else 'no part needs a look; '}--all shows {rest} parts")
    return remarks


def _line(each: Checked) -> str:
    audit = each.audit
    mark = "  idle" if each.idle else ""
    return f"  {audit.name:<22} {audit.count:>8}  {_last(audit):<19}  {audit.games_since:>11}{mark}"


def _two_lines(each: Checked) -> str:
    """For a narrow terminal."""
    audit = each.audit
    mark = "  idle" if each.idle else ""
    games = f"{audit.games_since} game{'' if audit.games_since == 1 else 's'} since"
    return f"  {audit.name:<22} {audit.count:>8}{mark}\n    {_last(audit)}, {games}"


def _last(audit: Audit) -> str:
    return audit.last.replace("T", " ") or "never"


def _print_log(events: Sequence[tuple[str, str, str]], as_json: bool) -> None:
    if as_json:
        rows = [{"at": at, "kind": kind, "text": text} for at, kind, text in events]
        click.echo(json.dumps(rows, indent=1))
        return
    columns = columns_for(LOG_WIDTH)
    indent = LOG_INDENT if columns >= WIDTH else LOG_INDENT // 8
    for at, kind, text in events:
        line = f"{at.replace('T', ' ')}  {kind:<8}  {text}"
        click.echo(textwrap.fill(line, columns, subsequent_indent=" " * indent))
