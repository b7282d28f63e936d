"""The state machine of enrolling: what the table waits for, and what a tag on a reader means.

One item is asked for at a time. Its tag has to be alone on the reader for a moment, because a second tag
may be reported later. Then it is saved, and the next item is asked for when the reader is empty. A tag of
another item is refused or, where the worklist allows it, moves to this item if it is left there.

Without a reader of their choice people may begin at any pad (at any reader if the table has no pads), and go
on at the same one. A tag that may have been there before the start counts only after it was taken off. The
same is true of one that is there when somebody skips or goes back, or when a lost reader works again.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from firmware_host.model.effects import Cue
from firmware_host.model.phrases import Phrase, item_text, say, spot_text
from firmware_host.model.places import DieFace, Pad, format_tag
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import TagSpot
from firmware_host.profile.tags import Enrolled
from firmware_host.workshop.enrolling.worklist import Worklist

SETTLE_NS = 300 * MS
"""How long a tag has to be alone, unless the readers need longer to report a second one."""
MOVE_NS = 3 * S
"""How long a tag of another item has to stay until it moves."""
FAREWELL_NS = 3 * S
"""How long the scoreboard shows the end."""


class EnrolState(Enum):
    """What the table waits for."""

    ASKING = "asking"  # a tag
    TOO_SHORT = "too-short"  # a tag; the last one was taken away too soon
    CHECKING = "checking"  # that the tag stays, and stays alone
    CROWDED = "crowded"  # that only one tag is left
    OFFERED = "offered"  # that the tag of another item is left there, and moves, or is taken off
    REFUSED = "refused"  # that the tag of another item is taken off
    SAVED = "saved"  # that the tag that was just enrolled is taken off
    TAKE_OFF = "take-off"  # that a tag is taken off that came at the wrong moment
    LOST = "lost"  # a reader that works
    DONE = "done"  # nothing; the scoreboard shows the end
    OVER = "over"  # nothing


UNTIL_EMPTY = (EnrolState.REFUSED, EnrolState.SAVED, EnrolState.TAKE_OFF)
"""Only an empty reader ends these."""
AT_END = (EnrolState.DONE, EnrolState.OVER)


class Enroller:
    """Takes inputs with their times; `messages` are the lines for the terminal, `worklist` has the registry.

    `reader` is the number of the reader to use, if one has been chosen.
    """

    def __init__(
        self,
        worklist: Worklist,
        spots: Sequence[TagSpot],
        reader: int | None = None,
        settle_ns: int = SETTLE_NS,
    ) -> None:
        self.worklist = worklist
        self.spots = spots
        self.reader = reader
        self.state = EnrolState.ASKING
        self.since_ns = 0
        self.due_ns: int | None = None
        self.known: Enrolled | None = None  # the item of the tag that was refused or offered last
        self.messages: list[str] = []
        self.settle_ns = settle_ns
        self._lying: list[dict[str, bool]] = [{} for _ in spots]  # the tags, and whether each came early
        self._lost: set[int] = set()

    @property
    def has_pads(self) -> bool:
        return any(isinstance(spot.at, Pad) for spot in self.spots)

    @property
    def eligible(self) -> list[int]:
        """The readers at which a tag counts now."""
        if self.reader is not None:
            return [self.reader]
        return [n for n, spot in enumerate(self.spots) if isinstance(spot.at, Pad) or not self.has_pads]

    @property
    def littered(self) -> bool:
        """Whether a tag lies where one would count."""
        return any(self._lying[each] for each in self.eligible)

    # -- what happens

    def ask(self, now_ns: int) -> None:
        """Begin, or go on when the reader is empty: ask for the item that comes next."""
        worklist = self.worklist
        if worklist.saved:
            worklist.go_on()
        item = worklist.asked
        if item is None:
            self._enter(EnrolState.DONE, now_ns, FAREWELL_NS)
            return
        self._enter(EnrolState.ASKING, now_ns)
        anywhere = "any pad" if self.has_pads else "any reader"
        where = anywhere if self.reader is None else self.spots[self.reader].name
        how = f"lay it on {where}, {item.face} up" if isinstance(item, DieFace) else f"hold it to {where}"
        progress = f"({worklist.number} of {len(worklist.items)})"
        self.messages.append(f"{format_tag(item)}  {progress}: {how}")

    def came(self, reader: int, uid: str, now_ns: int, *, early: bool = False) -> None:
        """A tag came to a reader; `early` if it may have been there before the start."""
        if uid in self._lying[reader]:  # a reader that works again reports what is still there
            return
        self._lying[reader][uid] = early
        name = self.spots[reader].name
        if self.reader is None and reader in self.eligible and self.state is EnrolState.ASKING:
            if early:
                self._tell_old(reader)
                return
            self.reader = reader
            self.tell(f"{name} is the one: hold the others to it too")
        if reader == self.reader:
            self._look(now_ns)
        elif not early:
            self.tell(f"{name} has read {uid}, which does not count there (see --reader)")

    def went(self, reader: int, uid: str, now_ns: int) -> None:
        """A tag has gone from a reader."""
        if self._lying[reader].pop(uid, None) is not None and reader == self.reader:
            self._look(now_ns)

    def lost(self, reader: int, now_ns: int) -> None:
        """A reader does not work any more."""
        self._lost.add(reader)
        if self._blind and self.state not in (EnrolState.LOST, *AT_END):
            self._enter(EnrolState.LOST, now_ns)
            name = self.spots[self.eligible[0]].name
            self.tell(f"it goes on when {name} is back, or with another --reader")

    def found(self, reader: int, now_ns: int) -> None:
        """A reader works again."""
        self._lost.discard(reader)
        if self.state is EnrolState.LOST and not self._blind:
            self._resume(now_ns)

    def press(self, key: str, now_ns: int) -> None:
        """A key: `s` skips an item, `b` goes back to the last one, `q` quits."""
        if self.state is EnrolState.OVER:
            return
        if key == "q":
            self._enter(EnrolState.OVER, now_ns)
        elif key == "b":
            if self.worklist.back():
                self._resume(now_ns)
            else:
                self.tell("there is none before this one")
        elif key == "s" and self.state is not EnrolState.DONE and not self.worklist.saved:
            self.tell(f"{format_tag(self.worklist.skip())} is left out")
            self._resume(now_ns)

    def advance(self, now_ns: int) -> None:
        """Time has passed."""
        if self.due_ns is None or now_ns < self.due_ns:
            return
        if self.state is EnrolState.CHECKING:
            self._judge(now_ns)
        elif self.state is EnrolState.OFFERED:
            self._keep(now_ns)
        else:
            self._enter(EnrolState.OVER, now_ns)

    def tell(self, text: str) -> None:
        """Add a message."""
        self.messages.append(f"    {text}")

    # -- what comes of it

    @property
    def _blind(self) -> bool:
        return self._lost.issuperset(self.eligible)

    @property
    def _tags(self) -> dict[str, bool]:
        """The tags on the chosen reader."""
        return {} if self.reader is None else self._lying[self.reader]

    def _enter(self, state: EnrolState, now_ns: int, for_ns: int | None = None) -> None:
        self.state, self.since_ns = state, now_ns
        self.due_ns = None if for_ns is None else now_ns + for_ns

    def _look(self, now_ns: int) -> None:
        """The tags on the chosen reader have changed."""
        if self.state in (EnrolState.LOST, *AT_END) or (self._tags and self.state in UNTIL_EMPTY):
            return
        if not self._tags and self.state is EnrolState.CHECKING:
            self._enter(EnrolState.TOO_SHORT, now_ns)
            self.tell("that was gone too soon; hold it there until it is read")
        elif not self._tags:
            self.ask(now_ns)
        elif len(self._tags) > 1:
            if self.state is not EnrolState.CROWDED:
                self._enter(EnrolState.CROWDED, now_ns)
                self.tell(f"more than one at once ({', '.join(self._tags)}); leave only one")
        elif any(self._tags.values()):
            self._clear(now_ns)
        else:
            self._enter(EnrolState.CHECKING, now_ns, self.settle_ns)

    def _resume(self, now_ns: int) -> None:
        """Ask for an item as soon as a reader works and is empty."""
        if self.worklist.asked is None:
            self.ask(now_ns)
        elif self._blind:
            self._enter(EnrolState.LOST, now_ns)
        elif self._tags:
            self._clear(now_ns)
        else:
            self.ask(now_ns)

    def _clear(self, now_ns: int) -> None:
        """Wait until the chosen reader is empty."""
        self._enter(EnrolState.SAVED if self.worklist.saved else EnrolState.TAKE_OFF, now_ns)
        self._tell_old(self.eligible[0])

    def _tell_old(self, reader: int) -> None:
        self.tell(f"something lies on {self.spots[reader].name}; take it off first")

    def _judge(self, now_ns: int) -> None:
        """A tag has been alone for long enough."""
        (uid,) = self._tags
        known = self.worklist.text.registry.get(uid)
        if known is None or known == self.worklist.asked:
            self._keep(now_ns)
            return
        self.known = known
        if self.worklist.may_take_tag_of(known):
            self._enter(EnrolState.OFFERED, now_ns, MOVE_NS)
            advice = "leave it there for 3 s to change that, or take it off"
        else:
            self._enter(EnrolState.REFUSED, now_ns)
            advice = "take it off (to change what is enrolled, start with --again, or press b)"
        self.tell(f"{uid} is {format_tag(known)} already; {advice}")

    def _keep(self, now_ns: int) -> None:
        (uid,) = self._tags
        item, text = self.worklist.wanted, self.worklist.text
        before, old = text.registry.get(uid), text.uid_of(item)
        self.worklist.keep(uid)
        self._enter(EnrolState.SAVED, now_ns)
        if before == item:
            self.tell(f"{uid} is {format_tag(item)}, as before; take it off")
            return
        moved = f", and no longer {format_tag(before)}" if before is not None else ""
        instead = f", instead of {old}" if old is not None else ""
        self.tell(f"{uid} is {format_tag(item)} now{moved}{instead}; take it off")


BLINK_NS = 400 * MS
"""How long a saved item is shown, and then hidden, while it blinks."""
TURN_NS = 2 * S
"""How long each of two texts that take turns is shown."""
NOTICE_NS = 2 * S
"""How long the scoreboard says that a tag was taken away too soon."""


def scoreboard_lines(enroller: Enroller, language: str, columns: int, now_ns: int) -> tuple[str, str]:
    """What the scoreboard shows now."""
    upper, lower = _lines(enroller, language, now_ns - enroller.since_ns)
    return upper[:columns], lower[:columns]


def lines_due_ns(enroller: Enroller, now_ns: int) -> int:
    """When the lines may change without an input."""
    return now_ns + BLINK_NS - (now_ns - enroller.since_ns) % BLINK_NS


def _lines(enroller: Enroller, language: str, for_ns: int) -> tuple[str, str]:
    """The lines when the state has lasted for `for_ns`."""
    state, worklist = enroller.state, enroller.worklist
    first_turn = for_ns // TURN_NS % 2 == 0
    if state is EnrolState.CROWDED:
        return say(language, Cue.TWO_TAGS), say(language, Phrase.LEAVE_ONE_TAG)
    if state is EnrolState.LOST:
        reader = spot_text(language, enroller.spots[enroller.eligible[0]].at)
        return say(language, Phrase.CHECK, what=reader), ""
    if enroller.known is not None and state in (EnrolState.OFFERED, EnrolState.REFUSED):
        what_to_do = Phrase.LEAVE_TAG if state is EnrolState.OFFERED else Phrase.LIFT_TAG
        upper = say(language, Phrase.ALREADY if first_turn else what_to_do)
        return upper, item_text(language, enroller.known)
    if state in AT_END:
        return say(language, Phrase.ENROLMENT_DONE), say(language, Phrase.WITHOUT_TAG, n=worklist.left)
    item = item_text(language, worklist.wanted)
    if state is EnrolState.SAVED:
        return item if for_ns // BLINK_NS % 2 == 0 else "", say(language, Phrase.TAG_SAVED)
    if state is EnrolState.TAKE_OFF:
        return item, say(language, Phrase.LIFT_TAG)
    if state is EnrolState.TOO_SHORT and for_ns < NOTICE_NS:
        return item, say(language, Cue.GONE)
    if state is EnrolState.ASKING and enroller.littered:  # no reader has been chosen, and a tag lies on one
        return item, say(language, Phrase.LIFT_TAG) if first_turn else _request(enroller, language)
    progress = say(language, Phrase.PROGRESS, n=worklist.number, of=len(worklist.items))
    return item, _request(enroller, language) if first_turn else progress


def _request(enroller: Enroller, language: str) -> str:
    if enroller.reader is not None:
        reader = spot_text(language, enroller.spots[enroller.reader].at)
        return say(language, Phrase.HOLD_TO_READER, reader=reader)
    return say(language, Phrase.HOLD_TO_ANY_PAD if enroller.has_pads else Phrase.HOLD_TO_ANY_READER)
