"""The doctor on a real kernel: chips, lines and a bus are looked at, walked through, and let go."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import gpiod
import pytest
from smbus2 import SMBus

from firmware_host.model.places import Button
from firmware_host.model.times import MS, US, S
from firmware_host.profile.profile import GPIO, Profile, line_names
from firmware_host.run.table_files import load_profile
from firmware_host.workshop.doctor.checks import CheckedTable, CheckReport, check_table
from firmware_host.workshop.doctor.findings import Finding, State
from firmware_host.workshop.doctor.jitter_run import measure_jitter
from firmware_host.workshop.doctor.system import System
from firmware_host.workshop.doctor.walking import walked
from firmware_host.workshop.doctor.walks import Walk
from hw.gpio.gpio_chips import find_chip, line_user
from hw.gpio.gpiod_lines import GpiodLines
from hw.ports import Health
from hw.sim.cable import PtyPeer
from hw.sim.pole_displays import Cd5220Model
from hw.work import OwnerThread
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.i2c_stub import PlayedBank, stub_bus

LEFT, RIGHT, ROWS, STRAY = 0x20, 0x21, 0x70, 0x3C
NOBODY = 65534
LIMIT_NS = 60 * S


@pytest.fixture
def profile(chip: SimChip, tmp_path: Path) -> Iterator[Profile]:
    """The shipped profile on a simulated chip and a bus that remembers; its sign is here."""
    with stub_bus([LEFT, RIGHT, ROWS, STRAY]) as bus:
        made = replace(load_profile("dice4"), i2c_bus=bus, sign_port=str(tmp_path / "sign"))
        players = [PlayedBank(bus, bank.address, chip, bank.interrupt) for bank in made.banks]
        yield made
        for player in players:
            player.bus.close()


@pytest.fixture
def sign(tmp_path: Path) -> Iterator[Cd5220Model]:
    model = Cd5220Model()
    told: list[Health] = []
    owner = OwnerThread(PtyPeer(model, tmp_path / "sign", "sign"), told.append)
    wait_until((tmp_path / "sign").exists)
    yield model
    owner.close()


def wait_until(happens: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def look(profile: Profile) -> tuple[CheckReport, dict[str, Finding]]:
    report = check_table(System(), CheckedTable(profile=profile), lambda page: None)
    return report, {finding.subject: finding for finding in report.findings}


def assert_let_go(profile: Profile) -> None:
    """Nobody holds a line of the profile."""
    assert {line: line_user(find_chip(), line) for line in line_names(profile)} == dict.fromkeys(
        line_names(profile)
    )


def test_a_whole_table_is_looked_at_and_let_go(chip: SimChip, profile: Profile, sign: Cd5220Model) -> None:
    report, found = look(profile)
    assert found["chip"].seen == f"{chip.path} 'pinctrl-bcm2711' with 54 lines"
    assert found["lines"].state is State.OK
    assert found["contacts"].state is State.OK
    assert "interface" not in found
    assert {found[name].state for name in ("left", "right", "rows")} == {State.OK}
    assert found[f"0x{STRAY:02x}"].state is State.NOTE
    assert "took the test page" in found["cd5220"].seen
    assert not report.at_work
    wait_until(lambda: not any(sign.lines))
    assert_let_go(profile)


def test_a_pressed_button_and_a_missing_chip_are_found(
    chip: SimChip, profile: Profile, sign: Cd5220Model
) -> None:
    chip.drive(profile.line_of(Button(3)), False)
    # A simulated line that is asked for with a pull takes that for its level.
    pulled = replace(profile, pull="floating")
    lonely = replace(pulled, led_chips=(replace(profile.led_chips[0], address=0x71),))
    _, found = look(lonely)
    assert found["contacts"].seen == "pressed, though nobody should: seat 3"
    assert "a chip does at 0x70" in found["rows"].seen


@pytest.mark.parametrize("consumer", ["ligretto-table", "spi0 CS0"])
def test_busy_lines_are_told_with_their_holder(chip: SimChip, profile: Profile, consumer: str) -> None:
    line = profile.line_of(Button(1))
    with gpiod.request_lines(chip.path, {line: gpiod.LineSettings()}, consumer=consumer):
        report, found = look(profile)
    assert report.at_work is (consumer == "ligretto-table")
    assert found["lines"].state is State.FAIL
    assert consumer in found["lines"].seen and f"line {line} (seat 1)" in found["lines"].seen
    assert "contacts" not in found


def test_a_user_outside_the_group_is_told_of_it(chip: SimChip, profile: Profile) -> None:
    os.chmod(chip.path, 0o600)
    os.seteuid(NOBODY)
    try:
        _, found = look(profile)
    finally:
        os.seteuid(0)
    assert chip.path in found["chip"].seen
    assert found["chip"].state is State.FAIL
    assert "may be opened by root only" in found["root"].seen


class Hands:
    """Presses one button after another, each until the walk has said that it came; each press bounces."""

    descriptors: Sequence[int] = ()

    def __init__(self, chip: SimChip, presses: Sequence[tuple[Button, int]]) -> None:
        self._chip = chip
        self._left = list(presses)
        self._down: tuple[Button, int] | None = None
        self.news: list[str] = []

    def show(self, walk: Walk) -> None:
        new = walk.take_news()
        self.news += new
        if self._down is not None:
            button, line = self._down
            if any(f"{button} came" in news for news in self.news):
                self._chip.drive(line, True)
                self._down = None
        elif self._left:
            self._down = self._left.pop(0)
            for high in (False, True, False):
                self._chip.drive(self._down[1], high)

    def wants_next(self) -> bool:
        return False


def test_all_buttons_are_ticked_off_and_let_go(chip: SimChip, profile: Profile, sign: Cd5220Model) -> None:
    buttons = [Button(seat) for seat in (1, 3, 2, 4)]  # two of them are labelled the wrong way round
    hands = Hands(chip, [(button, profile.line_of(button)) for button in buttons])
    findings = walked("buttons", System(), CheckedTable(profile=profile), hands, step_ns=S, limit_ns=LIMIT_NS)
    states = {finding.subject: finding.state for finding in findings if finding.state is not State.NOTE}
    assert states == {f"buttons: seat {seat}": State.OK for seat in range(1, 5)}
    (swapped,) = [finding for finding in findings if finding.state is State.NOTE]
    assert (swapped.subject, swapped.seen) == ("buttons: seat 3", "it came when seat 2 was asked for")
    assert_let_go(profile)


class Watcher(Hands):
    """Looks which lamps on lines burn."""

    def __init__(self, chip: SimChip, lines: Sequence[int]) -> None:
        super().__init__(chip, [])
        self._lines = lines
        self.burning: set[tuple[int, ...]] = set()

    def show(self, walk: Walk) -> None:
        super().show(walk)
        self.burning.add(tuple(line for line in self._lines if self._chip.level(line)))


def test_lamps_burn_one_by_one_and_none_afterwards(
    chip: SimChip, profile: Profile, sign: Cd5220Model
) -> None:
    few = replace(profile, lamp_wires=(*profile.lamp_wires[:4], *profile.lamp_wires[-4:]))
    lines = [wire.led for wire in few.lamp_wires if wire.chip == GPIO]
    watcher = Watcher(chip, lines)
    walked("leds", System(), CheckedTable(profile=few), watcher, step_ns=300 * MS, limit_ns=LIMIT_NS)
    assert {(line,) for line in lines} <= watcher.burning
    assert all(len(burning) <= 1 for burning in watcher.burning)
    with SMBus(profile.i2c_bus) as wire:
        assert wire.read_i2c_block_data(ROWS, 0, 16) == [0] * 16
    assert_let_go(profile)


def test_a_running_driver_keeps_the_walk_away(chip: SimChip, profile: Profile) -> None:
    holder = GpiodLines(find_chip(), [profile.line_of(Button(2))], "up")
    try:
        (finding,) = walked("buttons", System(), CheckedTable(profile=profile), Hands(chip, []), step_ns=S)
    finally:
        holder.close()
    assert finding.state is State.FAIL
    assert "is held by 'ligretto-table'" in finding.seen


def test_presses_are_measured_from_the_kernels_stamp(chip: SimChip, profile: Profile) -> None:
    line = profile.line_of(Button(1))

    def press() -> None:
        for _ in range(30):
            for high in (False, True):
                time.sleep(0.02)
                chip.drive(line, high)

    hand = threading.Thread(target=press)
    jitter = measure_jitter(
        System(), CheckedTable(profile=profile), 2.0, alone=True, say=lambda text: hand.start()
    )
    hand.join()
    presses, wake_ups = jitter.measured.buttons.read, jitter.measured.wake_ups
    assert 20 <= len(presses) <= 60
    assert 0 < presses.at(500) <= presses.worst_ns < 1 * S
    assert len(wake_ups) > 50
    assert jitter.measured.uncertainty_ns == 100_000
    settle, slots = (each for each in jitter.data()["proposals"] if each["setting"].endswith("-settle"))
    # An emulated kernel may be so slow that the usual time is too short; then the doctor says so.
    assert settle["proposed_us"] * US >= jitter.measured.buttons.overdue.worst_ns
    assert "only 0 edges came" in slots["reason"]
    assert_let_go(profile)
