"""The kernel of the rig: Debian's own, with its simulators of GPIO chips and of an I2C bus.

It is fetched once and kept outside the checkout. Kernels since 7 have what is needed, so that nothing is
compiled on x86. What another kernel lacks is compiled once, from its source and against its headers.
"""

from __future__ import annotations

import lzma
import os
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.kernel.emulator import Processor
from tests.kernel.packages import (
    Archive,
    FetchFailed,
    ProgramsMissing,
    checked,
    kept,
    own_architecture,
    own_release,
)

BACKPORTS = "-backports"
SUITE = f"trixie{BACKPORTS}"
LOADED = ("virtio_pci", "9p", "9pnet_virtio", "gpio-sim", "i2c-dev")
"""What the guest loads before anything else; its tests load i2c-stub."""
SOURCES = {
    "gpio-sim": "drivers/gpio/gpio-sim.c",
    "i2c-stub": "drivers/i2c/i2c-stub.c",
    "irq_sim": "kernel/irq/irq_sim.c",
}
"""Where the source is of what some kernels lack."""
START = """\
#!/bin/busybox sh
for module in {modules}; do /bin/busybox insmod /$module; done
/bin/busybox mount -t devtmpfs dev /dev
options=ro,trans=virtio,version=9p2000.L,cache=loose,msize=262144
/bin/busybox mount -t 9p -o $options root /root
[ -z "$2" ] || /bin/busybox mount -t 9p -o $options checkout "/root$2"
/bin/busybox mount --move /dev /root/dev
exec /bin/busybox switch_root /root /bin/sh "$1"
"""
"""The first program of the guest: it runs a script on the root that the host shares with it, and mounts the
checkout there if that is not in it."""
SIGNED = b"~Module signature appended~\n"
SIGNATURE_END = 12
"""So many bytes come between a signature and those words; the last four are its length."""
RECIPE = 2
"""To be raised if the folder would be filled with something else."""

Tell = Callable[[str], None]


class Kernel(NamedTuple):
    """A kernel and its modules, in a folder of their own."""

    folder: Path
    processor: Processor

    @property
    def image(self) -> Path:
        return self.folder / "vmlinuz"

    @property
    def busybox(self) -> Path:
        return self.folder / "busybox"

    @property
    def i2c_stub(self) -> Path:
        return self.folder / "i2c_stub.ko"

    def initial_files(self) -> bytes:
        """The file system that it starts with."""
        loaded = ordered(LOADED, {file.stem: file for file in self.folder.glob("*.ko")})
        start = START.format(modules=" ".join(file.name for file in loaded))
        programs = {"bin/busybox": self.busybox.read_bytes(), "init": start.encode()}
        return _cpio(("bin", "dev", "root"), programs | {file.name: file.read_bytes() for file in loaded})


def fetched_kernel(processor: Processor, loader: Sequence[str], tell: Tell) -> Kernel:
    """The kernel, fetched now if it is not there yet, from the first suite that has one."""
    suite = os.environ.get("KERNEL_SUITE", "")
    suites = (suite,) if suite else (SUITE, own_release())

    def make(work: Path, made: Path) -> None:
        reasons = []
        for suite in suites:
            began = time.monotonic()
            try:
                release = _gather(work, made, processor, suite, loader, tell)
            except ProgramsMissing:
                raise
            except FetchFailed as error:
                reasons.append(f"{suite}: {error}")
                tell(f"no kernel from {reasons[-1]}")
            else:
                tell(f"Linux {release} is there after {time.monotonic() - began:.0f} s")
                return
        raise FetchFailed(f"no kernel for the rig: {'; '.join(reasons)}")

    return Kernel(kept(f"kernel-{processor.debian}", (RECIPE, suites, LOADED), make), processor)


def _gather(
    work: Path, made: Path, processor: Processor, suite: str, loader: Sequence[str], tell: Tell
) -> str:
    """Fill the folder with all that a kernel needs; its release."""
    tell(f"fetching a kernel for {processor.debian} from Debian's {suite} (once) ...")
    tree = work / suite
    archive = _archive(work, processor.debian, suite)
    packages = archive.names(f"linux-image-{processor.debian}", r"linux-(image|binary|modules)-\d")
    archive.fetch(["busybox-static", *packages], tree)
    (modules,) = (*tree.glob("usr/lib/modules/*/kernel"), *tree.glob("lib/modules/*/kernel"))
    (image,) = (*tree.glob("usr/lib/modules/*/vmlinuz"), *tree.glob("boot/vmlinuz-*"))
    (busybox,) = (*tree.glob("usr/bin/busybox"), *tree.glob("bin/busybox"))
    release = modules.parent.name
    files = {_plain(file.name.split(".")[0]): file for file in modules.rglob("*.ko*")}
    lacking = [name for name in ("gpio-sim", "i2c-stub") if _plain(name) not in files]
    if lacking:
        if "gpio-sim" in lacking:
            lacking.append("irq_sim")
        tell(f"Linux {release} lacks {', '.join(lacking)}: compiling them ...")
        compiled = _compiled(work, processor, suite, release, lacking, loader)
        files |= {_plain(file.stem): file for file in compiled}
    image.rename(made / "vmlinuz")
    busybox.rename(made / "busybox")
    for file in ordered((*LOADED, "i2c-stub"), files):
        (made / f"{_plain(file.name.split('.')[0])}.ko").write_bytes(unsigned(file))
    return release


