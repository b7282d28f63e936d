"""One fault at a time, in virtual time: it is reported with its reason, and the bus stays usable."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from hw.ports import Condition, Edge, Gap
from tests.hw.i2c.bus_rig import BANK, MS, PINS, BusRig, S, garble_all

OK, DEGRADED, LOST = Condition.OK, Condition.DEGRADED, Condition.LOST
IDLE_RATE = 15
"""Transfers a second of a table at rest: ten resyncs, and the repainting of the LEDs."""
FAULTY_RATE = 120
PICTURE = b"\x04\x01\0"
BURNING = {0, 40}


def playing(*, can_reset: bool = False) -> BusRig:
    """A table on which a die lies and LEDs burn."""
    rig = BusRig(can_reset=can_reset)
    rig.run(20 * MS)
    rig.set(106, False)
    rig.leds.show(PICTURE)
    rig.run(330 * MS)
    assert [edge[:2] for edge in rig.edges()] == [(106, False)]
    assert rig.lights.lit() == BURNING
    return rig


def check_well(rig: BusRig, after_ns: int = 0) -> None:
    """All works by then as if nothing had been: health, a quiet bus, levels, stamps, lights."""
    rig.run(after_ns)
    assert (rig.condition("slots"), rig.condition("rows")) == (OK, OK)
    assert rig.lights.lit() == BURNING
    assert rig.rate() <= IDLE_RATE
    check_levels(rig)
    rig.bank.read()
    rig.run(50 * MS)
    for high in (False, True):
        t_ns = rig.set(114, high)
        rig.run(5 * MS)
        (edge,) = rig.edges()
        assert (edge.line, edge.high, edge.t_ns, edge.wide_ns) == (114, high, t_ns, 0)
    rig.leds.show(b"\0\0\x07")
    rig.run(15 * MS)
    assert rig.lights.lit() == {127}


def check_levels(rig: BusRig) -> None:
    assert rig.bank.levels() == {line: rig.sensors.pin(pin) for pin, line in PINS.items()}


def check_wide(edge: Edge, t_ns: int) -> None:
    """It was not seen happening, and its interval holds the truth."""
    assert edge.wide_ns > 0
    assert edge.t_ns - edge.wide_ns <= t_ns <= edge.t_ns


@pytest.fixture
def rig() -> BusRig:
    return playing()


# -- no answer


@pytest.mark.parametrize("can_reset", [False, True])
def test_a_bank_that_is_gone_is_lost_and_what_happened_meanwhile_is_wide(can_reset: bool) -> None:
    rig = playing(can_reset=can_reset)
    rig.wires.gone.add(BANK)
    rig.run(200 * MS)
    assert rig.words("slots", LOST) == [
        ("does not answer", "check the chip's power, its four wires and its address jumpers")
    ]
    assert rig.rate(10 * S) < IDLE_RATE
    gone_ns = rig.set(101, False)
    rig.run(1 * S)
    assert rig.edges() == []
    rig.wires.gone.clear()
    rig.run(5 * S)
    gap, edge = rig.bank.read()
    assert isinstance(gap, Gap) and isinstance(edge, Edge)
    assert gap.lost == 0 and gap.since_ns < gone_ns < gap.until_ns
    assert edge[:2] == (101, False)
    check_wide(edge, gone_ns)
    check_well(rig)


def test_a_bank_that_is_not_there_at_the_start_joins_later() -> None:
    rig = BusRig(gone={BANK})
    rig.run(300 * MS)
    assert rig.condition("slots") is LOST
    rig.set(106, False)
    rig.wires.gone.clear()
    rig.run(1 * S)
    assert rig.condition("slots") is OK
    (edge,) = rig.edges()  # and no gap: nothing was promised before
    assert edge[:2] == (106, False)
    check_wide(edge, 301 * MS)
    rig.leds.show(PICTURE)
    rig.run(20 * MS)
    check_well(rig)


# -- some transfers fail


@pytest.mark.parametrize("every", [2, 3, 7])
def test_refused_transfers_are_tried_again_and_reported(rig: BusRig, every: int) -> None:
    rig.wires.nack_every = every
    rig.run(2100 * MS)
    advice = "check power, pull-ups and the length of the cable"
    for device in ("slots", "rows"):
        assert rig.words(device, DEGRADED)[0] == ("does not answer at the first try", advice)
        assert rig.words(device, LOST) == []
    assert rig.rate() <= 3 * IDLE_RATE
    for high in (False, True):
        t_ns = rig.set(101, high)
        rig.run(20 * MS)
        (edge,) = rig.edges()
        assert edge[:2] == (101, high)
        assert edge.t_ns - edge.wide_ns <= t_ns <= edge.t_ns
    rig.leds.show(b"\x02\0\0")
    rig.run(20 * MS)
    assert rig.lights.lit() == {1}
    rig.leds.show(PICTURE)
    rig.wires.nack_every = 0
    check_well(rig, after_ns=8 * S)


# -- the bus hangs


# -- the chip forgets


def test_a_bank_that_was_reset_is_set_up_again_and_reported(rig: BusRig) -> None:
    reset_ns = rig.agenda.now_ns
    rig.sensors.power_on()
    t_ns = rig.set(101, False)  # nobody calls: the chip has forgotten that it should
    rig.run(110 * MS)
    gap, edge = rig.bank.read()
    assert isinstance(gap, Gap) and isinstance(edge, Edge)
    assert gap.since_ns <= reset_ns <= gap.until_ns
    assert edge[:2] == (101, False)
    check_wide(edge, t_ns)
    assert rig.words("slots", DEGRADED) == [
        ("was reset by itself, so changes may have been missed", "check its supply and its reset wire")
    ]
    check_well(rig, after_ns=6 * S)


@pytest.mark.parametrize("register", [0x00, 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C])
def test_any_register_of_the_setup_that_changes_is_noticed(rig: BusRig, register: int) -> None:
    value = rig.sensors.read(register, 1)[0]
    rig.sensors.write(register, bytes([value ^ 0x02]))
    rig.run(110 * MS)
    assert rig.sensors.read(register, 1)[0] == value
    assert rig.condition("slots") is DEGRADED
    check_well(rig, after_ns=6 * S)


def test_open_pins_that_float_after_a_reset_make_no_edges(rig: BusRig) -> None:
    """Without its pull-ups, an open pin may read as anything. Nothing is believed until they are back."""
    for pin in PINS:
        if PINS[pin] != 106:
            rig.sensors.set_pin(pin, None)
    rig.run(50 * MS)
    rig.bank.read()
    rig.sensors.power_on()
    rig.lines.mailbox.post(Edge(17, False, rig.agenda.now_ns, 99))
    rig.run(110 * MS)
    assert [report for report in rig.bank.read() if isinstance(report, Edge)] == []
    check_levels(rig)


def test_leds_that_forgot_everything_are_painted_again_within_two_seconds(rig: BusRig) -> None:
    rig.lights.power_on()
    assert rig.lights.lit() == frozenset()
    rig.run(2 * S)
    assert rig.lights.lit() == BURNING
    assert rig.reported == []
    check_well(rig)


# -- the interrupt line


def test_a_line_that_stays_low_is_reported_and_the_bank_is_read_ten_times_a_second(rig: BusRig) -> None:
    rig.wire.hold(False)
    rig.run(50 * MS)
    assert rig.words("slots", DEGRADED) == [
        (
            "its interrupt line stays low, so changes are found late",
            "look for a short of the interrupt wire to ground",
        )
    ]
    assert rig.rate(10 * S) <= 2 * IDLE_RATE
    for high in (False, True, False):
        rig.run(70 * MS)
        t_ns = rig.set(101, high)
        rig.run(110 * MS)
        (edge,) = rig.edges()
        assert edge[:2] == (101, high)
        check_wide(edge, t_ns)
        assert edge.wide_ns <= 110 * MS
    assert rig.condition("slots") is DEGRADED
    rig.wire.hold(None)
    check_well(rig, after_ns=6 * S)


def test_a_line_that_never_falls_is_reported_after_three_calls(rig: BusRig) -> None:
    rig.wire.hold(True)
    for high in (False, True, False):
        assert rig.condition("slots") is OK
        rig.run(70 * MS)
        t_ns = rig.set(101, high)
        rig.run(110 * MS)
        (edge,) = rig.edges()
        check_wide(edge, t_ns)
    assert rig.words("slots", DEGRADED) == [
        (
            "it reports interrupts, but its interrupt line does not fall, so changes are found late",
            "check the interrupt wire and the profile's interrupt line",
        )
    ]
    assert rig.rate(10 * S) <= IDLE_RATE
    rig.wire.hold(None)
    rig.set(101, True)
    check_well(rig, after_ns=6 * S)


def test_a_line_that_crackles_makes_no_edges_and_no_flood(rig: BusRig) -> None:
    chance = Random(5)
    before, since_ns = rig.wires.transfers, rig.agenda.now_ns
    for _ in range(1000):
        rig.wire.hold(chance.random() < 0.5)
        rig.run(chance.randrange(2 * MS))
    assert (rig.wires.transfers - before) * S / (rig.agenda.now_ns - since_ns) < 600
    assert rig.edges() == []
    rig.wire.hold(None)
    check_well(rig, after_ns=6 * S)


# -- garbled readings


def randomly(chance: Random, every: int) -> Callable[[bytes], bytes]:
    """Every so-many-th reading, at random, is something else."""

    def change(data: bytes) -> bytes:
        return data if chance.randrange(every) else chance.randbytes(len(data))

    return change


@pytest.mark.parametrize("seed", range(5))
def test_garbled_readings_now_and_then_make_no_edges(rig: BusRig, seed: int) -> None:
    rig.wires.garble = garble_all(BANK, randomly(Random(seed), every=8))
    rate = rig.rate(30 * S)
    assert rig.edges() == []
    assert rate < 3 * IDLE_RATE
    assert ("some readings are garbled", "check power, pull-ups and the length of the cable") in rig.words(
        "slots", DEGRADED
    )
    rig.set(101, False)
    rig.run(300 * MS)
    assert [edge[:2] for edge in rig.edges()] == [(101, False)]
    rig.wires.garble = None
    check_well(rig, after_ns=10 * S)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: bytes(each ^ 0xA5 for each in data),
        lambda data: b"\xff" * len(data),
        lambda data: bytes(len(data)),
        randomly(Random(1), every=1),
    ],
    ids=["flipped", "all ones", "all zeros", "random"],
)
def test_a_bank_that_says_nothing_but_nonsense_is_lost(rig: BusRig, change: Callable[[bytes], bytes]) -> None:
    rig.wires.garble = garble_all(BANK, change)
    rig.run(1 * S)
    assert [seen for seen, _ in rig.words("slots", LOST)] == ["garbled transfers"]
    assert rig.rate(10 * S) < FAULTY_RATE
    assert [report for report in rig.bank.read() if isinstance(report, Edge)] == []
    assert rig.bank.levels()[106] is False
    t_ns = rig.set(101, False)
    rig.run(1 * S)
    rig.wires.garble = None
    rig.run(10 * S)
    edges = [report for report in rig.bank.read() if isinstance(report, Edge)]
    assert [edge[:2] for edge in edges] == [(101, False)]
    check_wide(edges[0], t_ns)
    check_well(rig)
