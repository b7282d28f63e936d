"""The benchmark measures something; how much is for a quiet machine to say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware_host.lab.benchmark import answers
from firmware_host.lab.benchmark.answers import measure_answers
from firmware_host.lab.benchmark.latency import VerdictLog, measure_latency, quantiles
from firmware_host.lab.benchmark.load import (
    measure_idle,
    measure_matches,
    measure_spectators,
    measure_start,
    measure_throughput,
)
from firmware_host.lab.cli.bench import MEASUREMENTS
from firmware_host.model.effects import LateSignal
from firmware_host.model.places import Button
from firmware_host.model.times import MS, exactly
from firmware_host.profile.profile import Profile
from firmware_host.referee import Step
from tests.cli.commands import run
from tests.thoroughness import some


def test_throughput_counts_edges_and_verdicts() -> None:
    figures = measure_throughput(matches=1, rounds=80)  # long enough to be taken for a storm, if it were one
    assert figures["edges_fed"] > 1000
    assert 0 < figures["awarded_slaps_per_second_of_a_stream"] < figures["edges_per_second_of_a_stream"]


def test_quantiles_are_those_of_all_delays() -> None:
    delays_ns = [count * MS for count in range(101)]
    assert quantiles("x", delays_ns) == {"x_p50_ms": 50.0, "x_p99_ms": 99.0, "x_max_ms": 100.0}
    assert quantiles("x", [1500], ("p50",), unit="us") == {"x_p50_us": 1.5}
    assert quantiles("x", [], ("p50",)) == {"x_p50_ms": None}


def test_what_came_too_late_is_counted_beside_the_verdicts() -> None:
    log = VerdictLog()
    log.commit(Step(5, (LateSignal(Button(1), exactly(0), 3),), None, None))
    assert (log.late, log.effects, log.verdicts) == (1, 1, [])


def test_latency_times_the_presses_of_a_seat() -> None:
    figures = measure_latency(seconds=2.5)  # long enough for a button to be masked, if it were a storm
    assert figures["presses"] == 250
    assert 0 < figures["verdicts"] <= 250
    assert 0 < figures["verdict_p50_us"] <= figures["verdict_p99_us"] <= figures["verdict_max_us"]


def test_spectators_see_every_step_while_verdicts_are_timed() -> None:
    figures = measure_spectators(seconds=1, spectators=10, times=1)
    assert figures["fewest_still_connected"] == 10 and figures["steps_missed_by_somebody"] == 0
    assert figures["fewest_steps_seen"] > 0
    assert figures["watched_presses"] == figures["unwatched_presses"] == 20
    assert min(figures["watched_verdict_p50_us"], figures["unwatched_verdict_p50_us"]) > 0
    assert 10 < figures["web_memory_mb"] <= figures["web_memory_with_spectators_mb"] < 100


@pytest.mark.parametrize("profile", some(1, ["dice4", "cards4", "cards2-piles"]))
def test_what_is_answered_is_timed_from_its_edge(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a hand may be so late that its card can't be read in time, for instance.

    Which answers there should be is tested in virtual time, in `tests/lab/benchmark/`.
    """
    all_figures = measure_answers(profiles=[profile], seconds=0.2)
    (figures,) = all_figures.values()
    verdicts = figures["accepted"] + figures["false_claims"] + figures["other_verdicts"]
    assert figures["presses"] >= 2 and verdicts > 0
    assert figures["lamps"] <= verdicts
    check_quantiles(figures, "press_to_verdict", figures["accepted"])
    check_quantiles(figures, "press_to_lamp", figures["lamps"])
    check_quantiles(figures, "press_to_false_claim", figures["false_claims"])
    monkeypatch.setattr("firmware_host.lab.cli.bench.measure_answers", lambda seed, profiles: all_figures)
    lines = run("bench", "--only", "answers", "--profile", profile).output.splitlines()
    assert len(lines) == 4
    assert lines[3].split()[0] == profile
    assert lines[1].split()[:3] == ["verdict", "verdict", "lamp"]


def check_quantiles(figures: dict[str, Any], timed: str, count: int) -> None:
    half_ms, nearly_all_ms = (figures[f"{timed}_p{percent}_ms"] for percent in (50, 99))
    assert 0 < half_ms <= nearly_all_ms if count else half_ms is nearly_all_ms is None


def test_a_table_with_readers_at_its_places_is_timed_with_both_ownerships(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = []

    def measure(profile: Profile, seed: int, seconds: float) -> dict[str, Any]:
        measured.append(profile.ownership)
        return {"presses": len(measured)}

    monkeypatch.setattr(answers, "_measure", measure)
    figures = measure_answers(profiles=["dice4-rfid", "dice4"])
    assert figures == {
        "dice4-rfid": {"presses": 1},
        "dice4-rfid, by tag": {"presses": 2},
        "dice4": {"presses": 3},
    }
    assert measured == ["slap", "tag", "slap"]


def test_an_idle_table_sleeps() -> None:
    figures = measure_idle(seconds=0.5)
    assert 0 < figures["wake_ups_per_second"] <= 12


def test_a_start_is_timed_in_a_process_of_its_own() -> None:
    figures = measure_start(starts=1)
    assert figures["ready_seconds"] > 0
    assert 10 < figures["resident_mb"] < 200


def test_the_command_prints_json(monkeypatch: pytest.MonkeyPatch) -> None:
    one = ("one match", lambda seed: measure_matches(seed, matches=1))
    monkeypatch.setitem(MEASUREMENTS, "matches", one)
    figures = json.loads(run("bench", "--only", "matches", "--json").output)
    assert list(figures) == ["matches"] and figures["matches"]["matches_per_second"] > 0
