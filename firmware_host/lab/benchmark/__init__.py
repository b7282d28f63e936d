"""Measurements: each sets up a real table on simulated devices and returns plain figures."""

from __future__ import annotations

from firmware_host.lab.benchmark.answers import measure_answers
from firmware_host.lab.benchmark.latency import measure_latency
from firmware_host.lab.benchmark.sound import measure_sound
from firmware_host.lab.benchmark.throughput import (
    measure_idle,
    measure_matches,
    measure_spectators,
    measure_start,
    measure_throughput,
)

__all__ = [
    "measure_answers",
    "measure_idle",
    "measure_latency",
    "measure_matches",
    "measure_sound",
    "measure_spectators",
    "measure_start",
    "measure_throughput",
]
