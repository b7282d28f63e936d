"""Whatever hands, readers and keys do: a tag is taken only for what it was shown for, alone and for long."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.places import format_tag
from firmware_host.model.times import MS, S
from firmware_host.profile.tags import Enrolled
from firmware_host.workshop.enrolling.enroller import FAREWELL_NS, MOVE_NS, SETTLE_NS, EnrolState
from tests.workshop.enrolling.enrolling_person import REDS, A, B, C, D, Person

UIDS = [A, B, C, D, "eeeeeeee"]
BY_NAME: dict[str, Enrolled] = {format_tag(card): card for card in REDS}
LINE = re.compile(
    r"(?P<asked>card 1 red \d)  \(.*|"
    r"(?P<uid>\w{8}) is (?P<item>card 1 red \d)(?P<how> now| already; leave|, as before|).*"
)


Deed = tuple[str, str, int] | str | int
"""What somebody does with a tag at a reader or with a reader, a key, or for how long nothing happens."""

readers = st.sampled_from([0, 0, 0, 1, 2])
uids = st.sampled_from(UIDS)
handling = st.tuples(st.sampled_from(["put", "put", "put", "early"]), uids, readers)
taking = st.tuples(st.just("take"), uids, readers)
troubles = st.tuples(st.sampled_from(["lose", "find"]), st.just(""), readers)
keys = st.sampled_from(["s", "b"])
pauses = st.sampled_from([1 * MS, 100 * MS, SETTLE_NS, 1 * S, MOVE_NS])


@st.composite
def deed_lists(draw: st.DrawFn) -> list[Deed]:
    """Single deeds, and tags that are held to a reader for long enough to count."""
    done: list[Deed] = []
    for _ in range(draw(st.integers(0, 30))):
        if draw(st.booleans()):
            done.append(draw(handling | taking | troubles | keys | pauses))
            continue
        how, uid, reader = draw(handling)
        done += [(how, uid, reader), draw(st.sampled_from([SETTLE_NS, SETTLE_NS + MOVE_NS]))]
        if draw(st.booleans()):
            done.append(("take", uid, reader))
    return done


beginnings = st.dictionaries(st.sampled_from(UIDS), st.sampled_from(REDS), max_size=3).filter(
    lambda tags: len(set(tags.values())) == len(tags)
)


class Witness:
    """Follows what lies on each reader in its own way, and checks what the messages say of it."""

    def __init__(self, person: Person, tags: dict[str, Enrolled]) -> None:
        self.person = person
        self.tags = dict(tags)
        self.lying: dict[int, set[str]] = {reader: set() for reader in range(3)}
        self.old: set[tuple[int, str]] = set()
        self.alone_ns: dict[int, int | None] = dict.fromkeys(range(3))
        self.emptied = dict.fromkeys(range(3), True)  # since the last tag was taken
        self.asked: Enrolled | None = None
        self.offered: set[str] = set()
        self.check(person.begun)

    def happened(self, what: str, uid: str, reader: int) -> None:
        lying = self.lying[reader]
        before = set(lying)
        lying.discard(uid) if what == "take" else lying.add(uid)
        if lying != before:
            self.old.discard((reader, uid))
            if what == "early":
                self.old.add((reader, uid))
            self.alone_ns[reader] = self.person.now_ns if len(lying) == 1 else None
            self.emptied[reader] |= not lying

    def check(self, messages: Sequence[str]) -> None:
        for line in filter(None, map(LINE.fullmatch, messages)):
            if line["asked"]:
                self.asked, self.offered = BY_NAME[line["asked"]], set()
            elif line["how"] == " already; leave":
                self.offered.add(line["uid"])
            elif line["how"]:
                self._check_taken(line["uid"], BY_NAME[line["item"]], as_before=line["how"] != " now")
        assert self.person.tags == self.tags

    def _check_taken(self, uid: str, item: Enrolled, *, as_before: bool) -> None:
        reader = self.person.enroller.reader
        assert reader is not None
        assert self.lying[reader] == {uid}
        assert (reader, uid) not in self.old
        assert self.emptied[reader], "one tag is taken, and then it has to go"
        self.emptied[reader] = False
        alone_ns = self.alone_ns[reader]
        assert alone_ns is not None
        known = self.tags.get(uid)
        moves = known not in (None, item)
        assert self.person.now_ns - alone_ns >= SETTLE_NS + (MOVE_NS if moves else 0)
        assert item == self.asked
        assert not moves or uid in self.offered
        assert as_before == (known == item)
        self.tags = {each: tag for each, tag in self.tags.items() if each != uid and tag != item}
        self.tags[uid] = item


def live(person: Person, witness: Witness, deeds: Sequence[Deed]) -> None:
    for deed in deeds:
        match deed:
            case int():
                witness.check(person.wait(deed))
            case str():
                messages = person.press(deed)
                witness.asked = person.worklist.asked  # what lies there may have to go before it is told
                witness.check(messages)
            case ("lose" | "find" as what, _, reader):
                witness.check((person.lose if what == "lose" else person.find)(reader))
            case (what, uid, reader):
                witness.happened(what, uid, reader)
                taken = what == "take"
                witness.check(
                    person.take(uid, reader) if taken else person.put(uid, reader, early=what == "early")
                )


@given(beginnings, st.booleans(), st.none() | readers, deed_lists())
def test_nothing_is_enrolled_but_what_was_shown(
    tags: dict[str, Enrolled], again: bool, reader: int | None, deeds: list[Deed]
) -> None:
    person = Person(tags=tags, again=again, reader=reader)
    live(person, Witness(person, tags), deeds)


@given(beginnings, st.booleans(), deed_lists())
def test_it_can_always_be_brought_to_its_end(
    tags: dict[str, Enrolled], again: bool, deeds: list[Deed]
) -> None:
    """By somebody who mends the readers, clears them, and shows new tags for all that is asked for."""
    person = Person(tags=tags, again=again)
    witness = Witness(person, tags)
    live(person, witness, deeds)
    live(person, witness, [("find", "", reader) for reader in range(3)])
    for reader, lying in witness.lying.items():
        live(person, witness, [("take", uid, reader) for uid in sorted(lying)])
    skipped = {item for item in person.worklist.items if item not in person.tags.values()}
    for number in range(20):
        if person.at(EnrolState.DONE):
            break
        if person.at(EnrolState.OVER):
            return
        assert person.at(EnrolState.ASKING) or person.at(EnrolState.TOO_SHORT)
        reader = person.enroller.eligible[0]
        skipped.discard(person.worklist.wanted)
        uid = f"{number:08x}"
        live(person, witness, [("put", uid, reader), SETTLE_NS, ("take", uid, reader)])
    left = person.worklist.left
    assert left == len(set(person.worklist.items) - set(person.tags.values())) <= len(skipped)
    person.wait(FAREWELL_NS)
    assert person.at(EnrolState.OVER)
