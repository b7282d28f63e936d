"""`status`: how a daemon is, whether it answers, and which one is meant."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from firmware_host.events import DeviceChanged
from firmware_host.runtime.assembly.configs import VARIABLE
from firmware_host.runtime.health import HEALTH_FILE
from firmware_host.stamps import exactly
from firmware_host.store.shelf import lock
from tests.cli.commands import run
from tests.cli.services import BROKEN, FAULTY, at_work, use_folder
from tests.cli.stores import config_for


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_folder(tmp_path, monkeypatch)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The configuration of the service."""
    (tmp_path / "etc").mkdir()
    return config_for(tmp_path / "table.db", tmp_path / "etc")


def test_a_table_that_is_well(service: Path, config: Path, tmp_path: Path) -> None:
    with at_work(service, tmp_path / "table.db", config, counts={"restarts": 1, "rounds": 2}):
        result = run("status")
        page = json.loads(run("status", "--json").stdout)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == "dice for 4: play, round 1 of 6, seats 1, 2 play"
    assert result.stdout.splitlines()[1].endswith(f", since 2026-11-18T19:00:00, with {config}")
    assert result.stdout.splitlines()[2:] == ["all devices are well", "since then: rounds 2"]
    assert (page["phase"], page["answers"]) == ("play", True)


def test_a_device_that_is_not(service: Path, config: Path, tmp_path: Path) -> None:
    lost = DeviceChanged("left", "lost", True, "no answer", exactly(0))
    with at_work(service, tmp_path / "table.db", config, lost):
        result = run("status")
    assert result.exit_code == 1 and "check left: lost: no answer" in result.stdout


def test_a_daemon_that_hangs_is_not_well(service: Path, config: Path, tmp_path: Path) -> None:
    with at_work(service, tmp_path / "table.db", config) as hang:
        hang()
        result = run("status")
        page = json.loads(run("status", "--json").stdout)
    assert result.exit_code == 1
    assert result.stdout.startswith(
        f"the table does not answer since 2026-11-18T20:00:00 (process {os.getpid()}); "
        "start it again: sudo systemctl restart ligretto-table\n"
    )
    assert "well" not in result.stdout and page["answers"] is False


def test_one_that_somebody_runs_by_hand_is_restarted_by_hand(service: Path, tmp_path: Path) -> None:
    config = config_for(tmp_path / "table.db", tmp_path)
    with at_work(tmp_path, tmp_path / "table.db", config) as hang:
        hang()
        result = run("status", "--config", str(config))
    assert result.exit_code == 1
    assert "its log says whether it only can't write its page; else start it again:" in result.stdout
    assert f"kill -KILL {os.getpid()}, then: ligretto-table run --config {config}" in result.stdout


def test_one_that_was_killed_does_not_run(service: Path, config: Path, tmp_path: Path) -> None:
    """Its page is still there, and its number is another process by now: this one's."""
    with at_work(service, tmp_path / "table.db", config) as hang:
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


# -- which one is meant


def test_the_page_of_another_table_says_nothing_of_the_one_that_is_named(
    service: Path, config: Path, tmp_path: Path
) -> None:
    other = config_for(tmp_path / "other" / "other.db", tmp_path)
    with at_work(service, tmp_path / "table.db", config):
        assert run("status", "--config", str(config)).exit_code == 0
        assert run("status", "--store", str(tmp_path / "table.db")).exit_code == 0
        for asked in (("--config", str(other)), ("--store", str(tmp_path / "other.db"))):
            result = run("status", *asked)
            assert result.exit_code == 2 and "no daemon runs this table" in result.stderr
    both = run("status", "--config", str(config), "--store", "table.db")
    assert both.exit_code == 2 and "can't go together" in both.stderr


def test_two_tables_at_once(service: Path, config: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = config_for(tmp_path / "other" / "table.db", tmp_path / "other")
    with (
        at_work(service, tmp_path / "table.db", config),
        at_work(tmp_path / "other", tmp_path / "other" / "table.db", other),
    ):
        assert f"with {config}\n" in run("status").stdout
        assert f"with {other}\n" in run("status", "--config", str(other)).stdout


def test_a_store_that_was_moved_in_the_file_is_taken_over_only_at_the_next_start(
    service: Path, config: Path, tmp_path: Path
) -> None:
    with at_work(service, tmp_path / "table.db", config):
        config.write_text('wiring = "dice4"\n[store]\nfile = "elsewhere.db"\n')
        assert run("status", "--config", str(config)).exit_code == 0


def test_the_variable_names_a_table_as_well(
    service: Path, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_work(service, tmp_path / "table.db", config):
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
def test_the_service_is_asked_without_its_configuration(
    service: Path, config: Path, tmp_path: Path, text: str
) -> None:
    with at_work(service, tmp_path / "table.db", config):
        config.write_text(text)
        Path("table.toml").write_text(text)
        result = run("status")
    assert result.exit_code == 0 and result.stderr == ""


@pytest.mark.parametrize("text", [FAULTY, BROKEN])
def test_faults_are_told_and_the_table_is_found(
    service: Path, config: Path, tmp_path: Path, text: str
) -> None:
    with at_work(service, tmp_path / "table.db", config):
        config.write_text(f'{text}[store]\nfile = "../table.db"\n')
        result = run("status", "--config", str(config))
    assert result.exit_code == 0 and "all devices are well" in result.stdout
    assert result.stderr.startswith(f"ligretto-table: warning: {config}:")
    assert "Traceback" not in result.output
