"""The user and the groups, made by systemd in the tree of another machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cli.install_service import USERS_FILE
from firmware_host.feed.addresses import UNIT_FILE
from tests.systemd.test_unit import settings
from tests.systemd.tools import needs_sysusers, put, rendered, run


def made(root: Path, user: str) -> tuple[list[str], dict[str, list[str]]]:
    """The user's entry in passwd, and the members of all groups."""
    put(rendered(USERS_FILE, user=user), root)
    done = run("systemd-sysusers", f"--root={root}", Path(USERS_FILE).name)
    assert done.returncode == 0, done.stderr
    people = [line.split(":") for line in (root / "etc/passwd").read_text().splitlines()]
    groups = [line.split(":") for line in (root / "etc/group").read_text().splitlines()]
    members = {group[0]: [name for name in group[3].split(",") if name] for group in groups}
    return next(entry for entry in people if entry[0] == user), members


@needs_sysusers
@pytest.mark.parametrize("user", ["ligretto", "table_1"])
def test_the_user_is_in_all_groups_that_the_unit_names(user: str, tmp_path: Path) -> None:
    entry, members = made(tmp_path, user)
    assert entry[5:] == ["/var/lib/ligretto-table", "/usr/sbin/nologin"]
    for group in settings(rendered(UNIT_FILE).text)["SupplementaryGroups"][0].split():
        assert members[group] == [user]


@needs_sysusers
def test_who_is_there_stays_as_he_is(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    before = "pi:x:1000:1000:,,,:/home/pi:/bin/bash"
    (tmp_path / "etc/passwd").write_text(before + "\n")
    (tmp_path / "etc/group").write_text("pi:x:1000:\ndialout:x:20:somebody\n")
    entry, members = made(tmp_path, "pi")
    assert entry == before.split(":")
    assert members["dialout"] == ["pi", "somebody"]
