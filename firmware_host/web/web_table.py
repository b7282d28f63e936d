"""What all routes share: the table that the pages show."""

from __future__ import annotations

import ipaddress
import json
import logging
import secrets
import socket
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from firmware_host.model.phrases import LANGUAGES
from firmware_host.web.access import HEADER, Access, CommandPass, Login, same_token
from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.shares import Rate, RateLimit, Share

log = logging.getLogger(__name__)

SAFE_METHODS = ("GET", "HEAD")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that looks like another one."""
LENGTH = 8
PAGES = Path(__file__).parent / "pages"
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class WebSettings:
    """What the command line says."""

    access_file: Path
    """Where the hash of the PIN is kept, and who is logged in."""
    host: str = "127.0.0.1"
    port: int = 8080
    names: bool = True
    """Whether public pages show the players' names."""
    allowed_names: tuple[str, ...] = ()
    """More host names by which browsers may call this machine."""
    pages: Path = PAGES

    @property
    def local(self) -> bool:
        """Whether only programs of this machine can connect."""
        return is_loopback(self.host)

    def knows_host(self, name: str) -> bool:
        """Whether a browser may have called this server by that name.

        A page of a stranger whose own name leads to this machine (DNS rebinding) is told apart by that.
        """
        name = name.lower().rstrip(".")
        if name in LOCAL_NAMES or name in self.allowed_names:
            return True
        if self.local:
            return False
        own = socket.gethostname().lower().partition(".")[0]
        return name in (own, f"{own}.local") or _is_address(name)


def is_loopback(host: str) -> bool:
    """Whether this address is of this machine only."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def is_here(client: tuple[str, int] | None, server: tuple[str, int | None] | None) -> bool:
    """Whether a connection comes from this machine: from a loopback address, or from the one it leads to."""
    return client is not None and (is_loopback(client[0]) or (server is not None and client[0] == server[0]))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def own_address() -> str:
    """The address of this machine in its network, as phones there can use it; its name if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # sends nothing; an address that nobody has
            address: str = asking.getsockname()[0]
        except OSError:
            return f"{socket.gethostname()}.local"
    return address


REMOTE = Rate(at_once=120, every_s=0.05)
"""A page takes some ten requests; a phone may show several."""
LOCAL = Rate(at_once=1000, every_s=0.002)
"""Programs of this machine may do more: one of them may be a proxy."""
CONNECTIONS = Share(500, kept=20, of_one=32)
STREAMS = Share(400, kept=20)
DISPLAYS = Share(40, kept=8, of_one=8)


@dataclass(frozen=True, slots=True)
class Limits:
    """Of connections and of requests."""

    request_s: float = 10.0
    """From its first moment, or the first byte of the next request, until a request is whole."""
    keep_alive_s: int = 30
    """How long a connection may wait for the next request."""
    unread_s: float = 20.0
    """How long an answer may wait for a client that does not read."""
    connections: Share = CONNECTIONS
    streams: Share = STREAMS
    rate: Rate = REMOTE
    rate_of_this_machine: Rate = LOCAL


USUAL = Limits()
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""What a proxy adds; whoever comes through one is not on this machine."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """Where a running table is."""

    folder: Path
    """The folder of its sockets."""
    store: str
    """The file of its store."""
    service: bool = False
    """Whether it runs as a service."""


class Tally:
    """How often each kind of fault has happened, so that nobody can fill the log."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def note(self, what: str) -> None:
        """It has happened; the first time the log says so."""
        self.counts[what] += 1
        if self.counts[what] == 1:
            log.warning("%s; if it happens again, it is only counted", what)


