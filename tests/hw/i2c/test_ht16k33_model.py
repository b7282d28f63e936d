"""The simulated HT16K33 against the command table of its datasheet."""

import pytest

from hw.sim.ht16k33 import Ht16k33Model


def shining(*writes: tuple[int, bytes]) -> Ht16k33Model:
    """A chip that runs and shows, with these bytes in its memory."""
    model = Ht16k33Model()
    model.write(0x00, bytes(16))
    model.write(0x21, b"")
    model.write(0x81, b"")
    for register, data in writes:
        model.write(register, data)
    return model


def test_after_power_on_it_is_dark_and_its_memory_holds_anything() -> None:
    model = Ht16k33Model()
    assert (model.running, model.shown, model.brightness) == (False, False, 15)
    assert any(model.ram)
    assert model.lit() == frozenset()


@pytest.mark.parametrize("command", [0x20, 0x80])
def test_without_oscillator_or_display_nothing_is_seen(command: int) -> None:
    model = shining((0x00, b"\xff"))
    assert model.lit() == frozenset(range(8))
    model.write(command, b"")
    assert model.lit() == frozenset()


@pytest.mark.parametrize(
    ("register", "byte", "led"),
    [(0x00, 0x01, 0), (0x00, 0x80, 7), (0x01, 0x01, 8), (0x02, 0x01, 16), (0x0F, 0x80, 127)],
)
def test_even_bytes_are_rows_0_to_7_and_odd_ones_8_to_15_of_a_common(
    register: int, byte: int, led: int
) -> None:
    assert shining((register, bytes([byte]))).lit() == {led}


def test_the_address_goes_on_and_round() -> None:
    model = shining((0x0E, b"\x01\x02\x04"))
    assert (model.ram[14], model.ram[15], model.ram[0]) == (1, 2, 4)


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


def test_what_is_written_to_the_key_registers_changes_nothing() -> None:
    model = shining((0x00, bytes(16)), (0x40, b"\xff" * 6))
    assert (model.lit(), model.read(0x40, 6)) == (frozenset(), bytes(6))


@pytest.mark.parametrize(("command", "blink"), [(0x81, 0), (0x83, 1), (0x85, 2), (0x87, 3)])
def test_display_setup_has_the_blink_rate(command: int, blink: int) -> None:
    assert shining((command, b"")).blink == blink


def test_brightness_has_sixteen_steps() -> None:
    model = shining((0xE3, b""))
    assert model.brightness == 3
    assert shining((0xEF, b"")).brightness == 15


def test_other_commands_change_nothing_that_is_seen() -> None:
    model = shining((0x00, b"\x01"), (0xA0, b""), (0x40, b""), (0x60, b""))
    assert model.lit() == {0}


def test_an_onlooker_is_called_at_each_change() -> None:
    seen: list[frozenset[int]] = []
    model = Ht16k33Model(on_change=lambda: seen.append(model.lit()))
    for register, data in ((0x00, b"\x01" + bytes(15)), (0x21, b""), (0x81, b""), (0x20, b"")):
        model.write(register, data)
    model.power_on()
    assert seen == [frozenset(), frozenset(), {0}, frozenset(), frozenset()]
