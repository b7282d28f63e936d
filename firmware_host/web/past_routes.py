"""What has happened at the table: photo finishes for everybody, all else for the operator.

The web process keeps the last contests, folded from the feed. What happened before it came, or while it
missed something, it reads from the store: so whoever comes later sees them, too.

Only the operator may see devices, past rounds, audits, the log, exports and a backup. All of it is read from
the health page and from a copy of the store, in a thread and one at a time: a Pi has little memory, and the
table itself never waits for it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import tempfile
import time
from collections import OrderedDict
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
from firmware_host.history.finish import KEPT, ContestBook, Finish, finish_record
from firmware_host.history.finish_drawing import NARROW, WIDE, draw_finish
from firmware_host.history.finish_words import finish_sentences, margin_words, what_text, when_text
from firmware_host.history.round_account import (
    StoredRound,
    account,
    drawing_title,
    is_last,
    last_finishes,
    outcome,
    row_record,
    stored_finish,
    stored_round,
)
from firmware_host.history.scene import whole
from firmware_host.model.errors import TableError
from firmware_host.model.phrases import say
from firmware_host.profile.table import SIMULATED
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.store.backups import back_up
from firmware_host.store.store_reader import StoreReader, reading
from firmware_host.web.operators import for_operators
from firmware_host.web.shares import Rate, RateLimit
from firmware_host.web.web_table import FoundTable, WebTable, address_of, not_too_often, refusal

READ_AGAIN_S = 10.0
"""The store is read at most so often."""
OLD = Rate(at_once=10, every_s=2)
"""For contests that are only in the store; reading it takes a moment."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""A picture has its style in itself, and nothing else."""
_ID = re.compile(r"([0-9]{1,19})-([0-9]{1,9})")
MOST_ROUNDS, MOST_LINES = 200, 1000
COLUMNS = 100
BACKUP = "application/vnd.sqlite3"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
T = TypeVar("T")

log = logging.getLogger(__name__)


class Contests:
    """The last contests of one table, with the players' names as they were."""

    def __init__(self, table: WebTable) -> None:
        self.book = ContestBook()
        self._table = table
        self._names: OrderedDict[str, dict[int, str]] = OrderedDict()
        self._players_changed: object = None
        """What the table said last about changed names."""
        self._missed = True
        """Whether contests may have happened that nobody here has seen."""
        self._read_s = -READ_AGAIN_S
        self._reading = asyncio.Lock()
        self._answers: dict[tuple[str, int], bytes] = {}
        """For many pages that ask for the same after each contest."""
        table.hub.readers.append(self.take)

    def take(self, told: dict[str, Any]) -> None:
        """A message of the feed."""
        if told["is"] == "snapshot":
            self._missed = True
        players_changed = self._table.hub.state.get("table", {}).get("players_changed")
        if told["is"] == "hello" or players_changed != self._players_changed:
            self._players_changed = players_changed
            self._names.clear()  # one of them may have been deleted
        changed = self.book.take(told)
        if changed:
            self._answers.clear()
        seats = self._table.hub.state.get("seats", {}).items()
        for finish in changed:
            self._names[finish.id] = {
                int(seat): str(each["name"]) for seat, each in seats if each.get("name")
            }
            while len(self._names) > KEPT:
                self._names.popitem(last=False)

    def names(self, finish: Finish) -> dict[int, str]:
        """Who sat at the seats then, as far as that is known and may be told."""
        if self._table.hub.state.get("table", {}).get("names_hidden"):
            return {}
        return self._names.get(finish.id, {})

    async def catch_up(self) -> None:
        """Read from the store what was missed."""
        async with self._reading:
            if not self._missed or time.monotonic() - self._read_s < READ_AGAIN_S:
                return
            self._read_s = time.monotonic()
            past = await asyncio.to_thread(self._past)
            if past is not None:
                self._missed = False
                self.book.add_past(past)
                self._answers.clear()

    def _past(self) -> tuple[Finish, ...] | None:
        """The last contests of the store; None if it can't be read now."""
        found = self._table.find()
        if found is None:
            return None
        try:
            with reading(found.store) as book:
                return last_finishes(book, KEPT)
        except TableError as error:
            log.info("past contests can't be read: %s", error)
            return None

    def answer(self, language: str, most: int) -> bytes:
        """The last contests with their words, newest first, as JSON."""
        asked = language, most
        if asked not in self._answers:
            newest = self.book.finishes[::-1][:most]
            answer = {"contests": [told(each, language) for each in newest]}
            self._answers[asked] = json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode()
        return self._answers[asked]

    async def find(self, id: str) -> Finish | None:
        """The contest of that name, from the store if need be."""
        await self.catch_up()
        return self.book.find(id) or await asyncio.to_thread(self._stored, id)

    def _stored(self, id: str) -> Finish | None:
        named, found = _ID.fullmatch(id), self._table.find()
        if named is None or found is None:
            return None
        try:
            with reading(found.store) as book:
                return stored_finish(book, int(named[1]), int(named[2]))
        except TableError:
            return None


