"""Lamps on GPIO lines, over gpiozero's mock pins; over real ones in `tests/kernel`."""

from collections.abc import Mapping

import pytest

from hw.gpio.gpio_chips import GpioError
from hw.gpio.gpio_lamps import GpioLamps
from hw.gpio.gpiozero_lines import KINDS, open_pins
from hw.ports import Condition, Health

RED, GREEN, BLUE, WHITE = 4, 2, 1, 7
WIRES = [(0, WHITE, 16), (2, RED, 20), (2, GREEN | BLUE, 21)]


class FakeOutputs:
    """Output lines that remember what was written, and can break."""

    def __init__(self) -> None:
        self.written: list[dict[int, bool]] = []
        self.closed = 0
        self.reopened = 0
        self.broken = False
        self.gone = False

    def set(self, levels: Mapping[int, bool]) -> None:
        if self.broken:
            raise OSError(19, "No such device")
        self.written.append(dict(levels))

    def reopen(self) -> None:
        """Only new lines work again, and only when the chip is there."""
        self.reopened += 1
        if self.gone:
            raise OSError(2, "No such file")
        self.broken = False

    def close(self) -> None:
        self.closed += 1


def test_they_are_dark_from_the_start() -> None:
    outputs = FakeOutputs()
    GpioLamps(outputs, WIRES)
    assert outputs.written == [{16: False, 20: False, 21: False}]


@pytest.mark.parametrize(
    ("frame", "burning"),
    [
        (bytes([RED, 0, 0]), {16}),
        (bytes([BLUE, 0, 0]), {16}),
        (bytes([0, WHITE, 0]), set()),
        (bytes([0, 0, RED]), {20}),
        (bytes([0, 0, BLUE]), {21}),
        (bytes([0, 0, GREEN | RED]), {20, 21}),
        (bytes([WHITE]), {16}),
        (b"", set()),
    ],
)
def test_a_line_burns_while_its_lamp_shows_one_of_its_colours(frame: bytes, burning: set[int]) -> None:
    factory = open_pins(KINDS["mock"])
    lamps = GpioLamps.over_gpiozero(factory, WIRES)
    lamps.show(frame)
    assert {line for line in (16, 20, 21) if factory.pin(f"GPIO{line}").state} == burning
    lamps.close()
    assert not any(factory.pin(f"GPIO{line}").state for line in (16, 20, 21))


def test_one_line_may_stand_for_two_lamps() -> None:
    outputs = FakeOutputs()
    lamps = GpioLamps(outputs, [(0, WHITE, 16), (1, WHITE, 16)])
    for frame in (bytes([WHITE, 0]), bytes([0, WHITE]), bytes([0, 0])):
        lamps.show(frame)
    assert outputs.written == [{16: False}, {16: True}, {16: False}]


def test_only_what_changes_is_written() -> None:
    outputs = FakeOutputs()
    lamps = GpioLamps(outputs, WIRES)
    for frame in (bytes([RED, 0, RED]), bytes([BLUE, 0, RED]), bytes([BLUE, 0, GREEN])):
        lamps.show(frame)
    assert outputs.written[1:] == [{16: True, 20: True}, {20: False, 21: True}]


def test_lamps_that_are_wired_the_other_way_round() -> None:
    outputs = FakeOutputs()
    lamps = GpioLamps(outputs, [(0, WHITE, 16)], active_low=True)
    lamps.show(bytes([WHITE]))
    lamps.close()
    assert outputs.written == [{16: True}, {16: False}, {16: True}]


def test_a_broken_output_is_reported_once_and_painted_when_it_is_back() -> None:
    outputs = FakeOutputs()
    reported: list[Health] = []
    now_ns = [0]
    lamps = GpioLamps(outputs, WIRES, tell=reported.append, name="button lamps", now_ns=lambda: now_ns[0])
    lamps.show(bytes([WHITE, 0, 0]))
    outputs.broken = outputs.gone = True
    lamps.show(bytes([WHITE, 0, RED]))
    for _ in range(10):
        now_ns[0] += 100_000_000
        lamps.show(bytes([WHITE, 0, RED]))
    assert 1 <= outputs.reopened <= 3  # now and then, not with each frame
    outputs.gone = False
    now_ns[0] += 4_000_000_000
    lamps.show(bytes([WHITE, 0, RED]))
    assert outputs.written[2:] == [{16: True, 20: True, 21: False}]  # all of it: nobody knows what burns
    assert [(health.name, health.condition) for health in reported] == [
        ("button lamps", Condition.LOST),
        ("button lamps", Condition.OK),
    ]
    assert "No such device" in reported[0].seen and reported[0].advice


def test_they_may_be_closed_any_number_of_times() -> None:
    outputs = FakeOutputs()
    lamps = GpioLamps(outputs, WIRES)
    lamps.show(bytes([WHITE]))
    for _ in range(3):
        lamps.close()
    lamps.show(bytes([WHITE]))
    assert outputs.written[1:] == [{16: True}, {16: False}]
    assert outputs.closed == 1


def test_a_pin_that_is_not_there_is_refused_and_the_others_are_let_go() -> None:
    factory = open_pins(KINDS["mock"])
    with pytest.raises(GpioError, match="GPIO99"):
        GpioLamps.over_gpiozero(factory, [(0, WHITE, 16), (1, WHITE, 99)])
    assert factory.pin("GPIO16").function == "input"
