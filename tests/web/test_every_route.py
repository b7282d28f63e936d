"""Every route there is: who may use it is said here once more, so that no new one is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.web.page_files import PAGES
from tests.web.browsers import wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, routes, served, settings_in
from tests.web.test_operators import operator

PUBLIC = {
    *PAGES,
    "/assets/{name}",
    "/assets/texts.js",
    "/qr.svg",
    "/api/stream",
    "/api/me",
    "/api/contests",
    "/api/finish/{id}.svg",
    "/api/hands",
}
"""What everybody may read."""
ASKED_BY_ANYBODY = {
    "/api/login",
    "/api/pin",
    "/api/displays/me",
    "/api/hands/sit",  # with the join code, unless the browser is on this machine; only a simulated table
    "/api/hands/do",  # by whoever sits there
}
"""What everybody may ask for, from the table's own pages."""


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[Served]:
    """A server of a simulated table, which has all that another one has, and more."""
    folder = tmp_path / "table"
    folder.mkdir()
    live = LiveTable(folder, simulated=True)
    live.start()
    with served(settings_in(tmp_path), live.found) as web:
        wait_until(lambda: web.server.hub.state)
        yield web
    live.stop()


def test_strangers_may_read_what_is_public_and_nothing_else(table: LiveTable, web: Served) -> None:
    known = operator(table, web)
    for method, path, asked in routes(web.server.table):
        if method != "GET" or path == "/api/stream":
            continue
        status = web.browser("127.0.0.5").get(asked).status
        assert (status == 401) == (path not in PUBLIC), path
        if path not in PUBLIC:
            assert known.get(asked).status not in (401, 403), path


def test_strangers_may_change_nothing(table: LiveTable, web: Served) -> None:
    known = operator(table, web)
    for method, path, asked in routes(web.server.table):
        if method == "GET":
            continue
        assert method == "POST", path
        if path not in ASKED_BY_ANYBODY:
            assert web.browser("127.0.0.5").post(asked, {}).status == 401, path
            assert known.post(asked, {}, {"X-CSRF": None}).status == 403, path


def test_no_page_of_another_site_may_ask_for_a_change(simulated: Served) -> None:
    browser = simulated.browser()
    assert browser.log_in().status == 200
    asked = [path for method, _, path in routes(simulated.server.table) if method == "POST"]
    assert len(asked) > 5
    for path in asked:
        for origin in (None, "null", "http://evil.example"):
            assert browser.post(path, {}, {"Origin": origin}).status == 403, path
        assert browser.post(path, {}, {"Content-Type": "text/plain"}).status in (400, 401, 403, 415), path


def test_every_answer_has_the_headers_that_keep_a_page_in(simulated: Served) -> None:
    for method, path, asked in routes(simulated.server.table):
        if path == "/api/stream":
            continue
        browser = simulated.browser()
        reply = browser.get(asked) if method == "GET" else browser.post(asked, {})
        assert "default-src 'none'" in reply.headers["content-security-policy"], path
        assert reply.headers["x-content-type-options"] == "nosniff", path
        assert "access-control-allow-origin" not in reply.headers, path
