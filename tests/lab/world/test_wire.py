"""What goes over the wire comes out as it was."""

from __future__ import annotations

import json
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import Condition, Edge, Gap, Health, TagRead
from hw.sim.link import MessageSocket, Report, WireError, pack, unpack

moments = st.integers(0, 1 << 62)
lines = st.integers(0, 1000)
reports = st.one_of(
    st.builds(Edge, lines, st.booleans(), moments, moments, moments),
    st.builds(Gap, lines, moments, moments),
    st.builds(TagRead, lines, st.binary(min_size=4, max_size=10), st.booleans(), moments, moments),
    st.builds(Health, st.text(), st.sampled_from(Condition), st.text(), st.text()),
)


@given(reports)
def test_each_report_comes_out_as_it_was(report: Report) -> None:
    again = unpack(json.loads(json.dumps(pack(report))))
    assert again == report and type(again) is type(report)


@pytest.mark.parametrize(
    "parts", [["edge"], ["tag", 1, "zz", True, 0, 0], ["health", "x", "fine", "", ""], ["what"], []]
)
def test_what_is_no_report(parts: list[object]) -> None:
    with pytest.raises(WireError, match="is not a report"):
        unpack(parts)


def test_messages_come_whole_however_they_are_cut() -> None:
    left, right = socket.socketpair()
    wire = MessageSocket(right)
    left.sendall(b'["a",1]\n["b"')
    assert (wire.receive(), wire.pending) == (["a", 1], False)
    left.sendall(b',2]\n["c"]\n')
    assert (wire.receive(), wire.pending) == (["b", 2], True)
    assert (wire.receive(), wire.pending) == (["c"], False)
    left.close()
    assert wire.receive() is None
    wire.close()
