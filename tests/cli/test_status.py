"""`status`: how a daemon is, whether it answers, and which one is meant."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firmware_host import __version__
from firmware_host.cli.status_report import exit_code, legible, record, report_of
from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.model.times import S
from firmware_host.profile.table import SIMULATED
from firmware_host.run.health import running_in
from firmware_host.run.table_files import VARIABLE
from tests.cli.commands import run
from tests.cli.services import BROKEN, FAULTY, at_work, use_folder, working
from tests.cli.stores import config_for
from tests.games.driver import reach
from tests.store.shelves import lock

LOST = DeviceCondition("left", Condition.LOST, "no answer", "look at its cable")
Serving = Callable[..., AbstractContextManager[Callable[[], None]]]


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_folder(tmp_path, monkeypatch)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The configuration of the service."""
    (tmp_path / "etc").mkdir()
    return config_for(tmp_path / "table.db", tmp_path / "etc")


@pytest.fixture
def serving(service: Path, config: Path, tmp_path: Path) -> Serving:
    """The daemon of the service, at work."""
    return partial(at_work, service, tmp_path / "table.db", config)


def change_page(service: Path, **changes: Any) -> None:
    """Write another page; what is None in it goes."""
    page = json.loads((service / HEALTH_FILE).read_text()) | changes
    page = {name: value for name, value in page.items() if value is not None}
    (service / HEALTH_FILE).write_text(json.dumps(page))


def test_a_table_that_is_well(serving: Serving, config: Path) -> None:
    with serving(counts={"restarts": 1, "rounds": 2}):
        result = run("status")
        page = json.loads(run("status", "--json").stdout)
    assert result.exit_code == 0, result.output
    game, times, scores, daemon, *rest = result.stdout.splitlines()
    assert game == "dice for 4: play, round 1 of 6, seats 1, 2 play"
    assert re.fullmatch(r"this round has taken 0:0\d so far, the match 0:0\d", times)
    assert scores == "no round is scored yet; dice left 1:12 2:12"
    assert daemon.endswith(f", since 2026-11-18T19:00:00, with {config}")
    assert rest == ["all devices are ok", "since then: rounds 2"]
    assert (page["condition"], page["phase"], page["answers"]) == ("ok", "play", True)


def test_each_device_has_what_was_seen_and_what_to_do(serving: Serving) -> None:
    with serving(LOST, DeviceCondition("sign", Condition.OK)):
        result = run("status")
        page = json.loads(run("status", "--json").stdout)
    assert result.exit_code == 1 and "check left: lost: no answer; look at its cable" in result.stdout
    assert page["condition"] == "degraded"
    assert page["devices"] == {
        "left": {"condition": "lost", "seen": "no answer", "advice": "look at its cable"},
        "sign": {"condition": "ok", "seen": "", "advice": ""},
    }


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        (Phase.SETTLE, "no round is scored yet; dice left 1:0 2:6"),
        (Phase.SCORES, "seat 1 leads: totals 1:+6 2:-6"),
        (Phase.RESULT, "seat 1 has won: totals 1:+6 2:-6"),
    ],
)
def test_who_leads(serving: Serving, phase: Phase, said: str) -> None:
    with serving(driver=reach(phase)):
        lines = run("status").stdout.splitlines()
    assert said in lines


def test_the_match_goes_on_while_nobody_writes_a_page(serving: Serving, service: Path) -> None:
    with serving() as hang:
        page = json.loads((service / HEALTH_FILE).read_text())
        page["round"]["seconds"], page["match"]["seconds"] = 65, 3725
        change_page(service, **page | {"stamp_ns": page["stamp_ns"] - 10 * S})
        told = run("status").stdout
        hang()
    assert re.search(r"^this round has taken 1:1[56] so far, the match 1:02:1[56]$", told, re.MULTILINE)


def test_nobody_plays_so_there_is_nothing_to_tell(serving: Serving) -> None:
    with serving(driver=reach(Phase.ATTRACT)):
        told = run("status").stdout
    assert told.startswith("dice for 4: attract\nligretto-table ")


def test_the_page_of_an_older_daemon_is_told_as_well(serving: Serving, service: Path) -> None:
    with serving():
        change_page(service, match=None, devices={"left": {"condition": "lost", "words": "no answer"}})
        told = run("status")
    assert told.exit_code == 1 and "check left: lost: no answer\n" in told.stdout


