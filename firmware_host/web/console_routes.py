"""What only the operator may see: devices, past rounds, audits, the log, exports and a backup.

All of it is read from the health page and from a copy of the store, in a thread and one at a time: a Pi has
little memory, and the table itself never waits for it.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.history.drawing import draw_svg
from firmware_host.history.exporting import EXPORTS, Wanted, as_csv, as_json, audits_record, checked
from firmware_host.history.round_account import (
    StoredRound,
    account,
    drawing_title,
    is_last,
    outcome,
    row_record,
    stored_round,
)
from firmware_host.history.scene import whole
from firmware_host.model.errors import TableError
from firmware_host.profile.table import SIMULATED
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.store.backups import back_up
from firmware_host.store.store_reader import StoreReader, reading
from firmware_host.web.contests import PICTURE_POLICY, told
from firmware_host.web.operators import for_operators
from firmware_host.web.web_table import FoundTable, WebTable, refusal

MOST_ROUNDS, MOST_LINES = 200, 1000
COLUMNS = 100
BACKUP = "application/vnd.sqlite3"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
T = TypeVar("T")


def routes(table: WebTable) -> list[Route]:
    """All of them; each is only for operators."""
    archive = Archive(table)
    topics = {
        "/api/health": archive.health,
        "/api/rounds": archive.rounds,
        "/api/rounds/{n:int}.svg": archive.drawing,
        "/api/rounds/{n:int}": archive.round,
        "/api/audits": archive.audits,
        "/api/log": archive.log,
        "/api/export": archive.export,
        "/api/backup": archive.backup,
    }
    return [Route(path, for_operators(table, answers), methods=["GET"]) for path, answers in topics.items()]


class Archive:
    """Reads the files of the running table, for one request at a time."""

    def __init__(self, table: WebTable) -> None:
        self._table = table
        self._turn = asyncio.Lock()

    async def health(self, _: Request) -> JSONResponse:
        """The health page, and how the store is restored."""
        faults = {"client_faults": dict(self._table.tally.counts)}
        return JSONResponse(await self._of_table(_health) | faults)

    async def rounds(self, request: Request) -> JSONResponse:
        """The last rounds: `?last=20`."""
        most = _number(request, "last", 20, MOST_ROUNDS)
        return JSONResponse({"rounds": await self._of_store(lambda book: _rounds(book, most))})

    async def round(self, request: Request) -> JSONResponse:
        """One round in words."""
        n, language = request.path_params["n"], self._table.language(request)
        return JSONResponse(await self._of_store(lambda book: _round(book, n, language)))

    async def drawing(self, request: Request) -> Response:
        """One round as a picture."""
        n = request.path_params["n"]
        drawn = await self._of_store(lambda book: _drawn(stored_round(book, n)))
        policy = {"Content-Security-Policy": PICTURE_POLICY}
        return Response(drawn, media_type="image/svg+xml", headers=policy)

    async def audits(self, _: Request) -> JSONResponse:
        """How often each part was used, and what was wrong."""
        return JSONResponse(await self._of_store(lambda book: audits_record(checked(book), book.games)))

    async def log(self, request: Request) -> JSONResponse:
        """The last lines of the log: `?last=100`."""
        most = _number(request, "last", 100, MOST_LINES)
        lines = await self._of_store(lambda book: book.log(most))
        return JSONResponse({"log": [dict(zip(("at", "kind", "text"), each, strict=True)) for each in lines]})

    async def export(self, request: Request) -> Response:
        """Results as a file: `?what=rounds&form=csv&day=2026-11-18`."""
        what, form, wanted = _wanted(request)
        chosen = EXPORTS[what]
        rows = await self._of_store(lambda book: list(chosen.rows(book, wanted)))
        text = as_csv(chosen.columns, rows) if form == "csv" else as_json(chosen.columns, rows)
        kind = "text/csv" if form == "csv" else "application/json"
        return Response(text, media_type=kind, headers=_saved_as(f"{what}-{_now()}.{form}"))

    async def backup(self, _: Request) -> Response:
        """The whole store as a file, which has been checked."""
        folder = tempfile.TemporaryDirectory(prefix="ligretto-table-")
        name = f"ligretto-{_now()}.db"
        target = Path(folder.name) / name
        try:
            contents = await self._of_table(lambda there: back_up(there.store, str(target)))
        except BaseException:
            folder.cleanup()
            raise
        headers = {"X-Rounds": str(contents.rounds), "X-Losses": str(len(contents.losses))}
        clean = BackgroundTask(folder.cleanup)
        return FileResponse(target, media_type=BACKUP, filename=name, headers=headers, background=clean)

    async def _of_store(self, read: Callable[[StoreReader], T]) -> T:
        """What is read in its store."""

        def opened(there: FoundTable) -> T:
            with reading(there.store) as book:
                return read(book)

        return await self._of_table(opened)

    async def _of_table(self, read: Callable[[FoundTable], T]) -> T:
        """What is read of the running table; a refusal if there is none, or if it can't be read."""
        async with self._turn:
            return await asyncio.to_thread(self._found, read)

    def _found(self, read: Callable[[FoundTable], T]) -> T:
        there = self._table.find()
        if there is None:
            raise refusal(503, "no table is running")
        try:
            return read(there)
        except TableError as error:
            raise refusal(409, str(error)) from None
        except (OSError, ValueError) as error:
            raise refusal(503, f"it can't be read: {error}") from None


