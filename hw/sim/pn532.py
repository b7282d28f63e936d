"""A PN532 with tags before its antenna: what a driver depends on, with the faults of real ones.

It sleeps until its line has risen five times, and takes some time to wake. Until its SAM has been
configured it answers only what has nothing to do with the field. It acknowledges a command, works on
it, and answers. Looking for tags switches the field on, and only a command or the loss of power switches it
off. It looks for ever unless its retries have been limited. A tag that has
answered stays quiet during the next command, unless the field was off in between. An ACK
stops what it is doing; so does another command. Without power it forgets everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import pairwise
from random import Random
from typing import NamedTuple

from hw.rfid.frames import (
    FIRMWARE,
    FROM_CHIP,
    FROM_HOST,
    LIST,
    MOST_TARGETS,
    RELEASE,
    RETRIES,
    SAM,
    ControlFrame,
    DataFrame,
    Parser,
    framed,
)

VERSION = bytes.fromhex("32010607")
GOOD = b"\x00"


# How a PN532 wakes: by the edges of its serial line, after a delay.
#
# Asleep, it only counts how often the line rises. With the fifth time its oscillator starts, and until
# that runs, what comes in is lost. A 55 has all five edges in it, a zero has one (its stop bit).
# That is why hosts send 55, or begin a command with many zeros.


EDGES = 5
TYPICAL_NS = 300_000
"""How long the oscillator takes as a rule: some 100 µs."""
LONGEST_NS = 2_000_000
BITS = 10
"""A byte on the line: a start bit (low), eight bits of data, the lowest first, and a stop bit (high)."""


def rising_edges(byte: int) -> int:
    """How often the line rises during a byte."""
    levels = [0, *(byte >> bit & 1 for bit in range(8)), 1]
    return sum(not now and then for now, then in pairwise(levels))


class WakeDetector:
    """Drops the bytes that a sleeping chip does not receive; asleep at the start."""

    def __init__(self, waking_ns: int) -> None:
        self._waking_ns = waking_ns
        self._edges = 0
        self._awake_ns: int | None = None

    def sleep(self) -> None:
        """Fall asleep: from now on it has to be woken."""
        self._edges = 0
        self._awake_ns = None

    def receive(self, data: bytes, now_ns: int, byte_ns: int) -> bytes:
        """The bytes that it receives, when the last of these has just ended."""
        begin_ns = now_ns - len(data) * byte_ns
        for place, byte in enumerate(data):
            if self._awake_ns is not None and begin_ns >= self._awake_ns:
                return data[place:]
            begin_ns += byte_ns
            if self._awake_ns is None:
                self._edges += rising_edges(byte)
                if self._edges >= EDGES:
                    self._awake_ns = begin_ns + self._waking_ns
        return b""


ACK_NS = 500_000
QUICK_NS = 1_000_000
LOOK_NS = (7_000_000, 19_000_000)
"""From the field to the answers of the tags, least and most; each further look takes as long."""
END_NS = 1_000_000
SECOND_NS = 1_000_000_000
FOREVER = 0xFF
CONFIGURE = RETRIES.code
FIELD, MAX_RETRIES = 0x01, 0x05
ITEMS = {FIELD: 1, 0x02: 3, 0x04: 1, MAX_RETRIES: 3, 0x0A: 11, 0x0B: 8, 0x0C: 3, 0x0D: 9}
"""How many bytes each item of the configuration has; timings and analogue settings change nothing here."""
BEFORE_SAM = frozenset((SAM.code, FIRMWARE.code))
"""What it answers before its SAM is configured."""
BAUD = 115200
KEPT = 10_000
"""The most entries of each history."""


class SimTag(NamedTuple):
    """A tag that can be put before an antenna."""

    uid: bytes
    atqa: bytes = b"\x00\x04"
    sak: int = 0x08
    ats: bytes = b""


class Pn532Model:
    """The far end of a reader's line.

    Faults: `silent` neither receives nor sends anything but keeps its field; `deaf_every` ignores each
    so many-th command, `nack_every` and `error_every` answer it with a NACK or
    an error frame; `slow_ns` makes each reply late; `misreads` says whether a look misses the tag
    with a UID; `forget` is a short loss of power, `say` is noise. `waking_ns` is how long its
    oscillator takes to start.
    """

    def __init__(
        self, now_ns: Callable[[], int], chance: Random | None = None, waking_ns: int = TYPICAL_NS
    ) -> None:
        self.tags: dict[bytes, SimTag] = {}
        self.tag_history: deque[tuple[int, bytes, bool]] = deque(maxlen=KEPT)
        self.field_on = False
        self.field_history: deque[tuple[int, bool]] = deque(maxlen=KEPT)
        self.commands: deque[tuple[int, int]] = deque(maxlen=KEPT)
        self.bytes_heard = 0
        self.retries = FOREVER
        self.silent = False
        self.deaf_every = 0
        self.nack_every = 0
        self.error_every = 0
        self.slow_ns = 0
        self.misreads: Callable[[bytes], bool] = lambda uid: False
        self._now_ns = now_ns
        self._chance = chance or Random(532)
        self._parser = Parser(FROM_HOST)
        self._actions: list[tuple[int, int, Callable[[int], None]]] = []
        self._entries = 0
        self._heard = 0
        self._outgoing = b""
        self._waking = WakeDetector(waking_ns)
        self._configured = False
        self._last = b""
        self._answered: set[bytes] = set()
        self._quiet: set[bytes] = set()

    # -- a hand, and a loose plug

    def put(self, tag: SimTag) -> None:
        """Bring a tag before the antenna."""
        self.tag_history.append((self._now_ns(), tag.uid, True))
        self.tags[tag.uid] = tag

    def take(self, uid: bytes) -> None:
        """Take it away again."""
        if self.tags.pop(uid, None) is not None:
            self.tag_history.append((self._now_ns(), uid, False))
        self._answered.discard(uid)
        self._quiet.discard(uid)

    def forget(self) -> None:
        """Lose the power for a moment."""
        self._set_field(False, self._now_ns())
        self._parser = Parser(FROM_HOST)
        self._actions.clear()
        self._outgoing = b""
        self._waking.sleep()
        self._configured = False
        self.retries = FOREVER
        self._last = b""

    def say(self, data: bytes) -> None:
        """Put any bytes on the line."""
        self._outgoing += data

    # -- the end of a line

    def opened(self, now_ns: int) -> None:
        self.forget()

    def closed(self, now_ns: int) -> None:
        self.forget()

    def received(self, data: bytes, now_ns: int) -> None:
        self.bytes_heard += len(data)
        if self.silent:
            return
        for item in self._parser.feed(self._waking.receive(data, now_ns, BITS * SECOND_NS // BAUD)):
            if isinstance(item, DataFrame):
                self._command(item, now_ns)
            elif item is ControlFrame.ACK:
                self._actions.clear()
            elif item is ControlFrame.NACK:
                self.say(self._last)

    def step(self, now_ns: int) -> int | None:
        while self._actions and self._actions[0][0] <= now_ns:
            t_ns, _, action = heappop(self._actions)
            action(t_ns)
        return self._actions[0][0] if self._actions else None

    def take_outgoing(self) -> bytes:
        data, self._outgoing = self._outgoing, b""
        return b"" if self.silent else data

    # -- its work

    def _command(self, frame: DataFrame, now_ns: int) -> None:
        self.commands.append((now_ns, frame.code))
        self._heard += 1
        self._actions.clear()
        if not self._configured and frame.code not in BEFORE_SAM:
            return
        if self._falls_on(self.deaf_every):
            return
        if self._falls_on(self.nack_every):
            self._at(now_ns + ACK_NS, lambda t_ns: self.say(ControlFrame.NACK.value))
            return
        self._at(now_ns + ACK_NS, lambda t_ns: self.say(ControlFrame.ACK.value))
        begin_ns = now_ns + ACK_NS + QUICK_NS
        if self._falls_on(self.error_every):
            self._at(begin_ns, lambda t_ns: self.say(ControlFrame.ERROR.value))
        else:
            self._at(begin_ns, lambda t_ns: self._obey(frame, t_ns))

    def _obey(self, frame: DataFrame, now_ns: int) -> None:
        code, body = frame.code, frame.body
        if code == SAM.code and body[:1] == b"\x01":
            self._configured = True
            self._reply(code, b"", now_ns)
        elif code == CONFIGURE and len(body) - 1 == ITEMS.get(body[0] if body else 0):
            self._configure(body[0], body[1:], now_ns)
        elif code == LIST.code and len(body) == 2 and 1 <= body[0] <= MOST_TARGETS and body[1] == 0:
            self._set_field(True, now_ns)
            self._quiet, self._answered = self._answered, set()
            self._plan_look(body[0], self.retries, now_ns)
        elif code == RELEASE.code and len(body) == 1:
            self._reply(code, GOOD, now_ns)
        elif code == FIRMWARE.code and not body:
            self._reply(code, VERSION, now_ns)
        else:
            self.say(ControlFrame.ERROR.value)

    def _configure(self, item: int, value: bytes, now_ns: int) -> None:
        if item == FIELD:
            self._set_field(bool(value[0] & 0x01), now_ns)
        elif item == MAX_RETRIES:
            self.retries = value[2]
        self._reply(CONFIGURE, b"", now_ns)

    def _plan_look(self, most: int, retries: int, now_ns: int) -> None:
        look_ns = now_ns + self._chance.randint(*LOOK_NS)
        self._at(look_ns, lambda t_ns: self._look(most, retries, t_ns))

    def _look(self, most: int, retries: int, now_ns: int) -> None:
        found = [tag for uid, tag in sorted(self.tags.items()) if self._answers(uid)][:most]
        if not found and retries:
            self._plan_look(most, retries if retries == FOREVER else retries - 1, now_ns)
            return
        self._answered.update(tag.uid for tag in found)
        body = bytes((len(found),))
        for number, tag in enumerate(found, start=1):
            body += bytes((number, *tag.atqa, tag.sak, len(tag.uid), *tag.uid)) + tag.ats
        self._reply(LIST.code, body, now_ns + END_NS)

    def _answers(self, uid: bytes) -> bool:
        return uid not in self._quiet and not self.misreads(uid)

    def _set_field(self, on: bool, now_ns: int) -> None:
        if on != self.field_on:
            self.field_on = on
            self.field_history.append((now_ns, on))
        if not on:
            self._answered.clear()
            self._quiet.clear()

    def _reply(self, code: int, body: bytes, now_ns: int) -> None:
        self._last = framed(FROM_CHIP, code + 1, body)
        self._at(now_ns + self.slow_ns, lambda t_ns: self.say(self._last))

    def _falls_on(self, every: int) -> bool:
        return bool(every) and self._heard % every == 0

    def _at(self, t_ns: int, action: Callable[[int], None]) -> None:
        self._entries += 1
        heappush(self._actions, (t_ns, self._entries, action))
