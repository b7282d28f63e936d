"""The players and their standings as a list, and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from firmware_host.archive.exporting import (
    SITTING_COLUMNS,
    Wanted,
    sittings_of_matches,
    standings_of_players,
)
from firmware_host.player_name import LONGEST_NAME
from firmware_host.store.standings import ALL, PlayerStanding
from firmware_host.store.store_reader import StoreReader

NARROW = 65
"""With fewer columns the numbers are below the name."""
_HEADING = f"{'no':>4}  {'name':<{LONGEST_NAME}}  matches  won  rounds  ended  points  best"


def list_lines(book: StoreReader, wanted: Wanted, width: int) -> list[str]:
    """The standings of all time, or of what is asked for; then the players who have none."""
    players = book.players()
    found = [each for each in standings_of_players(book, wanted) if each.scope in (ALL, *_asked(wanted))]
    lines: list[str] = []
    for game, standings in groupby(found, lambda each: each.game):
        lines += [*([""] if lines else []), f"{game}, {_words(wanted)}"]
        lines += [] if width < NARROW else [_HEADING]
        for each in standings:
            lines += _lines(each, players[each.player], width)
    there = {each.player for each in found}
    rest = [f"{number}: {name}" for number, name in players.items() if number not in there]
    if rest and not _asked(wanted):
        lines += [*([""] if lines else []), f"without a match to the end: {', '.join(rest)}"]
    return lines or [f"no player has played a match to the end, {_words(wanted)}"]


def list_record(book: StoreReader, wanted: Wanted) -> dict[str, Any]:
    """The same for programs, with who sits where and who sat where."""
    players = book.players()
    sat = [dict(zip(SITTING_COLUMNS, row, strict=True)) for row in sittings_of_matches(book, wanted)]
    return {
        "players": [{"player": number, "name": name} for number, name in players.items()],
        "seats": {seat: player for seat, player in book.named_seats().items() if player in players},
        "matches": [{name: each[name] for name in ("match", "seat", "player")} for each in sat],
        "standings": [
            {"scope": each.scope, "name": each.name, "game": each.game, "player": each.player}
            | asdict(each)
            | {"dead_heat_share": each.dead_heat_share}
            for each in standings_of_players(book, wanted)
        ],
    }


def _asked(wanted: Wanted) -> tuple[str, ...]:
    return () if wanted == Wanted() else wanted.scopes


def _words(wanted: Wanted) -> str:
    parts = [wanted.day] if wanted.day else []
    parts += [f"event '{wanted.event}'"] if wanted.event else []
    return ", ".join(parts) or "all time"


def _lines(each: PlayerStanding, name: str, width: int) -> Iterator[str]:
    best = "" if each.best_round is None else f"{each.best_round:+d}"
    numbers = f"{each.matches:>7}  {each.wins:>3}  {each.rounds:>6}  {each.rounds_ended:>5}"
    numbers += f"  {each.points:>+6}  {best:>4}"
    if width < NARROW:
        yield f"{each.player:>4}  {name}: {each.points:+d}"
        yield f"      matches {each.matches}, won {each.wins}"
    else:
        yield f"{each.player:>4}  {name:<{LONGEST_NAME}}  {numbers}"
