"""A histogram of delays as text: each row doubles the one before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from firmware_host.durations import MS, US

LEAST_NS = 1 * US
BAR = 40
"""Columns of the longest bar."""
PER_MILLE = (500, 990, 999)


class Delays:
    """Delays in nanoseconds; one that comes out negative is none."""

    def __init__(self, delays_ns: Iterable[int] = ()) -> None:
        self._sorted = sorted(max(0, delay_ns) for delay_ns in delays_ns)

    def __len__(self) -> int:
        return len(self._sorted)

    @property
    def worst_ns(self) -> int:
        """The longest; 0 if there is none."""
        return self._sorted[-1] if self._sorted else 0

    def at(self, per_mille: int) -> int:
        """So many of a thousand are not longer than this."""
        if not self._sorted:
            return 0
        return self._sorted[min(len(self._sorted) - 1, len(self._sorted) * per_mille // 1000)]

    def buckets(self) -> list[tuple[int, int]]:
        """How many are below each limit, and not below the one before."""
        found: list[tuple[int, int]] = []
        limit_ns, below = LEAST_NS, 0
        while below < len(self._sorted):
            upto = bisect_right(self._sorted, limit_ns - 1)
            if upto or found:
                found.append((limit_ns, upto - below))
            below, limit_ns = upto, 2 * limit_ns
        return found

    def lines(self) -> list[str]:
        """The histogram, a row for each bucket, and a line of figures."""
        buckets = self.buckets()
        if not buckets:
            return ["nothing was measured"]
        most = max(count for _, count in buckets)
        rows = [
            f"< {short(limit_ns):>7}  {count:>8}  {'#' * (-(-count * BAR // most))}".rstrip()
            for limit_ns, count in buckets
        ]
        middle, nearly, all_but = map(short, map(self.at, PER_MILLE))
        return [*rows, f"middle {middle}, 99 % {nearly}, 99.9 % {all_but}, worst {short(self.worst_ns)}"]


def short(delay_ns: int) -> str:
    """A delay in three figures or so."""
    if delay_ns < MS:
        return f"{delay_ns / US:.0f} us"
    return f"{delay_ns / MS:.1f} ms" if delay_ns < 100 * MS else f"{delay_ns / MS:.0f} ms"
