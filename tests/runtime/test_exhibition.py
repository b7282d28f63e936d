"""What is shown: passed on to whoever is connected, and summed up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.runtime.exhibition import Exhibition

Shown = list[bytes | tuple[str, ...]]


class Devices:
    """Lamps and a scoreboard that keep all that they are shown."""

    columns = 20

    def __init__(self) -> None:
        self.shown: Shown = []

    def show(self, what: bytes | tuple[str, ...], language: str = "") -> None:
        self.shown.append(what)

    def close(self) -> None:
        raise AssertionError("whoever owns the devices closes them")


frames = st.lists(st.integers(0, 7), min_size=4, max_size=4).map(bytes)
lines = st.text(st.sampled_from("ab"), max_size=3)
pages = st.tuples(lines, lines)
histories = st.lists(frames | pages, max_size=12)


def exhibit(exhibition: Exhibition, what: bytes | tuple[str, ...]) -> None:
    if isinstance(what, bytes):
        exhibition.leds.show(what)
    else:
        exhibition.scoreboard.show(what)


def shown_to(devices: Devices, exhibition: Exhibition, history: Shown) -> Shown:
    exhibition.connect(devices, devices)
    for each in history:
        exhibit(exhibition, each)
    return devices.shown


@given(histories)
def test_whoever_is_connected_is_shown_all_of_it_in_its_order(history: Shown) -> None:
    assert shown_to(Devices(), Exhibition(20), history) == history


@given(histories, histories, histories)
def test_nobody_is_shown_what_happened_in_between_but_what_it_came_to(
    first: Shown, meanwhile: Shown, then: Shown
) -> None:
    devices, exhibition = Devices(), Exhibition(20)
    shown_to(devices, exhibition, first)
    exhibition.disconnect()
    for each in meanwhile:
        exhibit(exhibition, each)
    assert devices.shown == first
    devices.shown.clear()
    shown_to(devices, exhibition, then)
    past = first + meanwhile
    last = [
        [each for each in past if isinstance(each, kind)][-1]
        for kind in (bytes, tuple)
        if any(isinstance(each, kind) for each in past)
    ]
    assert devices.shown == [each for each in last if each] + then


@given(histories, histories)
def test_the_digest_tells_what_was_shown_whoever_saw_it(one: Shown, other: Shown) -> None:
    seen, unseen, another = Exhibition(20), Exhibition(20), Exhibition(20)
    shown_to(Devices(), seen, one)
    for each in one:
        exhibit(unseen, each)
    for each in other:
        exhibit(another, each)
    assert seen.digest == unseen.digest
    assert (seen.digest == another.digest) is (one == other)


def test_pages_that_read_alike_one_after_the_other_are_told_apart() -> None:
    one, other = Exhibition(20), Exhibition(20)
    for page in (("ab", "c"), ("d", "e")):
        one.scoreboard.show(page)
    for page in (("ab", "cd"), ("", "e")):
        other.scoreboard.show(page)
    assert one.digest != other.digest


@given(histories.filter(lambda history: len(history) > 1))
def test_another_order_is_another_digest(history: Shown) -> None:
    forwards, backwards = Exhibition(20), Exhibition(20)
    for each in history:
        exhibit(forwards, each)
    for each in reversed(history):
        exhibit(backwards, each)
    assert (forwards.digest == backwards.digest) is (history == history[::-1])


def test_it_counts_how_often_each_lamp_went_on() -> None:
    exhibition = Exhibition(20)
    for frame in (b"\x01\x00", b"\x02\x00", b"\x00\x01", b"\x04\x01"):
        exhibition.leds.show(frame)
    assert exhibition.lit == {0: 2, 1: 1}


def test_it_is_as_wide_as_the_scoreboard_that_it_stands_for() -> None:
    assert Exhibition(24).scoreboard.columns == 24


def test_it_closes_nobody() -> None:
    devices, exhibition = Devices(), Exhibition(20)
    exhibition.connect(devices, devices)
    exhibition.leds.close()
    exhibition.scoreboard.close()
