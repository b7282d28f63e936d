"""LEDs on an HT16K33: bytes on the wire, and what a person sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.i2c.bus import I2cBus
from hw.i2c.ht16k33 import Ht16k33Leds, runs
from hw.ports import LedWire
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.i2c_bus import SimI2cBus
from tests.hw.i2c.bus_rig import LEDS, MS, WIRES, BusRig, S, written

DARK = bytes(3)


def test_the_setup_byte_for_byte(rig: BusRig) -> None:
    """The oscillator, the picture, the brightness, and only then light."""
    assert written(rig.transfers(LEDS)) == [(0x21, b""), (0x00, bytes(16)), (0xEF, b""), (0x81, b"")]
    assert (rig.lights.running, rig.lights.shown, rig.lights.brightness) == (True, True, 15)


def test_what_was_in_the_memory_is_never_seen() -> None:
    seen: list[frozenset[int]] = []
    rig = BusRig()
    rig.lights.on_change = lambda: seen.append(rig.lights.lit())
    rig.lights.power_on()
    assert any(rig.lights.ram)
    rig.run(3 * S)
    assert set(seen) == {frozenset()}


@pytest.mark.parametrize(
    ("frame", "lit"),
    [
        (b"\x04\0\0", {0}),
        (b"\x02\0\0", {1}),
        (b"\x01\0\0", {2}),
        (b"\x07\0\0", {0, 1, 2}),
        (b"\0\x01\0", {40}),
        (b"\0\x04\x02", {40, 127}),
        (DARK, set()),
    ],
)
def test_a_lamp_burns_in_the_colours_that_it_has(rig: BusRig, frame: bytes, lit: set[int]) -> None:
    rig.leds.show(frame)
    rig.run(20 * MS)
    assert rig.lights.lit() == lit


def test_only_bytes_that_changed_are_written(rig: BusRig) -> None:
    rig.run(20 * MS)
    rig.transfers(LEDS)
    rig.leds.show(b"\0\x01\0")  # LED 40: common 2, row 8, so byte 5, bit 0
    rig.run(20 * MS)
    rig.leds.show(b"\x04\x01\x01")
    rig.run(20 * MS)
    rig.leds.show(b"\x04\x01\x01")
    rig.run(20 * MS)
    assert written(rig.transfers(LEDS)) == [(0x05, b"\x01"), (0x00, b"\x01"), (0x0F, b"\x80")]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ([], []),
        ([3], [(3, 4)]),
        ([3, 4, 5], [(3, 6)]),
        ([3, 5], [(3, 6)]),
        ([3, 6], [(3, 7)]),
        ([3, 7], [(3, 4), (7, 8)]),
        ([0, 15], [(0, 1), (15, 16)]),
    ],
)
def test_runs_are_joined_where_that_costs_less_than_another_transfer(
    changed: list[int], expected: list[tuple[int, int]]
) -> None:
    new = bytes(1 if at in changed else 0 for at in range(16))
    assert runs(bytes(16), new) == expected


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_runs_bring_any_memory_to_any_other(old: bytes, new: bytes) -> None:
    memory = bytearray(old)
    for start, end in runs(old, new):
        memory[start:end] = new[start:end]
    assert memory == new


@given(st.lists(st.tuples(st.integers(0, 30 * MS), st.binary(min_size=3, max_size=3)), max_size=12))
def test_in_the_end_the_newest_frame_burns(shows: list[tuple[int, bytes]]) -> None:
    rig = BusRig()
    for pause_ns, frame in shows:
        rig.run(pause_ns)
        rig.leds.show(frame)
    rig.run(20 * MS)
    last = shows[-1][1] if shows else DARK
    assert rig.lights.lit() == {led for lamp, colours, led in WIRES if last[lamp] & colours}


def test_frames_faster_than_the_eye_leave_the_bus_alone(rig: BusRig) -> None:
    """A thousand frames a second become at most a hundred pictures, and the newest wins."""
    rig.run(50 * MS)
    rig.transfers(LEDS)
    for turn in range(1000):
        rig.leds.show(bytes([turn % 8, 0, 0]))
        rig.run(1 * MS)
    assert len(rig.transfers(LEDS)) <= 105
    rig.leds.show(b"\x05\0\0")
    rig.run(11 * MS)
    assert rig.lights.lit() == {0, 2}


def test_everything_is_written_again_every_two_seconds(rig: BusRig) -> None:
    rig.leds.show(b"\0\x01\0")
    rig.run(1900 * MS)
    rig.transfers(LEDS)
    rig.run(200 * MS)
    memory = bytes(5) + b"\x01" + bytes(10)
    assert written(rig.transfers(LEDS)) == [(0x21, b""), (0x00, memory), (0xEF, b""), (0x81, b"")]


def test_a_frame_shown_before_the_bus_is_there_burns_as_soon_as_it_is_and_as_brightly_as_told() -> None:
    model, leds = Ht16k33Model(), Ht16k33Leds("rows", LEDS, WIRES, brightness=3)
    leds.show(b"\x04\0\0")
    bus = I2cBus("i2c", SimI2cBus({LEDS: model}).open, [leds], now_ns=lambda: 0, tell=lambda health: None)
    bus.step(0)
    assert model.lit() == {0}
    assert model.brightness == 3


def test_at_rest_memory_and_display_are_off(rig: BusRig) -> None:
    rig.leds.show(b"\x07\x07\x07")
    rig.run(20 * MS)
    rig.transfers(LEDS)
    rig.owner.close()
    assert written(rig.transfers(LEDS)) == [(0x00, bytes(16)), (0x80, b"")]


@pytest.mark.parametrize(("length", "frame"), [(None, b"\0\0"), (3, b"\0\0\0\0"), (4, b"\0\0\0")])
def test_a_frame_of_a_wrong_length_is_refused(length: int | None, frame: bytes) -> None:
    leds = Ht16k33Leds("rows", LEDS, WIRES, length=length)
    with pytest.raises(ValueError, match=f"a frame of {len(frame)} lamps for a panel of {length or 3}"):
        leds.show(frame)


@pytest.mark.parametrize(
    ("wires", "words"),
    [
        ([LedWire(0, 7, 128)], "LED 128 is not within 0..127"),
        ([LedWire(0, 7, -1)], "LED -1 is not within"),
        ([LedWire(0, 0, 5)], "lamp 0 with colours 0 can't burn"),
        ([LedWire(-1, 7, 5)], "lamp -1 with colours 7 can't burn"),
        ([LedWire(0, 7, 5), LedWire(1, 7, 5)], "an LED is wired twice"),
    ],
)
def test_wires_that_can_not_be(wires: list[LedWire], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Ht16k33Leds("rows", LEDS, wires)


def test_settings_that_can_not_be() -> None:
    with pytest.raises(ValueError, match=r"brightness 16 is not within 0\.\.15"):
        Ht16k33Leds("rows", LEDS, WIRES, brightness=16)
    with pytest.raises(ValueError, match="lamp 2 is not in a frame of 2"):
        Ht16k33Leds("rows", LEDS, WIRES, length=2)
