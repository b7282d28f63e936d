"""Who should answer on the bus and does not, and what stray addresses mean."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from firmware_host.profile.profile import Profile
from firmware_host.workshop.doctor.device_findings import Bus, judge_bus
from firmware_host.workshop.doctor.findings import Finding, State
from tests.workshop.doctor.finding import one, states
from tests.workshop.doctor.profiles import CARDS, DICE, DIRECT, profile_with


def judged(profile: Profile, answered: Iterable[int] = (), **others: Any) -> list[Finding]:
    whole: dict[str, Any] = {"adapter": True, "driver": True, "device": True} | others
    return list(judge_bus(Bus(number=1, answered=frozenset(answered), **whole), profile))


def test_all_chips_answer() -> None:
    assert states(judged(DICE, {0x20, 0x21, 0x70})) == {"left": State.OK, "right": State.OK, "rows": State.OK}


ALL = {0x20, 0x21, 0x70}


def test_a_slow_bus_with_sensors_should_be_faster() -> None:
    note = one(judged(DICE, ALL, clock_hz=100_000), "bus 1")
    assert (note.state, note.seen[:16]) == (State.NOTE, "runs at 100 kHz,")
    assert "dtparam=i2c_arm_baudrate=400000" in note.advice
    lamps_only = {chip.address for chip in CARDS.led_chips}
    for findings in (
        judged(DICE, ALL, clock_hz=400_000),
        judged(DICE, ALL, clock_hz=0),
        judged(CARDS, lamps_only, clock_hz=100_000),
    ):
        assert "bus 1" not in states(findings)


def test_a_profile_without_chips_needs_no_bus() -> None:
    bare = profile_with(DIRECT, banks=(), led_chips=())
    (finding,) = judge_bus(Bus(number=1), bare)
    assert finding.state is State.OK


@pytest.mark.parametrize(
    ("there", "advice"),
    [
        ({"adapter": False, "driver": False}, "raspi-config nonint do_i2c 0"),
        ({"adapter": True, "driver": False}, "sudo modprobe i2c-dev"),
        ({"adapter": True, "driver": True}, "run this again"),
    ],
)
def test_a_missing_device_has_its_reason(there: dict[str, Any], advice: str) -> None:
    (finding,) = judged(DICE, device=False, **there)
    assert finding.state is State.FAIL
    assert advice in finding.advice


def test_a_bus_that_hangs_says_so() -> None:
    (finding,) = judged(DICE, seen="the bus hangs", advice="look for shorts")
    assert (finding.state, finding.seen, finding.advice) == (State.FAIL, "the bus hangs", "look for shorts")


def test_where_nobody_answers_the_wires_are_to_be_checked() -> None:
    (finding,) = judged(DICE)
    assert finding.state is State.FAIL
    assert finding.seen == "no chip answers, but left, right, rows should"
    assert "SDA" in finding.advice


def test_where_everybody_answers_a_wire_is_low() -> None:
    (finding,) = judged(DICE, set(range(0x08, 0x78)))
    assert finding.state is State.FAIL
    assert "every address" in finding.seen


def test_a_missing_chip_has_its_address_explained() -> None:
    findings = judged(DICE, {0x20, 0x70})
    finding = one(findings, "right")
    assert finding.seen == "does not answer at 0x21"
    assert "wire A0 to supply, A1 and A2 to ground" in finding.advice
    assert one(judged(DICE, {0x20, 0x21}), "rows").advice.endswith("(leave all its jumpers open)")


def test_a_chip_at_the_address_beside_it_is_most_likely_that_one() -> None:
    findings = judged(CARDS, {0x71, 0x73})
    missing = one(findings, "piles-2")
    assert missing.seen == "does not answer at 0x72, but a chip does at 0x73, where none should be"
    assert missing.advice == "if that is this chip: for 0x72 close its jumper A1"
    assert one(findings, "0x73").state is State.NOTE
    banks = one(judged(DICE, {0x21, 0x27, 0x70}), "left")
    assert "at 0x27" in banks.seen and "wire A0 and A1 and A2 to ground" in banks.advice


def test_an_address_that_the_kernel_took_is_no_missing_chip() -> None:
    findings = judged(DICE, {0x20, 0x21}, claimed=frozenset({0x70, 0x68}))
    assert "kernel driver" in one(findings, "rows").seen
    assert one(findings, "rows").state is State.FAIL
    assert one(findings, "0x68").state is State.NOTE


@pytest.mark.parametrize(
    ("address", "words"),
    [(0x70, "PCA9685"), (0x73, "HT16K33"), (0x22, "MCP23017"), (0x3C, "no harm")],
)
def test_strays_are_explained(address: int, words: str) -> None:
    profile = profile_with(DICE, led_chips=())
    finding = one(judged(profile, {0x20, 0x21, address}), f"0x{address:02x}")
    assert finding.state is State.NOTE
    assert words in finding.advice