def new_join_code() -> str:
    """A code that nobody knows yet."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


@dataclass(frozen=True, slots=True)
class WebTable:
    """The table, and who may do what with it."""

    settings: WebSettings
    hub: FeedHub
    access: Access
    find: Callable[[], FoundTable | None]
    """The running table; it looks at files, so call it in a thread."""
    limits: Limits = USUAL
    command_pass: CommandPass | None = None
    """With its key a command on this machine is the operator."""
    tally: Tally = field(default_factory=Tally)
    """What is wrong with what clients send."""
    join_code: str = field(default_factory=new_join_code)
    """For phones that want to sit down; another one after each start."""

    def found(self) -> FoundTable:
        """The running table, as `find` has it; a refusal if there is none."""
        found = self.find()
        if found is None:
            raise refusal(503, "no table is running")
        return found

    @property
    def simulated(self) -> bool:
        """Whether the table is a simulated one."""
        return bool(self.hub.state.get("table", {}).get("simulated"))

    def on_this_machine(self, request: Request) -> bool:
        """Whether the browser runs on this machine and no proxy is in between."""
        forwarded = any(name in request.headers for name in FORWARDED)
        return is_here(request.scope.get("client"), request.scope.get("server")) and not forwarded

    def is_own(self, request: Request) -> bool:
        """Whether the browser is no stranger's: it runs on this machine, or is the operator's."""
        return self.on_this_machine(request) or self.operator(request) is not None

    def needs_pin(self, request: Request) -> bool:
        """Whether an operator has to log in: not at a simulated table that only this machine can reach."""
        return not (self.simulated and self.settings.local and self.on_this_machine(request))

    def operator(self, request: Request) -> Login | None:
        """The login of the operator who asks; None if it is somebody else."""
        if self._is_command(request):
            return Login("", request.headers[HEADER])
        cookie = request.cookies.get(cookie_name(self.settings.port), "")
        return self.access.login(cookie, address_of(request))

    def _is_command(self, request: Request) -> bool:
        """Whether a command of this machine asks, which knows the key. No browser sends it by itself."""
        key, server = request.headers.get(HEADER, ""), request.scope.get("server")
        here = server is not None and address_of(request) == server[0]
        return self.command_pass is not None and here and same_token(key, self.command_pass.key)

    def language(self, request: Request) -> str:
        """The language that was asked for, or that of the table."""
        for wanted in (request.query_params.get("lang"), self.hub.state.get("table", {}).get("language")):
            if wanted in LANGUAGES:
                return str(wanted)
        return "en"

    def link(self, request: Request) -> str:
        """How a phone reaches this table: as the asking browser does, or by this machine's address."""
        host = request.url.hostname or ""
        if host in LOCAL_NAMES and not self.settings.local:
            host = own_address()
        port = "" if request.url.port is None else f":{request.url.port}"
        return f"{request.url.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def cookie_name(port: int) -> str:
    """Browsers don't tell the ports of a machine apart."""
    return f"ligretto_{port}"


def address_of(request: Request) -> str:
    """The address that the connection comes from; what a proxy says about it is not believed."""
    return request.client.host if request.client is not None else ""


MOST_BODY = 16 * 1024


class JsonAnswer(JSONResponse):
    """JSON; half a character that somebody has sent is escaped, and no error."""

    def render(self, content: Any) -> bytes:
        """The text."""
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        return text.encode(errors="backslashreplace")


def refusal(status: int, why: str, retry_s: float = 0.0) -> HTTPException:
    """To be raised: the request is refused, and the page is told why."""
    headers = {"Retry-After": str(int(retry_s) + 1)} if retry_s else None
    return HTTPException(status, why, headers)


def not_too_often(limit: RateLimit, who: str, why: str, own: bool = False) -> None:
    """Count it for that address; a refusal if it was done too often."""
    wait_s = limit.wait_s(who, time.monotonic(), own)
    if wait_s > 0:
        raise refusal(429, why, wait_s)


async def json_object(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The JSON object that was sent; a refusal if it is something else or too long."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise refusal(415, "send JSON, with Content-Type: application/json")
    body = await limited_body(request, most)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise refusal(400, "this is not JSON") from None
    if not isinstance(value, dict):
        raise refusal(400, "send a JSON object")
    return value


async def limited_body(request: Request, most: int) -> bytes:
    """What was sent, if it is not longer than allowed."""
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared) > most:
        raise refusal(413, f"too long: at most {most} bytes")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise refusal(413, f"too long: at most {most} bytes")
    return bytes(body)


async def on_refusal(request: Request, error: Exception) -> JsonAnswer:
    """A refusal as JSON."""
    assert isinstance(error, HTTPException)
    return JsonAnswer({"ok": False, "why": error.detail}, error.status_code, error.headers)
