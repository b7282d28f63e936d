"""Faults on command: what may be written, and what is said of the rest."""

import pytest

from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.mishaps import KINDS, USUAL_LENGTH_NS, USUAL_START_NS, Mishap, parse_mishap, plan
from firmware_host.lab.party import Invitation, even_deal, hold_party
from firmware_host.model.errors import BadSettings, MalformedText
from firmware_host.model.times import S
from firmware_host.run.table_files import load_profile


@pytest.fixture(scope="module")
def table() -> ChipTable:
    profile = load_profile("dice4")
    made = hold_party(Invitation(profile=profile, deal=even_deal(profile, 4)), 1, chips=True).table
    assert isinstance(made, ChipTable)
    return made


@pytest.mark.parametrize(
    ("text", "mishap"),
    [
        ("unplug scoreboard", Mishap("unplug", "scoreboard", USUAL_START_NS, USUAL_LENGTH_NS)),
        ("storm seat 2", Mishap("storm", "seat 2", USUAL_START_NS, USUAL_LENGTH_NS)),
        ("storm red 3 4s", Mishap("storm", "red 3", 4 * S, USUAL_LENGTH_NS)),
        ("nack i2c 1.5s 2min", Mishap("nack", "i2c", 1_500_000_000, 120 * S)),
    ],
)
def test_times_may_be_left_out(text: str, mishap: Mishap) -> None:
    assert parse_mishap(text) == mishap
    assert parse_mishap(str(mishap)) == mishap


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a fault; it looks like 'unplug scoreboard 10s 5s'"),
        ("unplug", "'unplug' is not a fault; it looks like 'unplug scoreboard 10s 5s'"),
        ("unplugg left", "fault 'unplugg' is unknown; did you mean 'unplug'?"),
        ("zzz left", f"fault 'zzz' is unknown; known: {', '.join(KINDS)}"),
        ("unplug left 5x", "'5x' is no duration; write a number and ns, us, ms, s or min, as in 200ms"),
    ],
)
def test_what_is_no_fault_is_told_why(text: str, message: str) -> None:
    with pytest.raises(MalformedText) as refused:
        parse_mishap(text)
    assert str(refused.value) == message


def test_each_fault_names_whom_it_can_happen_to(table: ChipTable) -> None:
    with pytest.raises(BadSettings) as refused:
        plan([parse_mishap("slow left"), parse_mishap("stuck red 1"), parse_mishap("unplug left")], table)
    assert refused.value.faults == [
        "fault 'slow': 'left' can't have it; allowed: scoreboard",
        "fault 'stuck': 'red 1' can't have it; allowed: seat 1, seat 2, seat 3, seat 4",
    ]


def test_every_kind_has_somebody_to_happen_to(table: ChipTable) -> None:
    assert all(kind.targets(table) for kind in KINDS.values())
