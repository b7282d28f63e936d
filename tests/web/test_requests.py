"""What every request has to pass: a host name of this table, a bearable rate."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.web.page_files import PAGES
from firmware_host.web.shares import Rate
from firmware_host.web.web_table import MOST_BODY, Limits, WebSettings
from tests.web.browsers import Browser, raw, wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, routes, served, settings_in
from tests.web.test_operators import operator


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "192.168.1.5",
        "",
        "127.0.0.1@evil.example",
        "[::1",
        "a b",
        "localhost.evil.example:80",
    ],
)
def test_a_name_of_somebody_else_is_refused(host: str, lasting_web: Served) -> None:
    reply = lasting_web.browser().get("/", {"Host": host})
    assert reply.status == 421, reply


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8080", "127.0.0.1", "[::1]:8080", "localhost."])
def test_names_of_this_machine_are_known(host: str, lasting_web: Served) -> None:
    assert lasting_web.browser().get("/", {"Host": host}).status == 200


def test_two_names_are_none(lasting_web: Served) -> None:
    both = b"Host: localhost\r\nHost: evil.example\r\n"
    said = raw(lasting_web.port, b"GET / HTTP/1.1\r\n" + both + b"Connection: close\r\n\r\n")
    assert said.split(b" ", 2)[1] in (b"400", b"421")
    said = raw(lasting_web.port, b"GET / HTTP/1.0\r\n\r\n")
    assert said.split(b" ", 2)[1] == b"421"


def test_in_the_network_it_goes_by_its_address_and_its_names(tmp_path: Path) -> None:
    settings = WebSettings(tmp_path / "a", host="0.0.0.0", allowed_names=("table.example.org",))
    own = socket.gethostname().partition(".")[0]
    known = [
        "192.168.1.5",
        "10.0.0.1",
        "fe80::1",
        own.upper(),
        f"{own}.local",
        "table.example.org",
        "localhost",
    ]
    assert [name for name in known if not settings.knows_host(name)] == []
    strange = ["evil.example", f"{own}.evil.example", "table.example.org.evil.example", "", "1.2.3"]
    assert [name for name in strange if settings.knows_host(name)] == []


def test_too_many_requests_are_refused_for_that_address_only(tmp_path: Path) -> None:
    limits = Limits(rate_of_this_machine=Rate(at_once=10, every_s=3600))
    with served(settings_in(tmp_path), lambda: None, limits) as web:
        told = [web.browser().get("/api/me").status for _ in range(12)]
        assert told == [200] * 10 + [429] * 2
        lying = web.browser().get("/api/me", {"X-Forwarded-For": "127.0.0.8"})
        assert lying.status == 429 and int(lying.headers["retry-after"]) > 1000
        assert web.browser("127.0.0.8").get("/api/me").status == 200


HEAD = (
    b"POST /api/tell HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
    b"Content-Type: application/json\r\n"
)
CHUNKED = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nzz"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"pause"',
        b"{}",
        b'{"tell":null}',
        b'{"tell":["pause"]}',
        b'{"tell":""}',
        b'{"tell":"  "}',
        b'{"tell":{"tell":"pause"}}',
        b"\xff\xfe{",
        b'{"tell":"\xff"}',
        b"[" * 10_000,
        b'{"a":' * 2_000,
        b'{"tell":NaN}',
        b"1" * 10_000,
    ],
    ids=lambda body: body[:20].decode("latin-1"),
)
def test_what_is_no_command_is_refused(body: bytes, lasting_operator: Browser) -> None:
    reply = lasting_operator.post("/api/tell", None, raw=body)
    assert reply.status == 400 and reply.json["ok"] is False and reply.json["why"]


def test_a_command_that_the_table_does_not_know_is_refused_by_the_table(
    table: LiveTable, web: Served
) -> None:
    browser = operator(table, web)
    for text in (
        "pause\nvoid",
        "pause\u0000",
        "set\trounds\t99999",
        "\ud800",
        "x" * 3000,
        "start 99,99",
        "🎲",
    ):
        reply = browser.post("/api/tell", {"tell": text})
        assert reply.status in (409, 503), text
        assert reply.json["ok"] is False
    assert browser.tell("set rounds 4").status == 200


def test_a_body_that_is_too_long_is_refused(lasting_operator: Browser) -> None:
    browser = lasting_operator
    reply = browser.post("/api/tell", {"tell": "x" * MOST_BODY})
    assert reply.status == 413 and str(MOST_BODY) in reply.json["why"]
    head = HEAD % (browser.port, browser.port)
    cookie = "; ".join(f"{name}={text}" for name, text in browser.cookies.items()).encode()
    head += b"Cookie: " + cookie + b"\r\nX-CSRF: " + browser.csrf.encode() + b"\r\nConnection: close\r\n"
    chunks = [b"1000\r\n" + b"x" * 4096 + b"\r\n"] * 5 + [b"0\r\n\r\n"]
    said = raw(browser.port, head + b"Transfer-Encoding: chunked\r\n\r\n", *chunks)
    assert said.split(b" ", 2)[1] == b"413"


def test_only_json_is_taken(lasting_operator: Browser) -> None:
    for kind in (None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert lasting_operator.post("/api/tell", {"tell": "pause"}, {"Content-Type": kind}).status == 415


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server without a table that waits for nothing."""
    limits = Limits(request_s=0.5, keep_alive_s=1)
    with served(settings_in(tmp_path_factory.mktemp("web")), lambda: None, limits) as web:
        yield web


@pytest.mark.parametrize(
    "request_",
    [
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\x00" * 100,
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        CHUNKED,
        b"GET / HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=lambda text: text[:12].decode("latin-1"),
)
def test_what_is_no_http_is_refused(request_: bytes, impatient: Served) -> None:
    said = raw(impatient.port, request_)
    assert impatient.browser().get("/api/me").status == 200
    assert said == b"" or said.split(b" ", 2)[1] in (b"400", b"403", b"421", b"431", b"505"), said[:200]


def test_nobody_speaks_another_protocol(lasting_web: Served) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "x" * 24}
    assert lasting_web.browser().get("/api/stream2", upgrade).status == 404
    assert lasting_web.browser().get("/api/me", upgrade).status == 200


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
