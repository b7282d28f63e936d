"""A bank of sensors: what it writes, what it reads, and what it reports."""

import pytest

from hw.i2c.mcp23017 import FirstInterrupt, Look, Mcp23017Bank, PinChange, PortReading, settled
from hw.ports import Condition, Edge, Gap
from hw.sim.i2c_bus import Transfer
from tests.hw.i2c.bus_rig import (
    BANK,
    BURST_NS,
    BYTE_NS,
    HEAD_NS,
    INTERRUPT,
    MS,
    PINS,
    READER_NS,
    US,
    BankWorld,
    BusRig,
    written,
)

LINES = list(PINS.values())
RESYNC = 100 * MS


# -- what crosses the wires


def test_the_setup_byte_for_byte(rig: BusRig) -> None:
    """IOCON is MIRROR and ODR, all pins are inputs with pull-ups, those in use call on change."""
    assert written(rig.transfers(BANK)) == [
        (0x05, b"\x00"),  # out of BANK=1, if it should be in it
        (0x0A, b"\x44"),
        (0x00, bytes.fromhex("ffff 0000 4341 0000 0000 4444 ffff")),
    ]


def test_the_setup_is_read_back_before_anything_is_believed(rig: BusRig) -> None:
    reads = [(each.register, len(each.data)) for each in rig.transfers(BANK) if each.reads]
    assert reads == [(0x0E, 6), (0x00, 20)]


def test_an_interrupt_is_one_burst_and_one_confirmation(rig: BusRig) -> None:
    rig.transfers(BANK)
    rig.set(101, False)
    rig.run(1 * MS)
    assert rig.transfers(BANK) == [
        Transfer(BANK, True, 0x0E, bytes.fromhex("0200 fd00 fdff")),
        Transfer(BANK, True, 0x0E, bytes.fromhex("0000 fd00 fdff")),
    ]


def test_the_setup_is_read_ten_times_a_second_however_often_the_chip_interrupts(rig: BusRig) -> None:
    rig.transfers(BANK)
    for turn in range(50):
        rig.set(101, bool(turn % 2))
        rig.run(20 * MS)
    checks = [each for each in rig.transfers(BANK) if len(each.data) == 20]
    assert 8 <= len(checks) <= 10
    assert {(each.reads, each.register) for each in checks} == {(True, 0x00)}


def test_an_interrupt_that_names_no_pin_is_reason_to_read_the_setup(rig: BusRig) -> None:
    rig.transfers(BANK)
    rig.wire.hold(False)
    rig.wire.hold(None)
    rig.run(1 * MS)
    assert [len(each.data) for each in rig.transfers(BANK)] == [6, 20]


def test_at_rest_the_chip_calls_nobody(rig: BusRig) -> None:
    rig.owner.close()
    rig.set(100, False)
    assert rig.lines.levels() == {}
    assert written(rig.transfers(BANK))[-1] == (0x04, b"\0\0")
    assert rig.sensors.read(0x0E, 1) == b"\0"


def test_a_chip_left_in_the_other_addressing_is_set_up_all_the_same(rig: BusRig) -> None:
    rig.sensors.write(0x0A, b"\xa0")  # BANK and SEQOP, as a garbled write may leave it
    rig.run(300 * MS)
    rig.set(101, False)
    rig.run(1 * MS)
    reports = rig.bank.read()
    assert isinstance(reports[-1], Edge) and reports[-1][:2] == (101, False)
    assert rig.sensors.read(0x00, 14) == bytes.fromhex("ffff 0000 4341 0000 0000 4444 ffff")


# -- edges


def test_a_single_change_has_the_stamp_of_its_interrupt(rig: BusRig) -> None:
    t_ns = rig.set(106, False)
    rig.run(5 * MS)
    assert rig.edges() == [Edge(106, False, t_ns, 0, 0)]


def test_pins_that_change_at_the_same_moment_do_so_on_record(rig: BusRig) -> None:
    """As far as the chip shows: INTF names one of them, and INTCAP shows both."""
    port = rig.sensors._ports[0]
    port.drive(1 << 0 | 1 << 6, False)
    t_ns = rig.agenda.now_ns
    rig.sensors._look(0)
    rig.run(5 * MS)
    assert rig.edges() == [Edge(100, False, t_ns, 0, 0), Edge(106, False, t_ns, 1, 0)]


@pytest.mark.parametrize("interrupts_again", [True, False])
def test_what_changes_behind_a_latched_pin_is_wide(interrupts_again: bool) -> None:
    """The second pin of the port changed between the interrupt and the reading, at an unknown moment."""
    t_ns = 50 * MS
    world = BankWorld([(t_ns, (0,)), (t_ns + 30 * US, (1,))], interrupts_again=interrupts_again)
    world.run(80 * MS)
    assert world.edges() == [
        Edge(100, False, t_ns, 0, 0),
        Edge(101, False, t_ns + READER_NS + BURST_NS, 1, READER_NS + BURST_NS),
    ]


