"""A PN532 with tags before its antenna: what a driver depends on, and where real ones trip it up.

It sleeps until it hears a 55, and takes some time to wake; it does nothing but wait for SAM
configuration until it has been given one. It acknowledges a command, works on it, and
answers. Looking for tags switches the field on, and nothing switches it off but a command or
the loss of power. It looks for ever unless its retries have been limited. A tag that has
answered keeps quiet during the next command, unless the field was off in between. An ACK
stops what it is doing; so does another command. Without power it forgets everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

from hw.rfid.commands import FIRMWARE, LIST, MOST_TARGETS, RELEASE, RETRIES, SAM
from hw.rfid.frames import FROM_CHIP, FROM_HOST, Frame, Parser, Signal, framed

WAKING_NS = 2_000_000
ACK_NS = 500_000
QUICK_NS = 1_000_000
LOOK_NS = (7_000_000, 19_000_000)
"""From the field to the answers of the tags, least and most; each further look takes as long."""
END_NS = 1_000_000
FOREVER = 0xFF
CONFIGURE = RETRIES.code
FIELD, MAX_RETRIES = 0x01, 0x05
KEPT = 10_000
"""The most entries of each history."""
VERSION = bytes.fromhex("32010607")


class SimTag(NamedTuple):
    """A tag that can be put before an antenna."""

    uid: bytes
    atqa: bytes = b"\x00\x04"
    sak: int = 0x08
    ats: bytes = b""


class Pn532Model:
    """The far end of a reader's line.

    Faults: `silent` neither hears nor says anything but keeps its field; `deaf_every` lets each
    so many-th command pass unanswered, `nack_every` and `error_every` answer it with a NACK or
    an error frame; `slow_ns` makes each reply late; `misreads` says whether a look misses the tag
    with a UID; `forget` is a short loss of power, `say` is noise.
    """

    def __init__(self, now_ns: Callable[[], int], chance: Random | None = None) -> None:
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
        self._deeds: list[tuple[int, int, Callable[[int], None]]] = []
        self._entries = 0
        self._heard = 0
        self._outgoing = b""
        self._awake_ns: int | None = None
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
        self._deeds.clear()
        self._outgoing = b""
        self._awake_ns = None
        self._configured = False
        self.retries = FOREVER
        self._last = b""

    def say(self, data: bytes) -> None:
        """Put bytes on the line, whatever they are."""
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
        if self._awake_ns is None:
            if b"\x55" in data:
                self._awake_ns = now_ns + WAKING_NS
            return
        if now_ns < self._awake_ns:
            return
        for item in self._parser.feed(data):
            if isinstance(item, Frame):
                self._command(item, now_ns)
            elif item is Signal.ACK:
                self._deeds.clear()
            elif item is Signal.NACK:
                self.say(self._last)

    def step(self, now_ns: int) -> int | None:
        while self._deeds and self._deeds[0][0] <= now_ns:
            t_ns, _, deed = heappop(self._deeds)
            deed(t_ns)
        return self._deeds[0][0] if self._deeds else None

    def take_outgoing(self) -> bytes:
        data, self._outgoing = self._outgoing, b""
        return b"" if self.silent else data

    # -- its work

    def _command(self, frame: Frame, now_ns: int) -> None:
        self.commands.append((now_ns, frame.code))
        self._heard += 1
        self._deeds.clear()
        if not self._configured and frame.code != SAM.code:
            return
        if self._falls_on(self.deaf_every):
            return
        if self._falls_on(self.nack_every):
            self._at(now_ns + ACK_NS, lambda t_ns: self.say(Signal.NACK.value))
            return
        self._at(now_ns + ACK_NS, lambda t_ns: self.say(Signal.ACK.value))
        begin_ns = now_ns + ACK_NS + QUICK_NS
        if self._falls_on(self.error_every):
            self._at(begin_ns, lambda t_ns: self.say(Signal.ERROR.value))
        else:
            self._at(begin_ns, lambda t_ns: self._obey(frame, t_ns))

    def _obey(self, frame: Frame, now_ns: int) -> None:
        code, body = frame.code, frame.body
        if code == SAM.code and body[:1] == b"\x01":
            self._configured = True
            self._reply(code, b"", now_ns)
        elif code == FIRMWARE.code and not body:
            self._reply(code, VERSION, now_ns)
        elif code == CONFIGURE and len(body) == 2 and body[0] == FIELD:
            self._set_field(bool(body[1] & 0x01), now_ns)
            self._reply(code, b"", now_ns)
        elif code == CONFIGURE and len(body) == 4 and body[0] == MAX_RETRIES:
            self.retries = body[3]
            self._reply(code, b"", now_ns)
        elif code == LIST.code and len(body) == 2 and 1 <= body[0] <= MOST_TARGETS and body[1] == 0:
            self._set_field(True, now_ns)
            self._quiet, self._answered = self._answered, set()
            self._plan_look(body[0], self.retries, now_ns)
        elif code == RELEASE.code and len(body) == 1:
            self._reply(code, b"\x00", now_ns)
        else:
            self.say(Signal.ERROR.value)

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

    def _at(self, t_ns: int, deed: Callable[[int], None]) -> None:
        self._entries += 1
        heappush(self._deeds, (t_ns, self._entries, deed))
