"""The unit and the user of the web process: what it may, and what it may not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from firmware_host.cli.install_service import USERS_FILE, WEB_USERS_FILE, Reach, SystemFile, system_files
from firmware_host.feed.addresses import UNIT_FILE, WEB_UNIT, WEB_UNIT_FILE
from tests.systemd.test_unit import complaints, settings
from tests.systemd.tools import needs_analyze, needs_sysusers, put, run

MOST_EXPOSURE = 1.5


def web_file(path: str, reach: Reach = Reach.LOCAL, command: str = "/usr/bin/true") -> SystemFile:
    return next(file for file in system_files(command, "ligretto", "", reach) if file.path == path)


@needs_analyze
@pytest.mark.parametrize("reach", Reach)
def test_systemd_has_nothing_to_say_against_it(reach: Reach, tmp_path: Path) -> None:
    path = put(web_file(WEB_UNIT_FILE, reach), tmp_path)
    assert complaints(path) == ""
    path.write_text(path.read_text().replace("SocketBindAllow=tcp:8080", "SocketBindAllow=tcp:eighty"))
    assert "eighty" in complaints(path)


@needs_analyze
@pytest.mark.parametrize("reach", Reach)
def test_it_is_exposed_to_little(reach: Reach, tmp_path: Path) -> None:
    path = put(web_file(WEB_UNIT_FILE, reach), tmp_path)
    done = run("systemd-analyze", "security", "--offline=true", "--no-pager", path)
    told = re.search(r"Overall exposure level for \S+ ([0-9.]+) ", done.stdout)
    assert told is not None, done.stderr
    assert float(told[1]) <= MOST_EXPOSURE


@needs_analyze
def test_it_has_no_device_and_no_right_of_root(tmp_path: Path) -> None:
    path = put(web_file(WEB_UNIT_FILE, Reach.LAN), tmp_path)
    judged = json.loads(run("systemd-analyze", "security", "--offline=true", "--json=short", path).stdout)
    exposed = {each["name"] for each in judged if each["set"] is False}
    assert not {name for name in exposed if name.startswith("CapabilityBoundingSet=")}
    assert not {"User=/DynamicUser=", "NoNewPrivileges=", "PrivateDevices=", "ProtectSystem="} & exposed


@needs_analyze
def test_it_can_be_enabled(tmp_path: Path) -> None:
    put(web_file(WEB_UNIT_FILE), tmp_path)
    done = run("systemctl", f"--root={tmp_path}", "enable", WEB_UNIT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("reach", Reach)
def test_it_is_another_user_than_the_table(reach: Reach) -> None:
    web, daemon = settings(web_file(WEB_UNIT_FILE, reach).text), settings(web_file(UNIT_FILE, reach).text)
    assert web["User"] != daemon["User"]
    assert web["SupplementaryGroups"] == daemon["User"]  # for tell.sock, which is of that group
    assert "DeviceAllow" not in web and web["DevicePolicy"] == ["closed"]
    assert web["SocketBindDeny"] == ["any"] and web["SocketBindAllow"] == ["tcp:8080"]
    assert "--port 8080" in web["ExecStart"][0]


def test_only_this_machine_gets_through_unless_the_network_is_wanted() -> None:
    local, lan = (settings(web_file(WEB_UNIT_FILE, reach).text) for reach in Reach)
    assert local["IPAddressDeny"] == lan["IPAddressDeny"] == ["any"]
    assert local["IPAddressAllow"] == ["localhost"] and "--host 127.0.0.1 " in local["ExecStart"][0]
    assert "192.168.0.0/16" in lan["IPAddressAllow"][0] and "--host 0.0.0.0 " in lan["ExecStart"][0]
    assert "0.0.0.0/0" not in lan["IPAddressAllow"][0] and "any" not in lan["IPAddressAllow"][0]


@needs_sysusers
def test_its_user_is_in_the_group_of_the_table_and_in_no_group_of_devices(tmp_path: Path) -> None:
    files = [put(web_file(path), tmp_path).name for path in (USERS_FILE, WEB_USERS_FILE)]
    done = run("systemd-sysusers", f"--root={tmp_path}", *files)
    assert done.returncode == 0, done.stderr
    groups = [line.split(":") for line in (tmp_path / "etc/group").read_text().splitlines()]
    of = {group[0] for group in groups if "ligretto-web" in group[3].split(",")}
    assert of == {"ligretto"}
    people = [line.split(":") for line in (tmp_path / "etc/passwd").read_text().splitlines()]
    assert next(each for each in people if each[0] == "ligretto-web")[6].endswith("nologin")
