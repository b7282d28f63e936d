"""The walk through buttons or places, told of as a person goes along."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.model.events import DeviceChanged, Interrupted, SignalsLost, SourceEdge, TagSeen, Withdrawn
from firmware_host.model.places import Button, Colour, Pad, Slot, Source, Stranger
from firmware_host.model.settings import Settings
from firmware_host.model.states import AwayReason, Condition, DeviceCondition
from firmware_host.model.times import MS, US, S, Stamp, exactly
from firmware_host.workshop.doctor.findings import Finding, State
from firmware_host.workshop.doctor.walks import ContactWalk
from tests.workshop.doctor.finding import done

ONE, TWO, THREE = (Button(seat) for seat in (1, 2, 3))
PLACE = Slot(Colour.RED, 1)
WIRES: dict[Source, str] = {ONE: "line 5", TWO: "line 6", THREE: "line 13", PLACE: "left A0"}
DOUBT_NS = 100 * US


def walk_of(*parts: Source) -> ContactWalk:
    return ContactWalk("buttons", parts or (ONE, TWO, THREE), WIRES, Settings())


class Hand:
    """Touches contacts one after another, a second apart."""

    def __init__(self, walk: ContactWalk) -> None:
        self.walk = walk
        self.now_ns = 0

    def edge(self, source: Source, active: bool, t_ns: int, wide_ns: int = 0) -> None:
        stamp = Stamp(t_ns - wide_ns - DOUBT_NS, t_ns + DOUBT_NS)
        self.walk.put(SourceEdge(source, active, stamp, 0), t_ns)

    def touch(self, *sources: Source, bounce_ns: int = 0, wide_ns: int = 0) -> None:
        """Close and open contacts; all of them at the same moment."""
        self.now_ns += S
        for source in sources:
            self.edge(source, True, self.now_ns, wide_ns)
            for t_ns in range(2 * MS, bounce_ns + 1, 2 * MS):
                self.edge(source, t_ns % (4 * MS) == 0, self.now_ns + t_ns, wide_ns)
        for source in sources:
            self.edge(source, False, self.now_ns + S // 2, wide_ns)
        self.now_ns += S
        self.walk.advance(self.now_ns)


def found(findings: Iterable[Finding], part: str, state: State) -> Finding:
    (finding,) = [each for each in findings if each.subject == f"buttons: {part}" and each.state is state]
    return finding


def test_all_are_ticked_off_one_by_one() -> None:
    walk = walk_of()
    hand = Hand(walk)
    assert walk.picture() == ["[ ] seat 1", "[ ] seat 2", "[ ] seat 3", "0 of 3; now press: seat 1 (line 5)"]
    hand.touch(ONE)
    assert walk.take_news() == ["[x] seat 1 came (line 5)"]
    assert walk.take_news() == []
    assert not done(walk)
    hand.touch(TWO)
    hand.touch(THREE)
    assert done(walk)
    assert walk.picture()[0] == "[x] seat 1     once, no bounce"
    assert walk.picture()[-1] == "3 of 3: all have come"
    assert {finding.state for finding in walk.findings()} == {State.OK}


def test_it_waits_until_the_last_has_bounced_out() -> None:
    walk = walk_of(ONE)
    Hand(walk).edge(ONE, True, S)
    assert not done(walk)
    assert walk.due_ns == S + Settings().button_burst_ns
    walk.advance(S)
    assert not done(walk)
    walk.advance(S + Settings().button_burst_ns)
    assert done(walk)
    assert [walk.due_ns] == [None]
    assert "pressed" in walk.picture()[0]


def test_swapped_wires_are_seen() -> None:
    walk = walk_of()
    hand = Hand(walk)
    hand.touch(TWO)  # the person presses what is labelled 1
    hand.touch(ONE)
    hand.touch(THREE)
    assert walk.take_news()[0] == "[x] seat 2 came (line 6); seat 1 was asked for"
    note = found(walk.findings(), "seat 2", State.NOTE)
    assert note.seen == "it came when seat 1 was asked for"
    assert note.advice == "if you touched seat 1: its wire is at line 6; change the two"


def test_joined_wires_are_seen() -> None:
    walk = walk_of()
    Hand(walk).touch(ONE, TWO)
    assert "seat 2 and seat 1 came together: are their wires joined?" in walk.take_news()
    joined = found(walk.findings(), "seat 1", State.WARN)
    assert "line 5 and line 6 are joined" in joined.advice


def test_two_fingers_are_no_joined_wires() -> None:
    walk = walk_of()
    hand = Hand(walk)
    hand.edge(ONE, True, S)
    hand.edge(TWO, True, S + 2 * MS)
    assert not any("together" in line for line in walk.take_news())


def test_a_contact_of_another_kind_is_told_and_ticks_nothing() -> None:
    walk = walk_of()
    Hand(walk).touch(PLACE)
    assert walk.take_news() == ["red 1 came (left A0), and is not on this list"]
    assert walk.picture()[-1].startswith("0 of 3")


def test_what_did_not_come_is_missing() -> None:
    walk = walk_of()
    Hand(walk).touch(ONE)
    missing = found(walk.findings(), "seat 2", State.FAIL)
    assert missing.seen == "did not come (line 6)"
    assert "two wires" in missing.advice


def test_what_never_rests_is_told_apart_from_what_never_comes() -> None:
    walk = walk_of(ONE, PLACE)
    walk.begin([ONE, PLACE])
    assert walk.take_news() == ["seat 1 is pressed from the start", "red 1 is filled from the start"]
    assert "was pressed all the time (line 5)" in found(walk.findings(), "seat 1", State.FAIL).seen
    assert "sensor" in found(walk.findings(), "red 1", State.FAIL).advice
    assert walk.picture()[1] == "[ ] red 1        filled"


def test_a_long_bounce_proposes_a_longer_burst() -> None:
    walk = walk_of(ONE)
    Hand(walk).touch(ONE, bounce_ns=14 * MS)
    bouncing = found(walk.findings(), "seat 1", State.WARN)
    assert "14.0 ms" in bouncing.seen
    assert 'button-burst = "25ms"' in bouncing.advice


def test_a_place_that_was_only_found_by_looking_has_no_interrupt() -> None:
    walk = walk_of(PLACE)
    hand = Hand(walk)
    hand.touch(PLACE, wide_ns=100 * MS)
    assert "interrupt wire" in found(walk.findings(), "red 1", State.WARN).advice
    hand.touch(PLACE)
    assert found(walk.findings(), "red 1", State.OK).seen == "2 times, no bounce"
    assert "now fill" in walk_of(PLACE).picture()[-1]


def device(condition: Condition, seen: str = "", advice: str = "") -> DeviceChanged:
    return DeviceChanged(DeviceCondition("left", condition, seen, advice), True, exactly(0))


def test_devices_in_trouble_are_told_and_found() -> None:
    walk = walk_of(ONE)
    walk.put(device(Condition.LOST, "does not answer", "check its power"), 0)
    assert walk.take_news() == ["left is lost: does not answer; check its power"]
    lost = found(walk.findings(), "left", State.FAIL)
    assert (lost.seen, lost.advice) == ("lost: does not answer", "check its power")
    walk.put(device(Condition.DEGRADED, "was reset"), 0)
    assert found(walk.findings(), "left", State.WARN).seen == "degraded: was reset"
    walk.put(device(Condition.OK), 0)
    assert walk.take_news()[-1] == "left is ok"
    assert all(finding.subject != "buttons: left" for finding in walk.findings())


def test_lost_edges_are_counted() -> None:
    walk = walk_of(ONE)
    walk.put(SignalsLost(0, 1, exactly(0)), 0)
    walk.put(SignalsLost(3, 1, exactly(0)), 0)
    assert found(walk.findings(), "edges", State.WARN).seen == "4 edges were lost on the way"


def test_what_is_not_about_contacts_changes_nothing() -> None:
    walk = walk_of(ONE)
    before = walk.picture()
    walk.put(TagSeen(Pad(1), Stranger("04a1b2c3"), exactly(0)), 0)
    walk.put(Withdrawn(Pad(1), Stranger("04a1b2c3"), exactly(0)), 0)
    walk.put(Interrupted(AwayReason.SERVICE, exactly(0)), 0)
    walk.go_on(0)
    assert (walk.picture(), walk.take_news(), walk.frame) == (before, [], None)