def test_a_daemon_of_another_version_and_a_page_that_can_not_be_read_are_told_in_a_line(
    serving: Serving, service: Path
) -> None:
    with serving():
        change_page(service, version="9.1")
        another = run("status")
        change_page(service, masked=None)
        result = run("status")
        told = json.loads(run("status", "--json").stdout)
    assert another.exit_code == 0
    assert f"this is ligretto-table {__version__}: restart the daemon to update it\n" in another.stdout
    assert result.exit_code == 1
    assert result.stdout == (
        f"process {os.getpid()} shows a page that this version can't read (KeyError: 'masked'): it is "
        f"ligretto-table 9.1, this is {__version__}; restart the daemon, so that both are of one version\n"
    )
    assert (told["condition"], told["answers"], told["version"]) == ("unreadable", True, "9.1")


def spoilt(value: Any) -> Iterator[Any]:
    """The same with something missing or of another kind, at any depth."""
    if isinstance(value, dict):
        for key, each in value.items():
            rest = {name: other for name, other in value.items() if name != key}
            yield rest
            yield from ({**rest, key: other} for other in (None, 7, "x", [[]], {"x": {}}, *spoilt(each)))


@pytest.mark.parametrize("silent", [False, True])
def test_whatever_a_page_says_it_is_shown_or_told(serving: Serving, service: Path, silent: bool) -> None:
    with serving(LOST, driver=reach(Phase.SCORES)):
        good = json.loads((service / HEALTH_FILE).read_text())
        for page in spoilt(good | {"masked": {"red 1": "chatters"}}):
            (service / HEALTH_FILE).write_text(json.dumps(page))
            running = running_in(service)
            if running is not None:
                found = legible(replace(running, silent=silent))
                assert all(line.count("\n") == 0 for line in report_of(found, None).values())
                assert exit_code(found) in (0, 1) and json.dumps(record(found))


def test_a_daemon_that_hangs_is_not_well(serving: Serving) -> None:
    with serving() as hang:
        hang()
        result = run("status")
        page = json.loads(run("status", "--json").stdout)
    assert result.exit_code == 1
    assert result.stdout.startswith(
        f"the table has not answered since 2026-11-18T20:00:00 (process {os.getpid()}); "
        "restart it: sudo systemctl restart ligretto-table\n"
    )
    assert "well" not in result.stdout and page["answers"] is False


@pytest.mark.parametrize("simulated", [False, True])
def test_one_that_somebody_runs_by_hand_is_restarted_by_hand(
    service: Path, tmp_path: Path, simulated: bool
) -> None:
    store = tmp_path / "table.db"
    config = Path(SIMULATED) if simulated else config_for(store, tmp_path)
    with at_work(tmp_path, store, config) as hang:
        hang()
        result = run("status", *(("--store", str(store)) if simulated else ("--config", str(config))))
    assert result.exit_code == 1
    started = "ligretto-table run " + ("--simulated" if simulated else f"--config {config}")
    assert f"restart it: kill -KILL {os.getpid()}, then: {started}\n" in result.stdout


def test_one_that_was_killed_does_not_run(
    serving: Serving, service: Path, config: Path, tmp_path: Path
) -> None:
    """Its page is still there, and its number is another process by now: this one's."""
    with serving() as hang:
        hang()
        page = (service / HEALTH_FILE).read_text()
    (service / HEALTH_FILE).write_text(page)
    lock(str(tmp_path / "table.db"))()
    result = run("status", "--config", str(config))
    assert result.exit_code == 2 and "no daemon runs this table" in result.stderr


def test_one_that_is_starting_has_no_page_yet(service: Path, config: Path, tmp_path: Path) -> None:
    let_go = lock(str(tmp_path / "table.db"))
    result = run("status", "--config", str(config))
    let_go()
    assert result.exit_code == 1 and "it is starting" in result.stdout


# -- without a daemon, or without its page


def test_without_a_daemon_there_is_an_object_too(service: Path, config: Path, tmp_path: Path) -> None:
    for arguments in (["--config", str(config)], []):  # no table.toml is here that could say which
        result = run("status", "--json", *arguments)
        told = json.loads(result.stdout)
        assert result.exit_code == 2 and result.stderr == ""
        assert (told["condition"], told["answers"]) == ("not running", False)
        assert told["seen"].startswith("no ") and "ligretto-table " in told["advice"]
    let_go = lock(str(tmp_path / "table.db"))
    result = run("status", "--json", "--config", str(config))
    let_go()
    assert result.exit_code == 1 and json.loads(result.stdout)["condition"] == "starting"


