"""GPIO chips: found by label, since the kernel numbers them in the order in which it meets them.

On a Pi 5 the chip of the header was gpiochip4 with one kernel and gpiochip0 with the next; its
label stayed. The kernel is asked directly, so that this works without any GPIO library.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import importlib
import os
import struct
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class GpioError(Exception):
    """A driver can't start; `seen` says what was found and `advice` what to do next."""

    def __init__(self, seen: str, advice: str) -> None:
        super().__init__(f"{seen}; {advice}")
        self.seen = seen
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.seen}; {self.advice}"


class NoSuchChip(GpioError, LookupError):
    """The machine has no GPIO chip of that name or label."""


class NoSuchLine(GpioError, LookupError):
    """The chip has no line of that number."""


class NotPermitted(GpioError, PermissionError):
    """The chip is there, but this user may not open it."""


class LineBusy(GpioError, RuntimeError):
    """Another program holds a line."""


class LibraryMissing(GpioError, ImportError):
    """A driver's library is not installed, or does not work on this machine."""


PI_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The chips of the 40-pin header: Pi 5, Pi 4, and those before."""

DEVICES = "/dev/gpiochip*"

GET_CHIP_INFO = 0x8044_B401
CHIP_INFO = struct.Struct("32s32sI")
GET_LINE_INFO = 0xC100_B405
LINE_INFO = struct.Struct("32s32sIIQ176x")
LINE_IS_USED = 1

IN_GROUP = "add the user to the group gpio (sudo usermod -aG gpio USER), then log in again"


class ChipInfo(NamedTuple):
    """One GPIO chip of this machine."""

    path: str
    label: str
    lines: int

    @property
    def number(self) -> int:
        """The kernel's number for it, wherever the path's links lead to."""
        digits = os.path.realpath(self.path).rpartition("gpiochip")[2]
        if not digits.isdigit():
            raise NoSuchChip(f"{self.path} has no number", "name the chip as /dev/gpiochipN")
        return int(digits)


def find_chip(label: str = "", override: str = "") -> ChipInfo:
    """The chip of that label (none: of a Pi's header), or the one at the path `override`."""
    if override:
        return look_at(override)
    wanted = (label,) if label else PI_LABELS
    chips, closed = _all_chips()
    for chip in chips:
        if chip.label in wanted:
            return chip
    if closed:
        raise NotPermitted(f"this user may not open {' or '.join(closed)}", IN_GROUP)
    labels = " or ".join(f"'{each}'" for each in wanted)
    if not chips:
        raise NoSuchChip(
            f"no GPIO chip is labelled {labels}: this machine has none",
            "run this on a Pi, or on a simulated table: `ligretto-table run --help` says how",
        )
    there = ", ".join(f"{chip.path} '{chip.label}'" for chip in chips)
    raise NoSuchChip(
        f"no GPIO chip is labelled {labels}; there are {there}", "name one of these in the profile"
    )


def found_again(chip: ChipInfo) -> ChipInfo:
    """The chip at its old path, or the one with its label, since its number may have changed."""
    try:
        found = look_at(chip.path)
    except GpioError:
        found = None
    return found if found is not None and found.label == chip.label else find_chip(chip.label)


def look_at(path: str) -> ChipInfo:
    """The path, label and number of lines of the chip at a path."""
    try:
        with _opened(path) as device:
            _, label, lines = CHIP_INFO.unpack(fcntl.ioctl(device, GET_CHIP_INFO, bytes(CHIP_INFO.size)))
    except FileNotFoundError:
        raise NoSuchChip(
            f"there is no {path}", "name a path that exists, or none to search by label"
        ) from None
    except PermissionError:
        raise NotPermitted(f"this user may not open {path}", IN_GROUP) from None
    except OSError:
        raise NoSuchChip(f"{path} is not a GPIO chip", "name one of /dev/gpiochip*") from None
    return ChipInfo(path, _text(label), lines)


def line_user(chip: ChipInfo, line: int) -> str | None:
    """Who holds a line: a name, '' if that is unknown, or None if the line is free."""
    request = LINE_INFO.pack(b"", b"", line, 0, 0)
    with _opened(chip.path) as device:
        _, user, _, _, flags = LINE_INFO.unpack(fcntl.ioctl(device, GET_LINE_INFO, request))
    return _text(user) if flags & LINE_IS_USED else None


def check_lines(chip: ChipInfo, lines: Iterable[int]) -> None:
    """Raise for the first line that the chip does not have or that somebody holds."""
    for line in lines:
        if not 0 <= line < chip.lines:
            raise NoSuchLine(
                f"{chip.path} '{chip.label}' has no line {line}", f"choose one from 0 to {chip.lines - 1}"
            )
        user = line_user(chip, line)
        if user is not None:
            raise LineBusy(
                f"line {line} of {chip.path} is held by '{user or 'the kernel'}'",
                "stop that program, switch that function off (raspi-config), or wire another line",
            )


def explained(error: Exception, chip: ChipInfo, lines: Iterable[int]) -> GpioError:
    """The named error behind a request that was refused as a whole."""
    try:
        check_lines(look_at(chip.path), lines)
    except GpioError as named:
        return named
    return GpioError(f"{chip.path} refuses its lines ({error})", "look into the kernel's log (dmesg)")


def _all_chips() -> tuple[list[ChipInfo], list[str]]:
    """All chips that may be opened, each once, and the paths that may not."""
    chips: list[ChipInfo] = []
    closed: list[str] = []
    seen: set[str] = set()
    for path in sorted(glob.glob(DEVICES)):
        device = os.path.realpath(path)
        if device in seen:  # newer systems link the old number to the new one
            continue
        seen.add(device)
        try:
            chips.append(look_at(path))
        except NotPermitted:
            closed.append(path)
        except NoSuchChip:
            continue
    return chips, closed


@contextlib.contextmanager
def _opened(path: str) -> Iterator[int]:
    device = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        yield device
    finally:
        os.close(device)


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode(errors="replace")


CONSUMER = "ligretto-table"
"""What other programs see as the holder of the lines."""

BROKEN = (OSError, ValueError, NotImplementedError)
"""What the library makes of an errno."""

BIAS = {"up": "PULL_UP", "down": "PULL_DOWN", "floating": "DISABLED"}


def gpiod_module() -> Any:
    """The module `gpiod`, version 2."""
    advice = "install it (pip install gpiod); where pip has none, the doctor says what to do instead"
    try:
        gpiod: Any = importlib.import_module("gpiod")
    except ImportError as error:
        raise LibraryMissing(f"the Python package gpiod can't be imported ({error})", advice) from error
    if not hasattr(gpiod, "LineSettings"):
        raise LibraryMissing("the Python package gpiod is that of libgpiod 1", advice)
    return gpiod
