"""A small share of `make soak`, and what it measures with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from firmware_host.model.effects import Effect, PhaseEntered, SeatTaken, SlotChanged
from firmware_host.model.places import Colour, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase, SlotState
from firmware_host.store.store_reader import Decision
from tests.soak.gauges import Gauge, Sample, look_at
from tests.soak.real import soak_real
from tests.soak.timeouts import TIMEOUTS, timeouts_in
from tests.soak.virtual import A_MATCH, Soaked, soak

S = 1_000_000_000


@pytest.mark.long
def test_matches_of_dice_while_devices_fail_and_people_walk_away() -> None:
    soaked = soak("dice4", 11, 4)
    assert soaked.faults == []
    assert soaked.matches == 4 and soaked.rounds >= 3
    assert sum(soaked.mishaps.values()) >= 3 and soaked.looks > 300
    assert soaked.timeouts["COUNTDOWN: the round begins"] >= soaked.rounds


@pytest.mark.long
def test_a_match_of_cards() -> None:
    soaked = soak("cards4", 12, 1)
    assert soaked.faults == []
    assert soaked.matches == 1


def test_a_daemon_in_a_process_of_its_own() -> None:
    soaked = soak_real("dice4", 3, length_s=12.0, speed=10.0)
    assert soaked.faults == []
    assert soaked.looks > 10 and soaked.world_s > 100
    assert len(soaked.threads) == len(soaked.descriptors) == 1


def test_the_command_tells_what_it_has_seen(tmp_path: Path) -> None:
    file = tmp_path / "seen.json"
    command = [sys.executable, "-m", "tests.soak", "--matches", "1", "--seed", "3", "--json", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "FAULT never taken: CLEAR: things still lie about" in done.stdout
    assert done.stderr == "", "no line for each device that fails"
    assert [evening["matches"] for evening in json.loads(file.read_text())] == [1, 1]


# -- gauges


def test_a_process_is_looked_at() -> None:
    before = look_at()
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    descriptor = os.eventfd(0)
    kept = [[number] for number in range(10_000)]
    after = look_at()
    end.set()
    thread.join()
    os.close(descriptor)
    assert after.threads == before.threads + 1
    assert after.descriptors == before.descriptors + 1
    assert after.objects >= before.objects + len(kept)
    assert after.resident_kb > 5_000
    assert look_at(os.getpid()).objects == 0


def gauged(kilobytes: list[int], *, threads: int = 2, objects: int = 0) -> list[str]:
    count = len(kilobytes)
    samples = [
        Sample(kb, threads if n >= count - 2 else 2, 12 if n == count - 5 else 11, 1000 + n * objects)
        for n, kb in enumerate(kilobytes)
    ]
    soaked = Soaked("")
    soaked.gauge(Gauge(samples), A_MATCH)
    return soaked.faults


def test_what_grows_is_found_out() -> None:
    warming = [30_000 + 500 * n for n in range(20)]
    assert gauged([*warming, *[40_000] * 30]) == []
    assert gauged([*warming, *[40_000 + 100 * n for n in range(30)]]) != []
    assert gauged([*warming, *[40_000] * 29, 45_000]) != []
    assert gauged([*warming, *[40_000] * 30], threads=3) == ["there are [2, 3] threads"]
    assert gauged([40_000] * 50, objects=30) == ["there are 30.0 more objects with each match"]
    assert gauged([30_000, 60_000]) == []  # of so short an evening nothing can be said


def test_what_a_long_session_keeps_is_no_growth() -> None:
    rows = [*[0] * 20, *range(0, 30_000, 1000), *[500] * 10]
    taken = [30_000 + int(0.4 * max(rows[: n + 1])) for n in range(len(rows))]
    assert grown([Sample(kb, 2, 11, kept=kept) for kb, kept in zip(taken, rows, strict=True)]) == []
    assert grown([Sample(kb, 2, 11) for kb in taken]) != []


def grown(samples: list[Sample]) -> list[str]:
    soaked = Soaked("")
    soaked.gauge(Gauge(samples), A_MATCH)
    return soaked.faults


# -- ways out by time

PLACE = SlotChanged(Slot(Colour.RED, 1), SlotState.COUNTED, 0)
USUAL = Settings()


def journal(*steps: tuple[float, Effect | str]) -> list[Decision]:
    return [
        Decision(t_ns, PhaseEntered(Phase[each], t_ns) if isinstance(each, str) else each, None)
        for t_ns, each in ((int(t_s * S), each) for t_s, each in steps)
    ]


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ([(1, "JOIN"), (3, SeatTaken(2)), (13, "CLEAR")], "JOIN: no more come"),
        ([(1, "JOIN"), (3, SeatTaken(2)), (4, "CLEAR")], ""),
        ([(1, "JOIN"), (1, SeatTaken(2)), (11, "ATTRACT")], "JOIN: too few have come"),
        ([(1, "COUNTDOWN"), (4, "PLAY")], "COUNTDOWN: the round begins"),
        ([(1, "PLAY"), (2, PLACE), (182, "PAUSED")], "PLAY: nothing is placed"),
        ([(1, "PLAY"), (2, PLACE), (90, "PAUSED")], ""),
        ([(1, "PAUSED"), (601, "ATTRACT")], "PAUSED: nobody goes on"),
        ([(1, "PAUSED"), (301, "ATTRACT")], ""),
        ([(1, "SETTLE"), (10.5, "SCORES")], "SETTLE: nobody objects"),
        ([(1, "SETTLE"), (5, "SCORES")], ""),
        ([(1, "SCORES"), (7, "CLEAR")], "SCORES: shown long enough"),
        ([(1, "CLEAR"), (121, "COUNTDOWN")], "CLEAR: somebody is ready"),
        ([(1, "CLEAR"), (121, "ATTRACT")], "CLEAR: nobody is ready"),
        ([(1, "CLEAR"), (121, "RESULT")], "CLEAR: things still lie about"),
        ([(1, "RESULT"), (16, "ATTRACT")], "RESULT: shown long enough"),
        ([(1, "RESULT"), (4, "ATTRACT")], ""),
    ],
)
def test_a_way_out_by_time_is_told_from_others(steps: list[tuple[float, Effect | str]], found: str) -> None:
    assert dict(timeouts_in(journal(*steps), USUAL)) == ({found: 1} if found else {})
    assert not found or found in TIMEOUTS
