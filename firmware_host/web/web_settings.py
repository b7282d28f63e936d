"""How the web process was asked to run."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path

from firmware_host.web.shares import Rate, Share

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
