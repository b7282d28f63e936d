"""A match on real drivers, whatever is played: the table here, its hands in another process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from firmware_host.lab.simulated_table import begin_game
from firmware_host.model.effects import EdgesLost, Effect, Judged, LateSignal, MatchEnded, Verdict
from firmware_host.model.places import Button, Spot
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.profile.profile import Profile
from firmware_host.profile.tags import Registry
from firmware_host.referee import Step
from firmware_host.run.equipment import Equipment, Report
from firmware_host.run.real_table import real_equipment
from firmware_host.run.shell import Loop
from firmware_host.run.table_files import settings_for, table_of
from hw.ports import TagRead
from tests.kernel.guest.gpio_sim import SimChip

LONGEST_S = 100.0
SETTINGS = Settings(
    # An emulated machine is some twenty times slower than a Pi.
    button_settle_ns=120 * MS,
    slot_settle_ns=150 * MS,
    count_ns=300 * MS,
    stop_ns=600 * MS,
    leftover_ns=700 * MS,
    scores_ns=500 * MS,
)

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Match:
    """What is played, and where."""

    profile: Profile
    settings: Settings
    deal: tuple[int, ...]
    registry: Registry | None = None


@dataclass(slots=True)
class Seen:
    """What the table said and when, and what its hands know that they did."""

    effects: list[Effect] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=dict)
    slowest_tag_ns: int = 0

    tags: list[tuple[Spot, str, bool]] = field(default_factory=list)

    def observe(self, step: Step) -> None:
        self.effects += step.effects

    def reported(self, profile: Profile, arrived_ns: int, report: Report) -> None:
        """A device has said something."""
        if isinstance(report, TagRead):
            self.tags.append((profile.readers[report.reader].at, report.uid.hex(), report.present))
            self.slowest_tag_ns = max(self.slowest_tag_ns, arrived_ns - report.latest_ns)

    def of(self, kind: type[E]) -> list[E]:
        """All that it said of one kind."""
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def verdicts(self) -> Counter[Verdict]:
        return Counter(judged.verdict for judged in self.of(Judged))

    @property
    def won(self) -> list[tuple[int, str]]:
        """Who got what, in the order of the verdicts."""
        return [(each.seat, str(each.what)) for each in self.of(Judged) if each.verdict is Verdict.ACCEPTED]


def common_plan(profile: Profile, bus: int, chip: SimChip, folder: Path) -> dict[str, Any]:
    """What the hands of any game have to know, in plain words."""
    lines = {source: line for line, source in profile.lines.items()}
    moved = [*profile.direct_lines, *(bank.interrupt for bank in profile.banks)]
    return {
        "seats": profile.seats,
        "bus": bus,
        "pulls": {line: str(chip.pull_file(line)) for line in moved},
        "buttons": [lines[Button(seat)] for seat in range(1, profile.seats + 1)],
        "readers": {reader.name: reader.port for reader in profile.readers},
        "sign": profile.sign_port,
        "ready": str(folder / "ready"),
    }


def leds_of(profile: Profile, lamp: int) -> list[tuple[int, int]]:
    """The LEDs of a lamp, each with the address of its chip; red, green and blue if it has three."""
    addresses = {chip.name: chip.address for chip in profile.led_chips}
    wires = [wire for wire in profile.lamp_wires if wire.lamp == lamp]
    return [(addresses[wire.chip], wire.led) for wire in sorted(wires, key=lambda wire: -wire.mask)]


@dataclass(slots=True)
class RealTable:
    """A table at work; step `loop` to let it live."""

    loop: Loop
    equipment: Equipment

    def close(self) -> None:
        """Lamps off, scoreboard blank, threads ended, lines let go."""
        self.equipment.close()


def real_table(match: Match, rounds: int, seen: Seen) -> RealTable:
    """A table on the guest's own devices, as the daemon sets one up, without its store."""
    equipment = real_equipment(match.profile, match.registry, match.settings.button_settle_ns)
    # The table can't know more than its drivers do.
    uncertainty_ns = max(match.settings.stamp_uncertainty_ns, equipment.uncertainty_ns)
    settings = replace(settings_for(match.profile, match.settings), stamp_uncertainty_ns=uncertainty_ns)
    equipment.intake.widen(uncertainty_ns)
    # Hands show what they have left; no count is taken for granted.
    table = table_of(match.profile, rounds, match.deal, expert=match.profile.game == "cards")
    _, loop = begin_game(equipment, table, settings, Random(1), [seen.observe])
    loop.witnesses.append(partial(seen.reported, match.profile))
    return RealTable(loop, equipment)


def play(match: Match, plan: dict[str, Any], hands: str, folder: Path) -> Seen:
    """Let hands, a module beside this one, play their plan; the table lives until they have seen the end."""
    seen = Seen()
    (folder / "plan").write_text(json.dumps(plan))
    files = [str(folder / name) for name in ("plan", "result")]
    with subprocess.Popen([sys.executable, "-m", f"tests.kernel.guest.{hands}", *files]) as process:
        try:
            _live(match, len(plan["rounds"]), process, folder, seen)
            assert process.wait(20) == 0
        finally:
            process.kill()
    seen.result = json.loads((folder / "result").read_text())
    return seen


def _live(match: Match, rounds: int, hands: subprocess.Popen[bytes], folder: Path, seen: Seen) -> None:
    deadline = time.monotonic() + LONGEST_S
    while not (folder / "ready").exists():
        assert time.monotonic() < deadline and hands.poll() is None
        time.sleep(0.05)
    before = threading.active_count()
    table = real_table(match, rounds, seen)
    try:
        readers = len(match.profile.readers)
        assert threading.active_count() == before + 2 + readers  # the bus and the sign have one each, too
        while not (folder / "result").exists():
            assert time.monotonic() < deadline and hands.poll() is None
            table.loop.step(time.monotonic_ns() + 50 * MS)
        assert table.equipment.stuck() == []
    finally:
        table.close()
    assert threading.active_count() == before


def check_standings(seen: Seen) -> None:
    """The table and its hands agree on the end, and nothing was late, lost or doubtful."""
    (ended,) = seen.of(MatchEnded)
    totals = seen.result["totals"]
    assert list(ended.totals) == totals
    winners = [seat for seat, total in enumerate(totals, start=1) if total == max(totals)]
    assert list(ended.winners) == winners
    assert seen.result["shown"][0] == f"Winner: {' '.join(map(str, winners))}"
    assert not any(judged.doubtful for judged in seen.of(Judged))
    assert seen.of(LateSignal) == []
    assert seen.of(EdgesLost) == []
