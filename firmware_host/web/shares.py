"""Fair shares of what there is only so much of: places, and what may be done in a time.

Clients are told apart by address and by network, so neither one machine nor one network can take everything.
If all places are taken, a client that is idle makes room. If none is, one that holds more than the newcomer:
of the network that holds most, and there of the address that holds most. Some places are kept for clients
that are no strangers; only another one of these can take such a place while it is in use.
"""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

MOST_ADDRESSES = 4096
FORGOTTEN_AFTER = 10
"""What was used is forgotten after so many times the time in which it can be used again."""
T = TypeVar("T")


def customer_of(address: str) -> str:
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


def network_of(address: str) -> str:
    """Its neighbours have the same: a /24, of IPv6 a /64."""
    customer = customer_of(address)
    return customer if ":" in customer else customer.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Share:
    """How many places there are."""

    most: int
    kept: int = 0
    """So many of them strangers don't get."""
    of_one: int | None = None
    """So many strangers at one address get."""


class Places(Generic[T]):
    """Who has a place. `end` is called with whoever has to make room."""

    def __init__(
        self, share: Share, end: Callable[[T], None], is_idle: Callable[[T], bool] = lambda _: False
    ) -> None:
        self._share = share
        self._end = end
        self._is_idle = is_idle
        self._taken: dict[T, tuple[str, str, bool]] = {}
        """Network, address, and whether it is no stranger's. Whoever was idle longest comes first."""

    def take(self, holder: T, address: str, own: bool = False) -> bool:
        """Whether it gets a place, which somebody else may lose for it. `own`: it is no stranger."""
        place = network_of(address), address, own
        rivals = self._rivals(*place[1:])
        if rivals is not None:
            loser = self._loser(rivals, place[:2])
            if loser is None:
                return False
            self.leave(loser)
            self._end(loser)
        self._taken[holder] = place
        return True

    def renew(self, holder: T, own: bool = False) -> None:
        """It was busy until now. `own`: it is no stranger from now on."""
        if holder in self._taken:
            network, address, before = self._taken.pop(holder)
            self._taken[holder] = network, address, before or own

    def leave(self, holder: T) -> None:
        """It needs its place no longer, if it had one."""
        self._taken.pop(holder, None)

    def _rivals(self, address: str, own: bool) -> list[T] | None:
        """Those of whom one has to make room; None if there is room."""
        share, taken = self._share, self._taken
        if own:
            return list(taken) if len(taken) >= share.most else None
        strangers = [each for each, place in taken.items() if not place[2]]
        there = [each for each in strangers if customer_of(taken[each][1]) == customer_of(address)]
        if share.of_one is not None and len(there) >= share.of_one:
            return there
        if len(strangers) >= share.most - share.kept:
            return strangers
        if len(taken) >= share.most:
            return [each for each, place in taken.items() if not place[2] or self._is_idle(each)]
        return None

    def _loser(self, rivals: list[T], newcomer: tuple[str, str]) -> T | None:
        """Who makes room; None if nobody is idle, and nobody holds clearly more than the newcomer."""
        idle = [each for each in rivals if self._is_idle(each)]
        rivals, found = idle or rivals, bool(idle)
        for part, mine in enumerate(newcomer):
            held = Counter(str(self._taken[each][part]) for each in rivals)
            most = max(held, key=held.__getitem__, default=mine)
            found = found or held[most] >= held[mine] + 2
            rivals = [each for each in rivals if self._taken[each][part] == (most if found else mine)]
        return rivals[0] if found else None


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and one more every so many seconds."""

    at_once: int
    every_s: float


class _Bucket:
    """How many are left; it fills up again."""

    def __init__(self, rate: Rate, now_s: float) -> None:
        self.rate = rate
        self.left = float(rate.at_once)
        self.used = 0.0
        """How many were used lately: one that waits is filled up, and still no newcomer."""
        self._seen_s = now_s

    def wait_s(self, now_s: float, reserve: float) -> float:
        """How long to wait until there is one besides that part of all; 0 if there is one."""
        more = (now_s - self._seen_s) / self.rate.every_s
        self.left = min(self.rate.at_once, self.left + more)
        self.used = max(0.0, self.used - more / FORGOTTEN_AFTER)
        self._seen_s = now_s
        return max(0.0, 1 + reserve * (self.rate.at_once - 1) - self.left) * self.rate.every_s


class RateLimit:
    """Counts by address; by network and in all, if there are more rates. Each takes one of all, or none.

    The more somebody has used up, the more has to be left for the others: up to half.
    """

    def __init__(self, *rates: Rate) -> None:
        """For each address; for an address and in all; or for an address, a network, and in all."""
        self._rates = rates
        self._buckets: OrderedDict[tuple[int, str], _Bucket] = OrderedDict()

    def wait_s(self, address: str, now_s: float, own: bool = False) -> float:
        """0 if it may be done now, which is counted; else how long to wait. `own` is apart from strangers."""
        wait_s = reserve = 0.0
        buckets = self._of(address, now_s, own)
        for bucket in buckets:
            wait_s = max(wait_s, bucket.wait_s(now_s, reserve))
            reserve = min(1.0, bucket.used / bucket.rate.at_once) / 2
        if wait_s == 0:
            _use(buckets, 1)
        return wait_s

    def give_back(self, address: str, now_s: float, own: bool = False) -> None:
        """What was counted last for that address is not to count."""
        _use(self._of(address, now_s, own), -1)

    def _of(self, address: str, now_s: float, own: bool) -> list[_Bucket]:
        apart = "own" * own
        names = customer_of(address), network_of(address) + apart, apart
        found = []
        for key in enumerate(names if len(self._rates) == len(names) else names[::2]):
            if key[0] < len(self._rates):
                found.append(self._buckets.get(key) or _Bucket(self._rates[key[0]], now_s))
                self._buckets[key] = found[-1]
                self._buckets.move_to_end(key)
        while len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return found


def _use(buckets: list[_Bucket], number: int) -> None:
    for bucket in buckets:
        bucket.left -= number
        bucket.used += number
