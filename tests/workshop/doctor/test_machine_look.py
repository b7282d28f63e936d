"""What the files of a machine say of it, of its user, and of its devices."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from firmware_host.workshop.doctor.system import System, look_at_devices, look_at_machine, look_at_user
from tests.another_user import another_user
from tests.workshop.doctor.tree import BUILD, KERNEL, Tree

THROTTLED = "/sys/devices/platform/soc/soc:firmware/get_throttled"
VOLTAGE = "/sys/class/hwmon/hwmon1"


def test_the_machine_is_read_from_its_files(tree: Tree) -> None:
    machine = look_at_machine(tree.system())
    assert machine.model == "Raspberry Pi 4 Model B Rev 1.4"
    assert (machine.kernel, machine.build, machine.realtime) == (KERNEL, BUILD, False)
    assert machine.clock_source == "arch_sys_counter"
    assert machine.clock_step_ns >= 1
    assert (machine.throttled, machine.undervolted) == (0, None)
    assert machine.python == ".".join(map(str, sys.version_info[:3]))
    assert machine.libraries["smbus2"]
    assert "RPi.GPIO" not in machine.libraries


def test_a_realtime_kernel_says_so(tree: Tree) -> None:
    tree.write("/sys/kernel/realtime", "1")
    assert look_at_machine(tree.system()).realtime


def test_an_empty_machine_knows_nothing_and_breaks_nothing(tmp_path: Path) -> None:
    system = System(root=tmp_path, run=lambda command: "")
    machine = look_at_machine(system)
    assert (machine.model, machine.kernel, machine.clock_source) == ("", "", "")
    assert (machine.throttled, machine.undervolted) == (None, None)
    assert look_at_user(system).name == f"uid {os.geteuid()}"
    assert look_at_devices(system, ["/dev/gpiochip0"]) == ()


@pytest.mark.parametrize(
    ("said", "file", "bits"),
    [
        ("throttled=0x50005\n", "0", 0x50005),  # some kernels' file is always 0
        ("", "50000", 0x50000),
        ("VCHI initialization failed", "80008", 0x80008),
        ("throttled=nonsense", "", None),
    ],
)
def test_the_firmwares_word_goes_before_the_kernels(
    tree: Tree, said: str, file: str, bits: int | None
) -> None:
    tree.throttled = said
    tree.write(THROTTLED, file)
    assert look_at_machine(tree.system()).throttled == bits


@pytest.mark.parametrize(("alarm", "weak"), [("1", True), ("0", False)])
def test_the_kernels_alarm_is_heard(tree: Tree, alarm: str, weak: bool) -> None:
    tree.write("/sys/class/hwmon/hwmon0/name", "cpu_thermal")
    tree.write(f"{VOLTAGE}/name", "rpi_volt")
    tree.write(f"{VOLTAGE}/in0_lcrit_alarm", alarm)
    assert look_at_machine(tree.system()).undervolted is weak


def test_commands_that_are_not_there_or_fail_say_nothing() -> None:
    run = System().run
    assert run(["no-such-command-anywhere"]) == ""
    assert run(["false"]) == ""
    assert run(["echo", "throttled=0x0"]) == "throttled=0x0\n"


def test_a_user_has_groups_now_and_groups_to_come(tree: Tree) -> None:
    tree.groups = {20, 4242}
    user = look_at_user(tree.system())
    assert (user.name, user.root) == ("anna", False)
    assert user.groups == {"dialout", "gid 4242"}
    assert user.enlisted == {"root", "dialout", "gpio", "i2c"}
    root = look_at_user(tree.system(ids=lambda: (0, frozenset({0}))))
    assert (root.name, root.root, root.enlisted) == ("root", True, frozenset())


def test_devices_have_groups_and_rights(tree: Tree) -> None:
    file = tree.path("/dev/gpiochip0")
    file.chmod(0o660)
    group = file.stat().st_gid
    tree.write("/etc/group", f"mine:x:{group}:")
    tree.closed.add("/dev/i2c-1")
    tree.write("/dev/i2c-1", "")
    chip, bus = look_at_devices(tree.system(), ["/dev/gpiochip0", "/dev/i2c-1", "/dev/none", "/dev/i2c-1"])
    assert (chip.path, chip.group, chip.mode, chip.openable) == ("/dev/gpiochip0", "mine", 0o660, True)
    assert not bus.openable


def test_rights_are_those_of_the_kernel(tmp_path: Path) -> None:
    """Root may do everything; so this asks as nobody, if it can."""
    file = tmp_path / "device"
    file.touch(mode=0o600)
    system = System()
    assert system.may_open(str(file))
    file.chmod(0o000)
    with another_user() if os.geteuid() == 0 else nullcontext():
        assert not system.may_open(str(file))


def test_this_machine_can_be_looked_at() -> None:
    system = System()
    machine, user = look_at_machine(system), look_at_user(system)
    assert machine.kernel == os.uname().release
    assert user.root == (os.geteuid() == 0)
