"""The simulated MCP23017 and HT16K33, register by register, against their datasheets."""

from __future__ import annotations

import pytest

from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.mcp23017 import Mcp23017Model

# The addresses of the datasheet's register tables.
IODIRA, GPINTENA, IOCONA = 0x00, 0x04, 0x0A
GPPUA, GPIOA, OLATA = 0x0C, 0x12, 0x14


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

    def run(self, steps: str) -> list[str]:
        """Take steps, and return those whose outcome is not the one that they name.

        `W reg bytes`; `R reg count=bytes`, with `-` to go on at the pointer; `pin=1`, 0 or z (let go of);
        `P port/register=byte`, read without its effects; `line=levels` since the last such step.
        """
        wrong = []
        for step in filter(None, (each.strip() for each in steps.replace("\n", ";").split(";"))):
            done, _, named = step.partition("=")
            words, outcome = done.split(), ""
            if words[0] == "W":
                self.model.write(int(words[1], 16), bytes.fromhex("".join(words[2:])))
            elif words[0] == "R":
                register = None if words[1] == "-" else int(words[1], 16)
                outcome = self.model.read(register, int(words[2])).hex()
            elif words[0] == "P":
                port, name = words[1].split("/")
                outcome = f"{self.model.peek('AB'.index(port), int(name)):02x}"
            elif words[0] == "line":
                outcome = "".join(str(int(high)) for high in self.line)
                self.line.clear()
            else:
                self.model.set_pin(int(words[0]), {"0": False, "1": True, "z": None}[named])
                outcome = named
            if outcome != named.replace(" ", "").lower():
                wrong.append(f"{step}, not {outcome}")
        return wrong


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
    assert chip.run("line=01; R 04 2=0000; R 0E 4=00000000") == []


@pytest.mark.parametrize(
    ("iocon", "steps"),
    [
        # Registers come in pairs and go round (OLATB 10, IODIRA 0); IOCON is one, without its lowest bit.
        (0x44, "W 15 AB 7F; P B/10=AB; P A/0=7F"),
        (0x44, "W 0B 45; R 0A 1=44"),
        # With BANK=1 each port has its own block, and nothing is between them.
        (0x44, "W 0A 80; W 10 0F; W 06 3C; P B/0=0F; P A/6=3C; R 05 1=80; W 05 00; R 01 1=0F"),
        (0xA0, "W 0B FF; R 0B 1=00; P A/0=FF; P A/5=A0; P B/0=FF"),
        # Without sequential operation the address alternates between the pair, with BANK=1 it stays.
        (0x20, "0=0; 9=0; R 12 4=FEFDFEFD"),
        (0xA0, "0=0; R 09 3=FEFEFE"),
        # A read without a register goes on at the pointer.
        (0x44, "8=0; W 13; R - 1=FE"),
        # An open pin is high only with a pull-up.
        (0x44, "W 0C 01; R 12 1=01; 1=1; 0=0; R 12 1=02; 0=z; R 12 1=03"),
        # Outputs show their latch and call nobody.
        (0x44, "W 00 FE; R 12 1=FE; line=; W 12 01; R 14 1=01; R 12 1=FF; W 14 00; R 12 1=FE; line="),
        # Polarity inverts what is read of inputs.
        (0x44, "W 02 03; R 12 1=FC; P A/1=03; 0=0; R 12 1=FD"),
        # Capture and flags can't be written.
        (0x44, "W 0E FFFF5555; R 0E 4=00000000"),
    ],
)
def test_registers(iocon: int, steps: str) -> None:
    assert WiredModel(iocon).run(steps) == []


INTERRUPTS = [
    # The first change latches (INTF 7, INTCAP 8) and calls; GPIO (9) goes on.
    "2=0; line=0; 5=0; 2=1; line=; P A/7=04; P A/8=FB; P A/9=DF",
    # Reading the capture or the port clears.
    "2=0; R 0E 1=04; line=0; R 10 1=FB; line=1; R 0E 1=00",
    "2=0; R 0E 1=04; line=0; R 12 1=FB; line=1; R 0E 1=00",
    # The new level is what the next change is compared with.
    "2=0; R 12 1=FB; line=01; 2=1; line=0; R 10 1=FF",
    # The capture keeps its value until the next call.
    "2=0; R 10 1=FB; R 10 1=FB; R 10 1=FB; line=01",
    # What changed while it was latched calls again after reading, and so does what went back.
    "2=0; 5=0; R 10 1=FB; line=010; R 0E 1=20; R 10 1=DB; line=1",
    "2=0; 2=1; R 0E 6=0400FB00FFFF; line=0101; P A/8=FF",
    # Reading the port before the capture loses it.
    "2=0; 5=0; R 12 1=DB; P A/8=DB",
    # Pins that may not call don't; one that changed meanwhile does not call when it may again.
    "W 04 01; 2=0; line=; 0=0; line=0; R 0E 1=01; R 10 1=FA",
    "W 04 00; 2=0; W 04 FF; line=",
    # Compared with DEFVAL (3), it calls as long as it differs.
    "W 06 01; W 08 01; 0=0; line=0; R 12 1=FE; R 12 1=FE; line=; P A/7=01; 0=1; R 12 1=FF; line=1; P A/3=01",
]


@pytest.mark.parametrize("steps", INTERRUPTS)
def test_interrupts(chip: WiredModel, steps: str) -> None:
    assert chip.run(steps) == []