def test_a_pulse_that_only_one_transfer_has_seen_is_not_believed() -> None:
    """A chip that interrupts again captures the return; only one transfer showed the pulse."""
    t_ns = 50 * MS
    world = BankWorld([(t_ns, (0,)), (t_ns + 40 * US, (0,))])
    world.run(300 * MS)
    assert world.edges() == []
    assert world.bank.levels() == dict.fromkeys(LINES, True)


def test_an_interrupt_whose_reading_failed_at_first_dates_nothing_to_the_nanosecond() -> None:
    """How far the failed attempt got is unknown: it may have cleared the interrupt before another one."""
    t_ns = 50 * MS
    world = BankWorld([(t_ns, (0,))])
    world.run(t_ns - 1)
    world.wires.nack_every = world.wires.transfers + 1
    world.run(80 * MS)
    (edge,) = world.edges()
    assert edge[:2] == (100, False)
    assert (edge.t_ns - edge.wide_ns, edge.t_ns) == (t_ns, t_ns + READER_NS + BURST_NS)


@pytest.mark.parametrize("arrival_ns", [205 * MS, 210 * MS, 215 * MS])
def test_an_interrupt_that_is_known_only_after_the_reading_that_served_it_dates_nothing(
    arrival_ns: int,
) -> None:
    """A resync has found the first change; its stamp comes late and must not become the second one's."""
    first_ns, second_ns = 50 * MS, 210 * MS
    late = {0: arrival_ns - first_ns}
    world = BankWorld([(first_ns, (0,)), (second_ns, (1,))], late_ns=lambda index: late.get(index, 0))
    world.run(400 * MS)
    first, second = world.edges()
    assert first[:2] == (100, False)
    assert first.t_ns - first.wide_ns < first_ns < first.t_ns < second_ns
    assert second == Edge(101, False, second_ns, 1, 0)


def test_a_pin_that_changes_while_another_is_being_confirmed_is_reported_soon() -> None:
    """A reading that was outvoted has cleared its interrupt; the change is found before the next resync."""
    t_ns = 50 * MS
    world = BankWorld([(t_ns, (0,)), (t_ns + 3 * MS, (8,))])
    spoil = iter([False, False, False, True])  # the second reading of this look says that the pin is high
    world.wires.garble = lambda at, data: data[:-2] + b"\xff\xff" if next(spoil, False) else data
    world.run(t_ns + 20 * MS)
    assert [edge[:2] for edge in world.edges()] == [(100, False), (108, False)]
    other = world.edges()[1]
    assert other.t_ns - other.wide_ns <= t_ns + 3 * MS <= other.t_ns


def test_a_reading_in_which_a_pin_calls_that_can_not_is_no_reading(rig: BusRig) -> None:
    spoil = iter([b"\xff" * 6])
    rig.wires.garble = lambda at, data: next(spoil, data)
    t_ns = rig.set(100, False)
    rig.run(5 * MS)
    assert [edge[:2] for edge in rig.edges()] == [(100, False)]
    assert rig.words("slots", Condition.DEGRADED) == [
        ("some readings are garbled", "check power, pull-ups and the length of the cable")
    ]
    assert rig.agenda.now_ns - t_ns == 5 * MS


def test_a_change_while_the_port_is_on_the_wire_is_found_by_the_next_resync() -> None:
    world = BankWorld([])
    world.run(50 * MS)
    world.run(world._due_ns)
    moment_ns = world._due_ns + HEAD_NS + 19 * BYTE_NS - BYTE_NS // 2  # A's GPIO byte, after it was sampled
    world._changes = [(moment_ns, (0,))]
    world.run(400 * MS)
    (edge,) = world.edges()
    assert edge[:2] == (100, False)
    assert edge.t_ns - edge.wide_ns < moment_ns < edge.t_ns
    assert 90 * MS < edge.wide_ns < 110 * MS


def test_edges_lost_on_the_interrupt_lines_lead_to_a_look_at_once(rig: BusRig) -> None:
    """And what is found then is dated from the last good reading, whatever stamps are left."""
    rig.run(30 * MS)
    rig.wire.hold(True)
    t_ns = rig.set(100, False)
    rig.run(5 * MS)
    assert rig.edges() == []
    rig.lines.mailbox.post(Edge(INTERRUPT, False, t_ns - 1 * MS, 7))
    rig.lines.mailbox.post(Gap(3, t_ns, t_ns + 1 * MS))
    rig.run(1 * MS)
    (edge,) = rig.edges()
    assert edge[:2] == (100, False)
    assert edge.t_ns - edge.wide_ns < t_ns < edge.t_ns == t_ns + 5 * MS


