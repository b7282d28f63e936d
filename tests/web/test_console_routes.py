"""What the console reads over HTTP: only for operators, and what the commands say."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.store.backups import examine
from firmware_host.web.access import Access
from firmware_host.web.web_table import FoundTable
from tests.store.conftest import club
from tests.web.browsers import Browser
from tests.web.serving import Served, served, settings_in

__all__ = ["club"]

READ = (
    "/api/health",
    "/api/rounds",
    "/api/rounds/1",
    "/api/rounds/1.svg",
    "/api/audits",
    "/api/log",
    "/api/export?what=rounds",
    "/api/backup",
)
PAGE: dict[str, Any] = {"devices": {"left": {"condition": "lost", "seen": "no answer"}}, "masked": {}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(scope="module")
def shop(folder: Path, club: Path) -> Iterator[Served]:
    """A server for a table of which only the files are there."""
    (folder / HEALTH_FILE).write_text(json.dumps(PAGE | {"config": "/etc/table.toml"}))
    with served(settings_in(folder), lambda: FoundTable(folder, str(club))) as web:
        yield web


@pytest.fixture(scope="module")
def operator(shop: Served, folder: Path) -> Browser:
    """Somebody who has logged in."""
    return logged_in(shop, folder)


def logged_in(web: Served, folder: Path) -> Browser:
    browser, pin = web.browser(), Access(settings_in(folder).access_file).new_pin()
    browser.csrf = browser.post("/api/login", {"pin": pin}).json["csrf"]
    return browser


@pytest.mark.parametrize("target", READ)
def test_only_an_operator_reads_it_and_nobody_changes_anything_there(
    target: str, shop: Served, operator: Browser
) -> None:
    assert shop.browser().get(target).status == 401
    forged = shop.browser()
    forged.cookies = {f"ligretto_{shop.port}": "x" * 43}
    assert forged.get(target).status == 401
    assert operator.get(target).status == 200
    assert operator.post(target, {}).status == 405


def test_devices_come_with_advice_and_the_way_to_restore(operator: Browser, club: Path) -> None:
    page = operator.get("/api/health").json
    assert page["devices"]["left"]["seen"] == "no answer"
    assert page["restore"] == [
        f"ligretto-table store restore --store {club} FILE",
        "ligretto-table run --config /etc/table.toml",
    ]


def test_rounds_are_those_of_recall(operator: Browser) -> None:
    rounds = operator.get("/api/rounds?last=3").json["rounds"]
    assert [each["round"] for each in rounds] == [5, 4, 3]
    one = operator.get("/api/rounds/3?lang=de").json
    assert one["lines"] and one["contests"]
    assert one["contests"][0]["sentences"][0].endswith(".")
    assert b"<svg" in operator.get("/api/rounds/3.svg").body


@pytest.mark.parametrize("target", ["/api/rounds/99", "/api/rounds/0", "/api/rounds/99.svg"])
def test_a_round_that_is_not_there_is_refused_with_the_reason(target: str, operator: Browser) -> None:
    reply = operator.get(target)
    assert reply.status == 409
    assert "its rounds are 1 to 5" in reply.json["why"]


def test_a_backup_is_whole_and_leaves_nothing_behind(
    operator: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    reply = operator.get("/api/backup")
    assert (reply.headers["x-rounds"], reply.headers["x-losses"]) == ("5", "0")
    assert int(reply.headers["content-length"]) == len(reply.body)
    (tmp_path / "backup.db").write_bytes(reply.body)
    assert examine(str(tmp_path / "backup.db")).is_sound


def test_an_export_is_that_of_the_command(operator: Browser) -> None:
    reply = operator.get("/api/export?what=matches&form=csv")
    rows = list(csv.DictReader(io.StringIO(reply.body.decode(), newline="")))
    assert len(rows) == 3
    of_day = operator.get("/api/export?what=matches&form=json&day=2026-11-17").json
    assert [each["day"] for each in of_day] == ["2026-11-17"]


@pytest.mark.parametrize(
    "target",
    [
        "/api/export",
        "/api/export?what=secrets",
        "/api/export?what=rounds&form=exe",
        "/api/export?what=rounds&day=today'--",
        "/api/rounds?last=-1",
        "/api/log?last=0",
        "/api/log?last=abc",
    ],
)
def test_odd_wishes_are_refused(target: str, operator: Browser) -> None:
    assert operator.get(target).status == 400


def test_without_a_table_it_says_so(tmp_path: Path) -> None:
    with served(settings_in(tmp_path), lambda: None) as web:
        browser = logged_in(web, tmp_path)
        for target in READ:
            assert browser.get(target).status == 503, target
