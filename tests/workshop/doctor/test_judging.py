"""What the doctor says of each thing that it may see: the whole text, case by case, as `findings.txt` has it.

A case is a thing that is fine, but for what its row says; of computers and disks only what differs from a
good one is shown. After a change that is meant, write the file anew:
`python -m tests.workshop.doctor.test_judging`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firmware_host.model.places import Card, Colour, DieFace
from firmware_host.model.times import MS
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import StoreConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.table_files import simulated_registry
from firmware_host.workshop.doctor.device_findings import (
    Bus,
    Contacts,
    Gpio,
    GpioChip,
    ReaderFacts,
    SerialPort,
    SignFacts,
    SoundFacts,
    judge_bus,
    judge_contacts,
    judge_gpio,
    judge_ports,
    judge_readers,
    judge_sign,
    judge_sound,
)
from firmware_host.workshop.doctor.findings import Finding
from firmware_host.workshop.doctor.machine_findings import (
    NEEDED,
    OF_DRIVER,
    DeviceFile,
    Disk,
    Machine,
    ServiceUser,
    User,
    judge_config,
    judge_disk,
    judge_libraries,
    judge_lost_edges,
    judge_machine,
    judge_rights,
    judge_tags,
    kernel_version,
    numbers,
)
from firmware_host.workshop.doctor.system import LIBRARIES
from tests.workshop.doctor.finding import CARDS, DICE, DIRECT, TAGGED, profile_with

ROOT = Path(__file__).parent.parent.parent.parent
TEXTS = Path(__file__).parent / "findings.txt"
Case = tuple[str, Iterable[Finding]]

# -- the computer

ALL = {library.name: library.at_least for library in (*NEEDED, *OF_DRIVER["gpiod"])}
BARE = {name: version for name, version in ALL.items() if name != "gpiod"}
PI = Machine(
    model="Raspberry Pi 4 Model B Rev 1.4",
    architecture="aarch64",
    kernel="6.12.34+rpt-rpi-v8",
    build="#1 SMP PREEMPT Debian 1:6.12.34-1+rpt1 (2026-06-26)",
    clock_source="arch_sys_counter",
    throttled=0,
    python="3.11.2",
    libraries=ALL,
)
OLD_RPI, NEW_RPI = {"RPi.GPIO": "0.7.1"}, {"rpi-lgpio": "0.6"}
MACHINES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("another computer", "gpiod", {"model": ""}),
    *(
        (f"kernel {kernel}", driver, {"kernel": kernel, "libraries": libraries})
        for kernel, driver, libraries in (
            *(("5.4.83-v7+", "gpiod", {}), ("5.4.83-v7+", "lgpio", {}), ("5.4.83-v7+", "rpigpio", OLD_RPI)),
            *(("5.10.1", "gpiod", {}), ("6.6.1", "rpigpio", OLD_RPI), ("6.6.1", "rpigpio", NEW_RPI)),
            ("strange", "gpiod", {}),
        )
    ),
    *(
        (f"build {build} {realtime}", "gpiod", {"build": build, "realtime": realtime})
        for build, realtime in (
            *(("#1 SMP PREEMPT_RT", False), ("#1 SMP", True), ("#1 SMP PREEMPT_DYNAMIC", False)),
            *(("#1 SMP PREEMPT", False), ("#1 SMP", False)),
        )
    ),
    ("a slow clock", "gpiod", {"clock_source": "jiffies"}),
    ("a coarse clock", "gpiod", {"clock_step_ns": 4_000_000}),
    ("an unknown clock", "gpiod", {"clock_source": ""}),
    *(
        (f"supply {bits} {weak}", "gpiod", {"throttled": bits, "undervolted": weak})
        for bits, weak in (
            *((None, None), (None, False), (None, True), (0, None), (0, True), (0x50005, None)),
            *((0x50000, None), (0x80008, None), (0x80000, None), (0x10000, None), (0x20001, None)),
        )
    ),
)
KERNELS = (
    ("6.12.34+rpt-rpi-v8", "#1 SMP PREEMPT Debian 1:6.12.34-1+rpt1 (2026-06-26)"),
    ("6.6.20+rpt-rpi-v7", "#1 SMP Raspbian 1:6.6.20-1+rpt1 (2024-03-07)"),
    ("6.1.0-rpi4-rpi-v8", "#1 SMP PREEMPT Debian 1:6.1.54-1+rpt2 (2023-10-05)"),
    ("6.1.21-v8+", "#1642 SMP PREEMPT Mon Apr  3 17:24:16 BST 2023"),
    ("5.10.17+", "#1421 Thu May 27 13:58:02 BST 2021"),
    ("6.1.40-v7l+", "#1700 SMP"),
    ("6.3.1-v8+", "#1650 SMP"),
    ("6.5.8-1-rpi-ARCH", "#1 SMP PREEMPT"),
    ("6.6.51-v8-16k+", "#1 SMP PREEMPT"),
    ("6.8.0-1013-raspi", "#15-Ubuntu SMP PREEMPT_DYNAMIC"),
    ("6.9.3+", "#1 SMP"),
    ("6.1.0-18-arm64", "#1 SMP Debian 6.1.76-1 (2024-02-01)"),
    ("6.12.9-200.fc41.aarch64", "#1 SMP"),
    ("", ""),
)
HEADER = GpioChip(path="/dev/gpiochip0", label="pinctrl-bcm2711", lines=58)
OTHER = GpioChip(path="/dev/gpiochip1", label="raspberrypi-exp-gpio", lines=8)
FREE = Gpio(chips=(HEADER, OTHER), wanted=("pinctrl-bcm2711",), chip=HEADER)
DRIVERS: tuple[tuple[str, dict[str, str]], ...] = (
    *(("gpiod", {}), ("gpiod", {"gpiod": "1.5.4"}), ("gpiod", {"gpiod": "2.5.0"}), ("lgpio", {})),
    *(("lgpio", {"lgpio": "0.2.2.0"}), ("rpigpio", {}), ("rpigpio", OLD_RPI), ("rpigpio", NEW_RPI)),
    *(("rpigpio", {"RPi.GPIO": "0.6.5"}), ("rpigpio", {"RPi.GPIO": "0.6.5"} | NEW_RPI), ("native", {})),
)
NEWER = (
    *(("gpiod", "armv7l"), ("gpiod", "aarch64"), ("lgpio", "armv6l"), ("lgpio", "aarch64")),
    ("rpigpio", "aarch64"),
)


def computers() -> Iterator[Case]:
    """Kernel, clock, supply, libraries."""
    good = list(judge_machine(PI, DICE))
    yield "a good Pi", good
    for name, driver, changes in MACHINES:
        findings = judge_machine(replace(PI, **changes), profile_with(DICE, driver=driver))
        yield f"{name}, {driver}", [each for each in findings if each not in good]
    yield "an old kernel without a profile", judge_machine(replace(PI, kernel="5.4"), None)
    for kernel, build in KERNELS:
        yield f"lost edges, {kernel}", judge_lost_edges(Machine(kernel=kernel, build=build), FREE)
    for chip in (None, replace(HEADER, label="pinctrl-rp1")):
        yield "no lost edges", judge_lost_edges(Machine(kernel="6.1.21-v8+"), Gpio(chip=chip))
    yield "all libraries", judge_libraries(PI, [DICE])
    for library in NEEDED:
        less = {name: version for name, version in ALL.items() if name != library.name}
        yield f"without {library.name}", judge_libraries(replace(PI, libraries=less), [DICE])
    old = replace(PI, libraries=ALL | {"pyserial": "3.4"})
    yield "an old pyserial", judge_libraries(old, [DICE])
    for driver, more in DRIVERS:
        machine, profile = replace(PI, libraries=BARE | more), profile_with(DICE, driver=driver)
        yield f"{driver} with {', '.join(more) or 'nothing'}", judge_libraries(machine, [profile])
    yield "two drivers", judge_libraries(PI, [DICE, profile_with(DICE, driver="lgpio")])
    small = replace(PI, libraries=BARE, architecture="armv7l")
    yield "a small Pi", judge_libraries(small, [DICE])
    yield "no profile", judge_libraries(replace(PI, libraries=BARE), [])
    for driver, architecture in NEWER:
        for more in ({}, {"gpiod": "1.5.4", "lgpio": "0.0.0.2"}):
            newer = replace(PI, libraries=BARE | more, architecture=architecture, python="3.13.5")
            profile = profile_with(DICE, driver=driver)
            yield f"Python 3.13, {driver}, {architecture}", judge_libraries(newer, [profile])


# -- rights, configuration, tags, disk

CHIP = DeviceFile(path="/dev/gpiochip0", group="gpio", mode=0o660, openable=False)
BUS = DeviceFile(path="/dev/i2c-1", group="i2c", mode=0o660, openable=True)
SERVICE, NOBODY = ServiceUser(user="ligretto"), ServiceUser(user="ligretto", there=False)
FINE = Disk(
    file="/var/lib/ligretto-table/table.db",
    folder="/var/lib/ligretto-table",
    there=True,
    owner="ligretto",
    for_its_owner=True,
    writable=True,
    free_bytes=10_000_000_000,
    sync_ns=(2 * MS, 3 * MS, 9 * MS),
    size_bytes=1_500_000,
    sqlite="3.46.1",
)
CLOSED = replace(FINE, writable=False, sync_ns=())


def user(name: str, *groups: str, later: tuple[str, ...] = ()) -> User:
    """A user who is in some groups, and in more after the next login."""
    return User(name=name, root=name == "root", groups=frozenset(groups), enlisted=frozenset(groups + later))


ANNA, DAEMON = user("anna"), user("ligretto")
DISKS: tuple[tuple[Disk, User, ServiceUser, str], ...] = (
    *(
        (replace(FINE, **changes), ANNA, SERVICE, "rounds")
        for changes in (
            *({"there": False}, {"free_bytes": 150_000_000}, {"free_bytes": 9_000_000}, {"sync_ns": ()}),
            *({"trouble": "Input/output error"}, {"size_bytes": None}, {"broken": "file is not a database"}),
            *({"sync_ns": (MS, MS, 900 * MS)}, {"sync_ns": (MS, MS, 1100 * MS)}),
            {"refused": "it is of version 3", "advice": "install a newer one"},
        )
    ),
    *((replace(FINE, sync_ns=(MS, MS, worst * MS)), ANNA, SERVICE, "verdicts") for worst in (50, 70)),
    (replace(FINE, there=False), ANNA, NOBODY, "rounds"),
    (replace(CLOSED, owner="root"), ANNA, NOBODY, "rounds"),
    (CLOSED, ANNA, SERVICE, "rounds"),
    (replace(CLOSED, owner="root"), ANNA, SERVICE, "rounds"),
    (replace(CLOSED, for_its_owner=False), ANNA, SERVICE, "rounds"),
    (CLOSED, DAEMON, SERVICE, "rounds"),
    (Disk(file=FINE.file, folder=FINE.folder, hidden=True), ANNA, SERVICE, "rounds"),
    (replace(CLOSED, read_only=True), DAEMON, SERVICE, "rounds"),
)


def places() -> Iterator[Case]:
    """Who may open what, the settings, the tags, and where the store is."""
    closed = [replace(CHIP, path=f"/dev/ttyUSB{n}", group="dialout") for n in range(6)]
    of_root = [
        replace(CHIP, path=path, group="root") for path in ("/dev/gpiochip0", "/dev/i2c-1", "/dev/ttyUSB0")
    ]
    for name, who, devices, service in (
        ("may open all", user("table", "i2c"), [BUS], SERVICE),
        ("no devices", user("table"), [], SERVICE),
        ("root", user("root", "root"), [BUS], SERVICE),
        ("root without a service", user("root", "root"), [BUS], NOBODY),
        ("a missing group", user("table", "i2c"), [CHIP, BUS], SERVICE),
        ("a group after the login", user("table", "i2c", later=("gpio",)), [CHIP], SERVICE),
        ("in the group, and kept out", user("table", "gpio"), [CHIP], SERVICE),
        *((f"of root: {each.path}", user("table"), [replace(each, mode=0o600)], SERVICE) for each in of_root),
        ("a group without rights", user("table"), [replace(BUS, mode=0o600, openable=False)], SERVICE),
        ("six of a group", user("table"), closed, SERVICE),
    ):
        yield f"rights: {name}", judge_rights(who, devices, service)
    good = list(judge_disk(FINE, StoreConfig(), ANNA, SERVICE))
    yield "a good disk", good
    for number, (disk, who, service, sync) in enumerate(DISKS):
        findings = judge_disk(disk, StoreConfig(sync=sync), who, service)
        yield f"disk {number}", [each for each in findings if each not in good]
    for faults in ([], ["one", "two"]):
        yield "configuration", judge_config("table.toml", faults)
    cards, dice, seats = simulated_registry(CARDS), simulated_registry(TAGGED), (1, 2, 3, 4)
    lacking = {Card(3, Colour.RED, 7), Card(3, Colour.BLUE, 1), Card(4, Colour.GREEN, 2), DieFace(8, 3)}
    few_cards, few_dice = (
        Registry({uid: tag for uid, tag in whole.items() if tag not in lacking}) for whole in (cards, dice)
    )
    both = Registry({**cards, **dice})
    for name, registry, profiles, open_seats in (
        ("all cards", cards, [CARDS], seats),
        ("all dice", dice, [TAGGED], seats),
        ("no readers", Registry({}), [DICE], seats),
        ("none", Registry({}), [CARDS], seats),
        ("few cards", few_cards, [CARDS], (1, 2, 3)),
        ("few cards, any seat", few_cards, [CARDS], ()),
        ("few dice", few_dice, [TAGGED], seats),
        ("only cards for two games", cards, [CARDS, TAGGED], ()),
        ("none for two games", Registry({}), [CARDS, TAGGED], ()),
        ("all for two games", both, [CARDS, TAGGED], ()),
        ("one game reads", cards, [DICE, CARDS], ()),
    ):
        yield f"tags: {name}", judge_tags(registry, profiles, open_seats)


# -- devices


def held(**users: str) -> Gpio:
    """Lines that somebody holds."""
    return replace(FREE, users={int(name.removeprefix("line")): who for name, who in users.items()})


def bus(profile: Profile, *answered: int, **others: Any) -> Iterable[Finding]:
    """What is said of a bus where these addresses answer."""
    whole: dict[str, Any] = {"adapter": True, "driver": True, "device": True} | others
    return judge_bus(Bus(number=1, answered=frozenset(answered), **whole), profile)


BY_ID = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A1-if00-port0"
BY_PATH = "/dev/serial/by-path/platform-fd500000.pcie-usb-0:1.1:1.0-port0"
ADAPTER = SerialPort(path="/dev/ttyUSB0", by_id=BY_ID, by_path=BY_PATH)
TWIN = SerialPort(path="/dev/ttyUSB1", by_path=f"{BY_PATH}2", ours=("/dev/ligretto/port-1-1.2",))
SOCKET, NUMBER = "/dev/ligretto/port-1-1.1", "/dev/ligretto/serial-A1"
NAMED = replace(ADAPTER, ours=(SOCKET, NUMBER))
PORT = SerialPort(path="/dev/serial0")
USB = "plughw:CARD=Device (USB-Audio - USB Audio Device)"


def used(port: SerialPort, *written: str, name: str = "pad-1") -> SerialPort:
    """A port that a device is wired to, by this name."""
    return replace(port, used=tuple((name, each) for each in written))


def lines() -> Iterator[Case]:
    """GPIO and the bus."""
    old, small = replace(HEADER, events=False), replace(HEADER, lines=19)
    wanted = FREE.wanted
    for name, gpio, profile in (
        ("free", FREE, DICE),
        ("free, no profile", FREE, None),
        ("no chips", Gpio(wanted=("pinctrl-rp1",)), DICE),
        ("another chip", Gpio(chips=(OTHER,), wanted=("pinctrl-rp1", "pinctrl-bcm2711")), DICE),
        ("closed", Gpio(closed=("/dev/gpiochip0",), wanted=("pinctrl-rp1",)), DICE),
        ("old interface", Gpio(chips=(old,), wanted=wanted, chip=old), DICE),
        ("few lines", Gpio(chips=(small,), wanted=wanted, chip=small), DICE),
        ("a table runs", held(line5="ligretto-table", line17="ligretto-table"), DICE),
        ("others hold lines", held(line13="spi0 CS0", line6="", line12="sysfs", line16="sysfs"), DICE),
    ):
        yield f"gpio: {name}", judge_gpio(gpio, profile)
    low = {DIRECT.line_of(each) for each in DIRECT.lines.values() if str(each) in ("seat 2", "red 3")}
    levels = dict.fromkeys(DIRECT.direct_lines, True)
    yield "contacts at rest", judge_contacts(Contacts(levels=levels), DIRECT)
    yield "active", judge_contacts(Contacts(levels=levels | dict.fromkeys(low, False)), DIRECT)
    yield "contacts that can't be had", judge_contacts(Contacts(seen="held", advice="stop it"), DIRECT)
    yield "no stamps", judge_contacts(Contacts(levels={5: True}, reported=(("no stamps", "gpiod"),)), DICE)
    every, banks = (0x20, 0x21, 0x70), profile_with(DICE, led_chips=())
    lamps = [chip.address for chip in CARDS.led_chips]
    yield "all chips", bus(DICE, *every)
    for clock in (100_000, 400_000, 0):
        yield f"bus at {clock} Hz", bus(DICE, *every, clock_hz=clock)
    yield "a slow bus for lamps", bus(CARDS, *lamps, clock_hz=100_000)
    yield "no chips needed", judge_bus(Bus(number=1), profile_with(DIRECT, banks=(), led_chips=()))
    for adapter, driver in ((False, False), (True, False), (True, True)):
        yield f"no bus {adapter} {driver}", bus(DICE, device=False, adapter=adapter, driver=driver)
    yield "the bus hangs", bus(DICE, seen="the bus hangs", advice="look for shorts")
    yield "nobody answers", bus(DICE)
    yield "everybody answers", bus(DICE, *range(0x08, 0x78))
    yield "a missing expander", bus(DICE, 0x20, 0x70)
    yield "a missing LED chip", bus(DICE, 0x20, 0x21)
    yield "another address", bus(CARDS, 0x71, 0x73)
    yield "another address of an expander", bus(DICE, 0x21, 0x27, 0x70)
    yield "claimed addresses", bus(DICE, 0x20, 0x21, claimed=frozenset({0x70, 0x68}))
    for stray in (0x70, 0x73, 0x22, 0x3C):
        yield f"a stray at {stray:#x}", bus(banks, 0x20, 0x21, stray)
    strays = Bus(number=1, device=True, answered=frozenset({0x20, 0x21, 0x22}), claimed=frozenset({0x23}))
    yield "chips of another game", judge_bus(strays, banks, {0x22, 0x23})


def ports() -> Iterator[Case]:
    """Serial ports, readers, sign and sound."""
    for name, those in (
        ("none", ()),
        ("by id", (used(ADAPTER, BY_ID),)),
        ("by path", (used(ADAPTER, BY_PATH),)),
        ("of the header", (used(PORT, "/dev/serial0", name="scoreboard"),)),
        ("two devices", (replace(ADAPTER, used=(("pad-1", BY_ID), ("scoreboard", BY_PATH))),)),
        ("one device for two games", (used(ADAPTER, BY_ID, BY_PATH),)),
        ("by number", (used(ADAPTER, "/dev/ttyUSB0"),)),
        ("unused", (ADAPTER, SerialPort(path="/dev/ttyAMA0"))),
        ("unused twins", (ADAPTER, replace(TWIN, ours=()))),
        ("own names", (NAMED,)),
        ("own names of twins", (NAMED, TWIN)),
        *((f"as {written}", (used(NAMED, written),)) for written in (SOCKET, NUMBER, BY_ID)),
    ):
        yield f"ports: {name}", judge_ports(those)
    fine = ReaderFacts(name="pad-1", port=BY_ID, there=True, firmware="PN532 1.6")
    silent = replace(fine, firmware="", seen="does not answer", advice="set it to HSU")
    away = [replace(silent, name=f"pad-{n}", port=f"/dev/ttyUSB{n}", there=False) for n in (1, 2)]
    for name, readers, there in (
        ("answers", [fine], []),
        ("is silent", [silent], [ADAPTER]),
        ("is away", away[:1], [used(ADAPTER, BY_ID)]),
        ("is away, no port", away[:1], []),
        ("two are away", away, [ADAPTER]),
        ("four are silent", [replace(silent, name=f"pad-{n}") for n in range(4)], [ADAPTER]),
        ("six are silent", [replace(silent, name=f"pad-{n}") for n in range(6)], [ADAPTER]),
    ):
        yield f"readers: {name}", judge_readers(readers, there)
    page = ("12345678901234567890", "Ligretto aouen ^o#* |")
    sign = SignFacts(port=BY_ID, kind="cd5220", line="9600 8N1", there=True, page=page)
    busy = replace(sign, seen="is used by another program", advice="end it")
    for name, one in (
        *(("shown", sign), ("none", SignFacts(port="", kind="text"))),
        *(("busy", busy), ("away", replace(busy, there=False))),
    ):
        yield f"sign: {name}", [judge_sign(one, [ADAPTER])]
    card = SoundFacts(device="plughw:1", cards=(USB,), ahead_ns=12 * MS)
    fails = partial(replace, card)
    for name, sound in (
        *(("plays", card), ("how late is not known", fails(ahead_ns=0)), ("late", fails(ahead_ns=106 * MS))),
        *(("unwanted", SoundFacts(card="none")), ("no card", SoundFacts()), ("a monitor", fails(device=""))),
        *(("no player", fails(installed=False)), ("not permitted", fails(complaint="Permission denied"))),
        *(("busy", fails(complaint="Device or resource busy")), ("gone", fails(complaint="No such device"))),
        ("no other card", fails(complaint="No such device", cards=())),
    ):
        yield f"sound: {name}", [judge_sound(sound)]


def told() -> dict[str, str]:
    """What is said in each case."""
    found: dict[str, str] = {}
    for name, findings in (*computers(), *places(), *lines(), *ports()):
        own, number = name, 1
        while own in found:
            number += 1
            own = f"{name} ({number})"
        found[own] = "".join(
            f"{each.state.value} {each.area.value} {each.subject}: {each.seen}"
            f"{f' -> {each.advice}' if each.advice else ''}\n"
            for each in findings
        )
    return found


def written(cases: dict[str, str]) -> str:
    """The text of the file."""
    return "\n".join(f"# {name}\n{text}" for name, text in cases.items())


def test_each_case_has_its_text() -> None:
    assert written(told()).split("\n") == TEXTS.read_text("utf-8").split("\n")


@pytest.mark.parametrize("users", [{}, {5: "spi"}])
def test_a_table_is_at_work_only_if_it_holds_a_line(users: dict[int, str]) -> None:
    assert not Gpio(users=users).ours
    assert Gpio(users=users | {6: "ligretto-table"}).ours


@pytest.mark.parametrize(
    ("release", "version"),
    [("6.12.34+rpt-rpi-v8", (6, 12)), ("5.10", (5, 10)), ("", None), ("linux-6.1", None)],
)
def test_kernels_are_told_by_two_numbers(release: str, version: tuple[int, int] | None) -> None:
    assert kernel_version(release) == version


def test_versions_are_compared_by_their_numbers() -> None:
    assert numbers("2.0.1.post3") > numbers("2.0.1.post2") > numbers("2.0.1")
    assert numbers("0.10") > numbers("0.9")


def test_the_table_of_libraries_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["lgpio"]]
    wanted += project["optional-dependencies"]["rpi-gpio"]
    package = dict(re.split(r"[>=]=", each.split(";")[0].strip()) for each in wanted)
    known = {
        each.name: each.at_least
        for each in (*NEEDED, *(one for those in OF_DRIVER.values() for one in those))
    }
    assert known.pop("rpi-lgpio")  # a stand-in for RPi.GPIO; the package asks for neither
    assert known == package
    assert set(known) < set(LIBRARIES)


if __name__ == "__main__":
    TEXTS.write_text(written(told()), "utf-8")
