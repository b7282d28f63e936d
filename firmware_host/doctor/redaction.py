"""Takes out of a text whatever says whose machine it is, and puts the same word for the same thing.

Secrets that are known are told: names of users and of the machine, serial numbers. Addresses of
networks, homes and the serial numbers in the names of USB ports are found by their form. What is left
is what a helper needs: that two lines speak of the same device, but not of which.

The number of a tag is replaced by another number, so that what can be read stays readable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from ipaddress import IPv6Address
from typing import Any, NamedTuple

SHORTEST = 3
"""A shorter secret would be found in every text."""
NO_SERIALS = frozenset(
    ("adapter", "bridge", "cable", "controller", "converter", "device", "port", "serial", "uart", "usb")
)
"""How the names of adapters end that have no serial number."""

_HOME = re.compile(r"(?<![\w.])(/home|/Users)/([^/\s:\"',;]+)")
_USB = re.compile(r"(usb-[^/\s\"',;]*_)([^_/\s\"',;]+?)(-if[0-9a-f]{2}(?:-port[0-9]+)?|-port[0-9]+)")
_SERIAL = re.compile(r"(SerialNumber: *|\bSerial[ \t]*: *|\bserial=)([^\s\"',;]+)")
_MAC = re.compile(r"(?<![0-9A-Fa-f:])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])")
_PART = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_IPV4 = re.compile(
    rf"(?<![0-9.])(?!0\.)(?:{_PART}\.){{3}}{_PART}(?![0-9.])"
)  # no host begins with 0, versions do
_COLONS = re.compile(r"(?<![0-9A-Za-z:.])[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:]*(?![0-9A-Za-z:])")
_TAG = re.compile(r"(\bunknown |\btag |\"uid\": ?\")([0-9a-f]{20}|[0-9a-f]{14}|[0-9a-f]{8})(?![0-9a-f])")


class Secret(NamedTuple):
    """Something that is not to be told, and what kind of thing it is."""

    kind: str
    text: str
    of: str = ""
    """What this is only another spelling of."""


class Redactor:
    """One for everything that leaves the machine together; `salt` makes its numbers of tags its own."""

    def __init__(self, secrets: Iterable[Secret] = (), salt: bytes = b"") -> None:
        self._salt = salt
        self._words: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, int] = {}
        known = {
            each.text: (each.kind, each.of or each.text) for each in secrets if len(each.text) >= SHORTEST
        }
        self._known = known
        longest_first = sorted(known, key=len, reverse=True)
        parts = "|".join(map(re.escape, longest_first))
        self._told = re.compile(rf"(?<![\w-])(?:{parts})(?![\w-])") if known else None

    def text(self, text: str) -> str:
        """The text without its secrets."""
        if self._told is not None:
            text = self._told.sub(lambda match: self._word(*self._known[match[0]]), text)
        text = _HOME.sub(lambda match: f"{match[1]}/{self._word('USER', match[2])}", text)
        text = _USB.sub(self._usb, text)
        text = _SERIAL.sub(lambda match: f"{match[1]}{self._word('SERIAL', match[2])}", text)
        text = _MAC.sub(self._address, text)
        text = _IPV4.sub(self._address, text)
        text = _COLONS.sub(self._colons, text)
        return _TAG.sub(lambda match: f"{match[1]}{self._tag(match[2])}", text)

    def data(self, value: Any) -> Any:
        """The same for everything inside lists and dictionaries; keys stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.data(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(each) for each in value]
        return value

    # -- inside

    def _word(self, kind: str, secret: str) -> str:
        """Always the same word for the same secret; one that stands for a secret already is none."""
        if secret in self._words.values():
            return secret
        if (kind, secret) not in self._words:
            self._numbers[kind] = self._numbers.get(kind, 0) + 1
            self._words[kind, secret] = f"{kind}-{self._numbers[kind]}"
        return self._words[kind, secret]

    def _usb(self, match: re.Match[str]) -> str:
        head, serial, tail = match.groups()
        if serial.lower() in NO_SERIALS:
            return match[0]
        return f"{head}{self._word('SERIAL', serial)}{tail}"

    def _address(self, match: re.Match[str]) -> str:
        return self._word("ADDRESS", match[0].lower())

    def _colons(self, match: re.Match[str]) -> str:
        """Only what is an address: times of day have colons, too."""
        try:
            IPv6Address(match[0])
        except ValueError:
            return match[0]
        return self._address(match)

    def _tag(self, uid: str) -> str:
        return sha256(self._salt + bytes.fromhex(uid)).hexdigest()[: len(uid)]


Redact = Callable[[str], str]