def test_an_interrupt_that_was_found_by_looking_again_is_no_stamp(rig: BusRig) -> None:
    rig.run(30 * MS)
    rig.wire.hold(True)
    t_ns = rig.set(100, False)
    rig.run(2 * MS)
    rig.lines.mailbox.post(Edge(INTERRUPT, False, t_ns + 1 * MS, 7, wide_ns=20 * MS))
    rig.run(1 * MS)
    (edge,) = rig.edges()
    assert edge.wide_ns > 0
    assert edge.t_ns - edge.wide_ns < t_ns <= edge.t_ns


def test_what_lay_there_at_the_first_contact_is_reported(rig: BusRig) -> None:
    rig.owner.close()
    fresh = Mcp23017Bank("slots", BANK, PINS, INTERRUPT, uncertainty_ns=0)
    assert fresh.levels() == dict.fromkeys(LINES, True)
    world = BankWorld([])
    world.model.set_pin(8, False)
    world.run(20 * MS)
    (edge,) = world.edges()
    assert edge[:2] == (108, False)
    assert edge.t_ns - edge.wide_ns == 0
    assert world.bank.levels() == {**dict.fromkeys(LINES, True), 108: False}


# -- as a source


def test_a_closed_bank_says_nothing_more_and_its_bus_goes_on(rig: BusRig) -> None:
    rig.bank.fileno()
    rig.set(100, False)
    rig.run(1 * MS)
    rig.bank.close()
    rig.bank.close()
    rig.set(101, False)
    rig.run(200 * MS)
    assert rig.bank.read() == []
    assert rig.reported == []


# -- what is refused


@pytest.mark.parametrize(
    ("pins", "words"),
    [
        ({7: 100}, "A7 and B7 are outputs only; line 100 needs another pin"),
        ({0: 100, 15: 101}, "A7 and B7 are outputs only; line 101 needs another pin"),
        ({16: 100}, "there is no pin 16"),
        ({-1: 100}, "there is no pin -1"),
        ({0: 100, 1: 100}, "two pins have the same line"),
    ],
)
def test_pins_that_can_not_be(pins: dict[int, int], words: str) -> None:
    with pytest.raises(ValueError, match=f"slots: {words}"):
        Mcp23017Bank("slots", BANK, pins, INTERRUPT, uncertainty_ns=0)


def test_fourteen_inputs_are_all_a_chip_has() -> None:
    pins = {pin: 100 + pin for pin in range(16) if pin not in (7, 15)}
    assert len(Mcp23017Bank("slots", BANK, pins, INTERRUPT, uncertainty_ns=0).levels()) == 14


USED = 0x7F7F
A0, A1, B0 = 0x0001, 0x0002, 0x0100
SEEN = 1_000
"""When all pins were last seen as they are known: high."""
CALLED = 5_000
"""The interrupt."""
ALONE, AMBIGUOUS = FirstInterrupt(CALLED, alone=True), FirstInterrupt(CALLED, alone=False)


def reading(since_ns: int, named: int = 0, captured: int = 0, pins: int = 0) -> PortReading:
    """Of 800 ns; what was captured low, and what is low now."""
    return PortReading(since_ns, since_ns + 800, named, USED & ~captured, USED & ~pins)


def look(*readings: PortReading, interrupt: FirstInterrupt | None = ALONE, captured_before: int = 0) -> Look:
    return Look(readings, interrupt, USED, USED, [SEEN] * 16, USED & ~captured_before)


def fell(pin: int, since_ns: int, until_ns: int) -> PinChange:
    return PinChange(pin, False, until_ns, until_ns - since_ns)


BOTH, ACROSS = A0 | A1, A0 | B0
CALL = reading(6_000, A0, A0, A0)
CALM = reading(7_000, 0, A0, A0)
"""A confirmation: no interrupt since, and INTCAP is what the port is."""


