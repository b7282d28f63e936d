"""One command at a time: sent, acknowledged, answered; or sent again, and given up in the end.

The chip acknowledges a command within 15 ms, but an adapter may keep a few bytes back for
another 16 ms and the system may be late, so more time is allowed. If nothing comes, the command
is sent again, which does no harm if it had come through. If that does not help, or if the
reply does not come, an ACK of the host's own makes the chip stop whatever it does.

What comes in is used from the next step on, not in the step that fetched it: that step may have
been late, and began before the bytes were fetched. So a reply is never dated before the moment
at which it was sent.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from hw.rfid.frames import (
    FROM_CHIP,
    FROM_HOST,
    WAKE,
    ControlFrame,
    DataFrame,
    Item,
    LineNoise,
    Parser,
    Pn532Command,
)

ACK_NS = 40_000_000
REPLY_NS = 150_000_000
ATTEMPTS = 3

SILENT = "does not answer"
GARBLED = "answers with garbage"
MISHEARD = "gets garbage"
ECHO = "sends back what it gets"


class Failure(NamedTuple):
    """A command without a reply, and what was seen instead."""

    seen: str


class Dialogue:
    """The command under way, if any, and the bytes it takes."""

    def __init__(self) -> None:
        self._parser = Parser(FROM_CHIP)
        self._outgoing = b""
        self._heard: deque[tuple[int, Item]] = deque()
        self._anomaly = ""
        self._command: Pn532Command | None = None
        self._attempts = 0
        self._acknowledged = False
        self._worst = SILENT
        self._until_ns = 0
        self._spared = False

    @property
    def busy(self) -> bool:
        """Whether a command is under way."""
        return self._command is not None

    @property
    def repeated(self) -> bool:
        """Whether the last command was sent more than once."""
        return self._attempts > 1

    @property
    def due_ns(self) -> int | None:
        """When `outcome` is to be asked for next."""
        if self._command is None:
            return None
        return self._heard[0][0] if self._heard else self._until_ns

    def ask(self, command: Pn532Command, now_ns: int) -> None:
        """Begin with a command."""
        self._command = command
        self._attempts = 0
        self._worst = SILENT
        self._send(command, now_ns)

    def wake_chip(self) -> None:
        """Stop the chip in whatever it does, and wake it. What was not sent yet is dropped."""
        self._command = None
        self._outgoing = ControlFrame.ACK.value + WAKE

    def received(self, data: bytes, now_ns: int) -> None:
        """Bytes have come in."""
        self._heard += [(now_ns, item) for item in self._parser.feed(data)]

    def take_outgoing(self) -> bytes:
        data, self._outgoing = self._outgoing, b""
        return data

    def take_anomaly(self) -> str:
        """What went wrong since the last call without ending the command."""
        anomaly, self._anomaly = self._anomaly, ""
        return anomaly

    def forget(self) -> None:
        """Drop whatever was under way: the line is down, or was."""
        self._parser = Parser(FROM_CHIP)
        self._outgoing = b""
        self._heard.clear()
        self._command = None

    def outcome(self, now_ns: int) -> bytes | Failure | None:
        """The reply to the command, or what became of it instead; None while it is under way."""
        ended: bytes | Failure | None = None
        while ended is None and self._heard and self._heard[0][0] < now_ns:
            ended = self._take(self._heard.popleft()[1], now_ns)
        if ended is not None or self._command is None or now_ns < self._until_ns:
            return ended
        if self._heard and not self._spared:
            self._spared = True  # perhaps that is what was waited for; one step will show
            return None
        for item in self._parser.flush():
            if ended is None:
                ended = self._take(item, now_ns)
        if ended is None and now_ns >= self._until_ns:
            ended = self._overdue(self._command, now_ns)
        return ended

    def _take(self, item: Item, now_ns: int) -> bytes | Failure | None:
        command = self._command
        if isinstance(item, LineNoise) or (isinstance(item, DataFrame) and item.origin == FROM_HOST):
            self._worst = self._anomaly = GARBLED if isinstance(item, LineNoise) else ECHO
        elif command is None:
            pass  # an answer to something given up
        elif item is ControlFrame.ACK:
            if not self._acknowledged:
                self._acknowledged = True
                self._until_ns = now_ns + REPLY_NS
        elif item is ControlFrame.NACK:
            self._worst = MISHEARD
            return self._again(command, now_ns)
        elif item is ControlFrame.ERROR:
            return self._end(Failure(f"refuses a command ({command.name})"))
        elif isinstance(item, DataFrame) and item.code == command.reply:
            if not self._acknowledged:
                self._anomaly = GARBLED  # the ACK has been lost on the way
            self._command = None
            return item.body
        return None

    def _overdue(self, command: Pn532Command, now_ns: int) -> Failure | None:
        if not self._acknowledged:
            return self._again(command, now_ns)
        seen = self._worst if self._worst != SILENT else f"does not finish a command ({command.name})"
        return self._end(Failure(seen))

    def _again(self, command: Pn532Command, now_ns: int) -> Failure | None:
        if self._attempts == ATTEMPTS:
            return self._end(Failure(self._worst))
        self._anomaly = "had to be asked twice"
        self._send(command, now_ns)
        return None

    def _send(self, command: Pn532Command, now_ns: int) -> None:
        self._attempts += 1
        self._acknowledged = self._spared = False
        self._until_ns = now_ns + ACK_NS
        self._outgoing += command.frame

    def _end(self, failure: Failure) -> Failure:
        self._command = None
        self._outgoing = ControlFrame.ACK.value
        return failure
