"""The simulated MCP23017 against the tables and figures of its datasheet."""

import pytest

from hw.sim.mcp23017 import (
    DEFVAL,
    GPINTEN,
    GPIO,
    GPPU,
    INTCAP,
    INTCON,
    INTF,
    IOCON,
    IODIR,
    IPOL,
    OLAT,
    PORT_A,
    PORT_B,
    Mcp23017Model,
)

# The addresses of the datasheet's register tables.
IODIRA, IODIRB, IPOLA, GPINTENA, GPINTENB = 0x00, 0x01, 0x02, 0x04, 0x05
DEFVALA, INTCONA, IOCONA, GPPUA, INTFA, INTCAPA, GPIOA, OLATA = 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x14
GPIOB = 0x13


class WiredModel:
    """A model with pull-ups on, all pins calling, and its interrupt line."""

    def __init__(self, iocon: int = 0x44, *, interrupts_again: bool = True) -> None:
        self.line: list[bool] = []
        self.line_b: list[bool] = []
        self.model = Mcp23017Model(self.line.append, self.line_b.append, interrupts_again=interrupts_again)
        self.write(GPPUA, 0xFF, 0xFF)
        self.write(IOCONA, iocon)
        self.write(GPINTENA, 0xFF, 0xFF)
        self.line.clear()
        self.line_b.clear()

    def write(self, register: int, *data: int) -> None:
        self.model.write(register, bytes(data))

    def read(self, register: int, count: int = 1) -> list[int]:
        return list(self.model.read(register, count))


@pytest.fixture
def chip() -> WiredModel:
    return WiredModel()


def test_after_power_on_all_pins_are_inputs_and_all_else_is_zero() -> None:
    model = Mcp23017Model()
    for pin in range(16):
        model.set_pin(pin, False)
    assert model.read(0, 0x16) == b"\xff\xff" + bytes(0x14)


def test_power_on_forgets_everything_and_lets_go_of_the_interrupt_line(chip: WiredModel) -> None:
    chip.model.set_pin(3, False)
    chip.model.power_on()
    assert chip.line == [False, True]
    assert chip.read(GPINTENA, 2) == [0, 0]
    assert chip.read(INTFA, 4) == [0, 0, 0, 0]


def test_registers_come_in_pairs_and_go_round(chip: WiredModel) -> None:
    chip.write(0x15, 0xAB, 0x7F)
    assert chip.model.peek(PORT_B, OLAT) == 0xAB
    assert chip.model.peek(PORT_A, IODIR) == 0x7F


def test_with_bank_1_each_port_has_its_own_block(chip: WiredModel) -> None:
    chip.write(IOCONA, 0x80)
    chip.write(0x10, 0x0F)  # IODIRB
    chip.write(0x06, 0x3C)  # GPPUA
    assert chip.model.peek(PORT_B, IODIR) == 0x0F
    assert chip.model.peek(PORT_A, GPPU) == 0x3C
    assert chip.read(0x05) == [0x80]
    chip.write(0x05, 0x00)
    assert chip.read(0x01) == [0x0F]


def test_nothing_is_between_the_blocks_of_bank_1(chip: WiredModel) -> None:
    chip.write(IOCONA, 0x80)
    before = [chip.model.peek(port, name) for port in (PORT_A, PORT_B) for name in range(11)]
    chip.write(0x0B, 0xFF)
    assert chip.read(0x0B) == [0]
    assert before == [chip.model.peek(port, name) for port in (PORT_A, PORT_B) for name in range(11)]


def test_without_sequential_operation_the_address_alternates_between_the_pair() -> None:
    chip = WiredModel(iocon=0x20)
    chip.model.set_pin(0, False)
    chip.model.set_pin(9, False)
    assert chip.read(GPIOA, 4) == [0xFE, 0xFD, 0xFE, 0xFD]


def test_without_sequential_operation_and_with_bank_1_the_address_stays() -> None:
    chip = WiredModel(iocon=0xA0)
    chip.model.set_pin(0, False)
    assert chip.read(0x09, 3) == [0xFE, 0xFE, 0xFE]


def test_a_read_without_a_register_goes_on_at_the_pointer(chip: WiredModel) -> None:
    chip.model.set_pin(8, False)
    chip.write(GPIOB)
    assert chip.model.read(None, 1) == b"\xfe"


