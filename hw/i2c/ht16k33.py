"""Up to 128 LEDs on an HT16K33: LED n is at common n // 16 and row n % 16.

Only what has changed is written, but the chip can't be asked whether it still has the
rest, or even its setup: after a dip of its supply it is dark and does not report it. So
everything is written again every two seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hw.i2c.bus import Anomaly, Registers
from hw.ports import LedWire
from hw.work import nobody_to_wake

OSCILLATOR_ON, DISPLAY_OFF, DISPLAY_ON, BRIGHTNESS = 0x21, 0x80, 0x81, 0xE0
MEMORY = 16
LEDS = 8 * MEMORY
BRIGHTEST = 15
REPAINT_NS = 2_000_000_000
PACE_NS = 10_000_000
"""At most a hundred pictures a second, so that sensors on the same bus get their turn."""
JOIN = 2
"""So many unchanged bytes between changed ones cost no more than the head of another transfer."""


class Ht16k33Leds:
    """The lamps of one chip. Its frames are `length` lamps long, or at least as long as its wires need."""

    def __init__(
        self,
        name: str,
        address: int,
        wires: Sequence[LedWire],
        brightness: int = BRIGHTEST,
        length: int | None = None,
    ) -> None:
        self.name = name
        self.address = address
        self.wake: Callable[[], None] = nobody_to_wake
        self._wires = tuple(wires)
        self._least = max((wire.lamp + 1 for wire in wires), default=0)
        self._length = length
        self._brightness = self._usual = brightness
        _check(name, wires, brightness, self._least, length)
        self._wanted = bytes(MEMORY)  # replaced as a whole, from any thread
        self._written = bytes(MEMORY)
        self._repaint_ns = 0
        self._paced_ns = 0
        self._closed = False

    # -- as a panel

    def show(self, frame: bytes) -> None:
        """Burn like this from now on. It never waits: while the bus is busy, the newest frame wins."""
        if len(frame) < self._least or self._length not in (None, len(frame)):
            raise ValueError(f"a frame of {len(frame)} lamps for a panel of {self._length or self._least}")
        if not self._closed:
            picture = bytearray(MEMORY)
            for lamp, colours, led in self._wires:
                if frame[lamp] & colours:
                    picture[led // 8] |= 1 << led % 8
            self._want(bytes(picture))

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._want(bytes(MEMORY))

    def dim(self, brightness: int | None) -> None:
        """Burn that brightly from now on; None is the brightness at the start."""
        wanted = self._usual if brightness is None else brightness
        _check_brightness(self.name, wanted)
        self._brightness = wanted
        self._repaint_ns = 0
        self.wake()

    def _want(self, picture: bytes) -> None:
        if picture != self._wanted:
            self._wanted = picture
            self.wake()

    # -- as a chip

    def start(self, registers: Registers, now_ns: int) -> None:
        """Set up and paint everything, the picture before the light, so that no old memory is seen."""
        picture = self._wanted
        registers.send(OSCILLATOR_ON)
        registers.write(0, picture)
        registers.send(BRIGHTNESS | self._brightness)
        registers.send(DISPLAY_ON)
        self._written = picture
        self._repaint_ns = now_ns + REPAINT_NS
        self._paced_ns = now_ns + PACE_NS

    def due_ns(self, now_ns: int) -> int | None:
        return self._repaint_ns if self._wanted == self._written else min(self._repaint_ns, self._paced_ns)

    def work(self, registers: Registers, now_ns: int) -> Anomaly | None:
        picture = self._wanted
        if now_ns >= self._repaint_ns:
            self.start(registers, now_ns)
        elif picture != self._written and now_ns >= self._paced_ns:
            for start, end in runs(self._written, picture):
                registers.write(start, picture[start:end])
            self._written = picture
            self._paced_ns = now_ns + PACE_NS
        return None

    def rest(self, registers: Registers) -> None:
        registers.write(0, bytes(MEMORY))
        registers.send(DISPLAY_OFF)

    def lost(self, now_ns: int) -> None:
        """Do nothing: `start` will paint everything."""


def runs(old: bytes, new: bytes) -> list[tuple[int, int]]:
    """The parts of the memory to write, each from its first byte up to its end."""
    found: list[tuple[int, int]] = []
    for at in range(MEMORY):
        if old[at] == new[at]:
            continue
        if found and at - found[-1][1] <= JOIN:
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
    return found


def _check_brightness(name: str, brightness: int) -> None:
    if not 0 <= brightness <= BRIGHTEST:
        raise ValueError(f"{name}: brightness {brightness} is not within 0..{BRIGHTEST}")


def _check(name: str, wires: Sequence[LedWire], brightness: int, least: int, length: int | None) -> None:
    _check_brightness(name, brightness)
    if length is not None and length < least:
        raise ValueError(f"{name}: lamp {least - 1} is not in a frame of {length}")
    for wire in wires:
        if not 0 <= wire.led < LEDS:
            raise ValueError(f"{name}: LED {wire.led} is not within 0..{LEDS - 1}")
        if wire.lamp < 0 or not 1 <= wire.colours <= 7:
            raise ValueError(f"{name}: lamp {wire.lamp} with colours {wire.colours} can't burn")
    if len({wire.led for wire in wires}) < len(wires):
        raise ValueError(f"{name}: an LED is wired twice")
