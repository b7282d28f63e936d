"""A table that is watched: its health page, and what its feed has told since that was written."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware_host.cli.status_report import Absent
from firmware_host.durations import S
from firmware_host.feed.feed_reader import FeedLost, FeedReader
from firmware_host.feed.merge_patch import State
from firmware_host.feed.sockets import FEED_SOCKET
from firmware_host.runtime.running_daemon import Running

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
