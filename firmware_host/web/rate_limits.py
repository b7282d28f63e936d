"""How often something may be done: a bucket that fills up again, one for each address and one for all."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from dataclasses import dataclass

MOST_ADDRESSES = 4096


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and one more every so many seconds."""

    at_once: int
    every_s: float


class Bucket:
    """How many are left."""

    def __init__(self, rate: Rate, now_s: float) -> None:
        self._rate = rate
        self._left = float(rate.at_once)
        self._seen_s = now_s

    def wait_s(self, now_s: float) -> float:
        """How long to wait for the next one; 0 if there is one."""
        self._left = min(self._rate.at_once, self._left + (now_s - self._seen_s) / self._rate.every_s)
        self._seen_s = now_s
        return 0.0 if self._left >= 1 else (1 - self._left) * self._rate.every_s

    def take(self) -> None:
        """Use one up."""
        self._left -= 1


class RateLimit:
    """Counts by address and, if that is limited too, in all. Each takes one of both, or none."""

    def __init__(self, each: Rate, in_all: Rate | None = None) -> None:
        self._each = each
        self._in_all = in_all
        self._all: Bucket | None = None
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def wait_s(self, address: str, now_s: float) -> float:
        """0 if it may be done now, which is counted; else how long to wait."""
        bucket = self._bucket(network_of(address), now_s)
        wait_s = bucket.wait_s(now_s)
        if self._in_all is not None:
            if self._all is None:
                self._all = Bucket(self._in_all, now_s)
            wait_s = max(wait_s, self._all.wait_s(now_s))
        if wait_s > 0:
            return wait_s
        bucket.take()
        if self._all is not None:
            self._all.take()
        return 0.0

    def _bucket(self, network: str, now_s: float) -> Bucket:
        bucket = self._buckets.pop(network, None) or Bucket(self._each, now_s)
        self._buckets[network] = bucket
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket


def network_of(address: str) -> str:
    """The address itself; of IPv6 the half that one customer has."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
    return address
