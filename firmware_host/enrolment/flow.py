"""The flow of enrolling: what is waited for, and what a tag that comes means then.

One tag is asked for at a time. A tag that comes has to be alone on the reader for a moment, as its
neighbour may be told of later. Then it stands for what was asked for, and the next one is asked for when
it has been taken off. A tag that stands for something else is refused, or, where that is allowed, moves
if it is left there.

Without a reader of their choice people may begin at any (at a table with pads: any pad), and go on at the
same one. What may have lain there before anybody was asked counts for nothing until it has been
taken off, and so does what lies there when somebody skips, goes back, or when a lost reader is found again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.config.tags import Enrolled
from firmware_host.durations import MS, S
from firmware_host.enrolment.course import Course
from firmware_host.enrolment.happenings import Came, Found, Happening, Key, Lost, Went
from firmware_host.enrolment.news import (
    Asked,
    AtFirst,
    Blinded,
    Chosen,
    Crowded,
    Elsewhere,
    GoneSoon,
    Known,
    LiesThere,
    News,
    Skipped,
)
from firmware_host.enrolment.phases import Notice, Phase, Sign
from firmware_host.enrolment.readers import Readers

SETTLE_NS = 300 * MS
"""A tag has to be alone for so long, unless the readers need more to tell of a second one."""
MOVE_NS = 3 * S
"""A tag that stands for something else moves when it has been left there for so long."""
FAREWELL_NS = 3 * S
"""How long the scoreboard says that this was all."""


_SIGN_OF_KEY = {Key.SKIP: Sign.SKIP, Key.BACK: Sign.BACK, Key.QUIT: Sign.QUIT}


class Flow:
    """Takes what happens and gives what comes of it."""

    def __init__(self, course: Course, readers: Readers, settle_ns: int = SETTLE_NS) -> None:
        self.course = course
        self.readers = readers
        self.phase = Phase.ASKING
        self.notice = Notice.NONE
        self.known: Enrolled | None = None
        self.since_ns = 0
        self.due_ns: int | None = None
        self._settle_ns = settle_ns
        self._kept = False  # what is asked for has its tag; the next one comes when that is off the reader
        self._news: list[News] = []

    # -- what happens

    def begin(self, now_ns: int) -> list[News]:
        """Ask for the first one."""
        self._ask(now_ns)
        return self._taken()

    def handle(self, happening: Happening, now_ns: int) -> list[News]:
        """Take in what has happened."""
        match happening:
            case Came(reader, uid, early):
                self._come(reader, uid, early, now_ns)
            case Went(reader, uid):
                self._go(reader, uid, now_ns)
            case Lost(reader):
                self.readers.lose(reader)
                if self.readers.blind:
                    self._take(Sign.LOST, now_ns)
            case Found(reader):
                self.readers.find(reader)
                if not self.readers.blind:
                    self._take(Sign.FOUND, now_ns)
            case key:
                self._take(_SIGN_OF_KEY[key], now_ns)
        return self._taken()

    def advance(self, now_ns: int) -> list[News]:
        """Time has passed."""
        if self.due_ns is not None and self.due_ns <= now_ns:
            self.due_ns = None
            self._take(Sign.DUE, now_ns)
        return self._taken()

    def _taken(self) -> list[News]:
        news, self._news = self._news, []
        return news

    def _take(self, sign: Sign, now_ns: int) -> None:
        TABLE[self.phase][sign](self, now_ns)

    # -- tags come and go

    def _come(self, reader: int, uid: str, early: bool, now_ns: int) -> None:
        readers = self.readers
        if not readers.come(reader, uid, early=early):
            return
        if readers.chosen is None and reader in readers.eligible and self.phase is Phase.ASKING:
            if early:
                self._news.append(LiesThere(reader))
                return
            readers.chosen = reader
            self._news.append(Chosen(reader))
        if reader == readers.chosen:
            self._take(self._sight, now_ns)
        elif not early:
            self._news.append(Elsewhere(reader, uid))

    def _go(self, reader: int, uid: str, now_ns: int) -> None:
        if self.readers.go(reader, uid) and reader == self.readers.chosen:
            self._take(self._sight, now_ns)

    @property
    def _sight(self) -> Sign:
        count = len(self.readers.lying)
        if count == 1:
            return Sign.OLD if self.readers.old else Sign.ONE
        return Sign.SEVERAL if count else Sign.EMPTY

    # -- steps

    def _enter(self, phase: Phase, now_ns: int, notice: Notice = Notice.NONE) -> None:
        self.phase, self.notice, self.since_ns = phase, notice, now_ns
        self.due_ns = None

    def _stay(self, now_ns: int) -> None:
        """Nothing comes of it."""

    def _ask(self, now_ns: int) -> None:
        if self._kept:
            self._kept = False
            self.course.go_on()
        item = self.course.asked
        if item is None:
            self._enter(Phase.DONE, now_ns)
            self.due_ns = now_ns + FAREWELL_NS
            return
        self._enter(Phase.ASKING, now_ns)
        self._news.append(Asked(item, self.course.number, len(self.course.items), self.readers.chosen))

    def _see(self, now_ns: int) -> None:
        self._enter(Phase.SEEING, now_ns)
        self.due_ns = now_ns + self._settle_ns

    def _miss(self, now_ns: int) -> None:
        self._enter(Phase.ASKING, now_ns, Notice.GONE)
        self._news.append(GoneSoon())

    def _crowd(self, now_ns: int) -> None:
        self._enter(Phase.CROWDED, now_ns)
        self._news.append(Crowded(self.readers.lying))

    def _judge(self, now_ns: int) -> None:
        (uid,) = self.readers.lying
        known = self.course.registry.get(uid)
        if known is None or known == self.course.asked:
            self._keep(now_ns)
            return
        self.known = known
        offered = self.course.may_rob(known)
        self._news.append(Known(uid, known, offered))
        if offered:
            self._enter(Phase.OFFERING, now_ns)
            self.due_ns = now_ns + MOVE_NS
        else:
            self._enter(Phase.CLEARING, now_ns, Notice.KNOWN)

    def _keep(self, now_ns: int) -> None:
        (uid,) = self.readers.lying
        self._news.append(self.course.keep(uid))
        self._kept = True
        self._enter(Phase.CLEARING, now_ns, Notice.KEPT)

    def _clear(self, now_ns: int) -> None:
        assert self.readers.chosen is not None, "something lies there"
        self._enter(Phase.CLEARING, now_ns, Notice.KEPT if self._kept else Notice.OLD)
        self._news.append(LiesThere(self.readers.chosen))

    def _lose(self, now_ns: int) -> None:
        self._enter(Phase.BLIND, now_ns)
        self._news.append(Blinded(self.readers.eligible[0]))

    def _resume(self, now_ns: int) -> None:
        if self.readers.lying:
            self._clear(now_ns)
        else:
            self._ask(now_ns)

    def _skip(self, now_ns: int) -> None:
        if not self._kept:
            self._news.append(Skipped(self.course.skip()))
            self._turn(now_ns)

    def _back(self, now_ns: int) -> None:
        if self.course.back():
            self._kept = False
            self._turn(now_ns)
        else:
            self._news.append(AtFirst())

    def _turn(self, now_ns: int) -> None:
        """Another one is asked for now."""
        if self.course.asked is None:
            self._ask(now_ns)
        elif self.readers.blind:
            self._enter(Phase.BLIND, now_ns)
        else:
            self._resume(now_ns)

    def _end(self, now_ns: int) -> None:
        self._enter(Phase.OVER, now_ns)


Step = Callable[[Flow, int], None]

_NOTHING: Mapping[Sign, Step] = dict.fromkeys(Sign, Flow._stay)

_ANYWAY: Mapping[Sign, Step] = {
    **_NOTHING,
    Sign.LOST: Flow._lose,
    Sign.SKIP: Flow._skip,
    Sign.BACK: Flow._back,
    Sign.QUIT: Flow._end,
}
"""Unless a phase has its own."""

TABLE: Mapping[Phase, Mapping[Sign, Step]] = {
    Phase.ASKING: {
        **_ANYWAY, Sign.ONE: Flow._see, Sign.OLD: Flow._clear, Sign.SEVERAL: Flow._crowd},
    Phase.SEEING: {
        **_ANYWAY, Sign.EMPTY: Flow._miss, Sign.SEVERAL: Flow._crowd, Sign.DUE: Flow._judge},
    Phase.CROWDED: {
        **_ANYWAY, Sign.EMPTY: Flow._ask, Sign.ONE: Flow._see, Sign.OLD: Flow._clear},
    Phase.OFFERING: {
        **_ANYWAY, Sign.EMPTY: Flow._ask, Sign.SEVERAL: Flow._crowd, Sign.DUE: Flow._keep},
    Phase.CLEARING: {
        **_ANYWAY, Sign.EMPTY: Flow._ask},
    Phase.BLIND: {
        **_ANYWAY, Sign.LOST: Flow._stay, Sign.FOUND: Flow._resume},
    Phase.DONE: {
        **_ANYWAY, Sign.LOST: Flow._stay, Sign.SKIP: Flow._stay, Sign.DUE: Flow._end},
    Phase.OVER: _NOTHING,
}  # fmt: skip
"""What comes of each sign in each phase."""
