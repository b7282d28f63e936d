"""Paths of serial ports: which paths are valid, and which lead to the same port.

Only the text of a path matters here, since a table.toml may be checked on another machine than the table's.
The doctor finds out which links lead to the same adapter on the table itself."""

from __future__ import annotations

import posixpath
import re

from firmware_host.profile.fault_words import shown

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