def contest_routes(table: WebTable) -> list[Route]:
    """The last contests, and one of them as a picture."""
    pictures = FinishPictures(table, Contests(table))
    return [
        Route("/api/contests", pictures.last, methods=["GET"]),
        Route("/api/finish/{id}.svg", pictures.picture, methods=["GET"]),
    ]


class FinishPictures:
    """Shows contests to whoever asks."""

    def __init__(self, table: WebTable, contests: Contests) -> None:
        self._table = table
        self._contests = contests
        self._limit = RateLimit(OLD, OLD)

    async def last(self, request: Request) -> Response:
        """The last ones in words: `?last=20`."""
        text = request.query_params.get("last", "20")
        if not text.isascii() or not text.isdigit() or len(text) > 3:
            raise refusal(400, "last is a number, such as 20")
        await self._contests.catch_up()
        answer = self._contests.answer(self._table.language(request), min(int(text), KEPT))
        return Response(answer, media_type="application/json")

    async def picture(self, request: Request) -> Response:
        """One of them, drawn; `?narrow` for a phone, `?save` as a file."""
        finish = await self._asked_for(request)
        may_name = self._table.settings.names or self._table.operator(request) is not None
        names = self._contests.names(finish) if may_name else {}
        sheet = NARROW if "narrow" in request.query_params else WIDE
        headers = {"Content-Security-Policy": PICTURE_POLICY}
        if "save" in request.query_params:
            headers["Content-Disposition"] = f'attachment; filename="photo-finish-{finish.id}.svg"'
        drawn = draw_finish(finish, self._table.language(request), sheet, names)
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    async def _asked_for(self, request: Request) -> Finish:
        id = request.path_params["id"]
        if _ID.fullmatch(id) is None:
            raise refusal(404, "there is no such contest")
        if self._contests.book.find(id) is None:
            not_too_often(self._limit, address_of(request), "too many old contests")
        finish = await self._contests.find(id)
        if finish is None:
            raise refusal(404, "there is no such contest")
        return finish


def told(finish: Finish, language: str) -> dict[str, object]:
    """A contest with its words, for a page."""
    return finish_record(finish) | {
        "title": what_text(language, finish.what),
        "when": when_text(language, finish),
        "sentences": finish_sentences(language, finish),
        "told": [
            say(language, each.verdict)
            if each is finish.winner
            else f"{say(language, each.verdict)}, {', '.join(margin_words(language, each))}"
            for each in finish.rivals
        ],
    }


def operator_routes(table: WebTable) -> list[Route]:
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
        rounds = await self._of_store(
            lambda book: [
                row_record(book, row) | {"outcome": outcome(row, is_last(book, row))}
                for row in book.rounds(most)
            ]
        )
        return JSONResponse({"rounds": rounds})

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
        saved = {"Content-Disposition": f'attachment; filename="{what}-{_now()}.{form}"'}
        return Response(text, media_type=kind, headers=saved)

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
        there = self._table.found()
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


def _now() -> str:
    return f"{datetime.now():%Y-%m-%d-%H-%M}"
