"""gpiozero's factories lose edges without a word: what the driver makes of it."""

import select
from threading import Thread

import pytest

from hw.ports import Condition, Edge, Gap
from tests.hw.wired_lines import LINES, WiredLines, edges_of

MS = 1_000_000


class Forgetful(WiredLines):
    """Lines that can lose edges, as lgpio does in a storm."""

    def __init__(self, reports_losses: bool = False) -> None:
        super().__init__(lines=(4, 5), reports_losses=reports_losses)
        self.agenda.run(10 * MS)

    def wait(self, milliseconds: int) -> None:
        self.agenda.run(self.agenda.now_ns + milliseconds * MS)

    def drive(self, line: int, high: bool, *, lost: bool = False) -> None:
        pin = self.pin(line)
        pin.edges = "none" if lost else "both"
        super().drive(line, high)
        pin.edges = "both"
        self.wait(10)


def test_a_lost_press_is_found_by_looking_again() -> None:
    world = Forgetful()
    world.drive(4, False, lost=True)
    assert world.lines.read() == []
    world.lines.resync()
    assert world.lines.read() == []  # its edge may still be under way
    world.wait(20)
    world.lines.resync()
    assert world.lines.read() == [Gap(1, 0, 20 * MS), Edge(4, False, 20 * MS, 0, wide_ns=20 * MS)]
    world.lines.resync()
    assert world.lines.read() == []


def test_what_was_found_is_no_wider_than_since_the_look_before() -> None:
    world = Forgetful()
    world.lines.resync()
    world.drive(4, False, lost=True)
    world.lines.resync()
    world.wait(250)
    world.lines.resync()
    assert world.lines.read() == [Gap(1, 10 * MS, 20 * MS), Edge(4, False, 20 * MS, 0, wide_ns=10 * MS)]


def test_two_levels_alike_mean_that_one_edge_was_lost() -> None:
    world = Forgetful(reports_losses=True)
    world.drive(4, False)
    world.drive(5, False)
    world.drive(4, True, lost=True)
    world.drive(4, False)
    assert world.lines.read() == [
        Edge(4, False, 10 * MS, 0),
        Edge(5, False, 20 * MS, 1),
        Gap(1, 10 * MS, 40 * MS),
        Edge(4, False, 40 * MS, 2),
    ]


def test_of_a_factory_that_reads_levels_late_that_can_not_be_said() -> None:
    world = Forgetful(reports_losses=False)
    world.drive(4, False)
    world.drive(4, True, lost=True)
    world.drive(4, False)
    assert [type(report) for report in world.lines.read()] == [Edge, Edge]


def test_an_edge_that_is_only_under_way_is_reported_exactly_and_nothing_else() -> None:
    """A wide edge before it would take the press its moment, and a rival would win."""
    world = Forgetful(reports_losses=True)
    world.drive(4, False, lost=True)
    world.lines.resync()
    line = world.lines._lines[4]
    line.changed(10 * MS, False)  # its callback was under way
    world.wait(250)
    world.lines.resync()
    assert world.lines.read() == [Edge(4, False, 10 * MS, 0)]


def test_a_line_that_went_back_by_itself_was_a_twitch() -> None:
    world = Forgetful()
    world.drive(4, False, lost=True)
    world.lines.resync()
    world.drive(4, True, lost=True)
    world.wait(250)
    world.lines.resync()
    assert world.lines.read() == []


def test_a_line_that_can_not_be_read_is_a_fault_and_no_crash() -> None:
    world = Forgetful()
    world.drive(5, False, lost=True)
    world.pin(4)._state = UnreadableLevel()
    world.lines.resync()
    world.wait(250)
    world.lines.resync()
    assert [type(report) for report in world.lines.read()] == [Gap, Edge]
    assert world.lines.faults == 2
    assert world.lines.levels() == {4: True, 5: False}
    assert [health.condition for health in world.reported] == [Condition.DEGRADED]
    world.pin(4)._state = True
    world.lines.resync()
    assert [health.condition for health in world.reported] == [Condition.DEGRADED, Condition.OK]


def test_lines_that_can_none_of_them_be_read_are_lost_until_they_can() -> None:
    world = Forgetful()
    for line in (4, 5):
        world.pin(line)._state = UnreadableLevel()
    for _ in range(3):
        world.lines.resync()
    for line in (4, 5):
        world.pin(line)._state = True
    world.lines.resync()
    conditions = [health.condition for health in world.reported]
    assert conditions == [Condition.DEGRADED, Condition.LOST, Condition.OK]


class UnreadableLevel:
    """A level that can't be read."""

    def __bool__(self) -> bool:
        raise OSError(5, "no level")


def test_a_pin_that_will_not_be_let_go_is_tried_again_and_then_left() -> None:
    world = Forgetful()
    refusals = [3]
    pin = world.pin(4)
    close = pin.close

    def refuse() -> None:
        if refusals[0]:
            refusals[0] -= 1
            raise OSError(16, "busy")
        close()

    pin.close = refuse
    world.lines.close()
    assert refusals == [0]
    assert world.lines.faults == 0


def readable(wires: WiredLines) -> bool:
    return bool(select.select([wires.lines.fileno()], [], [], 0)[0])


def test_an_edge_has_its_line_its_level_and_the_time_of_its_source(wires: WiredLines) -> None:
    wires.agenda.run(7_000)
    wires.drive(5, high=False)
    wires.agenda.run(9_000)
    assert wires.lines.read() == [Edge(line=5, high=False, t_ns=7_000, seq=0)]


@pytest.mark.parametrize(("pull", "high"), [("up", True), ("down", False)])
def test_open_contacts_rest_where_they_are_pulled(pull: str, high: bool) -> None:
    assert WiredLines(pull).lines.levels() == dict.fromkeys(LINES, high)


def test_an_edge_from_before_anybody_asked_for_the_descriptor_counts_too(wires: WiredLines) -> None:
    wires.drive(4, high=False)
    assert readable(wires)


def test_edges_may_come_on_a_thread_of_their_own(wires: WiredLines) -> None:
    descriptor = wires.lines.fileno()

    def hammer() -> None:
        for turn in range(100):
            wires.drive(4, high=bool(turn % 2))

    thread = Thread(target=hammer)
    thread.start()
    seen: list[Edge] = []
    while len(seen) < 100 and select.select([descriptor], [], [], 10)[0]:
        seen += edges_of(wires.lines)
    thread.join()
    assert [edge.seq for edge in seen] == list(range(100))


def test_a_closed_line_says_nothing_more(wires: WiredLines) -> None:
    pin = wires.pin(4)
    wires.lines.close()
    pin.drive_low()
    assert wires.lines.read() == []
