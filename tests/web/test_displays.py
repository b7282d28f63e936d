"""The displays: short names, what they show, and what outlives a restart of the web process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.web.displays import AWAY_S, GONE_S, SHOWN, Displays
from firmware_host.web.web_table import DISPLAYS
from tests.web.browsers import Browser, wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in

HERE = "127.0.0.1"
KEY = "0123456789abcdef"
TABLE = {"name": "1", "shows": "table", "reloads": 0}


class Clock:
    """A clock that is put forward by hand."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """A simulated one: on this machine its operator needs no PIN."""
    folder = tmp_path / "table"
    folder.mkdir()
    live = LiveTable(folder, simulated=True)
    live.start()
    yield live
    live.stop()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def displays(clock: Clock) -> Displays:
    return Displays(clock)


def orders(displays: Displays, key: str, before: dict[str, Any] | None = None) -> dict[str, Any] | None:
    """What the display with that key is to show."""
    display = displays.ask(key, before or {}, HERE, own=True)
    return None if display is None else display.orders


def test_one_address_can_not_have_all_of_them(displays: Displays) -> None:
    assert DISPLAYS.of_one is not None
    *had, refused = [displays.ask(key(each), {}, "192.0.2.7") for each in range(DISPLAYS.of_one + 1)]
    assert all(had) and refused is None
    assert displays.ask(key(0), {}, "192.0.2.7") is had[0]
    assert displays.ask("f" * 16, {}, "192.0.2.8") is not None
    assert all(orders(displays, f"a{number:016x}") for number in range(DISPLAYS.of_one + 1))


def test_strangers_can_not_have_all_of_them(displays: Displays, clock: Clock) -> None:
    """Five addresses with eight each: screens of this machine, assigned ones and other guests get in."""
    addresses = [f"192.0.2.{number}" for number in range(1, 6)]
    had = [displays.ask(f"a{key(each)}", {}, addresses[each % 5]) for each in range(DISPLAYS.most)]
    assert sum(each is not None for each in had) == DISPLAYS.most - DISPLAYS.kept
    assert all(orders(displays, key(each)) for each in range(DISPLAYS.kept)), "of this machine"
    paired = displays.ask(key(100), {}, "192.0.2.9")
    assert paired is not None, "it holds less than the others"
    paired.assigned = True
    displays.ask(key(100), {}, "192.0.2.9")
    assert displays.ask(key(101), {}, addresses[0]) is None, "that address has its share"
    clock.now_s += AWAY_S + 1
    assert displays.ask(key(101), {}, addresses[0]) is not None, "the others have shown nothing for a minute"
    names = {each["name"] for each in displays.listed()}
    assert paired.name in names and len(names) == DISPLAYS.most


@pytest.fixture(scope="module")
def lasting_web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that shows one, for tests that leave it as it is."""
    folder = tmp_path_factory.mktemp("table")
    live = LiveTable(folder, simulated=True)
    live.start()
    with served(settings_in(folder), live.found) as web:
        yield web
    live.stop()


def logged_in(web: Served) -> Browser:
    """The operator's browser."""
    wait_until(lambda: bool(web.server.hub.state))
    operator = web.browser()
    assert operator.log_in().status == 200
    return operator


def key(number: int) -> str:
    return f"{number:016x}"


def test_each_display_gets_the_smallest_free_number(displays: Displays, clock: Clock) -> None:
    assert [orders(displays, key(each)) for each in (1, 2, 1)] == [TABLE, {**TABLE, "name": "2"}, TABLE]
    clock.now_s += GONE_S
    orders(displays, key(2))
    clock.now_s += 1
    assert [each["name"] for each in displays.listed()] == ["2"]
    assert orders(displays, key(3)) == TABLE


def test_a_display_goes_on_as_it_was_after_a_restart(displays: Displays) -> None:
    before = {"name": "7", "shows": "scores", "reloads": 3}
    assert orders(displays, key(1), before) == before
    assert orders(displays, key(2), before) == {**before, "name": "1"}, "its name is taken"


@pytest.mark.parametrize(
    "before",
    [
        {"name": "0", "shows": "secrets", "reloads": -1},
        {"name": 1, "shows": ["table"], "reloads": True},
        {"name": "<b>", "shows": None, "reloads": 1 << 40},
        {"name": "41"},
    ],
)
def test_what_no_display_can_have_shown_is_passed_over(displays: Displays, before: dict[str, Any]) -> None:
    assert orders(displays, key(1), before) == TABLE


def test_there_are_only_so_many(displays: Displays) -> None:
    for each in range(DISPLAYS.most):
        assert orders(displays, key(each)) is not None
    assert orders(displays, key(DISPLAYS.most)) is None
    assert orders(displays, key(0)) is not None, "those that are there stay"
    names = [each["name"] for each in displays.listed()]
    assert names == [str(number) for number in range(1, DISPLAYS.most + 1)]


def test_the_operator_assigns_and_reloads(web: Served) -> None:
    screen, operator = web.browser(), logged_in(web)
    assert screen.post("/api/displays/me", {"key": KEY}).json == TABLE
    answer = operator.get("/api/displays").json
    assert answer["shown"] == list(SHOWN)
    assert [{name: each[name] for name in TABLE} for each in answer["displays"]] == [TABLE]
    for what in SHOWN:
        assert operator.post("/api/displays", {"name": "1", "shows": what}).status == 200
        shown = screen.post("/api/displays/me", {"key": KEY}).json
        assert shown["shows"] == what
        assert ("code" in shown) is (what == "join")
    assert operator.post("/api/displays", {"name": "1", "reload": True}).json["reloads"] == 1
    assert screen.post("/api/displays/me", {"key": KEY}).json["reloads"] == 1
    assert KEY not in operator.get("/api/displays").body.decode(), "nobody else can ask in its place"


def test_the_join_code_is_shown_where_the_operator_wants_it_and_nowhere_else(web: Served) -> None:
    screen, operator = web.browser("127.0.0.9"), logged_in(web)
    claimed = screen.post("/api/displays/me", {"key": KEY, "shows": "join"}).json
    assert claimed["shows"] == "join" and "code" not in claimed
    operator.post("/api/displays", {"name": claimed["name"], "shows": "join"})
    code = screen.post("/api/displays/me", {"key": KEY}).json["code"]
    assert code == operator.get("/api/hands").json["code"]


@pytest.mark.parametrize(
    ("order", "status"),
    [
        ({"name": "2", "shows": "table"}, 404),
        ({"name": None}, 404),
        ({"name": "1", "shows": "secrets"}, 400),
        ({"name": "1", "shows": ["table"]}, 400),
    ],
)
def test_wrong_orders_are_refused(lasting_web: Served, order: dict[str, Any], status: int) -> None:
    operator = logged_in(lasting_web)
    operator.post("/api/displays/me", {"key": KEY})
    assert operator.post("/api/displays", order).status == status


@pytest.mark.parametrize("wrong", ["", "abc", "0123456789ABCDEF", "g" * 16, "0" * 65, 5, None])
def test_a_display_without_a_proper_key_is_refused(lasting_web: Served, wrong: object) -> None:
    assert lasting_web.browser().post("/api/displays/me", {"key": wrong}).status == 400


def test_nobody_but_the_operator_assigns(lasting_web: Served) -> None:
    stranger = lasting_web.browser()
    assert stranger.get("/api/displays").status == 401
    assert stranger.post("/api/displays", {"name": "1", "shows": "scores"}).status == 401
