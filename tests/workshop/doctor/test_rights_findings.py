"""Who may open what, and the command that makes it so."""

from __future__ import annotations

from firmware_host.workshop.doctor.findings import Finding, State, named
from firmware_host.workshop.doctor.machine_findings import DeviceFile, ServiceUser, User, judge_rights
from tests.workshop.doctor.finding import one, states

CHIP = DeviceFile(path="/dev/gpiochip0", group="gpio", mode=0o660, openable=False)
SERVICE = ServiceUser(user="ligretto")
BUS = DeviceFile(path="/dev/i2c-1", group="i2c", mode=0o660, openable=True)


def user(groups: set[str], enlisted: set[str] | None = None, root: bool = False) -> User:
    return User(
        name="table",
        root=root,
        groups=frozenset(groups),
        enlisted=frozenset(groups if enlisted is None else enlisted),
    )


def closed(who: User, *devices: DeviceFile) -> Finding:
    (finding,) = [each for each in judge_rights(who, devices, SERVICE) if each.state is State.FAIL]
    return finding


def test_a_user_who_may_open_all_is_told_so() -> None:
    found = states(judge_rights(user({"i2c"}), [BUS], SERVICE))
    assert found == {"user": State.OK, "devices": State.OK}


def test_without_devices_there_is_nothing_to_be_opened() -> None:
    assert states(judge_rights(user(set()), [], SERVICE)) == {"user": State.OK}


def test_root_is_no_measure() -> None:
    root = user({"root"}, root=True)
    finding = one(judge_rights(root, [BUS], SERVICE), "user")
    assert finding.state is State.NOTE
    assert "root" in finding.seen and "sudo -u ligretto " in finding.advice
    without = one(judge_rights(root, [BUS], ServiceUser(user="ligretto", there=False)), "user")
    assert "install-service" in without.advice and "sudo -u" not in without.advice


def test_a_missing_group_has_its_exact_command() -> None:
    finding = closed(user({"i2c"}), CHIP, BUS)
    assert finding.subject == "gpio"
    assert finding.seen == "/dev/gpiochip0 belongs to the group gpio, and table is not in it"
    assert finding.advice == "sudo usermod -aG gpio table, then log in again"


def test_a_group_that_came_after_the_login_needs_no_command() -> None:
    finding = closed(user({"i2c"}, {"i2c", "gpio"}), CHIP)
    assert "after this login" in finding.seen
    assert finding.advice.startswith("log in again")


def test_who_is_in_the_group_and_may_not_all_the_same_is_kept_from_it_by_something_else() -> None:
    assert "DeviceAllow" in closed(user({"gpio"}), CHIP).advice


def test_a_device_of_root_needs_a_rule() -> None:
    for path, kind in (("/dev/gpiochip0", "gpio"), ("/dev/i2c-1", "i2c"), ("/dev/ttyUSB0", "dialout")):
        device = DeviceFile(path=path, group="root", mode=0o600, openable=False)
        advice = closed(user(set()), device).advice
        assert f"sudo chgrp {kind} {path} && sudo chmod 660 {path}" in advice


def test_a_group_without_rights_helps_nobody() -> None:
    device = DeviceFile(path="/dev/i2c-1", group="i2c", mode=0o600, openable=False)
    assert "root only" in closed(user(set()), device).seen


def test_devices_of_one_group_are_told_together() -> None:
    ports = [
        DeviceFile(path=f"/dev/ttyUSB{n}", group="dialout", mode=0o660, openable=False) for n in range(6)
    ]
    finding = closed(user(set()), *ports)
    assert "/dev/ttyUSB0, /dev/ttyUSB1, /dev/ttyUSB2, /dev/ttyUSB3 and 2 more belongs" in finding.seen


def test_names_are_shortened_only_if_there_are_more() -> None:
    assert named(["a", "b"], 2) == "a, b"
    assert named(["a", "b", "c"], 2) == "a, b and 1 more"
