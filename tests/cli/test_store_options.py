"""Which store the commands read that look back."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.model.errors import BadSettings
from firmware_host.profile.table import StoreConfig
from firmware_host.run import table_files
from firmware_host.run.table_files import VARIABLE, store_file
from tests.cli.commands import run
from tests.cli.services import BROKEN, FAULTY, at_work, use_folder
from tests.cli.stores import config_for

LOOKING_BACK = [
    ("recall",),
    ("audits",),
    ("export", "--what", "rounds"),
    ("replay", "--last"),
]


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_folder(tmp_path, monkeypatch)


@pytest.fixture
def store(club: Path, tmp_path: Path) -> Path:
    path = tmp_path / "table.db"
    path.write_bytes(club.read_bytes())
    return path


@pytest.mark.parametrize("command", LOOKING_BACK)
def test_that_of_the_running_service(
    service: Path, store: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    Path("table.toml").write_text(BROKEN)
    with at_work(service, store, tmp_path / "table.toml"):
        result = run(*command)
    assert result.exit_code == 0 and result.stderr == ""
    asked = run(*command[:1], "--store", str(store), *command[1:])
    assert result.stdout == asked.stdout


@pytest.mark.parametrize("text", [FAULTY, BROKEN])
@pytest.mark.parametrize("command", LOOKING_BACK)
def test_that_of_a_table_toml_with_a_typo(
    service: Path, store: Path, command: tuple[str, ...], text: str
) -> None:
    Path("table.toml").write_text(f'{text}[store]\nfile = "{store}"\n')
    result = run(*command)
    assert result.exit_code == 0, result.output
    first, *_, last = result.stderr.splitlines()
    assert first.startswith("ligretto-table: warning: table.toml:")
    assert last == f"ligretto-table: warning: using {store} anyway"
    assert result.stdout == run(*command[:1], "--store", str(store), *command[1:]).stdout


def test_that_of_the_table_that_is_named(
    service: Path, club: Path, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = config_for(tmp_path / "none.db", tmp_path)
    with at_work(service, store, tmp_path / "etc.toml"):
        assert run("audits").exit_code == 0
        monkeypatch.setenv(VARIABLE, str(other))
        for asked in ((), ("--config", str(other)), ("--store", str(tmp_path / "none.db"))):
            result = run("audits", *asked)
            assert result.exit_code == 2 and f"{tmp_path}/none.db: there is no store yet" in result.stderr


def test_tags_are_not_needed(service: Path, store: Path) -> None:
    Path("table.toml").write_text(f'wiring = "cards4"\ntags = "gone.csv"\n[store]\nfile = "{store}"\n')
    result = run("audits")
    assert result.exit_code == 0 and result.stderr == ""


def test_a_variable_that_names_nothing_is_told(service: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/nope.toml")
    told = {
        run(*command).stderr.splitlines()[0]
        for command in [*LOOKING_BACK, ("status",), ("run",), ("doctor",)]
    }
    assert told == {
        f"ligretto-table: {VARIABLE} is '/nope.toml'; allowed: an existing file; "
        "write one with: ligretto-table check --example > table.toml"
    }


# -- the file that a table.toml names


@pytest.mark.parametrize(
    "text",
    [
        f'{FAULTY}[store]\nfile = "a.db"\n',
        f'{BROKEN}[store]\nfile = "a.db"\nsync = "rounds"\n[ports]\n',
        f'{BROKEN}  [store]\nfile = "a.db"\n',
        f'{BROKEN}[ports]\n"\n[store]\nfile = "a.db"\n',
        '[store]\nfile = "a.db"\nfil = 3\n',
        'store = { file = "a.db" }\nwiring = 3\n',
        'store.file = "a.db"\n',
        '\ufeffwiring = "nope"\r\n[store]\r\nfile = "a.db"\r\n',
    ],
)
def test_it_is_found_whatever_else_is_wrong(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8", newline="")
    file, faults = store_file(path)
    assert file == str(tmp_path / "a.db") and faults


def test_in_any_encoding(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b'event = "Stra\xdfenfest"\n[store]\nfile = "a.db"\n')
    file, faults = store_file(path)
    assert file == str(tmp_path / "a.db") and "0xdf is not UTF-8" in faults[0]


@pytest.mark.parametrize("text", [FAULTY, BROKEN, f'{BROKEN}[store]\nfile = "a.db\n', "[store]\nfile = 3\n"])
def test_else_it_is_the_usual_one_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    usual, path = tmp_path / "usual.db", tmp_path / "table.toml"
    path.write_text(text)
    monkeypatch.setattr(table_files, "StoreConfig", lambda: StoreConfig(file=str(usual)))
    with pytest.raises(BadSettings):
        store_file(path)
    usual.touch()
    file, faults = store_file(path)
    assert file == str(usual) and faults


def test_what_no_file_can_be_called_is_told_and_nothing_else_is_taken(
    service: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, path = tmp_path / "usual.db", tmp_path / "table.toml"
    usual.touch()
    monkeypatch.setattr(table_files, "StoreConfig", lambda: StoreConfig(file=str(usual)))
    path.write_text('wiring = "dice4"\nstore.file = "a\\u0000b"\n')
    for command in (("status",), ("tell", "pause"), *LOOKING_BACK):
        result = run(*command, "--config", str(path))
        assert result.exit_code == 2 and result.stdout == ""
        assert "allowed: the path of a file without control characters" in result.stderr


@pytest.mark.parametrize("command", LOOKING_BACK)
def test_that_of_a_configuration_and_none_that_is_not_there(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    config = str(config_for(club, tmp_path))
    told = run(*command, "--store", str(club)).stdout
    assert told and run(*command, "--config", config).stdout == told
    monkeypatch.setenv(VARIABLE, config)
    assert run(*command).stdout == told
    result = run(*command, "--store", str(tmp_path / "table.db"))
    assert result.exit_code == 2 and "there is no store yet" in result.stderr
    result = run(*command, "--config", str(tmp_path / "gone.toml"))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == "ligretto-table: or name the store file itself with --store"
