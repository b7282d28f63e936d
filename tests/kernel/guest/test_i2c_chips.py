"""Port expanders and LED chips through smbus2 and the kernel, with the interrupt on a GPIO line."""

from __future__ import annotations

import select
import time
from collections.abc import Iterator

import pytest
from smbus2 import SMBus

from hw.gpio.gpio_chips import find_chip
from hw.gpio.gpiod_lines import GpiodLines
from hw.i2c.bus import I2cBus
from hw.i2c.ht16k33 import Ht16k33Leds
from hw.i2c.mcp23017 import Mcp23017Bank
from hw.ports import Condition, Edge, Gap, Health, LedWire
from hw.work import OwnerThread
from tests.hw.gpio.edge_contract import PATIENCE_S, EdgeRig, EdgeSourceContract
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.i2c_stub import ChipPlayer, stub_bus

BANK, LEDS, NOBODY = 0x20, 0x70, 0x27
INTERRUPT = 17
PINS = {0: 100, 5: 105, 9: 109}
EMULATED_NS = 100_000


class Board:
    """A bank on a bus with an owner, and the chip's player."""

    def __init__(self, player: ChipPlayer, bus: int, address: int = BANK) -> None:
        self.told: list[Health] = []
        self.player = player
        self.bank = Mcp23017Bank("left", address, PINS, INTERRUPT, EMULATED_NS)
        interrupts = GpiodLines(find_chip(), [INTERRUPT], "up", name="interrupts")
        work = I2cBus(
            "i2c",
            lambda: SMBus(bus),
            [self.bank],
            now_ns=time.monotonic_ns,
            tell=self.told.append,
            interrupts=interrupts,
        )
        self.owner = OwnerThread(work, self.told.append)

    def drive(self, line: int, high: bool) -> None:
        self.player.set_pin({line: pin for pin, line in PINS.items()}[line], high)

    def close(self) -> None:
        self.owner.close()
        self.bank.close()
        for pin in PINS:
            self.player.set_pin(pin, True)


@pytest.fixture(scope="module")
def bus() -> Iterator[int]:
    with stub_bus([BANK, LEDS]) as number:
        yield number


@pytest.fixture(scope="module")
def player(bus: int) -> Iterator[ChipPlayer]:
    """One for all tests: a process takes its time to begin on an emulated machine."""
    chip = SimChip()
    made = ChipPlayer(bus, BANK, chip, INTERRUPT)
    yield made
    made.close()
    chip.close()


@pytest.fixture
def board(player: ChipPlayer, bus: int) -> Iterator[Board]:
    player.power_on()
    made = Board(player, bus)
    with SMBus(bus) as wire:
        wait_until(lambda: wire.read_byte_data(BANK, 0x0A) == 0x44)
    time.sleep(0.2)
    yield made
    made.close()


def wait_until(happens: object) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not happens():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.01)


class TestBank(EdgeSourceContract):
    @pytest.fixture
    def subject(self, board: Board) -> EdgeRig:
        return EdgeRig(
            source=board.bank,
            lines=(100, 105, 109),
            drive=board.drive,
            now_ns=time.monotonic_ns,
            uncertainty_ns=EMULATED_NS,
            waits=True,
            torn=2,
        )


def test_the_chip_is_set_up_as_its_data_sheet_wants(board: Board, bus: int) -> None:
    with SMBus(bus) as wire:
        setup = wire.read_i2c_block_data(BANK, 0, 14)
    used = [0x21, 0x02]
    assert setup == [0xFF, 0xFF, 0, 0, *used, 0, 0, 0, 0, 0x44, 0x44, 0xFF, 0xFF]


def test_a_chip_that_was_reset_is_set_up_again_and_says_so(board: Board, bus: int) -> None:
    board.player.power_on()
    with SMBus(bus) as wire:
        wait_until(lambda: wire.read_byte_data(BANK, 0x0A) == 0x44)
    wait_until(lambda: bool(board.told))
    assert board.told[0].condition is Condition.DEGRADED
    assert "reset" in board.told[0].seen
    board.drive(105, False)
    assert select.select([board.bank.fileno()], [], [], PATIENCE_S)[0]
    edges = [report for report in board.bank.read() if isinstance(report, Edge)]
    assert [(edge.line, edge.high) for edge in edges] == [(105, False)]


def test_a_chip_that_is_not_there_is_lost_in_words(player: ChipPlayer, bus: int) -> None:
    board = Board(player, bus, address=NOBODY)
    try:
        wait_until(lambda: bool(board.told))
        assert board.told[0].condition is Condition.LOST
        assert board.told[0].name == "left"
        assert "does not answer" in board.told[0].seen
        assert not any(isinstance(report, Edge | Gap) for report in board.bank.read())
        assert board.owner.alive
    finally:
        board.close()


def test_lamps_burn_as_the_frame_says(bus: int) -> None:
    told: list[Health] = []
    leds = Ht16k33Leds("rows", LEDS, [LedWire(0, 4, 0), LedWire(0, 2, 1), LedWire(1, 7, 127)], brightness=5)
    work = I2cBus("i2c", lambda: SMBus(bus), [leds], now_ns=time.monotonic_ns, tell=told.append)
    owner = OwnerThread(work, told.append)
    with SMBus(bus) as wire:

        def ram() -> list[int]:
            return list(wire.read_i2c_block_data(LEDS, 0, 16))

        for frame, first, last in (((4, 0), 0b01, 0), ((6, 1), 0b11, 0x80), ((0, 7), 0, 0x80)):
            leds.show(bytes(frame))
            wait_until(lambda first=first, last=last: ram() == [first, *[0] * 14, last])
        owner.close()
        assert ram() == [0] * 16
    assert told == []
