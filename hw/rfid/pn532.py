"""A PN532 on a serial port: polls for tags, one look at a time, and reports when they come and go.

Each poll switches the field on, asks once for a list, and switches the field off again. A
chip left to itself would look until it finds something; and a tag that has answered once
keeps quiet at the next look, unless it has been without a field in between. Neighbours take
turns (see `field`), so a poll begins when the token is here. A reader that has found a new tag keeps the
token for one more poll: otherwise its report would have to wait until all its neighbours have looked.

There is one remedy for every fault: stop the chip, wake it, set it up from scratch. That
helps if it has been without power, has forgotten its settings, or talks garbage; and since
switching the field off is part of it, the token is given back only when that has been
confirmed. A reply to an earlier command can't be mistaken for it: the line keeps the order,
and the chip has answered the set-up's first command by then. If setting up fails too, the
reader is lost, gives up the token, and is tried again after growing pauses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from hw.ports import Condition, Health, TagRead
from hw.rfid.field import FieldToken
from hw.rfid.frames import (
    FIELD_OFF,
    FIRMWARE,
    FROM_CHIP,
    FROM_HOST,
    LIST,
    RETRIES,
    SAM,
    WAKE,
    ControlFrame,
    DataFrame,
    Firmware,
    Item,
    LineNoise,
    Parser,
    Pn532Command,
    firmware,
    targets,
)
from hw.rfid.presence import Presence
from hw.work import Backoff, Mailbox, nobody_to_wake

# One command at a time: sent, acknowledged, answered; or sent again, and given up in the end.
#
# The chip acknowledges a command within 15 ms, but an adapter may keep a few bytes back for
# another 16 ms and the system may be late, so more time is allowed. If nothing comes, the command
# is sent again, which does no harm if it had come through. If that does not help, or if the
# reply does not come, an ACK of the host's own makes the chip stop whatever it does.
#
# What comes in is used from the next step on, not in the step that fetched it: that step may have
# been late, and began before the bytes were fetched. So a reply is never dated before the moment
# at which it was sent.


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


WAKING_NS = 15_000_000
"""From being stopped and woken until the chip listens."""
GAP_NS = 1_000_000
"""Between a reply and the next command: some boards miss one that comes at once."""
REST_NS = 10_000_000
"""How long the field is off; after half of that a tag has forgotten that it was asked."""
PATIENCE = 2
DEGRADED_NS = 5_000_000_000

SET_UP = (SAM, FIELD_OFF, FIRMWARE, RETRIES)
BEING_SET_UP = "is being set up"
ADVICE = {
    BEING_SET_UP: "wait a moment",
    SILENT: "check its power, its two data lines, and that its switches are set to HSU",
    GARBLED: "check its ground line and what else is on this port",
    MISHEARD: "check its ground line and the length of its cable",
    ECHO: "its data lines are joined: TX belongs to RX and RX to TX",
}
USUAL_ADVICE = "switch its power off and on"


class Pn532State(Enum):
    """What the driver is doing."""

    DOWN = "there is no line"
    WAKING = "the chip is waking up"
    SETTING_UP = "one command of the set-up after the other"
    RESTING = "the field is off for a while"
    QUEUING = "other readers have the field"
    LISTING = "the chip looks for tags"
    SILENCING = "the field is being switched off"
    LOST = "until it is tried again"
    OVER = "the reader was closed"


class Pn532:
    """Driver of one reader: the device of a `PortWork` (115200 baud, 8N1), and a `TagReader`."""

    def __init__(self, name: str, reader: int, field: FieldToken) -> None:
        self.name = name
        self.wake: Callable[[], None] = nobody_to_wake
        self._well = Health(name, Condition.OK)
        self.mailbox: Mailbox[TagRead] = Mailbox()
        self.firmware: Firmware | None = None
        self.access = field.access(lambda: self.wake())
        self._dialogue = Dialogue()
        self._presence = Presence(reader)
        self._state = Pn532State.DOWN
        self._due_ns: int | None = None
        self._left: list[Pn532Command] = []
        self._since_ns = 0
        self._confirming = False
        self._failures = 0
        self._backoff = Backoff()
        self._fault = ""
        self._anomaly = ""
        self._anomaly_until_ns = 0
        self._closed = False

    # -- a reader of tags

    def read(self) -> list[TagRead]:
        return self.mailbox.take()

    def fileno(self) -> int:
        return self.mailbox.fileno()

    def close(self) -> None:
        """Stop polling; the field is off once the poll under way has ended."""
        self._closed = True
        self.mailbox.close()
        self.wake()

    # -- a device on a serial port

    @property
    def health(self) -> Health:
        if self._fault:
            seen, advice = self._fault, ADVICE.get(self._fault, USUAL_ADVICE)
            if self.access.uncertain:
                seen, advice = f"{seen}; its field may be on", f"{advice}; its neighbours suffer"
            return Health(self.name, Condition.LOST, seen, advice)
        if self._anomaly:
            advice = ADVICE.get(self._anomaly, "check its lines and its power")
            return Health(self.name, Condition.DEGRADED, self._anomaly, advice)
        return self._well

    def opened(self, now_ns: int) -> None:
        self._dialogue.forget()
        self._failures = 0
        self._start_over(now_ns)

    def closed(self, now_ns: int) -> None:
        self._lose(Pn532State.DOWN, BEING_SET_UP, now_ns)
        self._dialogue.forget()
        self._due_ns = None

    def received(self, data: bytes, now_ns: int) -> None:
        self._dialogue.received(data, now_ns)

    def take_outgoing(self) -> bytes:
        return self._dialogue.take_outgoing()

    def rest(self) -> bytes:
        """Field off; a busy chip is stopped first, and gets 10 ms of zeros to recover."""
        stop = ControlFrame.ACK.value + bytes(116) if self._dialogue.busy else b""
        return stop + FIELD_OFF.frame

    def step(self, now_ns: int) -> int | None:
        outcome = self._dialogue.outcome(now_ns)
        anomaly = self._dialogue.take_anomaly()
        if anomaly:
            self._note(anomaly, now_ns)
        elif now_ns >= self._anomaly_until_ns:
            self._anomaly = ""
        if isinstance(outcome, Failure):
            self._fail(outcome.seen, now_ns)
        elif outcome is not None:
            self._go_on(outcome, now_ns)
        if not self._dialogue.busy and self._is_due(now_ns):
            self._begin(now_ns)
        return self._dialogue.due_ns if self._dialogue.busy else self._due_ns

    # -- its states

    def _is_due(self, now_ns: int) -> bool:
        return self._state is Pn532State.QUEUING or (self._due_ns is not None and now_ns >= self._due_ns)

    def _begin(self, now_ns: int) -> None:
        """Take the next step: the pause is over, or it may be our turn."""
        if self._closed and self._state in (Pn532State.RESTING, Pn532State.QUEUING, Pn532State.LOST):
            self._state, self._due_ns = Pn532State.OVER, None
            self.access.give_up(now_ns)
        elif self._state is Pn532State.LOST:
            self._start_over(now_ns)
        elif self._state in (Pn532State.WAKING, Pn532State.SETTING_UP):
            self._state = Pn532State.SETTING_UP
            self._dialogue.ask(self._left[0], now_ns)
        elif self._state is Pn532State.SILENCING:
            self._dialogue.ask(FIELD_OFF, now_ns)
        elif self.access.try_take(now_ns):
            self._state = Pn532State.LISTING
            self._since_ns = now_ns
            self._dialogue.ask(LIST, now_ns)
        else:
            self._state = Pn532State.QUEUING
            self._due_ns = self.access.due_ns

    def _go_on(self, body: bytes, now_ns: int) -> None:
        """The chip has answered."""
        self._due_ns = now_ns + GAP_NS
        if self._state is Pn532State.SETTING_UP:
            self._set_up(body, now_ns)
        elif self._state is Pn532State.LISTING:
            self._polled(body, now_ns)
        else:
            self._confirming = self._presence.unconfirmed and not self._confirming and not self._closed
            if not self._confirming:
                self.access.give_back(now_ns)
            self._state, self._due_ns = Pn532State.RESTING, now_ns + REST_NS
            self._failures = 0
            self._backoff.reset()
            self._fault = ""

    def _set_up(self, body: bytes, now_ns: int) -> None:
        command = self._left.pop(0)
        if command is FIELD_OFF:
            self.access.give_back(now_ns)
        elif command is FIRMWARE:
            self.firmware = firmware(body)
        if not self._left:
            self._state = Pn532State.RESTING

    def _polled(self, body: bytes, now_ns: int) -> None:
        listed = targets(body)
        if listed is None:
            self._fail(GARBLED, now_ns)
            return
        self._state = Pn532State.SILENCING
        if not self.access.held:  # somebody else's field may have been on, too
            self._note("was too slow to look for tags", now_ns)
        elif not self._closed:
            repeated = self._dialogue.repeated
            for read in self._presence.polled(listed, self._since_ns, now_ns, asked_twice=repeated):
                self.mailbox.post(read)

    def _fail(self, seen: str, now_ns: int) -> None:
        self._failures += 1
        if self._failures < PATIENCE:
            self._note(seen if seen in ADVICE else f"{seen} and had to be set up again", now_ns)
            self._start_over(now_ns)
        else:
            self._lose(Pn532State.LOST, seen, now_ns)
            self._due_ns = self._backoff.after(now_ns)

    def _start_over(self, now_ns: int) -> None:
        self._confirming = False
        self._dialogue.wake_chip()
        self._left = list(SET_UP)
        self._state, self._due_ns = Pn532State.WAKING, now_ns + WAKING_NS

    def _lose(self, state: Pn532State, seen: str, now_ns: int) -> None:
        self._state = state
        self.access.give_up(now_ns)
        self._presence.interrupted()
        self._anomaly = ""
        self._fault = seen

    def _note(self, anomaly: str, now_ns: int) -> None:
        self._anomaly = anomaly
        self._anomaly_until_ns = now_ns + DEGRADED_NS
