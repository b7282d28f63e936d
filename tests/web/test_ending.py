"""The web process ends when it is told to, also if the table says something at that very moment."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra 'web' is not installed")

from firmware_host.feed.addresses import FEED_SOCKET, HANDS_SOCKET
from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.live_routes import visitor_link

SNAPSHOT = {"is": "snapshot", "session": "7", "n": 3, "t_ns": 1, "state": {}, "lamps": "", "page": []}
LINES = json.dumps(SNAPSHOT).encode() + b"\n" + b'{"is":"alive","t_ns":2}\n' * 50
PATIENCE_S = 60.0


async def table_at(path: Path) -> asyncio.Server:
    """A table that has much to say at once, and then nothing."""

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(LINES)
        try:
            await reader.read()
        finally:
            writer.close()

    return await asyncio.start_unix_server(tell, str(path))


def cancel_after(turns: int, task: asyncio.Task[None]) -> None:
    """Cancel it when the loop has turned so often."""
    if turns:
        asyncio.get_running_loop().call_soon(cancel_after, turns - 1, task)
    else:
        task.cancel()


async def ends(begin: Callable[[Callable[[], None]], asyncio.Task[None]], turns: int) -> None:
    """Whatever has begun is cancelled so many turns after its first message, and ends."""
    cancelled = False

    def heard() -> None:
        nonlocal cancelled
        if not cancelled:
            cancelled = True
            cancel_after(turns, task)

    task = begin(heard)
    done, _ = await asyncio.wait({task}, timeout=PATIENCE_S)
    assert done and task.cancelled()


@pytest.mark.parametrize("turns", range(4))
def test_the_hub_ends(turns: int, tmp_path: Path) -> None:
    async def folder() -> Path:
        return tmp_path

    def begin(heard: Callable[[], None]) -> asyncio.Task[None]:
        hub = FeedHub(folder)
        hub.readers.append(lambda told: heard())
        return asyncio.create_task(hub.run())

    async def run() -> None:
        async with await table_at(tmp_path / FEED_SOCKET):
            await ends(begin, turns)

    asyncio.run(run())


@pytest.mark.parametrize("turns", range(4))
def test_what_a_visitor_is_told_ends(turns: int, tmp_path: Path) -> None:
    async def listen(heard: Callable[[], None]) -> None:
        link = await visitor_link(tmp_path / HANDS_SOCKET)
        try:
            async for _ in link.news():
                heard()
                await asyncio.sleep(0)
        finally:
            await link.close()

    async def run() -> None:
        async with await table_at(tmp_path / HANDS_SOCKET):
            await ends(lambda heard: asyncio.create_task(listen(heard)), turns)

    asyncio.run(run())
