"""`install-service` as an operator meets it: below a prefix, as a dry run, and where it refuses."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from firmware_host.cli import install_service
from firmware_host.cli.install_service import (
    CONFIG_FILE,
    RULES_FILE,
    RUNS_SYSTEMD,
    SHIPPED,
    USERS_FILE,
    WEB_USERS_FILE,
    NotInstallable,
    below,
    check_reach,
    own_command,
    run_command,
    shipped,
)
from firmware_host.feed.addresses import UNIT_FILE, WEB_UNIT_FILE
from firmware_host.run.table_files import load_config
from tests.another_user import another_user, needs_root
from tests.cli.commands import run

REACHABLE = "/usr/bin/env"
"""A command that any machine has where services may go."""


def install(prefix: Path, *options: str) -> str:
    result = run("install-service", "--prefix", str(prefix), *options)
    assert result.exit_code == 0, result.output
    return result.output


def tree(root: Path) -> dict[str, str]:
    """Every file below a folder, and what it says."""
    return {f"/{path.relative_to(root)}": path.read_text() for path in root.rglob("*") if path.is_file()}


def test_the_life_of_a_service_in_an_image(tmp_path: Path) -> None:
    """What is written, what is told, and what is left alone from the first installation to the end."""
    unit, config = Path(f"{tmp_path}{UNIT_FILE}"), Path(f"{tmp_path}{CONFIG_FILE}")
    drop_in = Path(f"{tmp_path}{UNIT_FILE}.d/override.conf")
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text("[Service]\nNice=0\n")
    assert "removed" not in install(tmp_path, "--uninstall"), "nothing is there yet"

    told = install(tmp_path, "--user", "table")
    own = {UNIT_FILE, RULES_FILE, USERS_FILE, CONFIG_FILE}
    before = tree(tmp_path)
    assert set(before) == own | {f"{UNIT_FILE}.d/override.conf"}
    assert all(f"wrote {tmp_path}{path}\n" in told for path in own)
    assert f"  systemd-sysusers --root={tmp_path} ligretto-table.conf" in told.splitlines()
    assert f"  systemctl --root={tmp_path} enable ligretto-table.service" in told.splitlines()
    command = f"ExecStart=/opt/ligretto-table/bin/ligretto-table run --config {CONFIG_FILE}\n"
    assert command in before[UNIT_FILE] and "User=table\n" in before[UNIT_FILE]
    assert load_config(config).config.profile.seats == 4

    told = install(tmp_path, "--user", "table")
    assert tree(tmp_path) == before
    assert f"{unit} is up to date\n" in told and f"left {config} as it is\n" in told

    config.write_text("# mine\n")
    unit.write_text("[Service]\nExecStart=/bin/mine\n")
    told = install(tmp_path)
    assert f"wrote {unit}; the old one is {unit}.bak\n" in told
    assert Path(f"{unit}.bak").read_text() == "[Service]\nExecStart=/bin/mine\n"
    assert "ligretto-table run" in unit.read_text()

    told = install(tmp_path, "--uninstall")
    assert f"removed {unit}\n" in told and CONFIG_FILE in told.splitlines()[-1]
    assert set(tree(tmp_path)) == {CONFIG_FILE, f"{UNIT_FILE}.d/override.conf"}
    assert (config.read_text(), drop_in.read_text()) == ("# mine\n", "[Service]\nNice=0\n")


def test_a_command_that_the_image_lacks_is_told(tmp_path: Path) -> None:
    words = ("install-service", "--prefix", str(tmp_path), "--command", "/usr/bin/ligretto-table")
    command = tmp_path / "usr/bin/ligretto-table"
    lacking = run(*words)
    assert lacking.exit_code == 0
    assert lacking.stderr.startswith(f"ligretto-table: {command} is not there yet") and lacking.stdout
    command.parent.mkdir(parents=True)
    command.symlink_to("/opt/somewhere/in/the/image")
    assert run(*words).stderr == ""


@pytest.mark.parametrize("command", ["/home/you/.venv/bin/ligretto-table", "/opt/../root/ligretto-table"])
@pytest.mark.parametrize("image", [True, False])
def test_a_command_that_the_service_could_not_reach_is_refused(
    command: str, image: bool, tmp_path: Path
) -> None:
    where = ["--prefix", str(tmp_path)] if image else ["--dry-run"]
    result = run("install-service", *where, "--command", command)
    assert result.exit_code == 2 and "could not reach /" in result.stderr
    assert tree(tmp_path) == {}


def test_a_command_that_this_machine_lacks_is_refused() -> None:
    result = run("install-service", "--dry-run", "--command", "/usr/bin/no-such-table")
    assert result.exit_code == 2
    assert "there is no /usr/bin/no-such-table: install the wheel there first" in result.stderr


def test_everybody_may_read_them_whatever_root_hides(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        install(tmp_path)
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()} == {0o644}
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_dir()} == {0o755}


def test_a_masked_unit_stays_masked(tmp_path: Path) -> None:
    unit = Path(f"{tmp_path}{UNIT_FILE}")
    unit.parent.mkdir(parents=True)
    unit.symlink_to("/dev/null")
    result = run("install-service", "--prefix", str(tmp_path))
    assert result.exit_code == 2
    assert "systemctl unmask" in result.stderr
    assert unit.is_symlink()


def test_a_dry_run_shows_everything_and_touches_nothing(tmp_path: Path) -> None:
    install(tmp_path)
    before = tree(tmp_path)
    Path(f"{tmp_path}{RULES_FILE}").unlink()
    told = install(tmp_path, "--dry-run")
    assert set(tree(tmp_path)) == set(before) - {RULES_FILE}
    assert f"leave {tmp_path}{UNIT_FILE}\n" in told and f"write {tmp_path}{RULES_FILE}\n" in told
    for text in before.values():
        assert all(f"    {line}".rstrip() in told for line in text.splitlines())


def test_a_dry_run_of_this_machine_shows_the_commands() -> None:
    dry = ("install-service", "--dry-run", "--command", REACHABLE)  # a checkout may be out of reach
    result = run(*dry)
    commands = [line[4:] for line in result.output.splitlines() if line.startswith("run ")]
    assert commands == [
        "systemd-sysusers /etc/sysusers.d/ligretto-table.conf",
        "udevadm control --reload",
        "udevadm trigger --settle --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=tty",
        "systemctl daemon-reload",
        "systemctl enable ligretto-table.service",
        "systemctl restart ligretto-table.service",
    ]
    again = run(*dry, "--no-start").output
    assert "run systemctl enable" in again and "run systemctl restart" not in again


def test_a_dry_run_of_the_end_shows_it(tmp_path: Path) -> None:
    install(tmp_path)
    told = install(tmp_path, "--uninstall", "--dry-run").splitlines()
    assert told == [f"remove {tmp_path}{path}" for path in (UNIT_FILE, RULES_FILE, USERS_FILE)]
    assert set(tree(tmp_path)) == {UNIT_FILE, RULES_FILE, USERS_FILE, CONFIG_FILE}
    here = run("install-service", "--uninstall", "--dry-run").output
    assert "run systemctl daemon-reload" in here


@pytest.mark.parametrize(
    ("user", "words"),
    [
        ("root", "must not run as root"),
        ("Table", "not a valid user name"),
        ("a b", "not a valid user name"),
        ("", "not a valid user name"),
    ],
)
def test_a_user_that_can_not_be_is_refused(user: str, words: str, tmp_path: Path) -> None:
    result = run("install-service", "--prefix", str(tmp_path), "--user", user)
    assert result.exit_code == 2 and words in result.stderr
    assert tree(tmp_path) == {}


@needs_root
def test_who_is_not_root_is_told_so() -> None:
    from click.testing import CliRunner

    from firmware_host.cli import main

    with another_user():
        result = CliRunner().invoke(main, ["install-service"])
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "ligretto-table: only root may install a service: run it with sudo, or try --dry-run"
    ]


@pytest.mark.skipif(os.geteuid() != 0 or RUNS_SYSTEMD.is_dir(), reason="it would be done here")
def test_where_systemd_does_not_run_nothing_is_done() -> None:
    result = run("install-service")
    assert result.exit_code == 2 and "systemd is not running here" in result.stderr
    assert not Path(UNIT_FILE).exists()


def test_what_can_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("a file where a folder should be")
    result = run("install-service", "--prefix", str(tmp_path))
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1 and UNIT_FILE in result.stderr


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(NotInstallable, match="failed: it broke"):
        run_command(("sh", "-c", "echo it broke >&2; exit 3"))
    with pytest.raises(NotInstallable, match="failed: it ended with 3"):
        run_command(("sh", "-c", "exit 3"))
    with pytest.raises(NotInstallable, match="no udevadm-of-mars here"):
        run_command(("udevadm-of-mars",))


# -- an image whose links lead elsewhere


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The image of another machine; beside it is what must stay as it is."""
    for name in ("image", "outside/systemd/system", "outside/udev/rules.d"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "image"


@pytest.mark.parametrize(
    "target", ["{outside}", "../outside", "/../../../../{outside}", "a/../../../outside", "/usr/etc"]
)
def test_links_in_an_image_lead_to_where_its_machine_has_them(target: str, image: Path) -> None:
    outside = image.parent / "outside"
    (image / "etc").symlink_to(target.format(outside=outside))
    install(image)
    install(image)
    install(image, "--uninstall")
    assert list(tree(outside)) == []
    inside = [path for path in image.rglob("table.toml") if path.is_file()]
    assert len(inside) == 1 and load_config(inside[0]).config.profile.seats == 4


@pytest.mark.parametrize("folder", ["etc/systemd/system", "etc/udev", "etc/ligretto-table"])
def test_no_link_of_an_image_leads_out_of_it(folder: str, image: Path) -> None:
    outside = image.parent / "outside"
    (image / folder).parent.mkdir(parents=True)
    (image / folder).symlink_to(outside)
    install(image)
    assert list(tree(outside)) == []
    assert below(image, str(outside)).is_dir()


def test_no_file_that_is_a_link_leads_out_of_an_image(image: Path) -> None:
    secret = image.parent / "outside/secret"
    secret.write_text("mine")
    for name in (CONFIG_FILE, f"{UNIT_FILE}.bak"):
        link = below(image, name)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(secret)
    below(image, UNIT_FILE).write_text("[Service]\n")
    install(image)
    assert secret.read_text() == "mine"
    kept = below(image, f"{UNIT_FILE}.bak")
    assert not kept.is_symlink() and kept.read_text() == "[Service]\n"
    below(image, CONFIG_FILE).unlink()
    below(image, CONFIG_FILE).symlink_to(secret.parent / "new")
    install(image)
    install(image, "--uninstall")
    assert set(tree(secret.parent)) == {"/secret"}


def test_links_of_an_image_that_lead_in_a_circle_are_refused(image: Path) -> None:
    (image / "etc").symlink_to("/a")
    (image / "a").symlink_to("etc")
    result = run("install-service", "--prefix", str(image))
    assert result.exit_code == 2 and "links lead in a circle" in result.stderr


def test_a_prefix_that_means_this_machine_is_no_image(tmp_path: Path) -> None:
    (tmp_path / "root").symlink_to("/")
    words = ("install-service", "--dry-run", "--command", REACHABLE)
    told = run(*words, "--prefix", str(tmp_path / "root")).output
    assert "run systemctl daemon-reload" in told


# -- a dry run


@pytest.mark.parametrize("case", ["command", "masked", "a folder"])
def test_a_dry_run_refuses_before_it_shows_anything(case: str, tmp_path: Path) -> None:
    words = ["install-service", "--prefix", str(tmp_path)]
    if case == "command":
        words += ["--command", "/home/you/ligretto-table"]
    elif case == "masked":
        below(tmp_path, UNIT_FILE).parent.mkdir(parents=True)
        below(tmp_path, UNIT_FILE).symlink_to("/dev/null")
    else:
        below(tmp_path, USERS_FILE).mkdir(parents=True)
    real, dry = run(*words), run(*words, "--dry-run")
    assert (dry.exit_code, dry.stdout, dry.stderr) == (2, "", real.stderr)
    assert real.exit_code == 2 and real.stdout == "" and len(real.stderr.splitlines()) == 1
    assert tree(tmp_path) == {}


# -- the web process


def test_the_web_process_comes_only_if_it_is_wanted_and_goes_with_the_others(tmp_path: Path) -> None:
    install(tmp_path)
    assert WEB_UNIT_FILE not in tree(tmp_path)
    told = install(tmp_path, "--web", "lan", "--user", "table")
    files = tree(tmp_path)
    assert "--host 0.0.0.0 " in files[WEB_UNIT_FILE] and "SupplementaryGroups=table\n" in files[WEB_UNIT_FILE]
    assert "m ligretto-web table\n" in files[WEB_USERS_FILE]
    assert not [word for word in ("@host@", "@user@", "@command@", "@addresses@") if word in str(files)]
    assert f"  systemctl --root={tmp_path} enable ligretto-table-web.service" in told.splitlines()
    assert f"  systemd-sysusers --root={tmp_path} ligretto-table-web.conf" in told.splitlines()
    install(tmp_path, "--uninstall")
    assert set(tree(tmp_path)) == {CONFIG_FILE}


def test_a_dry_run_shows_the_commands_of_the_web_process() -> None:
    told = run("install-service", "--dry-run", "--command", REACHABLE, "--web", "local").output.splitlines()
    runs = [line for line in told if line.startswith("run ")]
    assert runs[-1] == "run systemctl restart ligretto-table-web.service"
    assert "run systemctl enable ligretto-table-web.service" in runs


ROOT = Path(__file__).parent.parent.parent


def test_the_files_are_those_of_the_checkout_and_the_page_for_operators_names_them() -> None:
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    assert [path for path in (*SHIPPED, CONFIG_FILE) if f"| `{path}` |" not in page] == []
    for name in SHIPPED.values():
        assert shipped(name) == (ROOT / "systemd" / name).read_text(encoding="utf-8"), name
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
