"""`python -m tests.recordings make`: play the matches again and record them anew."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from tests.recordings.matches import MATCHES
from tests.recordings.playing import record
from tests.recordings.recording import FOLDER, Recording, names, path_of, read, replayed, write


@click.group()
def main() -> None:
    """The recorded matches that every replay is held to."""


@main.command()
@click.option("--only", multiple=True, metavar="NAME", type=click.Choice(tuple(MATCHES)), help="Repeatable.")
@click.option("--same-inputs", is_flag=True, help="Replay what was recorded; only the digests are made anew.")
def make(only: tuple[str, ...], same_inputs: bool) -> None:
    """Play the matches and record them; files of matches that are no longer listed are removed.

    Seeds fix all of it: a recording changes only if the table, or the simulated people, do. With the same
    inputs, people have no say: use that where only what is decided or shown was to change.

    \b
    Examples:
      python -m tests.recordings make
      python -m tests.recordings make --same-inputs
      python -m tests.recordings make --only dice-4 --only cards-12
    """
    FOLDER.mkdir(exist_ok=True)
    changed = 0
    for name in only or MATCHES:
        path = path_of(name)
        before = read(path) if path.exists() else None
        if same_inputs and before is not None:
            again = replayed(before.head, before.entries, before.end_ns)
            recording = replace(before, digests=again.digests())
        else:
            recording = record(name, MATCHES[name])
        if recording != before:
            write(recording, path)
            changed += 1
        click.echo(f"{name:<26} {_news(before, recording):<32} {path.stat().st_size:>7} bytes")
    for name in set() if only else set(names()) - MATCHES.keys():
        path_of(name).unlink()
        click.echo(f"{name}: removed")
    size = sum(path_of(name).stat().st_size for name in names())
    click.echo(f"{len(names())} recordings, {size / 1000:.0f} kB; {changed} changed")


def _news(before: Recording | None, now: Recording) -> str:
    """What differs from the recording before, in a few words."""
    if before is None:
        return "new"
    if before == now:
        return "as before"
    parts = {"head": before.head != now.head, "inputs": before.entries != now.entries}
    parts |= {kind: before.digests[kind] != now.digests[kind] for kind in now.digests}
    return f"other {', '.join(part for part, differs in parts.items() if differs) or 'words'}"


if __name__ == "__main__":
    sys.exit(main())
