"""Lines that a script plays on."""

from hw.ports import Edge
from hw.sim.lines import ScriptedLines, resting


def test_edges_arrive_in_the_order_of_the_script_whatever_their_stamps() -> None:
    lines = ScriptedLines(resting([1, 2], low=[]), uncertainty_ns=5)
    lines.deliver(2, False, t_ns=200)
    lines.deliver(1, False, t_ns=100)
    assert lines.read() == [Edge(2, False, 200, 0), Edge(1, False, 100, 1)]
    assert lines.uncertainty_ns == 5


def test_a_recorded_edge_keeps_its_number() -> None:
    lines = ScriptedLines(resting([1], low=[]), uncertainty_ns=0)
    lines.push(Edge(1, False, 300, seq=77))
    assert lines.read() == [Edge(1, False, 300, 77)]
    assert lines.levels() == {1: False}


def test_contacts_may_be_closed_from_the_start() -> None:
    assert resting([1, 2, 3], low=[2]) == {1: True, 2: False, 3: True}
