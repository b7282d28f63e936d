"""What is taken on a table: each line, address, port and name can be used once."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from firmware_host.model.plain_text import only_near, shown
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.profile import HEADER_LINES

# The GPIO lines that a board has for contacts and lamps, by the revision code of its Raspberry Pi.
#
# A 40-pin header has GPIO 0 to 27, of which 0 and 1 are for the EEPROM of a HAT: the firmware looks for one
# there at every start. A Compute Module has no header. Those on a DIMM bring out GPIO 0 to 45, later ones
# 0 to 27.


GPIO_LINES = 54
"""The highest line of the chip; no board brings out all of them."""
_REVISION = re.compile(r"[0-9a-f]{4,8}")
_NEW_STYLE = 1 << 23
_ON_A_DIMM = (0x06, 0x0A, 0x10, 0x15)  # Compute Module 1, 3, 3+ and 4S
_LATER_MODULES = (0x14, 0x18, 0x1A)  # Compute Module 4, 5 and 5 Lite
_FIRST_BOARDS = range(0x02, 0x16)
_OLD_MODULES = (0x11, 0x14)  # Compute Module 1, before codes had a type in them


class BoardLines(NamedTuple):
    """The first and the last line that may be used, and why no others."""

    first: int
    last: int
    why: str = ""


def is_revision(value: object) -> bool:
    """Whether this can be a revision code: one with a type, or that of one of the first boards."""
    if not isinstance(value, str) or not _REVISION.fullmatch(value):
        return False
    code = int(value, 16)
    return bool(code & _NEW_STYLE) or code & 0xFFFF in _FIRST_BOARDS


def lines_of(board: object) -> BoardLines:
    """The lines of the board with that revision code; all lines of the chip if it is not a code."""
    if not isinstance(board, str) or not is_revision(board):
        return BoardLines(0, GPIO_LINES - 1)
    code = int(board, 16)
    kind = code >> 4 & 0xFF if code & _NEW_STYLE else -1
    if kind in _ON_A_DIMM or (kind < 0 and code & 0xFFFF in _OLD_MODULES):
        return BoardLines(0, 45, f"gpio.board {board!r} is a Compute Module")
    if kind in _LATER_MODULES:
        return BoardLines(0, 27, f"gpio.board {board!r} is a Compute Module")
    return BoardLines(
        2, 27, f"gpio.board {board!r} has a 40-pin header, where 0 and 1 are for the EEPROM of a HAT"
    )


OWN_NAMES = (
    *("gpio", "interrupts", "i2c", "lamps", "scoreboard"),
    *("pi", "power", "bus", "shifter", "supply", "fuse", "speaker"),
)
"""The names of devices that every table may have, and of what wiring adds; no section may have them."""
_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")
PinOwner = FileSetting | str
"""What uses something: a setting, or words for what is not in the profile."""


class PinClaims:
    """Keeps track of what can be used once, with a fault for each second use."""

    def __init__(self, reader: FaultCollector, board: BoardLines) -> None:
        self.board = board
        self.misnamed: set[str] = set()
        self._reader = reader
        self._lines: dict[int, PinOwner] = {}
        self._addresses: dict[int, PinOwner] = {}
        self._names: dict[str, PinOwner] = dict.fromkeys(OWN_NAMES, "the table itself")
        self._ports: dict[str, FileSetting] = {}
        self._lists: list[FileSetting] = []

    def reserve(self, lines: tuple[int, ...], owner: str) -> None:
        """Reserve lines, so that nothing else can use them."""
        self._lines |= dict.fromkeys(lines, owner)

    def line(self, setting: FileSetting, number: int | None = None) -> int:
        """A GPIO line that is free; -1 if it is not. `number` is the line if the value has more than that."""
        if number is None:
            number = self._reader.number(setting, *self.board[:2], what="a GPIO line", why=self.board.why)
        if number < 0:
            return -1
        owner = self._lines.setdefault(number, setting)
        if owner is not setting:
            self.taken(setting, "a line", f"GPIO {number}", owner)
            return -1
        return number

    def address(self, setting: FileSetting, span: tuple[int, int]) -> int:
        """An address on the bus; -1 if the value is not one."""
        address = self._reader.number(setting, *span, what="an address", form="0x{:02x}")
        owner = self._addresses.setdefault(address, setting)
        if address >= 0 and owner is not setting:
            text = f"0x{address:02x}"
            self.taken(setting, "an address", text, owner, found=text)
        return address

    def name(self, device: FileSetting) -> None:
        """The name of a device's section."""
        name = device.name
        if not _NAME.fullmatch(name):
            self.misnamed.add(name)
            allowed = "a name of small letters, digits and hyphens, up to 16"
            self._reader.fault(device, allowed, found=f"named {shown(name)}")
            return
        owner = self._names.setdefault(name, device)
        if owner is not device:
            self.misnamed.add(name)
            self.taken(device, "a name", f"'{name}'", owner, found=f"named '{name}'")

    def port(self, setting: FileSetting, default: str | None = None) -> str:
        """A serial port that is free."""
        path = self._reader.text(setting, default, what=PORT_FORM)
        port = port_of(path)
        if not port:
            if path:
                self._reader.fault(setting, port_form(path))
            return ""
        owner = self._ports.setdefault(whole_port(port), setting)
        if owner is not setting:
            first, second = sorted((owner, setting), key=self._reader.line_of)
            self._reader.fault(second, own_port(second.value, self._reader.where(first), first.value))
        elif port in HEADER_PORTS:
            self._header(setting)
        return port

    def _header(self, setting: FileSetting) -> None:
        """The lines of the serial port of the header."""
        for line in HEADER_LINES:
            owner = self._lines.setdefault(line, setting)
            if owner is not setting:
                self.taken(setting, "lines", f"GPIO {line}", owner)
                return

    def whole_list(self, setting: FileSetting, things: str) -> bool:
        """Whether a list is not a copy of another one; in a copy all entries would be taken."""
        copied = next((other for other in self._lists if other.value == setting.value), None)
        if copied is not None:
            self.taken(setting, things, "each of them", copied)
            return False
        self._lists.append(setting)
        return True

    def taken(self, setting: FileSetting, what: str, thing: str, owner: PinOwner, *, found: str = "") -> None:
        """Report that two settings use the same thing; the fault is with the one further down."""
        if isinstance(owner, FileSetting):
            owner, setting = sorted((owner, setting), key=self._reader.line_of)
            owner = self._reader.where(owner)
        self._reader.fault(setting, f"{what} of its own: {thing} is taken by {owner}", found=found)


