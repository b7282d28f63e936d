"""The real server with all its limits, in a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from firmware_host.web.web_server import TOPICS, WebServer, listen, web_server, with_port
from firmware_host.web.web_table import USUAL, FoundTable, Limits, WebSettings, WebTable
from tests.web.browsers import Browser, wait_until


class Served:
    """A server that runs."""

    def __init__(self, server: WebServer, port: int) -> None:
        self.server = server
        self.port = port

    def browser(self, address: str = "127.0.0.1") -> Browser:
        return Browser(self.port, address)


def settings_in(folder: Path) -> WebSettings:
    """The usual ones, and what is to be kept is kept in that folder."""
    return WebSettings(folder / "access.json", port=0)


@contextmanager
def served(
    settings: WebSettings, find: Callable[[], FoundTable | None], limits: Limits = USUAL
) -> Iterator[Served]:
    """A server until the end of the block."""
    listening = listen("127.0.0.1", settings.port)
    settings = replace(with_port(settings, listening))
    server = web_server(settings, find, limits)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        yield Served(server, settings.port)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def routes(table: WebTable) -> Iterator[tuple[str, str, str]]:
    """The method and the path of each route, and a path that it stands for."""
    for topic in TOPICS:
        for route in topic(table):
            path = route.path.replace("{n:int}", "1").replace("{id}", "1-1").replace("{name}", "feed.js")
            for method in sorted((route.methods or set()) - {"HEAD"}):
                yield method, route.path, path
