"""The units of the table and of its web process, as systemd itself sees them: what they may, and what not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from firmware_host.cli.install_service import Reach, SystemFile, system_files
from firmware_host.feed.addresses import UNIT, UNIT_FILE, WEB_UNIT, WEB_UNIT_FILE
from tests.systemd.tools import needs_analyze, put, rendered, run


def settings(text: str) -> dict[str, list[str]]:
    """What a unit sets, in the order in which it does."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


def complaints(path: Path) -> str:
    """What `systemd-analyze verify` has to say; nothing if all is well."""
    done = run("systemd-analyze", "verify", "--man=no", path)
    return done.stderr or ("" if done.returncode == 0 else f"it ended with {done.returncode}")


def web_file(path: str, reach: Reach = Reach.LOCAL) -> SystemFile:
    return next(file for file in system_files("/usr/bin/true", "ligretto", "", reach) if file.path == path)


DAEMON = pytest.param(rendered(UNIT_FILE), id="daemon")
WEB = [pytest.param(web_file(WEB_UNIT_FILE, reach), id=f"web, {reach.value}") for reach in Reach]


@needs_analyze
@pytest.mark.parametrize("file", [DAEMON, *WEB])
def test_systemd_has_nothing_to_say_against_it_but_would(file: SystemFile, tmp_path: Path) -> None:
    path = put(file, tmp_path)
    text = path.read_text()
    assert complaints(path) == ""
    for good, bad in (("Restart=on-failure", "Restart=always-and-again"), ("tcp:8080", "tcp:eighty")):
        path.write_text(text.replace(good, bad))
        assert good not in text or bad.rpartition("=")[2].rpartition(":")[2] in complaints(path)


@needs_analyze
def test_a_command_that_is_not_there_would_be_named(tmp_path: Path) -> None:
    assert "/opt/nothing-here" in complaints(put(rendered(UNIT_FILE, command="/opt/nothing-here"), tmp_path))


@needs_analyze
@pytest.mark.parametrize(("file", "most"), [(*DAEMON.values, 2.0), *((*each.values, 1.5) for each in WEB)])
def test_it_is_exposed_to_little(file: SystemFile, most: float, tmp_path: Path) -> None:
    done = run("systemd-analyze", "security", "--offline=true", "--no-pager", put(file, tmp_path))
    told = re.search(r"Overall exposure level for \S+ ([0-9.]+) ", done.stdout)
    assert told is not None, done.stderr
    assert float(told[1]) <= most


@needs_analyze
@pytest.mark.parametrize("file", [DAEMON, *WEB])
def test_it_has_no_rights_that_it_could_lose_and_the_web_no_device(file: SystemFile, tmp_path: Path) -> None:
    path = put(file, tmp_path)
    judged = json.loads(run("systemd-analyze", "security", "--offline=true", "--json=short", path).stdout)
    exposed = {each["name"] for each in judged if each["set"] is False}
    assert not {name for name in exposed if name.startswith("CapabilityBoundingSet=")}
    assert not {"User=/DynamicUser=", "NoNewPrivileges="} & exposed, "it is not root"
    assert file.path == UNIT_FILE or not {"PrivateDevices=", "ProtectSystem="} & exposed


@needs_analyze
@pytest.mark.parametrize(("unit", "path"), [(UNIT, UNIT_FILE), (WEB_UNIT, WEB_UNIT_FILE)])
def test_it_can_be_enabled(unit: str, path: str, tmp_path: Path) -> None:
    put(web_file(path), tmp_path)
    done = run("systemctl", f"--root={tmp_path}", "enable", unit)
    assert done.returncode == 0, done.stderr
    link = tmp_path / "etc/systemd/system/multi-user.target.wants" / unit
    assert link.is_symlink() and link.readlink() == Path(path)


def test_the_command_and_the_user_are_put_in() -> None:
    text = rendered(UNIT_FILE, "/opt/a+b/bin/ligretto-table", "table_1").text
    found = settings(text)
    assert found["ExecStart"] == ["/opt/a+b/bin/ligretto-table run --config /etc/ligretto-table/table.toml"]
    assert found["User"] == ["table_1"]
    assert "@" not in "".join(line for line in text.splitlines() if not line.startswith("SystemCallFilter="))


def test_adapters_that_are_plugged_in_later_are_let_in_by_number() -> None:
    # systemd looks names up when the service starts, and drops those that no loaded driver has.
    allowed = settings(rendered(UNIT_FILE).text)["DeviceAllow"]
    assert {"char-188 rw", "char-166 rw", "char-116 rw", "char-89 rw"} <= set(allowed)
    assert not [each for each in allowed if any(name in each for name in ("ttyUSB", "ttyACM", "i2c", "alsa"))]


@pytest.mark.parametrize("reach", Reach)
def test_the_web_is_another_user_than_the_table(reach: Reach) -> None:
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
