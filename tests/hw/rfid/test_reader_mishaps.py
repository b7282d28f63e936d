"""Anything may happen to a reader at any time: it comes back, and has only reported what is true."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hw.ports import Condition
from hw.rfid.pn532 import DEGRADED_NS
from tests.hw.rfid.reader_mishaps import BACK_S, FAULTS, Deed, mend, move_card, move_die
from tests.hw.rfid.reader_rigs import SECOND, ReaderOnCable, check_truth
from tests.thoroughness import tries

deeds = st.lists(
    st.tuples(st.sampled_from([*FAULTS, mend, mend, move_die, move_die, move_card]), st.integers(0, 1500)),
    max_size=25,
)


@settings(max_examples=tries(12, 120))
@given(deeds, st.integers(0, 10**6))
def test_whatever_happens_it_comes_back_and_has_reported_the_truth(
    deeds: list[tuple[Deed, int]], seed: int
) -> None:
    rig = ReaderOnCable(seed=seed)
    for deed, pause_ms in deeds:
        deed(rig)
        rig.run(pause_ms / 1e3)
    mend(rig)
    rig.run(2 * BACK_S + DEGRADED_NS / SECOND)
    assert rig.condition is Condition.OK
    there = check_truth(rig.reads, rig.model.tag_history)
    assert {uid for uid, present in there.items() if present} == set(rig.model.tags)
    assert rig.work.steps < 1000 * rig.agenda.now_ns / SECOND