def test_iocon_is_one_register_at_two_addresses_and_its_lowest_bit_is_none(chip: WiredModel) -> None:
    chip.write(0x0B, 0x45)
    assert chip.read(IOCONA) == [0x44]


def test_an_open_pin_is_high_only_with_a_pull_up(chip: WiredModel) -> None:
    chip.write(GPPUA, 0x01)
    assert chip.read(GPIOA) == [0x01]
    chip.model.set_pin(1, True)
    chip.model.set_pin(0, False)
    assert chip.read(GPIOA) == [0x02]
    chip.model.set_pin(0, None)
    assert chip.read(GPIOA) == [0x03]


def test_outputs_show_their_latch_and_call_nobody(chip: WiredModel) -> None:
    chip.write(IODIRA, 0xFE)
    chip.read(GPIOA)
    chip.line.clear()
    chip.write(GPIOA, 0x01)
    assert (chip.read(OLATA), chip.read(GPIOA)) == ([0x01], [0xFF])
    chip.write(OLATA, 0x00)
    assert chip.read(GPIOA) == [0xFE]
    assert chip.model.pin(0) is False
    assert chip.line == []


def test_polarity_inverts_what_is_read_of_inputs(chip: WiredModel) -> None:
    chip.write(IPOLA, 0x03)
    assert chip.read(GPIOA) == [0xFC]
    assert chip.model.peek(PORT_A, IPOL) == 0x03
    chip.model.set_pin(0, False)
    assert chip.read(GPIOA) == [0xFD]


# -- interrupt on change


def test_the_first_change_latches_and_calls(chip: WiredModel) -> None:
    chip.model.set_pin(2, False)
    assert chip.line == [False]
    chip.model.set_pin(5, False)
    chip.model.set_pin(2, True)
    assert chip.line == [False]
    assert (chip.model.peek(PORT_A, INTF), chip.model.peek(PORT_A, INTCAP)) == (0x04, 0xFB)
    assert chip.model.peek(PORT_A, GPIO) == 0xDF


@pytest.mark.parametrize("register", [INTCAPA, GPIOA])
def test_reading_the_capture_or_the_port_clears(chip: WiredModel, register: int) -> None:
    chip.model.set_pin(2, False)
    assert chip.read(INTFA) == [0x04]
    assert chip.line == [False]
    assert chip.read(register) == [0xFB]
    assert chip.line == [False, True]
    assert chip.read(INTFA) == [0x00]


def test_the_new_level_is_what_the_next_change_is_compared_with(chip: WiredModel) -> None:
    chip.model.set_pin(2, False)
    chip.read(GPIOA)
    assert chip.line == [False, True]
    chip.model.set_pin(2, True)
    assert chip.line == [False, True, False]
    assert chip.read(INTCAPA) == [0xFF]


def test_the_capture_keeps_its_value_until_the_next_call(chip: WiredModel) -> None:
    chip.model.set_pin(2, False)
    assert [chip.read(INTCAPA) for _ in range(3)] == [[0xFB]] * 3
    assert chip.line == [False, True]


def test_what_changed_while_it_was_latched_calls_again_after_reading(chip: WiredModel) -> None:
    chip.model.set_pin(2, False)
    chip.model.set_pin(5, False)
    assert chip.read(INTCAPA) == [0xFB]
    assert chip.line == [False, True, False]
    assert chip.read(INTFA) == [0x20]
    assert chip.read(INTCAPA) == [0xDB]
    assert chip.line == [False, True, False, True]


def test_what_went_back_while_it_was_latched_calls_again_too(chip: WiredModel) -> None:
    chip.model.set_pin(2, False)
    chip.model.set_pin(2, True)
    assert chip.read(INTFA, 6) == [0x04, 0, 0xFB, 0, 0xFF, 0xFF]
    assert chip.line == [False, True, False, True]
    assert chip.model.peek(PORT_A, INTCAP) == 0xFF


def test_a_chip_that_does_not_call_again_shows_the_rest_only_in_its_port() -> None:
    chip = WiredModel(interrupts_again=False)
    chip.model.set_pin(2, False)
    chip.model.set_pin(5, False)
    assert chip.read(INTFA, 6) == [0x04, 0, 0xFB, 0, 0xDB, 0xFF]
    assert chip.line == [False, True]
    chip.model.set_pin(5, True)
    assert chip.line == [False, True, False]


