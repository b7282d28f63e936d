"""The last contests over HTTP: for everybody, without names where they are hidden, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.model.effects import effect_record
from firmware_host.run.operator_commands import obey
from firmware_host.web.web_table import FoundTable
from tests.history.finishes import CLOSE, only_contest
from tests.store.conftest import club
from tests.web.browsers import wait_until
from tests.web.live_tables import LiveTable
from tests.web.serving import Served, served, settings_in

__all__ = ["club"]

SESSION = "77"


def tell_close(web: Served) -> None:
    """Let the hub read of a contest: the presses as they arrived, and the verdicts."""
    hub = web.server.hub
    seats = {str(seat): {"name": f"Player {seat}"} for seat in (1, 2, 4)}
    messages: list[dict[str, Any]] = [
        {"is": "snapshot", "session": SESSION, "n": 0, "t_ns": 0, "state": {"seats": seats}}
    ]
    for given in reversed(only_contest(CLOSE).all):
        press = {"is": "felt", "seat": given.judged.seat, "call": False, "t_ns": given.stamp.earliest_ns}
        messages.append(press)
    for n, (t_ns, effect) in enumerate(CLOSE, start=1):
        messages.append(
            {"is": "step", "session": SESSION, "n": n, "t_ns": t_ns, "effects": [effect_record(effect)]}
        )
    for each in messages:
        hub.state = {"seats": seats}
        for read in hub.readers:
            read(each)


@pytest.fixture
def raced(web: Served) -> Served:
    tell_close(web)
    return web


def test_a_contest_is_told_with_its_words_in_the_language_that_was_asked_for(raced: Served) -> None:
    (contest,) = raced.browser().get("/api/contests?last=5&lang=de").json["contests"]
    assert contest["id"] == f"{SESSION}-1"
    assert contest["title"] == "▲ rot 1"
    assert contest["first_to_arrive"] == 4
    assert [each["arrived"] for each in contest["rivals"]] == [3, 2, 1]
    assert contest["sentences"][0].startswith("Platz 1 war sicher zuerst")


def test_an_answer_is_made_anew_when_something_has_changed(web: Served) -> None:
    browser = web.browser()
    assert browser.get("/api/contests").json == {"contests": []}
    tell_close(web)
    assert len(browser.get("/api/contests").json["contests"]) == 1


def test_a_picture_has_its_own_policy_and_can_be_saved(raced: Served) -> None:
    reply = raced.browser().get(f"/api/finish/{SESSION}-1.svg?lang=fr&save")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("image/svg+xml")
    assert reply.headers["content-security-policy"].startswith(
        "default-src 'none'; style-src 'unsafe-inline'"
    )
    assert reply.headers["content-disposition"] == f'attachment; filename="photo-finish-{SESSION}-1.svg"'
    assert "Photo-finish" in reply.body.decode()
    assert "Player 1" in reply.body.decode()
    narrow = raced.browser().get(f"/api/finish/{SESSION}-1.svg?narrow")
    assert b'width="480"' in narrow.body


def test_names_are_not_in_pictures_where_they_are_hidden(tmp_path: Path, table: LiveTable) -> None:
    with served(replace(settings_in(tmp_path), names=False), table.found) as web:
        wait_until(lambda: web.server.hub.session)  # hello may be all that is there yet
        tell_close(web)
        assert b"Player" not in web.browser().get(f"/api/finish/{SESSION}-1.svg").body


def test_names_that_the_table_hides_are_in_no_earlier_picture(
    raced: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the feed tells meanwhile."""
    hidden = property(lambda hub: {"table": {"names_hidden": True}}, lambda hub, told: None)
    monkeypatch.setattr(type(raced.server.hub), "state", hidden, raising=False)
    assert b"Player" not in raced.browser().get(f"/api/finish/{SESSION}-1.svg").body


def test_the_name_of_a_player_who_was_deleted_is_in_no_earlier_picture(web: Served, table: LiveTable) -> None:
    """The seat had been a guest's for long: nothing else in the feed changes."""
    table.ask(lambda evening: obey(evening.host, "name 3 Zoe"))
    table.ask(lambda evening: obey(evening.host, "name 3"))
    tell_close(web)
    picture = f"/api/finish/{SESSION}-1.svg"
    assert b"Player 1" in web.browser().get(picture).body
    table.ask(lambda evening: obey(evening.host, "player 1 delete"))
    wait_until(lambda: b"Player" not in web.browser().get(picture).body)


def test_a_table_that_was_away_may_have_lost_a_name_meanwhile(web: Served, table: LiveTable) -> None:
    tell_close(web)
    table.stop()
    table.start()
    wait_until(lambda: b"Player" not in web.browser().get(f"/api/finish/{SESSION}-1.svg").body)


def test_contests_of_the_store_are_there_for_who_comes_later(tmp_path: Path, club: Path) -> None:
    with served(settings_in(tmp_path), lambda: FoundTable(tmp_path, str(club))) as web:
        contests = web.browser().get("/api/contests?last=50").json["contests"]
        assert len(contests) > 3
        oldest = contests[-1]["id"]
        assert web.browser().get(f"/api/finish/{oldest}.svg").status == 200


def test_a_store_that_can_not_be_read_is_no_error_for_spectators(tmp_path: Path) -> None:
    (tmp_path / "table.db").write_text("no store")
    with served(settings_in(tmp_path), lambda: FoundTable(tmp_path, str(tmp_path / "table.db"))) as web:
        assert web.browser().get("/api/contests").json == {"contests": []}
        assert web.browser().get("/api/finish/1-1.svg").status == 404


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that knows of a contest, and of no table."""
    with served(settings_in(tmp_path_factory.mktemp("web")), lambda: None) as web:
        tell_close(web)
        yield web


@pytest.mark.parametrize("id", ["1-1", "x", "1-", "-1", "9" * 30 + "-1", "1-1-1", "%2e%2e%2fsecret", "１-１"])
def test_what_is_no_contest_is_not_found(id: str, past: Served) -> None:
    quoted = id.encode("ascii", "xmlcharrefreplace").decode().replace("&", "%26").replace("#", "%23")
    assert past.browser().get(f"/api/finish/{quoted}.svg").status == 404


@pytest.mark.parametrize("last", ["", "-1", "x", "1e9", "99999", "²"])
def test_only_a_number_says_how_many(last: str, past: Served) -> None:
    quoted = last.encode().hex("%")
    target = f"/api/contests?last={'%' + quoted if quoted else ''}"
    assert past.browser().get(target).status == 400


def test_many_old_contests_at_once_are_too_many(raced: Served) -> None:
    def asked() -> int:
        return raced.browser().get("/api/finish/1-1.svg").status

    replies: list[Callable[[], int] | int] = [asked() for _ in range(15)]
    assert 429 in replies
    assert raced.browser().get(f"/api/finish/{SESSION}-1.svg").status == 200, "a new one is not limited"
