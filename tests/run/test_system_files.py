"""The files of the service: where they are found, and what a service can reach."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from firmware_host.cli import install_service
from firmware_host.cli.install_service import (
    CONFIG_FILE,
    SHIPPED,
    NotInstallable,
    SystemFile,
    check_reach,
    own_command,
    shipped,
    write,
)

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", SHIPPED.values())
def test_the_files_are_those_of_the_checkout(name: str) -> None:
    assert shipped(name) == (ROOT / "systemd" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [*SHIPPED, CONFIG_FILE])
def test_the_page_for_operators_names_them(path: str) -> None:
    assert f"| `{path}` |" in (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(NotInstallable, match=r"nothing\.service is missing"):
        shipped("nothing.service")


def test_the_command_is_the_installed_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    beside = str(Path(sys.executable).with_name("ligretto-table"))
    assert own_command() == beside
    started = tmp_path / "ligretto-table"
    started.touch()
    monkeypatch.setattr(sys, "argv", [f"{tmp_path}/./ligretto-table"])
    assert own_command() == str(started)
    monkeypatch.setattr(sys, "argv", [f"{tmp_path}/__main__.py"])
    assert own_command() == beside
    monkeypatch.setattr(sys, "executable", f"{tmp_path}/bin/python")
    with pytest.raises(NotInstallable, match="no command ligretto-table beside"):
        own_command()


@pytest.mark.parametrize(
    "command", ["bin/table", "/opt/a b/table", "/opt/50%/table", "/opt/$HOME/table", "/a\n"]
)
def test_a_path_that_a_unit_would_read_otherwise_is_refused(command: str) -> None:
    with pytest.raises(NotInstallable, match="can't be used in a unit"):
        install_service.system_files(command, "ligretto", "")


@pytest.mark.parametrize(
    "path", ["/home/pi/table/bin/python", "/root/x", "/tmp/x", "/var/tmp/x", "/run/user/1/x"]
)
def test_what_the_unit_shuts_out_is_refused(path: str, tmp_path: Path) -> None:
    for written in (path, f"/opt/..{path}", f"/{path}"):
        for prefix in (Path("/"), tmp_path):
            with pytest.raises(NotInstallable, match=f"could not reach {path}.*/opt"):
                check_reach([written], prefix)


def test_the_folders_of_an_image_are_looked_at(tmp_path: Path) -> None:
    image = tmp_path / "image"
    (image / "opt" / "table").mkdir(parents=True)
    image.chmod(0o700)
    check_reach(["/opt/table/bin/ligretto-table", "/srv/none"], image)
    (image / "opt").chmod(0o750)
    with pytest.raises(NotInstallable, match="not everybody may enter /opt:"):
        check_reach(["/opt/table/bin/ligretto-table"], image)


def test_links_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install_service, "CLOSED", (str(tmp_path / "home"),))
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "python").touch()
    (tmp_path / "python").symlink_to(tmp_path / "home" / "python")
    with pytest.raises(NotInstallable, match="home/python"):
        check_reach([str(tmp_path / "python")])


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install_service, "CLOSED", ())
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    (closed / "python").touch()
    with pytest.raises(NotInstallable, match="not everybody may enter"):
        check_reach([str(closed / "python")])


def test_what_everybody_may_run_is_reached() -> None:
    check_reach(["/bin/sh"])


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = SystemFile("/etc/table.conf", "good \udcff")  # half a character can't be written
    path = tmp_path / "etc" / "table.conf"
    path.parent.mkdir()
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write(file, tmp_path)
    assert path.read_text() == "old"
    assert [each.name for each in path.parent.iterdir()] == ["table.conf"]
