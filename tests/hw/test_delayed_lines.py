"""Edges that overtake each other on their way."""

from hypothesis import given
from hypothesis import strategies as st

from hw.ports import Edge
from hw.sim.agenda import Agenda
from hw.sim.lines import DelayedLines, ScriptedLines
from tests.hw.wired_lines import edges_of


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 500)), max_size=20))
def test_it_reorders_and_loses_nothing(journeys: list[tuple[int, int]]) -> None:
    """Each edge is read at its own time plus its own delay, and read once."""
    agenda, lines = Agenda(), ScriptedLines({1: True}, 0)
    happened = sorted(moment for moment, _ in journeys)
    delays = [delay for _, delay in journeys]
    courier = DelayedLines(lines, agenda, lambda edge: delays[edge.seq])
    read: list[tuple[int, Edge]] = []

    def read_all() -> None:
        read.extend((agenda.now_ns, edge) for edge in edges_of(courier))

    for t_ns in happened:
        agenda.at(t_ns, lambda t_ns=t_ns: lines.deliver(1, False, t_ns))  # type: ignore[misc]
    while (due_ns := agenda.due_ns) is not None:
        agenda.run(due_ns)
        read_all()
    assert sorted(edge.seq for _, edge in read) == list(range(len(journeys)))
    assert all(now_ns == edge.t_ns + delays[edge.seq] for now_ns, edge in read)


def test_a_late_edge_is_overtaken() -> None:
    agenda, lines = Agenda(), ScriptedLines({1: True, 2: True}, 0)
    courier = DelayedLines(lines, agenda, lambda edge: 100 if edge.line == 1 else 0)
    lines.deliver(1, False, t_ns=0)
    lines.deliver(2, False, t_ns=0)
    assert [edge.line for edge in edges_of(courier)] == [2]
    agenda.run(99)
    assert courier.read() == []
    agenda.run(100)
    assert courier.read() == [Edge(1, False, 0, 0)]
