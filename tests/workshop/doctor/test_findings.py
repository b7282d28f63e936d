"""Findings are counted and put in order; the worst says how the whole is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.workshop.doctor.findings import Area, Finding, State, counts, in_order, worst

FINDINGS = st.lists(
    st.builds(
        Finding, st.sampled_from(Area), st.text(max_size=3), st.sampled_from(State), st.text(max_size=3)
    )
)


def test_nothing_found_is_nothing_wrong() -> None:
    assert worst([]) is State.OK


@given(FINDINGS)
def test_the_worst_is_the_worst(findings: list[Finding]) -> None:
    for state in reversed(State):
        if any(finding.state is state for finding in findings):
            assert worst(findings) is state
            break


@given(FINDINGS)
def test_each_finding_is_counted_once(findings: list[Finding]) -> None:
    assert sum(counts(findings).values()) == len(findings)
    assert list(counts(findings)) == list(State)


@given(FINDINGS)
def test_areas_come_together_and_keep_their_order(findings: list[Finding]) -> None:
    ordered = in_order(findings)
    areas = [list(Area).index(finding.area) for finding in ordered]
    assert areas == sorted(areas)
    for area in Area:
        assert [f for f in ordered if f.area is area] == [f for f in findings if f.area is area]