def _health(there: FoundTable) -> dict[str, Any]:
    """The health page, and how its store is restored."""
    page: dict[str, Any] = json.loads((there.folder / HEALTH_FILE).read_text())
    simulated = page.get("config") == SIMULATED
    return page | {"restore": _restoring(there.store, there.service, simulated, str(page.get("config", "")))}


def _restoring(store: str, service: bool, simulated: bool, config: str) -> list[str]:
    """The commands that put a backup in place; the table has to stand still for it."""
    if service:
        steps = ["systemctl stop ligretto-table", f"ligretto-table store restore --store {store} FILE"]
        return [f"sudo {each}" for each in [*steps, "systemctl start ligretto-table"]]
    again = "--simulated" if simulated else f"--config {config}"
    return [f"ligretto-table store restore --store {store} FILE", f"ligretto-table run {again}"]


def _rounds(book: StoreReader, most: int) -> list[dict[str, Any]]:
    return [
        row_record(book, row) | {"outcome": outcome(row, is_last(book, row))} for row in book.rounds(most)
    ]


def _round(book: StoreReader, n: int, language: str) -> dict[str, Any]:
    """A round with all that happened in it, line by line, and its photo finishes."""
    found = stored_round(book, n, with_finishes=True)
    story = found.story
    return row_record(book, found.row) | {
        "title": found.title,
        "outcome": found.outcome,
        "why_unknown": found.why_unknown if story is None else "",
        "lines": [] if story is None else list(account(story, False, COLUMNS)),
        "contests": [told(each, language) for each in found.finishes],
        "replayable": found.inputs_kept,
        "losses": list(book.losses),
    }


def _drawn(found: StoredRound) -> str:
    if found.story is None:
        raise refusal(404, found.why_unknown)
    scene = whole(found.story)
    title = drawing_title(found, scene)
    return draw_svg(scene, title[0].upper() + title[1:], effect_sentence)


def _wanted(request: Request) -> tuple[str, str, Wanted]:
    """What is to be exported."""
    asked = request.query_params
    what, form, day = asked.get("what", ""), asked.get("form", "csv"), asked.get("day", "")
    if what not in EXPORTS or form not in ("csv", "json"):
        raise refusal(400, f"what is one of {', '.join(EXPORTS)}, and form is csv or json")
    if day and _DAY.fullmatch(day) is None:
        raise refusal(400, "a day looks like 2026-11-18")
    return what, form, Wanted(day, asked.get("event", "")[:200])


def _number(request: Request, name: str, usual: int, most: int) -> int:
    text = request.query_params.get(name, str(usual))
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text)):
        raise refusal(400, f"{name} is a number, such as {usual}")
    return min(int(text), most)


def _saved_as(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _now() -> str:
    return f"{datetime.now():%Y-%m-%d-%H-%M}"
