"""The emulator: QEMU of Debian 13, unpacked in the cache, so that the rig runs the same one everywhere.

The guest's clock goes by the instructions that it executes. A host that is busy makes the guest slower, but
nothing that it could measure. Emulators before 8.1 let one of two processors starve in this mode.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.kernel.packages import Archive, kept, own_architecture

SUITE = "trixie"
NANOSECONDS = 1
"""An instruction lasts two to the power of this."""


class Processor(NamedTuple):
    """A kind of processor that can be emulated."""

    name: str
    debian: str
    linux: str
    machine: tuple[str, ...]
    boot: str
    package: str
    compiler_package: str

    @property
    def cross(self) -> str:
        """What the names of its compiler and linker begin with here."""
        return "" if self.name == platform.machine() else f"{self.name}-linux-gnu-"


X86 = Processor(
    name="x86_64",
    debian="amd64",
    linux="x86",
    machine=("-cpu", "max", "-M", "q35"),
    boot="console=ttyS0 tsc=reliable",
    package="qemu-system-x86",
    compiler_package="gcc",
)

ARM = Processor(
    name="aarch64",
    debian="arm64",
    linux="arm64",
    machine=("-cpu", "cortex-a72", "-M", "virt"),
    boot="console=ttyAMA0 initcall_blacklist=pl061_gpio_driver_init",
    package="qemu-system-arm",
    compiler_package="gcc-aarch64-linux-gnu",
)
PROCESSORS = {each.name: each for each in (X86, ARM)}


class Emulator(NamedTuple):
    """How it is started."""

    loader: list[str]
    """Starts programs of Debian 13 on this machine, which may be an older one."""
    command: list[str]


def fetched_emulator(processor: Processor, tell: Callable[[str], None]) -> Emulator:
    """What emulates this processor, fetched now if it is not there yet."""

    def make(work: Path, tree: Path) -> None:
        tell(f"fetching {processor.package} from Debian's {SUITE} (once) ...")
        Archive(work, own_architecture(), [SUITE]).fetch_with_needs([processor.package], tree)

    usr = kept(processor.package, SUITE, make) / "usr"
    (linker,) = usr.glob("lib/*/ld-linux-*.so.*")
    loader = [str(linker), "--library-path", str(linker.parent)]
    firmware = (usr / "share/qemu", usr / "share/seabios", usr / "lib/ipxe/qemu")
    command = [
        *(*loader, str(usr / "bin" / f"qemu-system-{processor.name}")),
        *(word for folder in firmware for word in ("-L", str(folder))),
        *(*processor.machine, "-smp", "2", "-m", "1024"),
        *("-accel", "tcg", "-icount", f"shift={NANOSECONDS}"),
        *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"),
    ]
    return Emulator(loader, command)
