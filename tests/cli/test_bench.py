"""The benchmark measures something; how much is for a quiet machine to say."""

from __future__ import annotations

import json

from firmware_host.benchmark.latency import measure_latency
from firmware_host.benchmark.standing import measure_idle, measure_start
from firmware_host.benchmark.throughput import measure_matches, measure_throughput
from tests.cli.commands import run


def test_throughput_counts_edges_and_verdicts() -> None:
    figures = measure_throughput(matches=1, rounds=80)  # long enough to be taken for a storm, if it were one
    assert figures["edges_fed"] > 1000
    assert 0 < figures["awarded_slaps_per_second_of_a_stream"] < figures["edges_per_second_of_a_stream"]


def test_latency_times_nearly_every_press() -> None:
    figures = measure_latency(seconds=2.5)  # long enough for a button to be masked, if it were a storm
    assert figures["presses"] == 250
    assert 150 <= figures["verdicts"] <= 250
    assert 0 < figures["verdict_p50_us"] <= figures["verdict_p99_us"] <= figures["verdict_max_us"]


def test_matches_are_counted() -> None:
    assert measure_matches(matches=1)["matches_per_second"] > 0


def test_an_idle_table_sleeps() -> None:
    figures = measure_idle(seconds=0.5)
    assert 2 <= figures["wake_ups_per_second"] <= 12


def test_a_start_is_timed_in_a_process_of_its_own() -> None:
    figures = measure_start(starts=1)
    assert figures["ready_seconds"] > 0
    assert 10 < figures["resident_mb"] < 200


def test_the_command_prints_json() -> None:
    figures = json.loads(run("bench", "--only", "matches", "--json").output)
    assert list(figures) == ["matches"]
