"""The unit, as systemd itself sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from firmware_host.feed.addresses import UNIT, UNIT_FILE
from tests.systemd.tools import needs_analyze, put, rendered, run

MOST_EXPOSURE = 2.0


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


@needs_analyze
def test_systemd_has_nothing_to_say_against_it(tmp_path: Path) -> None:
    assert complaints(put(rendered(UNIT_FILE), tmp_path)) == ""


@needs_analyze
def test_it_would_say_something(tmp_path: Path) -> None:
    path = put(rendered(UNIT_FILE), tmp_path)
    path.write_text(path.read_text().replace("Restart=on-failure", "Restart=always-and-again"))
    assert "always-and-again" in complaints(path)
    put(rendered(UNIT_FILE, command="/opt/nothing-here"), tmp_path)
    assert "/opt/nothing-here" in complaints(path)


@needs_analyze
def test_it_is_exposed_to_little(tmp_path: Path) -> None:
    path = put(rendered(UNIT_FILE), tmp_path)
    done = run("systemd-analyze", "security", "--offline=true", "--no-pager", path)
    told = re.search(r"Overall exposure level for \S+ ([0-9.]+) ", done.stdout)
    assert told is not None, done.stderr
    assert float(told[1]) <= MOST_EXPOSURE


@needs_analyze
def test_it_has_no_rights_that_it_could_lose(tmp_path: Path) -> None:
    path = put(rendered(UNIT_FILE), tmp_path)
    judged = json.loads(run("systemd-analyze", "security", "--offline=true", "--json=short", path).stdout)
    exposed = {each["name"] for each in judged if each["set"] is False}
    assert "User=/DynamicUser=" not in exposed, "it is not root"
    assert not {name for name in exposed if name.startswith("CapabilityBoundingSet=")}
    assert "NoNewPrivileges=" not in exposed


@needs_analyze
def test_it_can_be_enabled(tmp_path: Path) -> None:
    put(rendered(UNIT_FILE), tmp_path)
    done = run("systemctl", f"--root={tmp_path}", "enable", UNIT)
    assert done.returncode == 0, done.stderr
    link = tmp_path / "etc/systemd/system/multi-user.target.wants" / UNIT
    assert link.is_symlink() and link.readlink() == Path(UNIT_FILE)


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
