"""`status --watch`: the report kept current, in place on a terminal, and in a pipe change by change."""

from __future__ import annotations

import json
import select
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click

from firmware_host.cli.status import Absent, Report, record, report_of
from firmware_host.cli.terminal import can_draw, console, for_terminal, stopped_by_signals
from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.feed.feed_client import FeedLost, FeedReader
from firmware_host.feed.state_patch import State
from firmware_host.model.times import S
from firmware_host.run.running_daemon import Running, running_service

LOOK_S = 1.0
TOGETHER_S = 0.1
"""What comes so soon after the first news is shown together with it."""
_COUNTED = {"dice": "dice_left", "cards": "cards_laid"}
_WELL = {"condition": "ok", "seen": "", "advice": ""}

Look = Callable[[], Running | Absent]


class WatchedTable:
    """Looks at a table again and again; it may stop and start meanwhile."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._reader: FeedReader | None = None
        self._folder: Path | None = None

    def now(self) -> Running | Absent:
        """How it is now."""
        found = self._look()
        if isinstance(found, Absent) or found.silent:
            self._leave()
            return found
        if self._reader is None or found.folder != self._folder:
            self._listen(found.folder)
        state = self._reader.state if self._reader is not None else {}
        return replace(found, page=page_now(found.page, state, found.age_ns)) if state else found

    def wait(self) -> None:
        """Until there is news, or it is time to look again."""
        if self._reader is None:
            time.sleep(LOOK_S)
        elif select.select([self._reader], [], [], LOOK_S)[0]:
            time.sleep(TOGETHER_S)
            self._hear(self._reader)

    def _listen(self, folder: Path) -> None:
        self._leave()
        with suppress(FeedLost):  # an older version has no feed
            self._reader, self._folder = FeedReader(folder / FEED_SOCKET), folder
            while self._reader is not None and not self._reader.state:
                self._hear(self._reader)

    def _hear(self, reader: FeedReader) -> None:
        try:
            reader.read()
        except FeedLost:
            self._leave()

    def _leave(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def page_now(page: Mapping[str, Any], state: State, age_ns: int) -> dict[str, Any]:
    """The health page, which was written so long ago, with what is known from the feed."""
    seats: dict[str, dict[str, Any]] = state["seats"]
    playing = {seat: about for seat, about in seats.items() if about.get("dealt")}
    now = dict(page) | {
        "phase": state["phase"],
        "seated": [int(seat) for seat, about in seats.items() if about["seated"]],
        "devices": dict.fromkeys(page["devices"], _WELL) | state["devices"],
        "masked": state["masked"],
        "round": None,
        "match": None,
    }
    if "match" in state:
        now["round"] = _round(page, state, playing, age_ns)
        now["match"] = _match(page, state, playing, age_ns)
    return now


def _round(page: Mapping[str, Any], state: State, playing: dict[str, Any], age_ns: int) -> dict[str, Any]:
    about = state["round"]
    known = page["round"] or {}
    now: dict[str, Any] = {"number": about["number"], "of": state["match"]["rounds"]}
    if "started_ns" in about and state["phase"] in ("countdown", "play", "paused", "settle"):
        same = known.get("number") == now["number"] and "seconds" in known
        now["seconds"] = known["seconds"] if same else -(age_ns // S)
        counted = _COUNTED[state["table"]["game"]]
        now[counted] = {seat: each["tally"] for seat, each in playing.items() if "tally" in each}
    return now


def _match(page: Mapping[str, Any], state: State, playing: dict[str, Any], age_ns: int) -> dict[str, Any]:
    totals = {seat: each["total"] for seat, each in playing.items()}
    best = max(totals.values(), default=0)
    return {
        "seconds": (page.get("match") or {}).get("seconds", -(age_ns // S)),
        "totals": totals,
        "leaders": [int(seat) for seat, total in totals.items() if total == best] if state["history"] else [],
    }


_ALWAYS_NEW = ("written", "stamp_ns", "seconds")
"""What differs from page to page though nothing has happened."""


def watch_status(look: Look, as_json: bool) -> NoReturn:
    """Print the report until Ctrl-C; the table may stop and start again meanwhile."""
    table = WatchedTable(look)
    with stopped_by_signals():
        if as_json:
            _print_records(table)
        elif can_draw(sys.stdout):
            _redraw(table)
        else:
            _print_changes(table)


def _redraw(table: WatchedTable) -> NoReturn:
    from rich.live import Live
    from rich.text import Text

    with Live(console=console(), auto_refresh=False) as live:
        while True:
            lines = [f"{_clock()}  (Ctrl-C ends)", *report_of(table.now(), running_service()).values()]
            picture = "\n".join(part for line in lines for part in for_terminal(line))
            live.update(Text(picture), refresh=True)
            table.wait()


def _print_changes(table: WatchedTable) -> NoReturn:
    before: Report = {}
    while True:
        now = report_of(table.now(), running_service(), with_times=False)
        for line in changes(before, now):
            click.echo(f"{_clock()}  {line}")
        before = now
        table.wait()


def changes(before: Report, now: Report) -> list[str]:
    """The lines that are new; a device whose fault is no longer reported is ok again."""
    new = [line for about, line in now.items() if before.get(about) != line]
    gone = [about for about, line in before.items() if line.startswith("check ") and about not in now]
    return [*(f"{device} is ok again" for device in gone if "daemon" in now), *new]


def _print_records(table: WatchedTable) -> NoReturn:
    before: object = None
    while True:
        now = record(table.now())
        if (news := _without_times(now)) != before:
            click.echo(json.dumps(now))
        before = news
        table.wait()


def _without_times(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: _without_times(each) for name, each in value.items() if name not in _ALWAYS_NEW}


def _clock() -> str:
    return time.strftime("%H:%M:%S")
