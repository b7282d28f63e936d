"""Faults of a simulated table: what a daemon hears and what people see, until they end."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.lab.world.fault_book import KINDS, Fault, FaultBook
from firmware_host.lab.world.ground import Ground
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import Button, Card, Colour, Pad, Slot
from firmware_host.model.times import MS, S
from firmware_host.run.table_files import load_profile
from firmware_host.show.lamps import frame_length
from hw.ports import Condition, Edge, Gap, Health, TagRead
from hw.sim.link import Report

LEFT, RIGHT = Slot(Colour.RED, 1), Slot(Colour.BLUE, 1)
TEXT = ("Start", "1:6 2:6")


def ground_of(profile: str = "dice4") -> Ground:
    ground = Ground(load_profile(profile), Random(1))
    ground.meet()
    return ground


@pytest.fixture
def ground() -> Ground:
    return ground_of()


@pytest.fixture
def book(ground: Ground) -> FaultBook:
    return FaultBook(ground)


def live(ground: Ground, length_ns: int) -> list[Report]:
    """Let time pass; what is reported."""
    ground.agenda.run(ground.agenda.now_ns + length_ns)
    return ground.reports()


def test_a_lost_expander_says_nothing_and_is_read_when_it_is_back(ground: Ground, book: FaultBook) -> None:
    ground.contacts[LEFT].set(True)
    book.begin("unplug left")
    lost = Health("left", Condition.LOST, "does not answer", "check its power and its wires")
    assert [(type(each), getattr(each, "high", None)) for each in live(ground, 0)] == [
        (Edge, False),  # from before
        (Health, None),
    ]
    assert ground.lost == {"left"} and lost in ground._lost.values()
    ground.agenda.run(1 * S)
    ground.contacts[LEFT].set(False)
    other = Slot(Colour.YELLOW, 2)
    ground.contacts[other].set(True)
    ground.contacts[other].set(False)
    ground.contacts[RIGHT].set(True)
    line = ground.profile.line_of
    assert [each.line for each in live(ground, 1 * S) if isinstance(each, Edge)] == [line(RIGHT)]
    assert ground.levels()[line(LEFT)] is False
    book.end("left")
    gap, edge, back = ground.reports()
    assert gap == Gap(0, 0, 2 * S)
    assert isinstance(edge, Edge)
    assert (edge.line, edge.high, edge.t_ns, edge.wide_ns) == (line(LEFT), True, 2 * S, 2 * S)
    assert back == Health("left", Condition.OK)
    assert ground.levels()[line(LEFT)] is True
    assert ground.lost == set() and book.faults == []


def test_the_next_daemon_is_told_of_nothing_before_its_time(ground: Ground, book: FaultBook) -> None:
    book.begin("unplug left")
    ground.agenda.run(1 * S)
    ground.meet()
    ground.contacts[LEFT].set(True)
    (lost,) = live(ground, 1 * S)
    assert isinstance(lost, Health) and lost.condition is Condition.LOST
    book.end()
    assert ground.reports()[0] == Gap(0, 1 * S, 2 * S)


def test_a_sign_without_power_is_dark_and_then_says_what_was_sent_last(
    ground: Ground, book: FaultBook
) -> None:
    ground.show_page(("Before", ""))
    book.begin("unplug scoreboard 5s")
    assert ground.sign.lines == ("", "")
    ground.show_page(TEXT)
    assert ground.sign.lines == ("", "")
    (lost,) = live(ground, 4 * S)
    assert isinstance(lost, Health) and (lost.name, lost.seen) == ("scoreboard", "was unplugged")
    assert live(ground, 1 * S) == [Health("scoreboard", Condition.OK)]
    assert ground.sign.lines == TEXT


def test_a_sign_that_was_sent_nothing_stays_blank(ground: Ground, book: FaultBook) -> None:
    book.begin("unplug scoreboard")
    book.end("scoreboard")
    assert ground.sign.lines == ("", "")
    ground.show_page(TEXT)
    ground.go_dark()
    book.begin("unplug scoreboard")
    book.end("scoreboard")
    assert ground.sign.lines == ("", "")


def test_the_lamps_of_a_lost_chip_are_dark(ground: Ground, book: FaultBook) -> None:
    profile = ground.profile
    lit = bytes([1]) * frame_length(profile.seats, profile.piles)
    of_chip = {wire.lamp for wire in profile.lamp_wires if wire.chip == "rows"}
    others = {wire.lamp for wire in profile.lamp_wires if wire.chip != "rows"}
    assert of_chip and others
    ground.show_frame(lit)
    book.begin("unplug rows")
    assert {lamp for lamp in of_chip if ground.leds.frame[lamp]} == set()
    assert all(ground.leds.frame[lamp] for lamp in others)
    book.end("rows")
    assert ground.leds.frame == lit


def test_a_lost_reader_reads_nothing_until_it_is_back() -> None:
    ground = ground_of("cards4")
    book = FaultBook(ground)
    book.begin("unplug pad-2 2s")
    ground.hold_to(Pad(2), Card(2, Colour.RED, 5))
    assert [type(each) for each in live(ground, 1 * S)] == [Health]
    read = [each for each in live(ground, 2 * S) if isinstance(each, TagRead)]
    assert [each.present for each in read] == [True]


def test_a_stuck_button_stays_down_whatever_is_done_to_it(ground: Ground, book: FaultBook) -> None:
    line = ground.profile.line_of(Button(2))
    book.begin("stuck seat 2")
    assert ground.levels()[line] is False
    ground.contacts[Button(2)].set(True)
    ground.contacts[Button(2)].set(False)
    assert ground.levels()[line] is False
    book.end("seat 2")
    assert ground.levels()[line] is True


def test_a_storm_ends_after_its_time(ground: Ground, book: FaultBook) -> None:
    book.begin("storm red 3 2s")
    edges = [each for each in live(ground, 1 * S) if isinstance(each, Edge)]
    assert len(edges) > 50 and {each.line for each in edges} == {ground.profile.line_of(Slot(Colour.RED, 3))}
    live(ground, 1 * S + 1 * MS)
    assert book.faults == [] and live(ground, 5 * S) == []
    assert ground.levels()[edges[0].line] is True


def test_the_time_of_a_fault_that_was_taken_back_ends_no_other_one(ground: Ground, book: FaultBook) -> None:
    book.begin("stuck seat 2 2s")
    book.end("seat 2")
    again = book.begin("stuck seat 2")
    assert again == Fault("stuck", "seat 2", None)
    live(ground, 5 * S)
    assert book.faults == [again]


def test_faults_are_ended_one_by_one_or_all(ground: Ground, book: FaultBook) -> None:
    for text in ("stuck seat 1", "unplug left", "storm blue 6"):
        book.begin(text)
    book.end("left")
    assert [each.target for each in book.faults] == ["seat 1", "blue 6"]
    book.end()
    assert book.faults == [] and ground.lost == set()
    book.end()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("storm", "'storm' is not a fault; it looks like 'storm seat 2 3s'"),
        ("strom seat 1", "fault 'strom' is unknown; did you mean 'storm'?"),
        ("hang i2c", "fault 'hang' is unknown; known: unplug, stuck, storm"),
        ("unplug pad-1", "fault 'unplug': 'pad-1' can't have it; allowed: left, right, rows, scoreboard"),
        ("stuck red 1", "fault 'stuck': 'red 1' can't have it; allowed: seat 1, seat 2, seat 3, seat 4"),
        ("storm seat 1 0s", "a fault lasts at most 60min; without a time, until you end it"),
        ("storm seat 1 61min", "a fault lasts at most 60min; without a time, until you end it"),
        ("storm seat 1 3x", "'3x' is no duration; write a number and ns, us, ms, s or min, as in 200ms"),
        ("stuck seat 4", "seat 4 has the fault 'storm' already; end that first"),
    ],
)
def test_what_can_not_go_wrong_is_refused(text: str, why: str, ground: Ground, book: FaultBook) -> None:
    book.begin("storm seat 4")
    with pytest.raises(MalformedText) as refused:
        book.begin(text)
    assert str(refused.value) == why
    assert [each.target for each in book.faults] == ["seat 4"] and ground.lost == set()


def test_what_is_well_can_not_be_ended(book: FaultBook) -> None:
    with pytest.raises(MalformedText, match=r"^'left' has no fault; nothing has one$"):
        book.end("left")
    book.begin("stuck seat 1")
    with pytest.raises(MalformedText, match=r"^'left' has no fault; these have: seat 1$"):
        book.end("left")


@pytest.mark.parametrize(
    "profile", ["dice4", "dice4-direct", "dice4-rfid", "cards4", "cards2", "cards2-piles", "cards12"]
)
def test_everything_that_can_go_wrong_goes_wrong_and_well_again(profile: str) -> None:
    ground = ground_of(profile)
    book = FaultBook(ground)
    before = ground.levels()
    for kind, targets in book.possible().items():
        assert targets and len(set(targets)) == len(targets)
        for target in targets:
            assert str(book.begin(f"{kind} {target}").kind) in KINDS
            assert live(ground, 100 * MS)
            book.end(target)
            live(ground, 100 * MS)
    assert ground.levels() == before and ground.lost == set()
