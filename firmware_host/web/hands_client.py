"""One visitor's connection to the simulated table: what it is told, and what it does, with the answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

ANSWER_S = 5.0
ALIVE_S = 5.0
LONGEST_LINE = 1 << 16


class NoHands(Exception):
    """The table can't be touched: why."""


class VisitorLink:
    """Somebody who sits at a simulated table."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.ticket = ""
        self._reader = reader
        self._writer = writer
        self._asked = 0
        self._awaited: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def news(self) -> AsyncIterator[dict[str, Any] | None]:
        """What the visitor has whenever that changes, and None when it has not for a while; to the end."""
        while True:
            try:
                async with asyncio.timeout(ALIVE_S):  # wait_for may swallow being cancelled, in Python 3.11
                    line = await self._reader.readline()
            except TimeoutError:
                yield None
                continue
            except (OSError, ValueError):
                return
            if not line:
                return
            told = json.loads(line)
            number = told.pop("id", None)
            if number is not None:
                waiting = self._awaited.pop(number, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(told)
                continue
            self.ticket = told.get("ticket", self.ticket)
            yield told

    async def do(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The table's answer; NoHands if it gives none."""
        self._asked += 1
        number = self._asked
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._awaited[number] = answer
        try:
            self.say(asked | {"id": number})
            return await asyncio.wait_for(answer, ANSWER_S)
        except (OSError, TimeoutError):
            raise NoHands("the table does not answer") from None
        finally:
            self._awaited.pop(number, None)

    def say(self, asked: dict[str, Any]) -> None:
        """Send a line."""
        self._writer.write(json.dumps(asked).encode() + b"\n")

    async def close(self) -> None:
        """Hang up; the seat is kept for a moment."""
        for each in self._awaited.values():
            if not each.done():
                each.set_exception(NoHands("you don't sit at this table any more"))
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


async def visitor_link(path: Path | None) -> VisitorLink:
    """A connection to the simulated table that listens there; NoHands if none does."""
    if path is None:
        raise NoHands("no table is running")
    try:
        reader, writer = await asyncio.open_unix_connection(str(path), limit=LONGEST_LINE)
    except OSError:
        raise NoHands(
            "nobody can sit down at this table: it is not a simulated one, or of another user"
        ) from None
    return VisitorLink(reader, writer)
