"""What a process takes of its machine: memory, threads, open files; and whether that grows."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

LOOKS, BETWEEN_S = 5, 0.003
KEPT_KB = 0.4
"""So much a row of the journal takes: a hundred thousand of them took 39 MB."""
WARM_UP = 0.4
"""That part of the samples is taken before everything has been used once."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One look at a process."""

    resident_kb: int
    threads: int
    descriptors: int
    objects: int = 0
    """What Python itself has to look after, in this process; of others nobody knows."""
    kept: int = 0
    """How many rows of its session a daemon keeps, in case a new file has to be begun."""


def look_at(pid: int | None = None, kept: int = 0) -> Sample:
    """How much a process takes now; without one, this one, and what is really held of it."""
    if pid is None:
        gc.collect()
        return replace(look_at(os.getpid()), objects=len(gc.get_objects()))
    with open(f"/proc/{pid}/status") as file:
        status = dict(line.split(":", 1) for line in file)
    resident_kb = int(status["VmRSS"].split()[0])
    return Sample(resident_kb, int(status["Threads"]), _open_files(pid), kept=kept)


def _open_files(pid: int) -> int:
    """How many it has, without those that it has for a moment only, such as to write the health page."""
    counts = []
    for _ in range(LOOKS):
        counts.append(len(os.listdir(f"/proc/{pid}/fd")))
        time.sleep(BETWEEN_S)
    return min(counts)


@dataclass(slots=True)
class Gauge:
    """All looks at one process."""

    samples: list[Sample] = field(default_factory=list)

    def look(self, pid: int | None = None, kept: int = 0) -> None:
        self.samples.append(look_at(pid, kept))

    @property
    def warm(self) -> list[Sample]:
        """The samples after the beginning."""
        return self.samples[int(len(self.samples) * WARM_UP) :]

    @property
    def unexplained_kb(self) -> list[float]:
        """What it takes beside the longest session by then: Python gives back little of what it had once."""
        most = accumulate((sample.kept for sample in self.samples), max)
        taken = [sample.resident_kb - KEPT_KB * kept for sample, kept in zip(self.samples, most, strict=True)]
        return taken[-len(self.warm) :]

    @property
    def slope_kb(self) -> float:
        """By how much memory grows from sample to sample."""
        return _slope(self.unexplained_kb)

    @property
    def slope_objects(self) -> float:
        """By how many objects it grows from sample to sample."""
        return _slope([sample.objects for sample in self.warm])

    @property
    def growth_kb(self) -> int:
        """How much more memory it has taken at most than after the beginning."""
        return round(max(self.unexplained_kb) - self.unexplained_kb[0])

    @property
    def threads(self) -> set[int]:
        """How many threads it had after the beginning, for longer than a moment."""
        return _steady([sample.threads for sample in self.warm])

    @property
    def descriptors(self) -> set[int]:
        """The same of open files."""
        return _steady([sample.descriptors for sample in self.warm])


def _steady(values: Sequence[int]) -> set[int]:
    """The values that were there twice in a row: a file that is open for a moment is no leak."""
    return {value for value, following in pairwise(values) if value == following} or set(values)


def _slope(values: Sequence[float]) -> float:
    """By how much values grow from one to the next, by the line that fits best."""
    count = len(values)
    if count < 2:
        return 0.0
    middle, mean = (count - 1) / 2, sum(values) / count
    above = sum((x - middle) * (value - mean) for x, value in enumerate(values))
    return above / sum((x - middle) ** 2 for x in range(count))
