"""The protocol between a daemon and a simulated world: lines of JSON over a Unix socket.

    daemon: ["hello", VERSION, lines, lamps, columns, readers]   what it is wired for
    world:  ["welcome", now_ns, uncertainty_ns, levels]          a 0 or 1 for each of those lines
            ["refused", words]                                   ... and it hangs up
    daemon: ["wait", number, until_ns]                           the world may go that far (null: any)
    world:  ["now", number, now_ns, reports]                     it went that far, or to the first reports
    daemon: ["stop", number]                                     that wait is to be answered at once
            ["frame", hex]  ["page", lines]  ["dim", level]      what the table shows; nothing answers

The world stands still while nobody waits, unless it goes by a real clock. An answer and a stop may cross:
a stop for a wait that was answered already means nothing.
"""

from __future__ import annotations

import json
import socket
from typing import Any

from hw.ports import Condition, Edge, Gap, Health, TagRead

VERSION = 1
READ_BYTES = 65536
LONGEST_LINE = 1 << 20

Message = list[Any]
Report = Edge | Gap | Health | TagRead

_encode = json.JSONEncoder(separators=(",", ":")).encode


class WireError(ValueError):
    """A message that is not part of the protocol."""


class MessageSocket:
    """A socket that sends and receives whole messages."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._got = b""
        self._lines: list[bytes] = []

    @property
    def pending(self) -> bool:
        """Whether a message is here already, though the socket may have nothing to read."""
        return bool(self._lines)

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, *message: object) -> None:
        """Send a message; OSError if the other end is gone."""
        self._socket.sendall(_encode(message).encode() + b"\n")

    def receive(self) -> Message | None:
        """The next message, waited for; None if the other end has hung up."""
        while not self._lines:
            data = self._socket.recv(READ_BYTES)
            if not data:
                return None
            *whole, self._got = (self._got + data).split(b"\n")
            self._lines = whole[::-1]
            if len(self._got) > LONGEST_LINE:
                raise WireError(f"a line of more than {LONGEST_LINE} bytes")
        line = self._lines.pop()
        try:
            message = json.loads(line)
        except ValueError as error:
            raise WireError(f"{line[:60]!r} is not JSON: {error}") from None
        if not isinstance(message, list) or not message:
            raise WireError(f"{line[:60]!r} is not a message")
        return message

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def pack(report: Report) -> Message:
    """A report as it goes over the wire."""
    if isinstance(report, Edge):
        return ["edge", *report]
    if isinstance(report, Gap):
        return ["gap", *report]
    if isinstance(report, TagRead):
        return ["tag", report.reader, report.uid.hex(), *report[2:]]
    return ["health", report.device, report.condition.value, report.seen, report.advice]


def unpack(parts: Message) -> Report:
    """The report that `pack` made; WireError if it is not one."""
    try:
        kind, *values = parts
        if kind == "edge":
            return Edge(*values)
        if kind == "gap":
            return Gap(*values)
        if kind == "tag":
            reader, uid, *rest = values
            return TagRead(reader, bytes.fromhex(uid), *rest)
        if kind == "health":
            device, condition, seen, advice = values
            return Health(device, Condition(condition), seen, advice)
    except (TypeError, ValueError):
        pass
    raise WireError(f"{str(parts)[:60]} is not a report")
