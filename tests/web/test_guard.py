"""What every request has to pass: a host name of this table, a bearable rate."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from firmware_host.web.shares import Rate
from firmware_host.web.web_table import Limits, WebSettings
from tests.web.browsers import raw
from tests.web.serving import Served, served, settings_in


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
