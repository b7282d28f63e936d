"""Who may run the table: whoever has read the PIN at the table, with his own browser, from his own pages."""

from __future__ import annotations

import json
import logging
import re
import stat
from pathlib import Path

import pytest

from firmware_host.model.times import S
from firmware_host.web.web_table import WebSettings
from tests.web.browsers import Browser, until, wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in


def pin_at_the_sign(table: LiveTable, browser: Browser) -> str:
    """Have a PIN shown, and read it."""
    reply = browser.post("/api/pin", {})
    assert reply.status == 200, reply.body
    table.ask(lambda evening: evening.wait(1 * S))
    said = table.ask(lambda evening: evening.room.sign)
    shown = re.fullmatch(r"PIN (\d{6})", said[0])
    assert shown is not None, said
    return shown[1]


def operator(table: LiveTable, web: Served, address: str = "127.0.0.1") -> Browser:
    browser = web.browser(address)
    assert browser.log_in(pin_at_the_sign(table, browser)).status == 200
    return browser


def test_the_pin_is_read_at_the_table_and_opens_the_console(table: LiveTable, web: Served) -> None:
    browser = web.browser()
    assert browser.get("/api/me").json | {"languages": []} == {
        "operator": False,
        "pin": "unset",
        "simulated": False,
        "names": True,
        "languages": [],
    }
    pin = pin_at_the_sign(table, browser)
    assert browser.log_in(pin).json["operator"] is True
    assert browser.get("/api/me").json["operator"] is True
    reply = browser.tell("pause")
    assert reply.status == 409 and "not possible" in reply.json["why"]
    done = browser.tell("set rounds 3")
    assert done.status == 200 and done.json["ok"] is True


def test_it_is_shown_once(table: LiveTable, web: Served) -> None:
    operator(table, web)
    other = web.browser("127.0.0.9")
    assert other.get("/api/me").json["pin"] == "needed"
    reply = other.post("/api/pin", {})
    assert reply.status == 403 and "--new-pin" in reply.json["why"]


def test_it_is_not_shown_again_and_again(table: LiveTable, web: Served) -> None:
    first, other = web.browser(), web.browser("127.0.0.9")
    pin = pin_at_the_sign(table, first)
    reply = other.post("/api/pin", {})
    assert reply.status == 429 and int(reply.headers["retry-after"]) > 0
    assert first.log_in(pin).status == 200


def test_nobody_gets_in_before_there_is_a_pin(web: Served) -> None:
    for pin in ("", "000000", "123456"):
        assert web.browser().log_in(pin).status == 403


def test_no_stream_no_answer_and_no_file_says_the_pin(
    table: LiveTable, web: Served, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), web.browser().stream() as events:
        seen = [until(events, "snapshot")]
        browser = web.browser()
        pin = pin_at_the_sign(table, browser)
        token = browser.log_in(pin).json["csrf"]
        table.ask(lambda evening: evening.wait(5 * S))
        seen += [until(events, "alive"), until(events, "alive")]
        assert pin not in json.dumps([each.told for each in seen])
    file = tmp_path / "access.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = file.read_text()
    cookie = next(iter(browser.cookies.values()))
    assert pin not in kept and cookie not in kept and token not in kept
    assert pin not in caplog.text and cookie not in caplog.text


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(table: LiveTable, web: Served) -> None:
    browser = web.browser()
    reply = browser.log_in(pin_at_the_sign(table, browser))
    parts = {each.strip().lower() for each in reply.headers["set-cookie"].split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} <= parts


@pytest.mark.parametrize(
    "cookie", ["", "x", "A" * 43, "é", "A" * 5000, "../../access.json", '{"operator":true}']
)
def test_a_forged_cookie_is_nobody(cookie: str, lasting_operator: Browser) -> None:
    forger = Browser(lasting_operator.port)
    forger.cookies = {f"ligretto_{forger.port}": cookie.encode().decode("latin-1")}
    assert forger.get("/api/me").json["operator"] is False
    assert forger.tell("pause").status == 401


def test_a_stolen_cookie_is_worth_nothing_elsewhere(table: LiveTable, web: Served) -> None:
    victim = operator(table, web)
    thief = web.browser("127.0.0.66")
    thief.cookies, thief.csrf = dict(victim.cookies), victim.csrf
    assert thief.get("/api/me").json["operator"] is False
    assert thief.tell("pause").status == 401
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
        reply = thief.post("/api/tell", {"tell": "pause"}, {header: "127.0.0.1"})
        assert reply.status == 401
    assert victim.tell("pause").status == 409