class NamedDevices:
    """The devices of a section, to which settings refer by name; an unknown name is reported once."""

    def __init__(
        self, reader: FaultCollector, what: str, kind: str, devices: Section, claims: PinClaims
    ) -> None:
        self._reader = reader
        self._what = f"{what} of [{kind}]"
        self._devices = devices
        self._unnamed = sum(name in claims.misnamed for name in devices) + reader.headless[kind]
        self._strange: set[str] = set()

    def has(self, setting: FileSetting, name: str) -> bool:
        """Whether there is a device with the name that was found in that setting."""
        if name in self._devices:
            return True
        if name not in self._strange and not self._devices.muted and (self._devices or not self._strange):
            self._strange.add(name)
            if len(self._strange) > self._unnamed:  # else it is the right name of one that has been reported
                allowed = f"{self._what}: {', '.join(sorted(self._devices)) or 'none'}"
                self._reader.fault(setting, allowed, near=only_near(name, self._devices))
        return False


# Paths of serial ports: which paths are valid, and which lead to the same port.
#
# Only the text of a path matters here, since a table.toml may be checked on another machine than the table's.
# The doctor finds out which links lead to the same adapter on the table itself.


PORT_FORM = "a serial port, as in '/dev/ligretto/port-1-1.2'"
"""The form of a port's path, for messages."""
_PLACES = "/dev/ttyUSB0 and the like, or a name in /dev/ligretto, /dev/serial/by-id or /dev/serial/by-path"
_PORT = re.compile(
    r"/(?:[^/]+/)*tty[A-Za-z]+[0-9]+"  # socat and its like link pseudo-terminals to such names anywhere
    r"|/dev/(?:serial[0-9]|pts/[0-9]+|(?:ligretto|serial/by-id|serial/by-path)/[^/]+)"
)
HEADER_PORTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""The names of the serial port of the header: the first one, and another one by the model of the Pi."""
_MINI_UARTS = ("/dev/serial0", "/dev/serial1", "/dev/ttyS0")
"""The names of the port without a parity bit. A Pi 3, 4 or Zero 2 W has it on its header by default."""


def port_of(value: object) -> str:
    """The path of a serial port in its shortest spelling; empty if the value is not one."""
    if not isinstance(value, str) or not value.startswith("/") or not value.isprintable():
        return ""
    path = posixpath.normpath(f"/{value.lstrip('/')}")
    return path if _PORT.fullmatch(path) else ""


def port_form(value: object) -> str:
    """What is allowed in place of a value that is not a serial port."""
    is_path = isinstance(value, str) and value.startswith("/")
    return f"{PORT_FORM}: {_PLACES}" if is_path else PORT_FORM


def whole_port(port: str) -> str:
    """The single name of a port that may have several."""
    return HEADER_PORTS[0] if port in HEADER_PORTS else port


def own_port(port: str, owner: str, its: str) -> str:
    """What is allowed in place of a port that is taken, perhaps under another name."""
    alias = "" if its == port else f" as {shown(its)}"
    return f"a port of its own: {shown(port)} is taken by {owner}{alias}"


def parity_form(sign: str) -> str:
    """What is allowed in place of a port that may lack the parity bit which a sign needs."""
    return (
        f"a port with a parity bit, which '{sign}' needs: a USB adapter, or '/dev/ttyAMA0' with "
        "dtoverlay=disable-bt in config.txt; this one may be the mini UART, which has none"
    )


def may_lack_parity(port: str) -> bool:
    """Whether a port may be the mini UART."""
    return port in _MINI_UARTS
