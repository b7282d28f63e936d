"""What must not leave this machine in words: its names and numbers, and those of its people."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.doctor.redaction import Secret
from firmware_host.runtime.assembly.probing.ground import Ground

PEOPLE = range(1000, 60000)
"""The numbers of users who are people."""
SERIALS = (
    "/sys/bus/usb/devices/[0-9]*/serial",  # those of the buses themselves say where they are
    "/sys/firmware/devicetree/base/serial-number",
    "/etc/machine-id",
)
ADDRESSES = "/sys/class/net/*/address"


def secrets_of(ground: Ground) -> Iterator[Secret]:
    """Everything that is known of this machine and should not be told."""
    yield from _hosts(ground)
    for line in ground.read("/etc/passwd").splitlines():
        fields = line.split(":")
        if len(fields) > 4 and fields[2].isdigit() and int(fields[2]) in PEOPLE:
            yield from _told("USER", fields[0])
            for name in fields[4].split(","):
                yield from _told("USER", name)
    for pattern in SERIALS:
        for path in ground.listing(pattern):
            yield from _told("SERIAL", ground.read(path))
    for path in ground.listing(ADDRESSES):
        yield from _told("ADDRESS", ground.read(path))
    for line in ground.read("/proc/cpuinfo").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "Serial":
            yield from _told("SERIAL", value.strip())


def _hosts(ground: Ground) -> Iterator[Secret]:
    name = ground.read("/proc/sys/kernel/hostname")
    yield from _told("HOST", name)
    yield from _told("HOST", name.partition(".")[0])
    yield from _told("HOST", ground.read("/proc/sys/kernel/domainname").strip("()"))


def _told(kind: str, text: str) -> Iterator[Secret]:
    if text:
        yield Secret(kind, text)
