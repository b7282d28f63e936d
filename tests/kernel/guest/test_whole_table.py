"""A match on real drivers: kernel GPIO and I2C, serial ports; hands and magnets are another process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.config.profile import Profile
from firmware_host.config.reading import parse_profile
from firmware_host.durations import MS
from firmware_host.effects import (
    DeviceReported,
    EdgesLost,
    Effect,
    Judged,
    LateSignal,
    MatchEnded,
    TagNoticed,
    Verdict,
)
from firmware_host.places import Button, Slot
from firmware_host.runtime.assembly.real import real_table
from firmware_host.settings import Settings
from firmware_host.show.lamps import slot_lamp_index
from firmware_host.table.session import Table
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.i2c_stub import stub_bus
from wiring import profile_file

SEATS, DICE = 4, 6
TAG = ("pad-two", "04a1b2c3")
SETTINGS = Settings(
    # An emulated machine is some twenty times slower than a Pi.
    button_settle_ns=120 * MS,
    slot_settle_ns=150 * MS,
    count_ns=300 * MS,
    stop_ns=600 * MS,
    leftover_ns=700 * MS,
    scores_ns=500 * MS,
)
LONGEST_S = 100.0

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


def profile_with(bus: int, folder: Path) -> Profile:
    """The shipped profile with its ports here, and two readers of tags."""
    text = profile_file("dice4").read_text(encoding="utf-8")
    text = text.replace("bus = 1", f"bus = {bus}").replace("/dev/ttyUSB0", str(folder / "sign"))
    for seat, name in enumerate(("pad-one", "pad-two"), start=1):
        text += f'\n[readers.{name}]\nseat = {seat}\nport = "{folder / name}"\n'
    return parse_profile(text, "table.toml")


def plan_of(profile: Profile, bus: int, chip: SimChip, folder: Path) -> dict[str, Any]:
    """What the hands have to know, in plain words."""
    lines = {source: line for line, source in profile.lines.items()}
    slots = {
        str(profile.lines[line]): (bank.name, pin)
        for bank in profile.banks
        for pin, line in bank.pins.items()
    }
    leds = {
        str(source): [wire.led for wire in profile.lamp_wires if wire.lamp == slot_lamp_index(source)]
        for source in lines
        if isinstance(source, Slot)
    }
    buttons = [lines[Button(seat)] for seat in range(1, SEATS + 1)]
    moved = buttons + [bank.interrupt for bank in profile.banks]
    return {
        "seats": SEATS,
        "dice": DICE,
        "bus": bus,
        "pulls": {line: str(chip.pull_file(line)) for line in moved},
        "buttons": buttons,
        "banks": {bank.name: (bank.address, bank.interrupt) for bank in profile.banks},
        "slots": slots,
        "leds": leds,
        "readers": {pad.name: pad.port for pad in profile.pads},
        "sign": profile.sign_port,
        "tag": TAG,
        "rounds": ROUNDS,
        "ready": str(folder / "ready"),
    }


def test_a_dice_match_comes_to_its_correct_standings(chip: SimChip, tmp_path: Path) -> None:
    seen: list[Effect] = []
    with stub_bus([0x20, 0x21, 0x70]) as bus:
        profile = profile_with(bus, tmp_path)
        (tmp_path / "plan").write_text(json.dumps(plan_of(profile, bus, chip, tmp_path)))
        files = [str(tmp_path / name) for name in ("plan", "result")]
        command = [sys.executable, "-m", "tests.kernel.guest.hands", *files]
        with subprocess.Popen(command) as hands:
            try:
                play(profile, hands, tmp_path, seen)
                assert hands.wait(20) == 0
            finally:
                hands.kill()
    check(json.loads((tmp_path / "result").read_text()), seen)


def play(profile: Profile, hands: subprocess.Popen[bytes], folder: Path, seen: list[Effect]) -> None:
    """Let the table live until the hands have seen the winner."""
    deadline = time.monotonic() + LONGEST_S
    while not (folder / "ready").exists():
        assert time.monotonic() < deadline and hands.poll() is None
        time.sleep(0.05)
    before = threading.active_count()
    table = real_table(
        profile,
        table=Table(seats=SEATS, rounds=len(ROUNDS), deal=(DICE,) * SEATS),
        settings=SETTINGS,
        lot=Random(1),
        observers=[lambda t_ns, effects: seen.extend(effects)],
    )
    assert threading.active_count() == before + 4  # the bus, the sign, two readers
    while not (folder / "result").exists():
        assert time.monotonic() < deadline and hands.poll() is None
        table.loop.step(time.monotonic_ns() + 50 * MS)
    assert all(owner.alive for owner in table.site.owners)
    table.close()
    assert threading.active_count() == before


def check(result: dict[str, Any], seen: list[Effect]) -> None:
    """What the table said against what the hands know they did."""
    (ended,) = [effect for effect in seen if isinstance(effect, MatchEnded)]
    assert list(ended.totals) == result["totals"]
    assert result["shown"][0] == f"Winner: {' '.join(map(str, ended.winners))}"
    verdicts = Counter(effect.verdict for effect in seen if isinstance(effect, Judged))
    moves = [move for moves in ROUNDS for move in moves]
    assert verdicts == {
        Verdict.ACCEPTED: len(moves),
        Verdict.TOO_LATE: sum(1 for _, _, rival in moves if rival) - verdicts[Verdict.NOT_RUNNING],
        Verdict.NOT_RUNNING: len([moves for moves in ROUNDS if moves[-1][2]]),
    }
    won = [(effect.seat, str(effect.slot)) for effect in seen if isinstance(effect, Judged) and effect.slot
           and effect.verdict is Verdict.ACCEPTED]  # fmt: skip
    assert won == [(seat, slot) for seat, slot, _ in moves]
    assert not any(effect.doubtful for effect in seen if isinstance(effect, Judged))
    assert [effect for effect in seen if isinstance(effect, LateSignal | EdgesLost)] == []
    tags = [(effect.uid, effect.present) for effect in seen if isinstance(effect, TagNoticed)]
    assert tags == [(TAG[1], True), (TAG[1], False)] * len(ROUNDS)
    last = {effect.device: effect.condition for effect in seen if isinstance(effect, DeviceReported)}
    assert set(last.values()) <= {"ok", "degraded"}, last  # an emulated reader may have to be asked twice
