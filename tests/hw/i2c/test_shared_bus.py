"""How late edges of sensors are where two expanders and an LED chip share a bus, byte by byte."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from hw.i2c.bus import I2cBus
from hw.i2c.ht16k33 import Ht16k33Leds
from hw.i2c.mcp23017 import Mcp23017Bank
from hw.ports import Edge, LedWire
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.i2c_bus import ChipModel, SimI2cBus
from hw.sim.mcp23017 import Mcp23017Model
from tests.hw.i2c.bus_rig import MS, US, S

COMPUTING_NS = 150 * US
"""What each transfer takes beside its bytes."""
WAKING_NS = 100 * US
BANKS = {17: 0x20, 27: 0x21}
PINS = (*range(6), *range(8, 14))
LEDS = 128
JUDGED_NS = 8 * MS
"""By default a table waits so long for the edges of its sensors."""


class SharedBus:
    """Runs the real drivers; `moves` are (moment, interrupt line, pin, level), `frames` (moment, frame)."""

    uncertainty_ns = 0

    def __init__(
        self, byte_ns: int, moves: list[tuple[int, int, int, bool]], frames: list[tuple[int, bytes]]
    ) -> None:
        self.now_ns = 0
        self.byte_ns = byte_ns
        self.delays_ns: list[int] = []
        self._moves, self._frames = sorted(moves), sorted(frames)
        self._low = dict.fromkeys(BANKS, False)
        self._arrived: list[Edge] = []
        self._due_ns = 0
        self._models = {line: Mcp23017Model(self._driver(line)) for line in BANKS}
        for model in self._models.values():
            for pin in PINS:
                model.set_pin(pin, True)
        chips: dict[int, ChipModel] = {
            address: SlowChip(self, self._models[line]) for line, address in BANKS.items()
        }
        chips[0x70] = SlowChip(self, Ht16k33Model())
        lines = {pin: pin for pin in PINS}
        self._banks = [
            Mcp23017Bank(str(line), address, lines, line, uncertainty_ns=0) for line, address in BANKS.items()
        ]
        self._leds = Ht16k33Leds("rows", 0x70, [LedWire(led, 7, led) for led in range(LEDS)])
        self._bus = I2cBus(
            "i2c",
            SimI2cBus(chips).open,
            [*self._banks, self._leds],
            now_ns=lambda: self.now_ns,
            tell=lambda health: None,
            interrupts=self,
        )

    def run(self, until_ns: int) -> None:
        """Let everything happen until then; `delays_ns` gets how late each exact edge was reported."""
        while self.now_ns < until_ns:
            step_ns = min([self._due_ns, *(edge.t_ns + WAKING_NS for edge in self._arrived)])
            coming = [*(move[0] for move in self._moves[:1]), *(frame[0] for frame in self._frames[:1])]
            self.spend(max(0, min([until_ns, step_ns, *coming]) - self.now_ns))
            if self._frames and self._frames[0][0] <= self.now_ns:
                self._leds.show(self._frames.pop(0)[1])
                step_ns = self.now_ns
            if step_ns <= self.now_ns:
                due_ns = self._bus.step(self.now_ns)
                self._due_ns = self.now_ns + S if due_ns is None else max(due_ns, self.now_ns + 1)
                edges = [each for bank in self._banks for each in bank.read() if isinstance(each, Edge)]
                self.delays_ns += [self.now_ns - edge.t_ns for edge in edges if not edge.wide_ns]

    def spend(self, for_ns: int) -> None:
        """Time passes; pins change."""
        until_ns = self.now_ns + for_ns
        while self._moves and self._moves[0][0] <= until_ns:
            t_ns, line, pin, high = self._moves.pop(0)
            self.now_ns = max(self.now_ns, t_ns)
            self._models[line].set_pin(pin, high)
        self.now_ns = until_ns

    def _driver(self, line: int) -> Callable[[bool], None]:
        def drive(high: bool) -> None:
            self._low[line] = not high
            self._arrived.append(Edge(line, high, self.now_ns, 0))

        return drive

    # -- the interrupt lines

    def read(self) -> list[Edge]:
        arrived, self._arrived = self._arrived, []
        return arrived

    def levels(self) -> dict[int, bool]:
        return {line: not low for line, low in self._low.items()}

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        """Nothing to let go of."""


class SlowChip:
    """A chip on a bus on which each byte takes its time."""

    def __init__(self, world: SharedBus, model: ChipModel) -> None:
        self._world = world
        self._model = model

    def read(self, register: int | None, count: int) -> bytes:
        self._world.spend(COMPUTING_NS + (3 + count) * self._world.byte_ns)
        return self._model.read(register, count)

    def write(self, register: int, data: bytes) -> None:
        self._world.spend(COMPUTING_NS + (2 + len(data)) * self._world.byte_ns)
        self._model.write(register, data)


def delays(byte_ns: int, most_at_once: int, seed: int, for_ns: int = 10 * S) -> list[int]:
    """How late edges are while dice come and go within 4 ms of each other, and bounce."""
    chance = Random(seed)
    levels = {(line, pin): True for line in BANKS for pin in PINS}
    moves: list[tuple[int, int, int, bool]] = []
    t_ns = 200 * MS
    while t_ns < for_ns:
        for line, pin in chance.sample(sorted(levels), chance.randint(1, most_at_once)):
            began_ns = t_ns + chance.randrange(4 * MS)
            levels[line, pin] = level = not levels[line, pin]
            moves.append((began_ns, line, pin, level))
            bounces = sorted(began_ns + chance.randint(1, 18 * MS) for _ in range(2 * chance.randint(0, 3)))
            moves += [
                (at_ns, line, pin, level if turn % 2 else not level) for turn, at_ns in enumerate(bounces)
            ]
        t_ns += chance.randrange(50 * MS, 400 * MS)
    frames = [(at_ns, chance.randbytes(LEDS)) for at_ns in range(0, for_ns, 125 * MS)]
    world = SharedBus(byte_ns, moves, frames)
    world.run(for_ns)
    return sorted(world.delays_ns)


@pytest.mark.parametrize("seed", range(3))
def test_at_100_khz_nearly_every_edge_comes_in_time(seed: int) -> None:
    alone, together = delays(90 * US, 1, seed), delays(90 * US, 3, seed)
    assert (len(alone) > 40, len(together) > 80) == (True, True)
    assert sum(late > JUDGED_NS for late in alone) <= 1
    assert sum(late > JUDGED_NS for late in together) <= 0.02 * len(together)
    assert together[-1] < 12 * MS
    assert together[len(together) // 2] < 3 * MS


@pytest.mark.parametrize("seed", range(3))
def test_at_400_khz_every_edge_comes_in_time(seed: int) -> None:
    assert delays(22_500, 3, seed)[-1] < JUDGED_NS
