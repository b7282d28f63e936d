"""Shares by address and by network: of places, and of what may be done in a time."""

from __future__ import annotations

import pytest

from firmware_host.web.operators import ATTEMPTS
from firmware_host.web.shares import MOST_ADDRESSES, Places, Rate, RateLimit, Share, customer_of, network_of

HERE = "127.0.0.1"


class Room:
    """Places that were taken, by number, and who had to make room."""

    def __init__(self, share: Share) -> None:
        self.idle: set[int] = set()
        self.ended: list[int] = []
        self.places: Places[int] = Places(share, self.ended.append, self.idle.__contains__)
        self._number = 0

    def take(self, address: str, own: bool = False, idle: bool = False) -> bool:
        self._number += 1
        if idle:
            self.idle.add(self._number)
        return self.places.take(self._number, address, own)


# -- places


def test_a_guest_gets_one_of_those_who_hold_most() -> None:
    room = Room(Share(40))
    for _ in range(10):
        for address in ("192.0.2.1", "192.0.2.2", "198.51.100.1", "198.51.100.2"):
            assert room.take(address)
    assert room.take("192.0.2.9") and room.take("203.0.113.1")
    assert room.ended == [1, 2], "of either network one"
    assert not room.take("198.51.100.1"), "it holds more than anybody else already"


def test_neighbours_share_what_their_network_gets() -> None:
    room = Room(Share(20))
    assert all(room.take(f"192.0.2.{number}") for number in range(1, 21))
    assert not room.take("192.0.2.99"), "nobody there holds more than one"
    assert [room.take("2001:db8::1") for _ in range(12)] == [True] * 10 + [False] * 2, "half of them"
    assert room.take("2001:db8::2"), "and its neighbour gets one of its"
    assert room.ended == [*range(1, 11), 22]


def test_an_ipv6_customer_gets_what_one_stranger_gets() -> None:
    room = Room(Share(40, kept=8, of_one=8))
    assert [room.take(f"2001:db8::{number}") for number in range(1, 11)] == [True] * 8 + [False] * 2


def test_whoever_is_idle_makes_room_for_anybody_and_the_newest_stays() -> None:
    room = Room(Share(3))
    assert room.take("192.0.2.1") and room.take("192.0.2.2", idle=True) and room.take("192.0.2.2", idle=True)
    room.places.renew(2)
    assert [room.take("192.0.2.2", idle=True) for _ in range(4)] == [True] * 4
    assert room.ended == [3, 2, 4, 5]
    assert room.take("192.0.2.3") and room.take("192.0.2.4") and not room.take("192.0.2.5")


def test_some_are_kept_for_those_who_are_no_strangers() -> None:
    room = Room(Share(5, kept=2))
    assert [room.take(f"192.0.2.{number}") for number in range(1, 5)] == [True, True, True, False]
    assert room.take(HERE, own=True) and room.take(HERE, own=True) and not room.take(HERE, own=True)
    room.places.leave(99)
    room.places.leave(2)
    assert room.take(HERE, own=True) and not room.take("192.0.2.8"), "what is in use stays"
    room.idle.add(5)
    assert room.take("192.0.2.8") and room.ended == [5]
    room.idle.add(6)
    assert not room.take("192.0.2.9"), "strangers have all that they get"
    room.places.renew(1, own=True)
    assert room.take("192.0.2.9") and room.ended == [5, 6]


def test_strangers_at_one_address_get_so_many() -> None:
    room = Room(Share(9, of_one=2))
    assert [room.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    room.idle.add(2)
    assert room.take("192.0.2.1") and room.ended == [2]
    assert all(room.take(HERE, own=True) for _ in range(7))


# -- rates


def test_so_many_at_once_and_one_more_every_so_often() -> None:
    limit = RateLimit(Rate(at_once=2, every_s=10))
    assert [limit.wait_s("a", 0.0) for _ in range(3)] == [0, 0, 10]
    assert limit.wait_s("a", 4.0) == 6
    assert limit.wait_s("a", 10.0) == 0
    assert limit.wait_s("a", 10.0) == 10
    assert [limit.wait_s("a", 1000.0) for _ in range(3)] == [0, 0, 10]


def test_addresses_have_their_own_and_share_one() -> None:
    limit = RateLimit(Rate(at_once=2, every_s=10), Rate(at_once=4, every_s=128))
    assert [limit.wait_s("a", 0.0) for _ in range(3)] == [0, 0, 64]
    assert limit.wait_s("b", 0.0) == 0
    assert limit.wait_s("b", 0.0) == 96, "what is left is for those who have used less"
    assert limit.wait_s("c", 0.0) == 0
    assert limit.wait_s("d", 64.0) == 64, "what is refused takes nothing from the address"
    assert limit.wait_s("d", 128.0) == 0
    limit.give_back("d", 128.0)
    assert limit.wait_s("d", 128.0) == 0


def test_no_more_than_so_many_addresses_are_remembered() -> None:
    limit = RateLimit(Rate(at_once=1, every_s=10))
    for number in range(MOST_ADDRESSES + 10):
        limit.wait_s(str(number), 0.0)
    assert limit.wait_s("0", 0.0) == 0  # forgotten
    assert limit.wait_s(str(MOST_ADDRESSES + 9), 0.0) == 10


@pytest.mark.parametrize("network", ["192.0.2", "198.51.100"], ids=["a neighbour", "another network"])
def test_six_who_try_pins_all_the_time_keep_nobody_out(network: str) -> None:
    limit = RateLimit(*ATTEMPTS)
    tried = 0
    for second in range(3600):
        if second % 5 == 0:
            tried += sum(limit.wait_s(f"192.0.2.{number}", second) == 0 for number in range(1, 7))
        if second % 60 == 59:
            assert limit.wait_s(f"{network}.{second // 60 + 100}", second) == 0
            limit.give_back(f"{network}.{second // 60 + 100}", second)  # it was the right one
    assert tried < 40 + 3600 / 30


def test_what_was_wrong_long_ago_is_forgotten() -> None:
    limit = RateLimit(*ATTEMPTS)
    for _ in range(5):
        assert limit.wait_s("192.0.2.1", 0) == 0
    later_s = 30 * 86400
    for number in range(2, 8):
        for _ in range(5):
            limit.wait_s(f"192.0.2.{number}", later_s)
    assert limit.wait_s("192.0.2.1", later_s) == 0


def test_a_whole_network_that_tries_pins_keeps_no_other_one_out() -> None:
    limit = RateLimit(*ATTEMPTS)
    for second in range(3600):
        limit.wait_s(f"192.0.2.{second % 250}", second)
    assert limit.wait_s("198.51.100.1", 3600.0) == 0


# -- addresses


def test_an_ipv6_customer_is_one() -> None:
    assert customer_of("2001:db8:1:2:3::4") == customer_of("2001:db8:1:2:ffff::")
    assert customer_of("2001:db8:1:2::4") != customer_of("2001:db8:1:3::4")
    assert customer_of("::ffff:192.0.2.1") == customer_of("192.0.2.1") == "192.0.2.1"
    assert customer_of("") == network_of("") == ""


def test_neighbours_are_in_one_network() -> None:
    assert network_of("192.0.2.1") == network_of("::ffff:192.0.2.200") != network_of("192.0.3.1")
    assert network_of("2001:db8:1:2:3::4") == customer_of("2001:db8:1:2:ffff::")
