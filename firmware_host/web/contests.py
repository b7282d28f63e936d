"""The photo finish: the last contests for everybody, and each as a picture.

The web process keeps the last contests, folded from the feed. What happened before it came, or while it
missed something, it reads from the store: so whoever comes later sees them, too.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import OrderedDict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.history.finish import KEPT, ContestBook, Finish, finish_record
from firmware_host.history.finish_drawing import NARROW, WIDE, draw_finish
from firmware_host.history.finish_words import finish_sentences, margin_words, what_text, when_text
from firmware_host.history.round_account import last_finishes, stored_finish
from firmware_host.model.errors import TableError
from firmware_host.model.phrases import say
from firmware_host.store.store_reader import reading
from firmware_host.web.shares import Rate, RateLimit
from firmware_host.web.web_table import WebTable, address_of, refusal

READ_AGAIN_S = 10.0
"""The store is read at most so often."""
OLD = Rate(at_once=10, every_s=2)
"""For contests that are only in the store; reading it takes a moment."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""A picture has its style in itself, and nothing else."""
_ID = re.compile(r"([0-9]{1,19})-([0-9]{1,9})")

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
        for finish in changed:
            self._names[finish.id] = self._names_now()
            while len(self._names) > KEPT:
                self._names.popitem(last=False)

    def _names_now(self) -> dict[int, str]:
        seats = self._table.hub.state.get("seats", {})
        return {int(seat): str(each["name"]) for seat, each in seats.items() if each.get("name")}

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


def routes(table: WebTable) -> list[Route]:
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
        most = _number(request.query_params.get("last", "20"))
        await self._contests.catch_up()
        answer = self._contests.answer(self._table.language(request), most)
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
            wait_s = self._limit.wait_s(address_of(request), time.monotonic())
            if wait_s > 0:
                raise refusal(429, "too many old contests", wait_s)
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


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise refusal(400, "last is a number, such as 20")
    return min(int(text), KEPT)
