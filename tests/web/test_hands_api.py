"""`/api/hands`: who may sit down at a simulated table from a browser, and what can't be done there."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.tables import SimulatedTable, wait_for

pytest.importorskip("uvicorn", reason="the extra 'web' is not installed")
pytestmark = pytest.mark.xdist_group("simulated")

PATIENCE_S = 120.0
ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}
"""Whoever comes through a proxy is not on this machine."""


@pytest.fixture
def table(simulated: SimulatedTable) -> SimulatedTable:
    return simulated


def connect(table: SimulatedTable) -> HTTPConnection:
    return HTTPConnection("127.0.0.1", urlsplit(table.url).port, timeout=PATIENCE_S)


def send(
    connection: HTTPConnection, table: SimulatedTable, path: str, body: object, headers: Mapping[str, str]
) -> HTTPResponse:
    usual = {"Content-Type": "application/json", "Origin": table.url}
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", path, text, usual | dict(headers))
    return connection.getresponse()


def ask(
    table: SimulatedTable, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, Any]:
    with closing(connect(table)) as connection:
        if method == "GET":
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
        else:
            response = send(connection, table, path, body, headers)
        return response.status, json.loads(response.read())


class Visitor:
    """Somebody who has sat down."""

    def __init__(self, table: SimulatedTable, asked: object, **headers: str) -> None:
        self._table = table
        self._connection = connect(table)
        self._response = send(self._connection, table, "/api/hands/sit", asked, headers)
        self.ticket = ""

    def until(self, so: Any) -> dict[str, Any]:
        end_s = time.monotonic() + PATIENCE_S
        last: dict[str, Any] = {}
        while True:
            line = self._response.readline()
            assert line, "the stream has ended"
            assert time.monotonic() < end_s, f"that has not come; the last news: {last}"
            if line.startswith(b"data: "):
                told: dict[str, Any] = json.loads(line[6:])
                self.ticket, last = told.get("ticket", self.ticket), told
                if so(told):
                    return told

    def do(self, **asked: Any) -> tuple[int, Any]:
        return ask(self._table, "POST", "/api/hands/do", {"ticket": self.ticket, **asked})

    def hang_up(self) -> None:
        self._response.close()
        self._connection.close()


@pytest.fixture
def visitor(table: SimulatedTable) -> Iterator[Visitor]:
    """Somebody on this machine at seat 2."""
    made = wait_for("a free seat", lambda: sat_down(table, 2))
    made.until(lambda told: told.get("yours"))
    yield made
    made.do(do="leave")
    made.hang_up()


def sat_down(table: SimulatedTable, seat: int) -> Visitor | None:
    made = Visitor(table, {"seat": seat})
    if made.until(lambda told: True)["is"] == "hand":
        return made
    made.hang_up()
    return None


def test_a_visitor_throws_and_slaps(visitor: Visitor) -> None:
    visitor.until(lambda told: told.get("cup", 0) > 0)
    status, answer = visitor.do(do="throw")
    assert status == 200 and answer["ok"] and answer["t_ns"] > 0
    visitor.until(lambda told: told.get("dice"))
    assert visitor.do(do="slap")[1]["ok"]
    assert visitor.do(do="fly")[1] == {
        "ok": False,
        "is": "refused",
        "why": "hands can't do that; they can: back, press, put, release, slap, stop, throw",
    }


def test_only_this_machine_is_shown_the_join_code(table: SimulatedTable) -> None:
    here, elsewhere = ask(table, "GET", "/api/hands")[1], ask(table, "GET", "/api/hands", **ELSEWHERE)[1]
    assert len(here["code"]) == 8 and not here["code_needed"]
    assert "code" not in elsewhere and elsewhere["code_needed"]


def test_others_need_the_join_code(table: SimulatedTable) -> None:
    code = ask(table, "GET", "/api/hands")[1]["code"]
    for wrong in (None, "", "aaaaaaaa", code[:-1], 5, [code], "é" * 8):
        status, answer = ask(table, "POST", "/api/hands/sit", {"seat": 3, "code": wrong}, **ELSEWHERE)
        assert status in (403, 429), wrong
        assert "code" in answer["why"] or status == 429
    visitor = Visitor(table, {"seat": 3, "code": code.upper()}, **ELSEWHERE)
    visitor.until(lambda told: told.get("yours"))
    visitor.do(do="leave")
    visitor.hang_up()


def test_pages_of_strangers_and_whoever_has_no_ticket_can_not_play(
    table: SimulatedTable, visitor: Visitor
) -> None:
    press = {"ticket": visitor.ticket, "do": "press"}
    for origin in ("http://evil.example", "null", "http://localhost.evil.example"):
        for path, body in (("/api/hands/sit", {"seat": 1}), ("/api/hands/do", press)):
            assert ask(table, "POST", path, body, Origin=origin)[0] == 403, origin
    tickets: tuple[object, ...] = ("", "0" * 24, None, 5, {}, [])
    for ticket in tickets:
        status, answer = ask(table, "POST", "/api/hands/do", press | {"ticket": ticket})
        assert (status, answer["why"]) == (403, "you don't sit at this table (any more)"), ticket


@pytest.mark.parametrize(
    ("body", "status"), [(b"{", 400), (b"[1]", 400), (b'{"a":"' + b"x" * 20000 + b'"}', 413), (b"\xff", 400)]
)
def test_odd_bodies_are_refused(table: SimulatedTable, body: bytes, status: int) -> None:
    for path in ("/api/hands/sit", "/api/hands/do"):
        assert ask(table, "POST", path, body)[0] == status


def test_nonsense_does_not_stop_the_world(visitor: Visitor) -> None:
    chance = Random(5)
    values: list[Any] = [None, -1, 10**40, 0.5, True, "", "red 1", "x" * 500, [], {}, "\x00", "\ud800"]
    values += ["row1", float("inf")]
    words: list[Any] = ["throw", "put", "back", "take", "press", "release", "slap", "sit", "lay", "fill"]
    words += ["leav", "\n", 7, None]
    for _ in range(150):
        asked = {name: chance.choice(values) for name in ("die", "on", "from", "stack", "id", "seat")}
        status, answer = visitor.do(do=chance.choice(words), **asked)
        assert status in (200, 429) and isinstance(answer["ok"], bool)
    status, answer = wait_for("hands", lambda: (done := visitor.do(do="release"))[0] == 200 and done)
    assert answer["ok"]


def test_a_visitor_who_is_cut_off_comes_back_with_the_ticket(table: SimulatedTable) -> None:
    first = wait_for("a free seat", lambda: sat_down(table, 4))
    first.until(lambda told: told.get("yours"))
    first.hang_up()
    again = Visitor(table, {"seat": 4, "ticket": first.ticket})
    told = again.until(lambda told: True)
    assert (told["is"], told["ticket"]) == ("hand", first.ticket)
    again.do(do="leave")
    assert again.until(lambda told: told["is"] == "left")["code"] == "up"
    again.hang_up()
