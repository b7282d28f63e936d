"""A machine made of files, with simulated chips and pseudo-terminals where its devices are."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware_host.lab.chips_table import SimulatedSite
from firmware_host.profile.profile import Profile
from firmware_host.run.devices import InputLines
from firmware_host.run.equipment import HealthBox
from firmware_host.workshop.doctor.system import System
from hw.gpio.gpio_chips import ChipInfo, NoSuchChip, NotPermitted
from hw.ports import Health
from hw.serial_port import SerialEnd
from hw.sim.agenda import Agenda
from hw.sim.cable import PtyPeer
from hw.sim.i2c_bus import ChipModel, SimI2cBus
from hw.sim.pn532 import Pn532Model
from hw.work import OwnerThread
from tests.hw.uart.pty_bench import wait_until

GROUPS = {"root": 0, "dialout": 20, "gpio": 986, "i2c": 994}
KERNEL, BUILD = "6.12.34+rpt-rpi-v8", "#1 SMP PREEMPT Debian 1:6.12.34-1+rpt1"


class Tree:
    """A Pi on which everything is as it should be, until somebody changes it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.chips: dict[str, ChipInfo] = {}
        self.users: dict[int, str] = {}
        self.closed: set[str] = set()
        self.old_interface = False
        self.groups = set(GROUPS.values()) - {0}
        self.throttled = "throttled=0x0\n"
        self.bus = SimI2cBus({})
        self.low: set[int] = set()
        self.played: list[bytes] = []
        self.player_says: str | None = "  rate : 48000\n  buffer_size  : 384\n  period_size  : 192\n"
        self._ends = ExitStack()
        self.write("/proc/sys/kernel/osrelease", KERNEL)
        self.write("/proc/sys/kernel/version", BUILD)
        self.write("/proc/sys/kernel/hostname", "kitchen-pi")
        self.write("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        self.write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "arch_sys_counter")
        self.write(
            "/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nanna:x:1000:1000:Anna Muster,,,:/home/anna:/bin/sh"
        )
        self.write("/etc/group", "\n".join(f"{name}:x:{number}:anna" for name, number in GROUPS.items()))
        self.chip("/dev/gpiochip0", "pinctrl-bcm2711", 58)

    # -- what is there

    def write(self, path: str, text: str) -> Path:
        """A file of that machine."""
        file = self.path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", encoding="utf-8")
        return file

    def remove(self, path: str) -> None:
        self.path(path).unlink()

    def path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def chip(self, path: str, label: str, lines: int) -> None:
        """A GPIO chip."""
        self.write(path, "")
        self.chips[path] = ChipInfo(path, label, lines)

    def i2c(self, chips: dict[int, ChipModel], number: int = 1) -> SimI2cBus:
        """A bus with chips."""
        self.write(f"/sys/bus/i2c/devices/i2c-{number}/name", "bcm2835")
        self.write("/sys/module/i2c_dev/refcnt", "0")
        self.write(f"/dev/i2c-{number}", "")
        self.bus = SimI2cBus(chips)
        return self.bus

    def plug(self, path: str, far_end: SerialEnd, by_id: str = "", by_path: str = "") -> PtyPeer:
        """A device at a serial port."""
        link = self.path(path)
        link.parent.mkdir(parents=True, exist_ok=True)
        peer = PtyPeer(far_end, link, path)
        told: list[Health] = []
        self._ends.callback(OwnerThread(peer, told.append).close)
        wait_until(link.exists)
        for folder, name in (("by-id", by_id), ("by-path", by_path)):
            if name:
                lasting = self.path(f"/dev/serial/{folder}/{name}")
                lasting.parent.mkdir(parents=True, exist_ok=True)
                lasting.symlink_to(f"../../{link.name}")
        return peer

    def sound_card(self) -> None:
        """A sound card in a USB socket."""
        self.write("/proc/asound/cards", " 1 [Device         ]: USB-Audio - USB Audio Device\n    C-Media")
        self.write("/proc/asound/pcm", "01-00: USB Audio : USB Audio : playback 1 : capture 1")

    def close(self) -> None:
        self._ends.close()

    # -- as the doctor sees it

    def system(self, **changes: Any) -> System:
        """This machine, for a user in all groups."""
        system = System(
            root=self.root,
            ids=lambda: (1000, frozenset(self.groups)),
            may_open=self._may_open,
            look_at=self._look_at,
            line_user=self._line_user,
            open_bus=self._open_bus,
            run=self._run,
            play=self._play,
            site=self._site,
        )
        return replace(system, **changes)

    def _named(self, path: str) -> str:
        return f"/{os.path.relpath(path, self.root)}"

    def _play(self, command: Sequence[str], samples: bytes) -> str | None:
        """What `aplay` says on a good card."""
        self.played.append(samples)
        return self.player_says

    def _may_open(self, path: str) -> bool:
        return self._named(path) not in self.closed

    def _look_at(self, path: str) -> ChipInfo:
        named = self._named(path)
        if named in self.closed:
            raise NotPermitted(f"this user may not open {named}", "join the group gpio")
        if named not in self.chips:
            raise NoSuchChip(f"{named} is not a GPIO chip", "name another")
        return self.chips[named]._replace(path=path)

    def _line_user(self, chip: ChipInfo, line: int) -> str | None:
        if self.old_interface:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return self.users.get(line)

    def _open_bus(self, path: str) -> Any:
        assert Path(path).exists()
        return self.bus.open()

    def _run(self, command: Sequence[str]) -> str:
        return self.throttled if list(command) == ["vcgencmd", "get_throttled"] else ""

    def _site(self, profile: Profile, health: HealthBox) -> Borrowed:
        return Borrowed(profile, health, self.low)


class Borrowed(SimulatedSite):
    """Simulated lines that are let go; those in `low` are pulled down from outside."""

    def __init__(self, profile: Profile, health: HealthBox, low: Iterable[int] = ()) -> None:
        super().__init__(profile, Agenda(), health, 100_000)
        self.open_ones: list[InputLines] = []
        self._low = tuple(low)

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def inputs(self, name: str, lines: Iterable[int]) -> InputLines:
        opened = super().inputs(name, lines)
        for line in self._low:  # a mock pin forgets who drives it when it becomes an input
            self.pins.pin(f"GPIO{line}").drive_low()
        self.open_ones.append(opened)
        return opened

    def close(self) -> None:
        while self.open_ones:
            self.open_ones.pop().close()


def reader(**changes: object) -> Pn532Model:
    """A reader of tags for the end of a port."""
    model = Pn532Model(time.monotonic_ns)
    for name, value in changes.items():
        setattr(model, name, value)
    return model
