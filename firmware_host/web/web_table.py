"""What all routes share: the table that the pages show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request

from firmware_host.texts import LANGUAGES
from firmware_host.web.access import Access, Session, same_token
from firmware_host.web.command_pass import HEADER, CommandPass
from firmware_host.web.feed_hub import FeedHub
from firmware_host.web.join_code import new_join_code
from firmware_host.web.limits import USUAL, Limits
from firmware_host.web.tally import Tally
from firmware_host.web.web_settings import LOCAL_NAMES, WebSettings, is_here, own_address

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

    def operator(self, request: Request) -> Session | None:
        """The session of the operator who asks; None if it is somebody else."""
        if self._is_command(request):
            return Session("", request.headers[HEADER])
        cookie = request.cookies.get(cookie_name(self.settings.port), "")
        return self.access.session(cookie, address_of(request))

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
