"""Dice on real drivers: kernel GPIO and I2C, serial ports; hands and magnets are another process."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from firmware_host.model.effects import DeviceReported, Judged, Verdict
from firmware_host.model.places import Pad, Slot
from firmware_host.profile.profile import Profile
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.show.lamps import slot_lamp_index
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.i2c_stub import stub_bus
from tests.kernel.guest.whole_match import SETTINGS, Match, check_standings, common_plan, leds_of, play
from wiring import profile_file

SEATS, DICE = 4, 6
TAG = ("pad-2", "04a1b2c3")

# Who places what, and whose slap comes a moment too late for it (0: nobody's).
ROUNDS: list[list[tuple[int, str, int]]] = [
    [
        (1, "red 1", 2), (2, "yellow 1", 0), (1, "red 2", 3), (3, "green 1", 0), (1, "blue 1", 4),
        (4, "red 3", 0), (1, "yellow 2", 0), (2, "green 2", 1), (1, "green 3", 2), (1, "blue 2", 3),
    ],
    [
        (3, "blue 1", 0), (3, "blue 2", 4), (4, "red 1", 0), (3, "green 1", 1), (2, "green 2", 0),
        (3, "yellow 1", 2), (4, "yellow 2", 3), (3, "red 2", 0), (1, "red 3", 0), (3, "blue 3", 4),
    ],
]  # fmt: skip


def profile_text(bus: int, folder: Path) -> str:
    """The shipped profile with its ports here, and a pad at every seat."""
    text = profile_file("dice4").read_text(encoding="utf-8")
    text = text.replace("bus = 1", f"bus = {bus}").replace("/dev/ttyUSB0", str(folder / "ttyV0"))
    for seat in range(1, SEATS + 1):
        text += f'\n[readers.pad-{seat}]\nseat = {seat}\nport = "{folder / f"ttyV{seat}"}"\ngroup = {seat}\n'
    return text


def profile_with(bus: int, folder: Path) -> Profile:
    """That profile, read."""
    return parse_profile(profile_text(bus, folder), "table.toml")


def plan_of(
    profile: Profile, bus: int, chip: SimChip, folder: Path, rounds: int = len(ROUNDS)
) -> dict[str, Any]:
    """What the hands have to know."""
    slots = {
        str(profile.lines[line]): (bank.name, pin)
        for bank in profile.banks
        for pin, line in bank.pins.items()
    }
    places = [source for source in profile.lines.values() if isinstance(source, Slot)]
    return common_plan(profile, bus, chip, folder) | {
        "dice": DICE,
        "banks": {bank.name: (bank.address, bank.interrupt) for bank in profile.banks},
        "slots": slots,
        "leds": {str(slot): leds_of(profile, slot_lamp_index(slot)) for slot in places},
        "tag": TAG,
        "rounds": ROUNDS[:rounds],
    }


@pytest.mark.long  # the daemon plays this match as well
def test_a_dice_match_comes_to_its_correct_standings(chip: SimChip, tmp_path: Path) -> None:
    with stub_bus([0x20, 0x21, 0x70]) as bus:
        profile = profile_with(bus, tmp_path)
        plan = plan_of(profile, bus, chip, tmp_path)
        seen = play(Match(profile, SETTINGS, (DICE,) * SEATS), plan, "dice_hands", tmp_path)
    check_standings(seen)
    check_verdicts(seen.of(Judged))
    assert seen.tags == [(Pad(2), TAG[1], True), (Pad(2), TAG[1], False)] * len(ROUNDS)
    last = {report.device.name: report.device.condition for report in seen.of(DeviceReported)}
    assert set(last.values()) <= {"ok", "degraded"}, last  # an emulated reader may have to be asked twice


def check_verdicts(judged: list[Judged], count: int = len(ROUNDS)) -> None:
    """The moves of the plan were won in its order, and whose slap was too late got nothing."""
    rounds = ROUNDS[:count]
    won = [(each.seat, str(each.what)) for each in judged if each.verdict is Verdict.ACCEPTED]
    assert won == [(seat, slot) for moves in rounds for seat, slot, _ in moves]
    too_late = sum(1 for moves in rounds for _, _, rival in moves[:-1] if rival)
    assert Counter(each.verdict for each in judged) == {
        Verdict.ACCEPTED: len(won),
        Verdict.TOO_LATE: too_late,
        Verdict.NOT_RUNNING: sum(1 for moves in rounds if moves[-1][2]),
    }
    assert not any(each.doubtful for each in judged)