def _archive(work: Path, architecture: str, suite: str) -> Archive:
    return Archive(work, architecture, list(dict.fromkeys((suite, suite.removesuffix(BACKPORTS)))))


def _compiled(
    work: Path, processor: Processor, suite: str, release: str, names: list[str], loader: Sequence[str]
) -> Iterable[Path]:
    """These modules, compiled against the headers of that release; `loader` starts newer programs."""
    programs = {f"{processor.cross}gcc": processor.compiler_package, "make": "make", "xz": "xz-utils"}
    missing = [package for program, package in programs.items() if shutil.which(program) is None]
    if missing:
        raise ProgramsMissing(f"compiling them needs packages: sudo apt install {' '.join(missing)}")
    version = ".".join(release.split(".")[:2])
    tree, build = work / f"headers-{suite}", work / f"build-{suite}"
    archive = _archive(work, processor.debian, suite)
    headers = archive.names(f"linux-headers-{release}", r"linux-headers-\d")
    tools = archive.names(f"linux-headers-{release}", r"linux-kbuild-")[1:]
    archive.fetch([*headers, f"linux-source-{version}"], tree)
    here = own_architecture()
    host = archive if here == processor.debian else _archive(work, here, suite)
    host.fetch(tools, tree)
    for makefile in tree.glob("usr/src/linux-headers-*/Makefile"):
        makefile.write_text(makefile.read_text().replace("/usr/src", f"{tree}/usr/src"))
    for program in tree.glob("usr/lib/linux-kbuild-*/scripts/mod/modpost"):
        command = shlex.join([*loader, f"{program}.real-lsb-64"])
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    build.mkdir()
    wanted = [*(f"*/{SOURCES[name]}" for name in names), "*/drivers/gpio/*.h"]
    (source,) = tree.glob("usr/src/linux-source-*.tar.xz")
    pick = ["tar", "--extract", f"--file={source}", "--wildcards", "--transform=s,.*/,,"]
    checked([*pick, *wanted], build)
    if "irq_sim" in names:
        file = build / "irq_sim.c"
        text = file.read_text()  # of what is compiled in, not all is for modules
        text = re.sub(r"irq_to_desc\((.*?)\)", r"irq_data_to_desc(irq_get_irq_data(\1))", text)
        file.write_text(f'#include <linux/module.h>\n{text}\nMODULE_LICENSE("GPL");\n')
    (build / "Makefile").write_text(f"obj-m := {' '.join(f'{name}.o' for name in names)}\n")
    ours = tree / "usr/src" / f"linux-headers-{release}"
    # Of its options, older compilers and a machine without pahole can't have these two.
    options = ["CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT=", "CONFIG_DEBUG_INFO_BTF_MODULES="]
    cross = [f"ARCH={processor.linux}", f"CROSS_COMPILE={processor.cross}", f"CC={processor.cross}gcc"]
    checked(["make", f"--directory={ours}", *cross, *options, f"M={build}", "modules"], build)
    return build.glob("*.ko")


def ordered(names: Iterable[str], files: dict[str, Path]) -> list[Path]:
    """These modules and what they need, in an order in which they load; what is built in has no file."""
    found: list[Path] = []
    for name in names:
        file = files.get(_plain(name))
        if file is None:
            continue
        needed = re.search(rb"\0depends=([^\0]*)\0", unsigned(file))
        found += ordered(needed[1].decode().split(",") if needed else (), files)
        found.append(file)
    return list(dict.fromkeys(found))


def _plain(name: str) -> str:
    return name.replace("-", "_")


def unsigned(file: Path) -> bytes:
    """A module without its signature: apt has checked its package, and each would take the guest long."""
    whole = lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()
    if not whole.endswith(SIGNED):
        return whole
    length = int.from_bytes(whole[: -len(SIGNED)][-4:], "big")
    return whole[: -len(SIGNED) - SIGNATURE_END - length]


def _cpio(folders: Iterable[str], files: dict[str, bytes]) -> bytes:
    """An archive as the kernel unpacks it at its start, in the format that cpio calls newc."""
    entries = [(name, 0o40755, b"") for name in folders]
    entries += [(name, 0o100755, contents) for name, contents in files.items()]
    out = bytearray()
    for number, (name, mode, contents) in enumerate([*entries, ("TRAILER!!!", 0, b"")], start=1):
        fields = (number, mode, 0, 0, 1, 0, len(contents), 0, 0, 0, 0, len(name) + 1, 0)
        out += b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        out += b"\0" * (-len(out) % 4) + contents
        out += b"\0" * (-len(out) % 4)
    return bytes(out)