def test_a_cookie_alone_changes_nothing(lasting_operator: Browser) -> None:
    browser = lasting_operator
    for csrf in ("", "0" * 64, browser.csrf[:-1], "é"):
        reply = browser.post(
            "/api/tell", {"tell": "set rounds 5"}, {"X-CSRF": csrf.encode().decode("latin-1")}
        )
        assert reply.status == 403, csrf
    assert browser.post("/api/tell", {"tell": "set rounds 5"}, {"X-CSRF": None}).status == 403


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "",
        "http://evil.example",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "file://",
        "http://[::1",
    ],
)
def test_another_origin_changes_nothing(origin: str | None, lasting_operator: Browser) -> None:
    browser = lasting_operator
    reply = browser.post("/api/tell", {"tell": "set rounds 5"}, {"Origin": origin})
    assert reply.status == 403 and "only pages of this table" in reply.json["why"]
    assert browser.post("/api/login", {"pin": "1"}, {"Origin": origin}).status == 403
    assert browser.post("/api/logout", {}, {"Origin": origin}).status == 403


def test_logging_out_ends_the_session_for_whoever_has_its_cookie(table: LiveTable, web: Served) -> None:
    browser = operator(table, web)
    copied = dict(browser.cookies)
    assert browser.post("/api/logout", {}).status == 200
    browser.cookies = copied
    assert browser.get("/api/me").json["operator"] is False
    assert browser.tell("pause").status == 401


def test_who_tries_all_pins_is_slowed_down(table: LiveTable, web: Served) -> None:
    pin = pin_at_the_sign(table, web.browser())
    forger = web.browser("127.0.0.66")
    wrong = [f"{(int(pin) + step) % 1_000_000:06}" for step in range(1, 8)]
    assert [forger.log_in(each).status for each in wrong[:5]] == [403] * 5
    reply = forger.log_in(pin)  # even the right one
    assert reply.status == 429 and int(reply.headers["retry-after"]) > 1
    assert forger.post("/api/login", {"pin": pin}, {"X-Forwarded-For": "127.0.0.5"}).status == 429
    assert web.browser("127.0.0.67").log_in(pin).status == 200  # somebody else is not


def test_who_tries_from_many_addresses_is_slowed_down(table: LiveTable, web: Served) -> None:
    pin = pin_at_the_sign(table, web.browser())
    wrong = f"{(int(pin) + 1) % 1_000_000:06}"
    told = [web.browser(f"127.0.1.{number}").log_in(wrong).status for number in range(1, 25)]
    assert told[:20] == [403] * 20
    assert 429 in told[20:]


def test_on_this_machine_one_can_log_in_whatever_strangers_try(table: LiveTable, web: Served) -> None:
    pin = pin_at_the_sign(table, web.browser())
    strangers = [web.browser(f"127.0.{network}.{number}") for network in range(1, 6) for number in range(12)]
    proxied = {"X-Forwarded-For": "192.0.2.1"}
    told = [each.post("/api/login", {"pin": "x"}, {**proxied}).status for each in strangers]
    assert told[-1] == 429
    for _ in range(7):
        assert web.browser().log_in(pin).status == 200, "the right PIN is not counted"


def test_a_session_outlives_the_web_process(table: LiveTable, tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    with served(settings, table.found) as web:
        browser = operator(table, web)
    again = WebSettings(settings.access_file, port=web.port)
    with served(again, table.found) as web:
        assert browser.get("/api/me").json["operator"] is True
        assert browser.tell("pause").status == 409


def test_a_simulated_table_on_this_machine_needs_no_pin(tmp_path: Path) -> None:
    live = LiveTable(tmp_path, simulated=True)
    live.start()
    try:
        with served(settings_in(tmp_path), live.found) as web:
            wait_until(lambda: web.server.hub.state)
            browser = web.browser()
            assert browser.get("/api/me").json["pin"] == "open"
            proxied = {"X-Forwarded-For": "192.0.2.9"}
            assert browser.get("/api/me", proxied).json["pin"] != "open"
            assert browser.post("/api/login", {}, {"X-Forwarded-For": "192.0.2.9"}).status in (400, 403)
            assert browser.log_in().status == 200
            assert browser.tell("set rounds 4").status == 200
            assert browser.post("/api/tell", {"tell": "set rounds 5"}, {"X-CSRF": "0"}).status == 403
    finally:
        live.stop()


def test_a_simulated_table_in_the_network_needs_one(tmp_path: Path) -> None:
    live = LiveTable(tmp_path, simulated=True)
    live.start()
    try:
        # It says that it listens at all addresses; the test listens at one of this machine only.
        settings = WebSettings(tmp_path / "access.json", host="0.0.0.0", port=0)
        with served(settings, live.found) as web:
            wait_until(lambda: web.server.hub.state)
            browser = web.browser()
            assert browser.get("/api/me").json["pin"] == "unset"
            assert browser.log_in().status == 400
    finally:
        live.stop()
