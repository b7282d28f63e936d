"""What one client may take, and what all of them may take together."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.web.shares import Rate, Share

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
