"""Buckets that fill up again, by address and in all."""

from __future__ import annotations

from firmware_host.web.rate_limits import MOST_ADDRESSES, Rate, RateLimit, network_of


def test_so_many_at_once_and_one_more_every_so_often() -> None:
    limit = RateLimit(Rate(at_once=2, every_s=10))
    assert [limit.wait_s("a", 0.0) for _ in range(3)] == [0, 0, 10]
    assert limit.wait_s("a", 4.0) == 6
    assert limit.wait_s("a", 10.0) == 0
    assert limit.wait_s("a", 10.0) == 10
    assert [limit.wait_s("a", 1000.0) for _ in range(3)] == [0, 0, 10]


def test_addresses_have_their_own_and_share_one() -> None:
    limit = RateLimit(Rate(at_once=2, every_s=10), Rate(at_once=3, every_s=128))
    assert [limit.wait_s("a", 0.0) for _ in range(3)] == [0, 0, 10]
    assert [limit.wait_s("b", 0.0) for _ in range(2)] == [0, 128]
    assert limit.wait_s("c", 96.0) == 32  # what is refused takes nothing from the address
    assert limit.wait_s("c", 128.0) == 0


def test_no_more_than_so_many_addresses_are_remembered() -> None:
    limit = RateLimit(Rate(at_once=1, every_s=10))
    for number in range(MOST_ADDRESSES + 10):
        limit.wait_s(str(number), 0.0)
    assert limit.wait_s("0", 0.0) == 0  # forgotten
    assert limit.wait_s(str(MOST_ADDRESSES + 9), 0.0) == 10


def test_an_ipv6_customer_is_one() -> None:
    assert network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2:ffff::")
    assert network_of("2001:db8:1:2::4") != network_of("2001:db8:1:3::4")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("") == ""