@pytest.mark.parametrize("config_is_gone", [True, False])
def test_a_daemon_whose_folder_is_gone_is_found(service: Path, tmp_path: Path, config_is_gone: bool) -> None:
    folder = tmp_path / "lib"
    config = folder / "table.toml"
    if not config_is_gone:
        (tmp_path / "etc").mkdir()
        config = config_for(folder / "table.db", tmp_path / "etc")
    with working(folder, folder / "table.db", config):
        assert not folder.exists()
        asked = [["--config", str(config)], [] if config_is_gone else ["--store", str(folder / "table.db")]]
        for arguments in asked:
            result = run("status", *arguments)
            assert result.exit_code == 1, result.output
            assert f"check disk: {folder}/health.json can't be written: No such file" in result.stdout
        assert run("status", "--config", str(tmp_path / "other.toml")).exit_code == 2
        assert run("status", "--store", str(tmp_path / "other.db")).exit_code == 2


def test_an_old_page_that_could_not_be_removed_is_not_believed(service: Path, tmp_path: Path) -> None:
    """On a disk that has become read-only the last page stays where it was."""
    folder = tmp_path / "lib"
    folder.mkdir()
    config = config_for(folder / "table.db", tmp_path)
    with at_work(folder, folder / "table.db", config) as hang:
        hang()
        old = (folder / HEALTH_FILE).read_text()
        with working(tmp_path / "gone", folder / "table.db", config):
            (folder / HEALTH_FILE).write_text(old)
            result = run("status", "--config", str(config))
    assert "check disk: " in result.stdout and "has not answered" not in result.stdout


# -- which one is meant


def test_the_page_of_another_table_says_nothing_of_the_one_that_is_named(
    serving: Serving, config: Path, tmp_path: Path
) -> None:
    other = config_for(tmp_path / "other" / "other.db", tmp_path)
    with serving():
        assert run("status", "--config", str(config)).exit_code == 0
        assert run("status", "--store", str(tmp_path / "table.db")).exit_code == 0
        for asked in (("--config", str(other)), ("--store", str(tmp_path / "other.db"))):
            result = run("status", *asked)
            assert result.exit_code == 2 and "no daemon runs this table" in result.stderr
    both = run("status", "--config", str(config), "--store", "table.db")
    assert both.exit_code == 2 and "can't be combined" in both.stderr


def test_two_tables_at_once(serving: Serving, config: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = config_for(tmp_path / "other" / "table.db", tmp_path / "other")
    with (
        serving(),
        at_work(tmp_path / "other", tmp_path / "other" / "table.db", other),
    ):
        assert f"with {config}\n" in run("status").stdout
        assert f"with {other}\n" in run("status", "--config", str(other)).stdout


def test_a_store_that_was_moved_in_the_file_is_taken_over_only_at_the_next_start(
    serving: Serving, config: Path
) -> None:
    with serving():
        config.write_text('wiring = "dice4"\n[store]\nfile = "elsewhere.db"\n')
        assert run("status", "--config", str(config)).exit_code == 0


def test_the_variable_names_a_table_as_well(
    serving: Serving, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving():
        monkeypatch.setenv(VARIABLE, str(config_for(tmp_path / "other.db", tmp_path)))
        assert run("status").exit_code == 2
        monkeypatch.setenv(VARIABLE, str(config))
        assert run("status").exit_code == 0


def test_the_table_of_this_folder(service: Path) -> None:
    config = config_for(Path("table.db"), Path())
    with at_work(Path(), Path("table.db"), config):
        assert f"with {config.resolve()}\n" in run("status").stdout
    assert run("status").exit_code == 2


# -- a table.toml with faults


@pytest.mark.parametrize("text", [FAULTY, BROKEN])
def test_faults_are_told_and_the_table_is_found(serving: Serving, config: Path, text: str) -> None:
    with serving():
        for path in (config, Path("table.toml")):
            path.write_text(text)
        unnamed = run("status")
        config.write_text(f'{text}[store]\nfile = "../table.db"\n')
        result = run("status", "--config", str(config))
    assert unnamed.exit_code == 0 and unnamed.stderr == "", "the service is asked without its configuration"
    assert result.exit_code == 0 and "all devices are ok" in result.stdout
    assert result.stderr.startswith(f"ligretto-table: warning: {config}:")
    assert "Traceback" not in result.output