def test_a_chip_that_does_not_call_again_shows_the_rest_only_in_its_port() -> None:
    chip = WiredModel(interrupts_again=False)
    assert chip.run("2=0; 5=0; R 0E 6=0400FB00DBFF; line=01; 5=1; line=0") == []


@pytest.mark.parametrize(
    ("iocon", "line", "line_b"), [(0x00, [], [False]), (0x40, [False], [False]), (0x02, [], [True])]
)
def test_each_port_has_its_line_unless_they_are_mirrored(
    iocon: int, line: list[bool], line_b: list[bool]
) -> None:
    chip = WiredModel(iocon)
    chip.model.set_pin(9, False)
    assert (chip.line, chip.line_b) == (line, line_b)


@pytest.mark.parametrize(
    ("iocon", "steps"),
    [
        (0x40, "0=0; 9=0; line=0; R 12 1=FE; line=; R 13 1=FD; line=1"),  # low until both ports are read
        (0x02, "0=0; line=1; R 12 1=FE; line=0"),  # active high if so wished
        (0x06, "0=0; line=0"),  # but not with an open drain
    ],
)
def test_the_interrupt_line(iocon: int, steps: str) -> None:
    assert WiredModel(iocon).run(steps) == []


def test_a_change_while_the_port_is_on_the_wire_is_lost(chip: WiredModel) -> None:
    chip.model.on_byte = lambda: chip.model.set_pin(2, False)
    assert chip.run("R 12 1=FF; line=01") == []
    chip.model.on_byte = lambda: None
    assert chip.run("P A/7=00; R 12 1=FB") == []


def test_a_change_of_a7_during_a_transfer_spoils_it(chip: WiredModel) -> None:
    chip.write(GPINTENA, 0x00)
    chip.model.on_byte = lambda: chip.model.set_pin(7, False)
    assert chip.read(GPIOA) == [0x00]
    chip.write(IODIRA, 0x7F)
    chip.model.on_byte = lambda: chip.model.set_pin(7, True)
    assert chip.read(OLATA) == [0x00]


# -- HT16K33


def shining(*writes: tuple[int, bytes]) -> Ht16k33Model:
    """A chip that runs and shows, with these bytes in its memory."""
    model = Ht16k33Model()
    for register, data in ((0x00, bytes(16)), (0x21, b""), (0x81, b""), *writes):
        model.write(register, data)
    return model


def test_after_power_on_it_is_dark_and_its_memory_holds_anything() -> None:
    model = Ht16k33Model()
    assert (model.running, model.shown, model.brightness) == (False, False, 15)
    assert any(model.ram)
    assert model.lit() == frozenset()


@pytest.mark.parametrize(
    ("writes", "lit"),
    [
        # Even bytes are rows 0 to 7, odd ones rows 8 to 15 of a common.
        ([(0x00, b"\x01")], {0}),
        ([(0x00, b"\x80")], {7}),
        ([(0x01, b"\x01")], {8}),
        ([(0x02, b"\x01")], {16}),
        ([(0x0F, b"\x80")], {127}),
        ([(0x0E, b"\x01\x02\x04")], {112, 121, 2}),  # the address goes on and round
        ([(0x00, b"\xff"), (0x20, b"")], set()),  # without its oscillator
        ([(0x00, b"\xff"), (0x80, b"")], set()),  # or its display
        ([(0x40, b"\xff" * 6)], set()),  # registers of keys
        ([(0x00, b"\x01"), (0xA0, b""), (0x40, b""), (0x60, b"")], {0}),  # other commands change nothing
    ],
)
def test_what_burns(writes: list[tuple[int, bytes]], lit: set[int]) -> None:
    assert shining(*writes).lit() == lit


def test_the_memory_can_be_read_back_from_the_pointer() -> None:
    model = shining((0x03, b"\x11\x22"), (0x03, b""))
    assert model.read(None, 2) == b"\x11\x22"
    assert model.read(0x04, 1) == b"\x22"


@pytest.mark.parametrize(("register", "count"), [(0x40, 6), (0x45, 1), (0x44, 8), (0x60, 1)])
def test_without_keys_the_key_registers_are_zero(register: int, count: int) -> None:
    """40 to 45 have the keys, 60 says whether one was pressed; none of them is display memory."""
    model = shining((0x00, b"\xff" * 16))
    assert model.read(register, count) == bytes(count)
    model.write(register, b"")
    assert model.read(None, count) == bytes(count)
    assert model.read(0x0F, 2) == b"\xff\xff"


@pytest.mark.parametrize(
    ("command", "name", "value"),
    [(0x81, "blink", 0), (0x83, "blink", 1), (0x85, "blink", 2), (0x87, "blink", 3),
     (0xE3, "brightness", 3), (0xEF, "brightness", 15)],
)  # fmt: skip
def test_blink_rate_and_brightness(command: int, name: str, value: int) -> None:
    assert getattr(shining((command, b"")), name) == value


def test_an_onlooker_is_called_at_each_change() -> None:
    seen: list[frozenset[int]] = []
    model = Ht16k33Model(on_change=lambda: seen.append(model.lit()))
    for register, data in ((0x00, b"\x01" + bytes(15)), (0x21, b""), (0x81, b""), (0x20, b"")):
        model.write(register, data)
    model.power_on()
    assert seen == [frozenset(), frozenset(), {0}, frozenset(), frozenset()]
