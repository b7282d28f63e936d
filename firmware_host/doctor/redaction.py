"""Takes out of texts whatever says whose machine it is, and puts the same word for the same thing.

Secrets that are known are told: names of users and of the machine, serial numbers. Others are found by
their form: addresses of networks, homes, serial numbers where a kernel or udev writes them. What one line
gives away by its form may stand bare in another line or another file. So it is done in two passes: first
all that leaves the machine together is learned from, then each text is written without what was learned.

What is left is what a helper needs: that two lines speak of the same device, but not of which. The number
of a tag is replaced by another number, so that what can be read stays readable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from ipaddress import IPv6Address
from typing import Any, NamedTuple

from firmware_host.doctor.ordinary import NO_SERIALS, ORDINARY

_NAME = r"\w(?:[\w.@+-]*[^\W_])?"
_SERIAL = r"[\w#](?:[\w#+.:=@-]*[^\W_])?"
"""What udev leaves of a serial number; marks at its end belong to the sentence."""
_PAIR = "[0-9A-Fa-f]{2}"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_FORMS = {
    "USER": [rf"(?<![\w.])(?:/home|/Users)/(?P<secret>{_NAME})"],
    "SERIAL": [
        r"usb-[^/\s\"',;]*_(?P<secret>[^_/\s\"',;]+?)(?:-if[0-9a-f]{2}(?:-port[0-9]+)?|-port[0-9]+)",
        # The project's own names of ports, behind which the part of the adapter may stand.
        r"ligretto/serial-(?P<secret>[\w#+.:=@-]*?[^\W_])"
        r"(?:-[0-9a-f]{2})?(?:\.[0-9]+)?(?![\w#+.:=@-]*[^\W_])",
        rf"(?:SerialNumber: *|\bSerial[ \t]*: *|\biSerial +[0-9]+ +)(?P<secret>{_SERIAL})",
        rf"(?:\bserial=|\bID_SERIAL_SHORT=|\{{serial\}}==?\")(?P<secret>{_SERIAL})",
    ],
    "ADDRESS": [
        rf"(?<![0-9A-Fa-f:])(?P<secret>(?:{_PAIR}[:-]){{5}}{_PAIR})(?![0-9A-Fa-f:])",
        # No host begins with 0, versions do.
        rf"(?<![0-9.])(?P<secret>(?!0\.)(?:{_BYTE}\.){{3}}{_BYTE})(?![0-9.])",
        r"(?<![0-9A-Za-z:.])(?P<secret>[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:]*)(?![0-9A-Za-z:])",
    ],
    "TAG": [
        r"(?:\bunknown |\btag |\"uid\": ?\")(?P<secret>[0-9a-f]{20}|[0-9a-f]{14}|[0-9a-f]{8})(?![0-9a-f])"
    ],
}
FORMS = tuple((kind, re.compile(form)) for kind, forms in _FORMS.items() for form in forms)
FEWEST_DIGITS, FEWEST_LETTERS = 6, 2
FEWEST_SIGNS = {True: 4, False: 6}
"""Of serial numbers with digits and without: `A1` may be a pin, and words stand where a number should."""
_MAC, _NOT_UDEVS = re.compile(f"(?:{_PAIR}[:-]){{5}}{_PAIR}"), re.compile(r"[^\w#+.:=@-]")
_TOKEN = r"[^\W_]+"


class Secret(NamedTuple):
    """Something that is not to be told, and what kind of thing it is."""

    kind: str
    text: str


def found_in(text: str) -> Iterator[Secret]:
    """What a text gives away by its form."""
    for kind, form in FORMS:
        for match in form.finditer(text):
            if _is_secret(kind, match["secret"]):
                yield Secret(kind, match["secret"])


def is_telling(secret: Secret) -> bool:
    """Whether it is looked for everywhere: what is too short or too usual would be found in every text."""
    kind, text = secret
    if kind in ("ADDRESS", "TAG"):
        return True
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    if text.lower() in ORDINARY or (not letters and digits < FEWEST_DIGITS):
        return False
    fewest = FEWEST_SIGNS[bool(digits)] if kind == "SERIAL" else FEWEST_LETTERS
    return len(text) >= fewest


class Redactor:
    """One for everything that leaves the machine together; `salt` makes its numbers of tags its own."""

    def __init__(self, secrets: Iterable[Secret] = (), salt: bytes = b"") -> None:
        self._salt = salt
        self._words: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, int] = {}
        self._given: set[str] = set()
        self._known: dict[str, tuple[str, str]] = {}
        self._told: re.Pattern[str] | None = None
        for secret in secrets:
            self.keep(secret)

    def keep(self, secret: Secret) -> None:
        """Look for this everywhere, however it is spelled; one that would be found in every text is left."""
        if not is_telling(secret) or secret.text in self._given:
            return
        told = secret.kind, secret.text.lower() if secret.kind == "ADDRESS" else secret.text
        for text in (secret.text, json.dumps(secret.text)[1:-1], _NOT_UDEVS.sub("_", secret.text)):
            if self._known.setdefault(text, told) is told:
                self._told = None

    def learn(self, value: Any) -> None:
        """Remember what is given away by the form of any text in this, and look for it everywhere."""
        for text in _texts(value):
            for secret in found_in(text):
                self.keep(secret)

    def text(self, text: str) -> str:
        """The text without its secrets."""
        self.learn(text)
        if self._known:
            text = self._everywhere().sub(self._known_one, text)
        for kind, form in FORMS:
            text = form.sub(lambda match, kind=kind: self._in_form(kind, match), text)  # type: ignore[misc]
        return text

    def data(self, value: Any) -> Any:
        """The same for everything inside lists and dictionaries, and for their keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.data(key): self.data(each) for key, each in value.items()}
        return [self.data(each) for each in value] if isinstance(value, list | tuple) else value

    def _everywhere(self) -> re.Pattern[str]:
        """All words, and what is known that is more than a word, the longest first."""
        if self._told is None:
            word = re.compile(_TOKEN)
            longer = sorted((each for each in self._known if not word.fullmatch(each)), key=len, reverse=True)
            parts = "|".join([*map(re.escape, longer), _TOKEN])
            self._told = re.compile(rf"(?<![^\W_])(?:{parts})(?![^\W_])")
        return self._told

    def _known_one(self, match: re.Match[str]) -> str:
        known = self._known.get(match[0])
        return match[0] if known is None else self._word(*known)

    def _in_form(self, kind: str, match: re.Match[str]) -> str:
        """The same where only the form tells that it is a secret."""
        secret = match["secret"]
        if not _is_secret(kind, secret):
            return match[0]
        start, end = (each - match.start() for each in match.span("secret"))
        word = self._word(kind, secret.lower() if kind == "ADDRESS" else secret)
        return match[0][:start] + word + match[0][end:]

    def _word(self, kind: str, secret: str) -> str:
        """Always the same word for the same secret; one that stands for a secret already is none."""
        if secret in self._given:
            return secret
        if (kind, secret) not in self._words:
            self._words[kind, secret] = self._number(kind, secret)
            self._given.add(self._words[kind, secret])
        return self._words[kind, secret]

    def _number(self, kind: str, secret: str) -> str:
        if kind == "TAG":
            return sha256(self._salt + bytes.fromhex(secret)).hexdigest()[: len(secret)]
        self._numbers[kind] = self._numbers.get(kind, 0) + 1
        return f"{kind}-{self._numbers[kind]}"


def _is_secret(kind: str, text: str) -> bool:
    """Whether what has the form of a secret is one."""
    if kind == "SERIAL":
        return re.split("[-.]", text.lower())[-1] not in NO_SERIALS
    if kind != "ADDRESS" or ":" not in text or _MAC.fullmatch(text):
        return text.lower() not in ORDINARY
    try:
        IPv6Address(text)  # times of day have colons, too
    except ValueError:
        return False
    return True


def _texts(value: Any) -> Iterator[str]:
    """All texts inside something, those of keys, too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _texts(pair)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
