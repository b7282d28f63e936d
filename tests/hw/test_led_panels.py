"""What every driver of the LED port does alike. A panel more is a subject more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from hw.gpio.gpio_lamps import GpioLamps
from hw.i2c.bus import I2cBus
from hw.i2c.ht16k33 import Ht16k33Leds
from hw.ports import LedPanel, LedWire, Panels
from hw.sim.agenda import Agenda, AgendaOwner, SimPinFactory
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.i2c_bus import SimI2cBus
from hw.sim.outputs import ShownFrame, SimLedPanel

LAMPS = 4
WHITE = 7
LEDS = {0: 0, 1: 17, 2: 63, 3: 127}
"""Where the lamps are on the chip."""
LINES = {0: 5, 1: 6, 2: 13, 3: 19}
"""Where they are on the pins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LitPanel:
    """A panel of four lamps, an eye that sees which of them burn, and the time that it needs."""

    panel: LedPanel
    burning: Callable[[], set[int]]
    wait: Callable[[], None]


def sim_panel() -> LitPanel:
    panel = SimLedPanel(LAMPS, lambda: 0)
    return LitPanel(
        panel=panel,
        burning=lambda: {lamp for lamp, value in enumerate(panel.frame) if value},
        wait=lambda: None,
    )


def ht16k33(lamps: dict[int, int] | None = None) -> LitPanel:
    lamps = LEDS if lamps is None else lamps
    agenda, model = Agenda(), Ht16k33Model()
    panel = Ht16k33Leds("rows", 0x70, [LedWire(lamp, WHITE, led) for lamp, led in lamps.items()])
    bus = I2cBus(
        "i2c",
        SimI2cBus({0x70: model}).open,
        [panel],
        now_ns=lambda: agenda.now_ns,
        tell=lambda health: pytest.fail(str(health)),
    )
    AgendaOwner(bus, agenda)
    return LitPanel(
        panel=panel,
        burning=lambda: {lamp for lamp, led in lamps.items() if led in model.lit()},
        wait=lambda: agenda.run(agenda.now_ns + 20_000_000),
    )


def gpio_lamps(lamps: dict[int, int] | None = None) -> LitPanel:
    lamps = LINES if lamps is None else lamps
    factory = SimPinFactory(lambda: 0, "a020a0")
    panel = GpioLamps.over_gpiozero(factory, [(lamp, WHITE, line) for lamp, line in lamps.items()])
    return LitPanel(
        panel=panel,
        burning=lambda: {lamp for lamp, line in lamps.items() if factory.pin(f"GPIO{line}").state},
        wait=lambda: None,
    )


def several() -> LitPanel:
    """Two lamps on a chip, two on pins."""
    chip, pins = ht16k33({0: 0, 2: 63}), gpio_lamps({1: 6, 3: 19})

    def wait() -> None:
        chip.wait()
        pins.wait()

    return LitPanel(
        panel=Panels([chip.panel, pins.panel]), burning=lambda: chip.burning() | pins.burning(), wait=wait
    )


SUBJECTS = [sim_panel, ht16k33, gpio_lamps, several]


@pytest.fixture(params=SUBJECTS)
def subject(request: pytest.FixtureRequest) -> LitPanel:
    made: LitPanel = request.param()
    made.wait()
    return made


def show(subject: LitPanel, *burning: int) -> None:
    """Let those lamps burn and no others."""
    subject.panel.show(bytes(WHITE if lamp in burning else 0 for lamp in range(LAMPS)))
    subject.wait()


def test_it_begins_dark(subject: LitPanel) -> None:
    assert subject.burning() == set()


@pytest.mark.parametrize("lamp", range(LAMPS))
def test_a_frame_lights_its_lamps_and_no_others(subject: LitPanel, lamp: int) -> None:
    show(subject, lamp)
    assert subject.burning() == {lamp}


def test_a_frame_replaces_the_one_before(subject: LitPanel) -> None:
    show(subject, 0, 1, 2, 3)
    assert subject.burning() == {0, 1, 2, 3}
    show(subject, 1, 2)
    assert subject.burning() == {1, 2}
    show(subject)
    assert subject.burning() == set()


def test_the_same_frame_again_changes_nothing(subject: LitPanel) -> None:
    for _ in range(3):
        show(subject, 3)
        assert subject.burning() == {3}


def test_of_frames_in_a_row_the_newest_burns(subject: LitPanel) -> None:
    for lamp in (0, 1, 2, 3, 1):
        subject.panel.show(bytes(WHITE if each == lamp else 0 for each in range(LAMPS)))
    subject.wait()
    assert subject.burning() == {1}


@pytest.mark.parametrize("colour", [4, 2, 1])
def test_a_lamp_of_one_colour_burns_for_all(subject: LitPanel, colour: int) -> None:
    subject.panel.show(bytes([0, 0, colour, 0]))
    subject.wait()
    assert subject.burning() == {2}


def test_closing_leaves_it_dark_and_may_be_done_any_number_of_times(subject: LitPanel) -> None:
    show(subject, 0, 2)
    for _ in range(3):
        subject.panel.close()
    subject.wait()
    assert subject.burning() == set()


@pytest.mark.parametrize("make", [sim_panel, ht16k33])
def test_a_frame_that_lacks_lamps_is_refused_and_the_last_one_burns_on(
    make: Callable[[], LitPanel],
) -> None:
    subject = make()
    show(subject, 1)
    with pytest.raises(ValueError, match="a frame of 3 lamps for a panel of 4"):
        subject.panel.show(bytes(3))
    subject.wait()
    assert subject.burning() == {1}


def shown(*frames: tuple[int, bytes], keep: int | None = None) -> SimLedPanel:
    agenda = Agenda()
    panel = SimLedPanel(2, lambda: agenda.now_ns, keep)
    for t_ns, frame in frames:
        agenda.run(t_ns)
        panel.show(frame)
    return panel


def test_it_keeps_what_was_shown_and_when_or_only_the_last_frames() -> None:
    frames = [(1, b"\1\0"), (5, b"\1\2"), (6, b"\0\2")]
    panel = shown(*frames)
    assert list(panel.history) == [ShownFrame(*each) for each in frames]
    assert (panel.frame, panel.shown) == (b"\0\2", 3)
    panel = shown(*frames, keep=2)
    assert [t_ns for t_ns, _ in panel.history] == [5, 6]
    panel.close()
    panel.close()
    assert (panel.frame, panel.shown) == (b"\0\0", 4)


def test_the_rhythm_is_one_lamps_values_without_repeats() -> None:
    panel = shown((0, b"\0\1"), (10, b"\4\1"), (20, b"\4\2"), (30, b"\0\2"), (40, b"\4\2"))
    assert panel.rhythm(0, since_ns=0) == (0, 4, 0, 4)
    assert panel.rhythm(1, since_ns=0) == (1, 2)


def test_the_rhythm_begins_with_what_burned_then() -> None:
    panel = shown((0, b"\0\0"), (10, b"\4\0"), (30, b"\2\0"))
    assert panel.rhythm(0, since_ns=25) == (4, 2)
    assert panel.rhythm(0, since_ns=30) == (2,)
    assert panel.rhythm(0, since_ns=99) == (2,)


def test_closing_leaves_it_dark_and_closing_again_shows_nothing_new() -> None:
    panel = shown((1, b"\1\0"))
    panel.close()
    panel.close()
    assert (panel.frame, panel.shown) == (b"\0\0", 2)
