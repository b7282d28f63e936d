"""Messages that are too long, or are none: each is refused with a word, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_host.web.web_table import MOST_BODY, Limits
from tests.web.browsers import Browser, raw
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in
from tests.web.test_operators import operator

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
