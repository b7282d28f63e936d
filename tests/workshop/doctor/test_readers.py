"""The walk through readers: which saw a tag, whose it is, and which of them see the same one."""

from __future__ import annotations

from firmware_host.model.events import SourceEdge, TagSeen, Withdrawn
from firmware_host.model.places import Button, Card, Colour, Pad, Spot, Stranger, Tag
from firmware_host.model.times import exactly
from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.walks import ReaderWalk
from tests.workshop.doctor.finding import done

PORTS: dict[Spot, str] = {Pad(1): "/dev/ttyUSB1", Pad(2): "/dev/ttyUSB2"}
CARD = Card(3, Colour.RED, 7)
NOW = exactly(0)


class Hand:
    """Holds tags to readers, as the loop tells of it."""

    def __init__(self) -> None:
        self.uids: dict[Tag, str] = {}
        self.walk = ReaderWalk(PORTS, lambda tag: bytes.fromhex(self.uids[tag]))

    def hold(self, at: Spot, uid: str, tag: Tag) -> None:
        self.uids[tag] = uid
        self.walk.put(TagSeen(at, tag, NOW), 0)

    def take(self, at: Spot, uid: str, tag: Tag) -> None:
        self.walk.put(Withdrawn(at, tag, NOW), 0)


def test_each_reader_is_ticked_off_by_a_tag() -> None:
    hand = Hand()
    walk = hand.walk
    assert walk.picture() == ["[ ] pad 1", "[ ] pad 2", "0 of 2; now hold a tag to: pad 1 (/dev/ttyUSB1)"]
    hand.hold(Pad(1), "04a1b2c3", CARD)
    hand.take(Pad(1), "04a1b2c3", CARD)
    assert walk.take_news() == ["[x] pad 1 (/dev/ttyUSB1) sees 04a1b2c3: card 3 red 7"]
    assert not done(walk)
    hand.hold(Pad(2), "04a1b2c4", Stranger("04a1b2c4"))
    assert done(walk)
    assert walk.picture() == [
        "[x] pad 1      04a1b2c3: card 3 red 7",
        "[x] pad 2      04a1b2c4: not enrolled",
        "2 of 2: all have seen a tag",
    ]
    first, second = walk.findings()
    assert (first.state, first.seen, first.advice) == (State.OK, "04a1b2c3: card 3 red 7", "")
    assert second.state is State.OK and "tags enrol" in second.advice


def test_one_that_knew_a_tag_once_needs_no_hint() -> None:
    hand = Hand()
    hand.hold(Pad(1), "04a1b2c3", CARD)
    hand.hold(Pad(1), "04a1b2c4", Stranger("04a1b2c4"))
    assert hand.walk.findings()[0].advice == ""


def test_a_reader_that_saw_nothing_is_missing() -> None:
    hand = Hand()
    hand.hold(Pad(1), "04a1b2c3", CARD)
    missing = hand.walk.findings()[1]
    assert (missing.subject, missing.state) == ("readers: pad 2", State.FAIL)
    assert "/dev/ttyUSB2" in missing.seen


def test_swapped_plugs_are_seen() -> None:
    hand = Hand()
    hand.hold(Pad(2), "04a1b2c3", CARD)
    assert hand.walk.take_news() == [
        "[x] pad 2 (/dev/ttyUSB2) sees 04a1b2c3: card 3 red 7; pad 1 was asked for"
    ]
    assert len(hand.walk.findings()) == 2  # pad 1 may as well be missing
    hand.take(Pad(2), "04a1b2c3", CARD)
    hand.hold(Pad(1), "04a1b2c3", CARD)
    note = hand.walk.findings()[-1]
    assert (note.subject, note.state) == ("readers: pad 2", State.NOTE)
    assert "if you held it to pad 1" in note.advice


def test_readers_that_are_too_near_are_seen() -> None:
    hand = Hand()
    hand.hold(Pad(1), "04a1b2c3", CARD)
    hand.hold(Pad(2), "04a1b2c3", CARD)
    assert "pad 1 and pad 2 see the same tag" in hand.walk.take_news()
    near = [finding for finding in hand.walk.findings() if finding.state is State.WARN]
    assert [finding.subject for finding in near] == ["readers: pad 1"]
    assert "`group`" in near[0].advice


def test_a_tag_that_was_carried_over_is_not_seen_by_both() -> None:
    hand = Hand()
    hand.hold(Pad(1), "04a1b2c3", CARD)
    hand.take(Pad(1), "04a1b2c3", CARD)
    hand.hold(Pad(2), "04a1b2c3", CARD)
    assert all(finding.state is State.OK for finding in hand.walk.findings())


def test_contacts_are_of_no_interest() -> None:
    walk = Hand().walk
    walk.put(SourceEdge(Button(1), True, NOW, 0), 0)
    walk.advance(0)
    assert (walk.take_news(), walk.due_ns) == ([], None)
