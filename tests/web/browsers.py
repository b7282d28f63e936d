"""A browser as the tests need it: it keeps cookies, and can be told to lie."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from inspect import getsource
from typing import Any

PATIENCE_S = 120.0
"""For a loaded machine: nothing is measured here."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Browser:
    """One browser at `address`, an address of this machine; any of 127.0.0.0/8 will do."""

    port: int
    address: str = "127.0.0.1"
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def _cookies(self) -> str:
        return "; ".join(f"{name}={text}" for name, text in self.cookies.items())

    def get(self, path: str, headers: dict[str, str] | None = None) -> Reply:
        return self.ask("GET", path, None, headers or {})

    def post(
        self, path: str, value: object, headers: dict[str, str | None] | None = None, raw: bytes | None = None
    ) -> Reply:
        """As a page of the table would; a header that is None is left out."""
        usual = {"Origin": self.origin, "Content-Type": "application/json", "X-CSRF": self.csrf}
        given = {name: text for name, text in (usual | (headers or {})).items() if text is not None}
        return self.ask("POST", path, json.dumps(value).encode() if raw is None else raw, given)

    def ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        connection = HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE_S, source_address=(self.address, 0)
        )
        if self.cookies:
            headers = {
                "Cookie": "; ".join(f"{name}={text}" for name, text in self.cookies.items()),
                **headers,
            }
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            given = {name.lower(): text for name, text in answer.getheaders()}
            reply = Reply(answer.status, given, answer.read())
        finally:
            connection.close()
        cookie = re.match(r"([^=]+)=\"?([^;\"]*)", given.get("set-cookie", ""))
        if cookie is not None:
            self.cookies[cookie[1]] = cookie[2]
        return reply

    def log_in(self, pin: str | None = None) -> Reply:
        reply = self.post("/api/login", {} if pin is None else {"pin": pin})
        if reply.status == 200:
            self.csrf = reply.json["csrf"]
        return reply

    def tell(self, text: str) -> Reply:
        return self.post("/api/tell", {"tell": text})

    @contextmanager
    def stream(self, since: str = "", headers: dict[str, str] | None = None) -> Iterator[Iterator[Event]]:
        """The events of the stream, each as soon as it is there."""
        connection = HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE_S, source_address=(self.address, 0)
        )
        try:
            given = dict(headers or {})
            if self.cookies:
                given["Cookie"] = self._cookies
            connection.request("GET", f"/api/stream?since={since}", headers=given)
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            yield _events(answer)
        finally:
            connection.close()


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the stream."""

    id: str
    told: dict[str, Any]


def _events(answer: Any) -> Iterator[Event]:
    number = ""
    while line := answer.readline():
        if line.startswith(b"id: "):
            number = line[4:].decode().strip()
        elif line.startswith(b"data: "):
            yield Event(number, json.loads(line[6:]))
            number = ""


def until(events: Iterator[Event], kind: str) -> Event:
    """The next event of that kind."""
    end_s = time.monotonic() + PATIENCE_S
    for each in events:
        if each.told["is"] == kind:
            return each
        assert time.monotonic() < end_s, f"no {kind}, but {each}"
    raise AssertionError(f"no {kind} before the end of the stream")


def raw(port: int, *parts: bytes, address: str = "127.0.0.1") -> bytes:
    """All that the server says to these bytes until it hangs up."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S, (address, 0)) as connection:
        for part in parts:
            connection.sendall(part)
        return received(connection)


def received(connection: socket.socket) -> bytes:
    """All that comes until the other side hangs up, whether politely or not."""
    said = b""
    try:
        while part := connection.recv(65536):
            said += part
    except ConnectionResetError:
        pass
    return said


def wait_until(so: Any, patience_s: float = PATIENCE_S) -> None:
    """Wait until that is true."""
    end_s = time.monotonic() + patience_s
    while not so():
        assert time.monotonic() < end_s, f"not within {patience_s} s: {getsource(so).strip()}"
        time.sleep(0.005)