@pytest.mark.parametrize(
    ("seen", "changes"),
    [
        # The pin that called has the stamp of the interrupt; so have two that called at once.
        (look(CALL, CALM), [fell(0, CALLED, CALLED)]),
        (look(reading(6_000, BOTH, BOTH, BOTH), reading(7_000, 0, BOTH, BOTH)),
         [fell(0, CALLED, CALLED), fell(1, CALLED, CALLED)]),
        # Without an interrupt it is dated from when the pin was last seen, with an ambiguous one from that.
        (look(CALL, CALM, interrupt=None), [fell(0, SEEN, 6_800)]),
        (look(CALL, CALM, interrupt=AMBIGUOUS), [fell(0, CALLED, 6_800)]),
        # A pin in the port but not in the capture came after the interrupt.
        (look(reading(6_000, A0, A0, BOTH), reading(7_000, 0, BOTH, BOTH)),
         [fell(0, CALLED, CALLED), fell(1, CALLED, 6_800)]),
        # One in the capture that did not call may be older: it slipped through an earlier reading.
        (look(reading(6_000, A1, BOTH, BOTH), reading(7_000, 0, BOTH, BOTH)),
         [fell(0, SEEN, CALLED), fell(1, CALLED, CALLED)]),
        # So may one on the port that did not call; that port is not quiet, so it may have interrupted.
        (look(reading(6_000, A0, A0, ACROSS), reading(7_000, 0, A0, ACROSS)),
         [fell(0, CALLED, 6_800), fell(8, SEEN, 6_800)]),
        # Any stir on the other port makes the interrupt ambiguous.
        (look(reading(6_000, A0 | B0, A0, A0), CALM, reading(8_000, 0, A0, A0)), [fell(0, CALLED, 6_800)]),
        (look(reading(6_000, A0, ACROSS, A0), reading(7_000, 0, ACROSS, A0), reading(8_000, 0, ACROSS, A0)),
         [fell(0, CALLED, 6_800)]),
        (look(reading(6_000, A0, A0, A0 | B0), CALM, reading(8_000, 0, A0, A0)), [fell(0, CALLED, 6_800)]),
        # A pin that went back after the capture makes two changes, unless only one transfer has captured it.
        (look(reading(6_000, A0, A0), reading(7_000, 0, A0)),
         [fell(0, CALLED, CALLED), PinChange(0, True, 6_800, 1_800)]),
        (look(reading(6_000, A0, A0), reading(7_000)), []),
        # A capture left over from an earlier call shows a pin that is not named, and proves nothing; nor does
        # a garbled one, which is not the same again and does not agree with INTF.
        (look(reading(6_000, A0, A1, A0), reading(7_000, 0, A1, A0), captured_before=A1),
         [fell(0, CALLED, 6_800)]),
        (look(reading(6_000, A0, 0, A0), CALM), [fell(0, CALLED, 6_800)]),
        # A pin that called between two readings changed after the first of them, unless that shows it
        # already: then it has called for another change, and of the first one only the beginning is known.
        (look(CALL, reading(7_000, B0, ACROSS, ACROSS), reading(8_000, 0, ACROSS, ACROSS)),
         [fell(0, CALLED, 6_800), fell(8, 6_000, 7_800)]),
        (look(reading(6_000, 0, 0, B0), reading(7_000, B0, B0, B0), interrupt=None), [fell(8, SEEN, 7_800)]),
        # A change is there at the end of the reading from which on all show it.
        (look(reading(6_000), reading(7_000, 0, 0, A0), reading(8_000, 0, 0, A0), interrupt=None),
         [fell(0, SEEN, 7_800)]),
        # Changes come by their latest moment.
        (look(reading(6_000, A1, A1, BOTH), reading(7_000, 0, BOTH, BOTH)),
         [fell(1, CALLED, CALLED), fell(0, CALLED, 6_800)]),
    ],
)  # fmt: skip
def test_what_has_changed_and_when(seen: Look, changes: list[PinChange]) -> None:
    assert seen.changes() == changes


def test_two_readings_alike_settle_it_and_three_always_do() -> None:
    one, other = reading(6_000), reading(7_000, pins=A0)
    assert not settled([one], USED)
    assert settled([one, one], USED)
    assert not settled([one, other], USED)
    assert settled([one, other], USED & ~A0)
    assert settled([one, other, one], USED)


def test_what_two_of_three_say_counts() -> None:
    high, low = reading(6_000), reading(7_000, pins=A0)
    assert look(high, low, high).levels & A0 == A0
    assert look(low, high, low).levels & A0 == 0
    assert look(high, low, low).levels & A0 == 0


def test_a_pin_was_last_seen_at_the_first_reading_that_shows_it_as_it_is() -> None:
    """The second may be the garbled one."""
    one, changed = reading(6_000), reading(8_000, pins=A0)
    assert look(one, reading(7_000)).seen_at_ns(0) == 6_000
    assert look(one, changed, changed).seen_at_ns(0) == 8_000


def test_a_last_reading_that_contradicts_the_others_is_worth_another_look() -> None:
    one = reading(6_000)
    assert not look(one, one).unsettled
    assert look(one, one, reading(8_000, pins=A0)).unsettled
    assert not look(one, one, PortReading(8_000, 8_800, 0, USED, USED | 0x8080)).unsettled
