"""`/api/faults`: only the operator, only from the console's page, only at a simulated table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from tests.browser.tables import SimulatedTable, Witness, wait_for
from tests.web.browsers import Browser
from tests.web.live_tables import LiveTable
from tests.web.serving import Served
from tests.web.test_operators import operator

pytestmark = pytest.mark.xdist_group("simulated")


def browser_of(table: SimulatedTable) -> Browser:
    return Browser(urlsplit(table.url).port or 0)


@pytest.fixture
def console(simulated: SimulatedTable) -> Iterator[Browser]:
    """The operator's browser; afterwards all is well again."""
    browser = browser_of(simulated)
    assert browser.log_in().status == 200
    yield browser
    wait_for("a well table", lambda: browser.post("/api/faults", {"tell": "end"}).json.get("faults") == [])


def test_the_operator_loses_a_device_and_brings_it_back(simulated: SimulatedTable, console: Browser) -> None:
    with closing(Witness(simulated)) as witness:

        def lost() -> bool:
            return "right" in list(witness.moments.values())[-1][-1].state["devices"]

        begun = console.post("/api/faults", {"tell": "unplug right"})
        assert (begun.status, begun.json["faults"]) == (200, [{"kind": "unplug", "what": "right"}])
        wait_for("the loss", lost)
        assert console.get("/api/faults").json == begun.json
        assert console.post("/api/faults", {"tell": "end right"}).json["faults"] == []
        wait_for("its return", lambda: not lost())


def test_what_can_not_be_injected_is_refused_with_the_reason(console: Browser) -> None:
    for text in ("unplug nothing", "hang i2c", "storm seat 1 99min", "end left", "x" * 5000):
        reply = console.post("/api/faults", {"tell": text})
        assert reply.status == 409 and reply.json["why"], text
    bodies: list[object] = [{}, {"tell": ""}, {"tell": 5}, {"tell": None}, {"fault": "storm seat 1"}]
    for body in bodies:
        assert console.post("/api/faults", body).status == 400, body
    assert console.get("/api/faults").json["faults"] == []


def test_nobody_else_injects_faults(simulated: SimulatedTable, console: Browser) -> None:
    stranger = browser_of(simulated)
    assert stranger.get("/api/faults").status == 401
    assert stranger.post("/api/faults", {"tell": "unplug left"}).status == 401
    lies: list[dict[str, str | None]] = [
        {"X-CSRF": None},
        {"X-CSRF": "0" * 64},
        {"Origin": "http://evil.example"},
    ]
    for headers in lies:
        assert console.post("/api/faults", {"tell": "unplug left"}, headers).status == 403
    assert console.get("/api/faults").json["faults"] == []


def test_faults_too_fast_are_refused(console: Browser) -> None:
    statuses = {console.post("/api/faults", {"tell": "end left"}).status for _ in range(200)}
    assert 429 in statuses and statuses <= {409, 429}


def test_a_real_table_has_no_faults_to_inject(table: LiveTable, web: Served) -> None:
    known = operator(table, web)
    for reply in (known.get("/api/faults"), known.post("/api/faults", {"tell": "unplug left"})):
        assert (reply.status, reply.json["why"]) == (
            404,
            "faults can only be injected at a simulated table",
        )