def test_reading_the_port_before_the_capture_loses_it(chip: WiredModel) -> None:
    chip.model.set_pin(2, False)
    chip.model.set_pin(5, False)
    chip.read(GPIOA)
    assert chip.model.peek(PORT_A, INTCAP) == 0xDB


def test_pins_that_may_not_call_do_not(chip: WiredModel) -> None:
    chip.write(GPINTENA, 0x01)
    chip.model.set_pin(2, False)
    assert chip.line == []
    chip.model.set_pin(0, False)
    assert chip.line == [False]
    assert chip.read(INTFA) == [0x01]
    assert chip.read(INTCAPA) == [0xFA]


def test_a_pin_that_changed_while_it_might_not_call_does_not_call_when_it_may(chip: WiredModel) -> None:
    chip.write(GPINTENA, 0x00)
    chip.model.set_pin(2, False)
    chip.write(GPINTENA, 0xFF)
    assert chip.line == []


def test_capture_and_flags_can_not_be_written(chip: WiredModel) -> None:
    chip.write(INTFA, 0xFF, 0xFF, 0x55, 0x55)
    assert chip.read(INTFA, 4) == [0, 0, 0, 0]


# -- interrupt on difference from DEFVAL


def test_compared_with_a_value_it_calls_as_long_as_it_differs(chip: WiredModel) -> None:
    chip.write(DEFVALA, 0x01)
    chip.write(INTCONA, 0x01)
    chip.model.set_pin(0, False)
    assert chip.line == [False]
    for _ in range(3):
        assert chip.read(GPIOA) == [0xFE]
    assert chip.line == [False]
    assert chip.model.peek(PORT_A, INTF) == 0x01
    chip.model.set_pin(0, True)
    chip.read(GPIOA)
    assert chip.line == [False, True]
    assert (chip.model.peek(PORT_A, DEFVAL), chip.model.peek(PORT_A, INTCON)) == (0x01, 0x01)


# -- the interrupt line


def test_each_port_has_its_line_unless_they_are_mirrored() -> None:
    alone, mirrored = WiredModel(iocon=0x00), WiredModel(iocon=0x40)
    for chip in (alone, mirrored):
        chip.model.set_pin(9, False)
    assert (alone.line, alone.line_b) == ([], [False])
    assert (mirrored.line, mirrored.line_b) == ([False], [False])


def test_a_mirrored_line_stays_low_until_both_ports_are_read() -> None:
    chip = WiredModel(iocon=0x40)
    chip.model.set_pin(0, False)
    chip.model.set_pin(9, False)
    assert chip.line == [False]
    chip.read(GPIOA)
    assert chip.line == [False]
    chip.read(GPIOB)
    assert chip.line == [False, True]


def test_the_line_is_active_high_if_so_wished_but_not_with_an_open_drain() -> None:
    high, drain = WiredModel(iocon=0x02), WiredModel(iocon=0x06)
    for chip in (high, drain):
        chip.model.set_pin(0, False)
    assert (high.line, drain.line) == ([True], [False])
    assert high.model.peek(PORT_A, IOCON) == 0x02
    assert high.model.peek(PORT_A, GPINTEN) == 0xFF


# -- what a byte's time on the wire does


def test_a_change_while_the_port_is_on_the_wire_is_lost(chip: WiredModel) -> None:
    chip.model.on_byte = lambda: chip.model.set_pin(2, False)
    assert chip.read(GPIOA) == [0xFF]
    assert chip.line == [False, True]
    chip.model.on_byte = lambda: None
    assert chip.model.peek(PORT_A, INTF) == 0
    assert chip.read(GPIOA) == [0xFB]


def test_a_change_of_a7_during_a_transfer_spoils_it(chip: WiredModel) -> None:
    chip.write(GPINTENA, 0x00)
    chip.model.on_byte = lambda: chip.model.set_pin(7, False)
    assert chip.read(GPIOA) == [0x00]
    chip.write(IODIRA, 0x7F)
    chip.model.on_byte = lambda: chip.model.set_pin(7, True)
    assert chip.read(OLATA) == [0x00]
