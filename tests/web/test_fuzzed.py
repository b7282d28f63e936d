"""Whatever is sent to the API: no answer is an internal error, nobody gets in, and the table plays on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.web.access import Access
from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.shares import Rate
from firmware_host.web.web_table import Limits, WebTable
from tests.thoroughness import tries
from tests.web.browsers import Browser, received
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, routes, served, settings_in
from tests.web.test_operators import operator


async def no_table() -> None:
    """There is none."""


NOBODYS = settings_in(Path("/nowhere"))
ROUTES = routes(WebTable(NOBODYS, FeedHub(no_table), Access(NOBODYS.access_file), lambda: None))
PATHS = st.one_of(
    st.sampled_from(sorted({path for _, _, path in ROUTES} - {"/api/stream"})),
    st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=30).map("/".__add__),
)
QUERIES = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#"), max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["tell", "pin", "id", "x"]), inner, max_size=4)
    ),
    max_leaves=10,
)
BODIES = st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode())
METHODS = st.sampled_from(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "X"])
KINDS = st.sampled_from(["application/json", "application/json; charset=x", "text/plain", ""])
REFUSED = HTTPStatus.INTERNAL_SERVER_ERROR


def asked(browser: Browser, method: str, target: str, body: bytes, kind: str) -> int:
    origin = {"Origin": browser.origin, "X-CSRF": browser.csrf, "Content-Type": kind}
    return browser.ask(method, target, body, origin).status


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server without a table."""
    limits = Limits(rate_of_this_machine=Rate(at_once=10**6, every_s=1e-6))
    with served(settings_in(tmp_path_factory.mktemp("web")), lambda: None, limits) as each:
        yield each


@given(METHODS, PATHS, QUERIES, BODIES, KINDS)
@settings(max_examples=tries(60, 400))
def test_no_request_is_an_internal_error(
    alone: Served, method: str, path: str, query: str, body: bytes, kind: str
) -> None:
    status = asked(alone.browser(), method, f"{path}?{query}", body, kind)
    assert status < REFUSED or status == HTTPStatus.SERVICE_UNAVAILABLE
    assert alone.browser().get("/api/me").json["operator"] is False


def test_no_command_stops_the_table(table: LiveTable, web: Served) -> None:
    browser = operator(table, web)

    @given(
        st.text(max_size=60)
        | st.sampled_from(["start", "void", "end", "set"]).flatmap(
            lambda word: st.text("0123456789, -x", max_size=20).map(lambda rest: f"{word} {rest}")
        )
    )
    @settings(max_examples=tries(40, 200), deadline=None)
    def told(text: str) -> None:
        status = browser.tell(text).status
        assert status in (200, 400, 409, 429), text

    told()
    assert table.ask(lambda evening: evening.host.phase)
    assert web.server.hub.connected


@given(st.lists(st.binary(max_size=60), min_size=1, max_size=5))
@settings(max_examples=tries(40, 200))
def test_no_bytes_stop_the_server(alone: Served, parts: list[bytes]) -> None:
    with socket.create_connection(("127.0.0.1", alone.port), 60) as connection:
        with suppress(OSError):  # it has had enough, and has hung up
            for part in parts:
                connection.sendall(part)
            connection.shutdown(socket.SHUT_WR)
        said = received(connection)
    assert not said or said.startswith(b"HTTP/1.1 ")
    assert alone.browser().get("/api/me").status == HTTPStatus.OK
