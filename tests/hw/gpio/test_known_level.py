"""The level of a line that was last reported."""

from hw.gpio.known_level import KnownLevel

MS = 1_000_000


def test_a_level_that_is_as_it_was_reported_is_no_change_and_narrows_the_next() -> None:
    line = KnownLevel(True, 0)
    assert line.compare(True, 100, 110) is None
    assert line.compare(False, 200, 210) == 110


def test_a_change_reaches_back_to_what_was_known_last() -> None:
    line = KnownLevel(True, 0)
    line.reported(False, 40)
    assert line.compare(True, 100, 110) == 70
    assert (line.high, line.since_ns) == (True, 110)


def test_it_reaches_back_no_further_than_something_can_have_been_lost() -> None:
    assert KnownLevel(True, 0).compare(False, 100, 110, lost_since_ns=90) == 20


def test_an_edge_that_came_while_looking_knows_better() -> None:
    line = KnownLevel(True, 0)
    line.reported(False, 104)
    assert line.compare(True, 100, 110) is None
    assert line.high is False


def test_an_edge_from_before_what_is_known_changes_nothing() -> None:
    line = KnownLevel(True, 100)
    line.reported(False, 99)
    assert (line.high, line.since_ns) == (True, 100)


def test_a_slow_machine_gives_its_edges_more_time() -> None:
    line = KnownLevel(True, 0, under_way_ns=300 * MS)
    assert line.look(False, 10 * MS, 10 * MS) is None
    assert line.look(False, 300 * MS, 300 * MS) is None
    assert line.look(False, 310 * MS, 310 * MS) == (0, 10 * MS)
