"""The users and groups, made by systemd in the tree of another machine, and the rules as udev reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cli.install_service import RULES_FILE, USERS_FILE, WEB_USERS_FILE, SystemFile
from firmware_host.feed.addresses import UNIT_FILE
from tests.systemd.test_unit import settings, web_file
from tests.systemd.tools import needs_sysusers, needs_udev_verify, put, rendered, run


def made(root: Path, user: str, *files: SystemFile) -> tuple[list[str], dict[str, list[str]]]:
    """The user's entry in passwd, and the members of all groups."""
    names = [put(file, root).name for file in files]
    done = run("systemd-sysusers", f"--root={root}", *names)
    assert done.returncode == 0, done.stderr
    people = [line.split(":") for line in (root / "etc/passwd").read_text().splitlines()]
    groups = [line.split(":") for line in (root / "etc/group").read_text().splitlines()]
    members = {group[0]: [name for name in group[3].split(",") if name] for group in groups}
    return next(entry for entry in people if entry[0] == user), members


@needs_sysusers
@pytest.mark.parametrize("user", ["ligretto", "table_1"])
def test_the_user_is_in_all_groups_that_the_unit_names(user: str, tmp_path: Path) -> None:
    entry, members = made(tmp_path, user, rendered(USERS_FILE, user=user))
    assert entry[5:] == ["/var/lib/ligretto-table", "/usr/sbin/nologin"]
    for group in settings(rendered(UNIT_FILE).text)["SupplementaryGroups"][0].split():
        assert members[group] == [user]


@needs_sysusers
def test_who_is_there_stays_as_he_is(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    before = "pi:x:1000:1000:,,,:/home/pi:/bin/bash"
    (tmp_path / "etc/passwd").write_text(before + "\n")
    (tmp_path / "etc/group").write_text("pi:x:1000:\ndialout:x:20:somebody\n")
    entry, members = made(tmp_path, "pi", rendered(USERS_FILE, user="pi"))
    assert entry == before.split(":")
    assert members["dialout"] == ["pi", "somebody"]


@needs_sysusers
def test_the_user_of_the_web_is_in_the_group_of_the_table_and_in_no_group_of_devices(tmp_path: Path) -> None:
    entry, members = made(
        tmp_path, "ligretto-web", *(web_file(path) for path in (USERS_FILE, WEB_USERS_FILE))
    )
    assert {group for group, people in members.items() if "ligretto-web" in people} == {"ligretto"}
    assert entry[6].endswith("nologin")


@needs_udev_verify
def test_udev_has_nothing_to_say_against_the_rules_but_would(tmp_path: Path) -> None:
    path = put(rendered(RULES_FILE), tmp_path)
    done = run("udevadm", "verify", "--resolve-names=late", path)
    assert done.returncode == 0, done.stdout + done.stderr
    path.write_text(path.read_text().replace('GOTO="ligretto_end"', 'GOTO="nowhere"'))
    assert run("udevadm", "verify", "--resolve-names=late", path).returncode != 0
