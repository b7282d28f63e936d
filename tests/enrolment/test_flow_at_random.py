"""Whatever hands, readers and keys do: a tag is taken only for what it was shown for, alone and for long."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.tags import Enrolled
from firmware_host.durations import MS, S
from firmware_host.enrolment.flow import FAREWELL_NS, MOVE_NS, SETTLE_NS
from firmware_host.enrolment.happenings import Came, Found, Happening, Key, Lost, Went
from firmware_host.enrolment.news import Asked, Kept, Known, News, Stayed
from firmware_host.enrolment.phases import Phase
from tests.enrolment.driving import REDS, A, B, C, D, Person

UIDS = [A, B, C, D, "eeeeeeee"]
readers = st.integers(0, 2)
comings = st.builds(Came, readers, st.sampled_from(UIDS), st.sampled_from([False, False, False, True]))
goings = st.builds(Went, readers, st.sampled_from(UIDS))
troubles = st.builds(Lost, readers) | st.builds(Found, readers)
keys = st.sampled_from([Key.SKIP, Key.BACK])
pauses = st.sampled_from([1 * MS, 100 * MS, SETTLE_NS, 1 * S, MOVE_NS])
deeds = st.lists(comings | goings | troubles | keys | pauses, max_size=60)
beginnings = st.dictionaries(st.sampled_from(UIDS), st.sampled_from(REDS), max_size=3).filter(
    lambda tags: len(set(tags.values())) == len(tags)
)


class Witness:
    """Follows what lies on each reader in its own way, and looks whether what comes of it can be right."""

    def __init__(self, person: Person, tags: dict[str, Enrolled]) -> None:
        self.person = person
        self.tags = dict(tags)
        self.lying: dict[int, set[str]] = {reader: set() for reader in range(3)}
        self.old: set[tuple[int, str]] = set()
        self.alone_ns: dict[int, int | None] = dict.fromkeys(range(3))
        self.emptied = dict.fromkeys(range(3), True)  # since the last tag was taken
        self.asked: Enrolled | None = person.asked[0] if person.asked else None
        self.offered: set[str] = set()

    def happened(self, deed: Happening) -> None:
        if isinstance(deed, Came | Went):
            lying = self.lying[deed.reader]
            before = set(lying)
            lying.add(deed.uid) if isinstance(deed, Came) else lying.discard(deed.uid)
            if lying != before:
                self.old.discard((deed.reader, deed.uid))
                if isinstance(deed, Came) and deed.early:
                    self.old.add((deed.reader, deed.uid))
                self.alone_ns[deed.reader] = self.person.now_ns if len(lying) == 1 else None
                self.emptied[deed.reader] |= not lying

    def check(self, news: Sequence[News]) -> None:
        for each in news:
            if isinstance(each, Asked):
                self.asked, self.offered = each.item, set()
            elif isinstance(each, Known) and each.offered:
                self.offered.add(each.uid)
            elif isinstance(each, Kept | Stayed):
                self._check_taken(each)
        assert self.person.tags == self.tags

    def _check_taken(self, taken: Kept | Stayed) -> None:
        reader = self.person.flow.readers.chosen
        assert reader is not None
        assert self.lying[reader] == {taken.uid}
        assert (reader, taken.uid) not in self.old
        assert self.emptied[reader], "one tag is taken, and then it has to go"
        self.emptied[reader] = False
        alone_ns = self.alone_ns[reader]
        assert alone_ns is not None
        known = self.tags.get(taken.uid)
        moves = known not in (None, taken.item)
        assert self.person.now_ns - alone_ns >= SETTLE_NS + (MOVE_NS if moves else 0)
        assert taken.item == self.asked
        assert not moves or taken.uid in self.offered
        assert isinstance(taken, Stayed) == (known == taken.item)
        self.tags = {uid: item for uid, item in self.tags.items() if uid != taken.uid and item != taken.item}
        self.tags[taken.uid] = taken.item


def live(person: Person, witness: Witness, deeds: Sequence[Happening | int]) -> None:
    for deed in deeds:
        if isinstance(deed, int):
            witness.check(person.wait(deed))
        else:
            witness.happened(deed)
            news = person.do(deed)
            if deed is Key.SKIP or deed is Key.BACK:
                witness.asked = person.course.asked  # what lies there may have to go before it is told
            witness.check(news)


@given(beginnings, st.booleans(), st.none() | readers, deeds)
def test_nothing_is_enrolled_but_what_was_shown(
    tags: dict[str, Enrolled], again: bool, reader: int | None, deeds: list[Happening | int]
) -> None:
    person = Person(tags=tags, again=again, reader=reader)
    live(person, Witness(person, tags), deeds)


@given(beginnings, st.booleans(), deeds)
def test_it_can_always_be_brought_to_its_end(
    tags: dict[str, Enrolled], again: bool, deeds: list[Happening | int]
) -> None:
    """By somebody who mends the readers, clears them, and shows new tags for all that is asked for."""
    person = Person(tags=tags, again=again)
    witness = Witness(person, tags)
    live(person, witness, deeds)
    mended: list[Happening | int] = [Found(reader) for reader in range(3)]
    live(person, witness, mended)
    for reader, lying in witness.lying.items():
        live(person, witness, [Went(reader, uid) for uid in sorted(lying)])
    skipped = {item for item in person.course.items if item not in person.tags.values()}
    for number in range(20):
        if person.at(Phase.DONE):
            break
        if person.at(Phase.OVER):
            return
        assert person.at(Phase.ASKING)
        reader = person.flow.readers.eligible[0]
        skipped.discard(person.course.wanted)
        uid = f"{number:08x}"
        live(person, witness, [Came(reader, uid), SETTLE_NS, Went(reader, uid)])
    assert person.at(Phase.DONE)
    assert person.course.left == len(set(person.course.items) - set(person.tags.values())) <= len(skipped)
    person.wait(FAREWELL_NS)
    assert person.at(Phase.OVER)
