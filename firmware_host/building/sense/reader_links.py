"""Tag readers: the levels of their serial lines, and where their supply comes from.

A PN532 is a chip of 3.3 V. Boards have a regulator, so they take 5 V. Some also shift the level of their
serial lines to 5 V then, which a UART of 3.3 V does not tolerate.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.building.sense.uart_ports import on_gpio


def _rs232(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_link == "usb-rs232":
        yield Trouble("build.reader-link", "tag readers are on adapters for RS-232")


def _ttl_5v(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_link == "usb-uart-5v":
        yield Trouble("build.reader-link", "tag readers are on UART adapters of 5 V")


def _answers_5v(built: Built) -> Iterator[Trouble]:
    if built.choices.reader_power in ("usb", "supply"):
        for reader in built.profile.readers:
            if on_gpio(reader.port):
                yield Trouble(
                    f"readers.{reader.name}.port", f"{reader.name} has 5 V and answers to {reader.port}"
                )


def _weak_adapter(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_power == "adapter-3v3":
        yield Trouble("build.reader-power", "tag readers have the 3.3 V of their USB adapters")


READER_LINKS = (
    Rule(
        name="reader-rs232",
        strength=Strength.ERROR,
        what="tag readers at adapters for RS-232",
        why="RS-232 swings between +12 and -12 V; a PN532 tolerates 3.6 V",
        right='UART adapters of 3.3 V: reader-link = "usb-uart"',
        rests_on=("reader_link",),
        look=_rs232,
    ),
    Rule(
        name="reader-5v-levels",
        strength=Strength.WARNING,
        what="tag readers at UART adapters of 5 V",
        why="a PN532 tolerates 3.6 V at its lines; only boards with a level shifter tolerate 5 V",
        right='UART adapters of 3.3 V (a jumper on many): reader-link = "usb-uart"',
        rests_on=("reader_link",),
        look=_ttl_5v,
    ),
    Rule(
        name="reader-answers-5v",
        strength=Strength.WARNING,
        what="a tag reader at 5 V on a UART of the Pi",
        why="some boards with a level shifter answer with their supply voltage, and a GPIO line tolerates "
        "3.3 V",
        right='its supply from the 3.3 V of the Pi: reader-power = "pi-3v3"',
        rests_on=("reader_power",),
        look=_answers_5v,
    ),
    Rule(
        name="reader-adapter-3v3",
        strength=Strength.WARNING,
        what="tag readers at the 3.3 V of USB adapters",
        why="a PN532 takes up to 150 mA while its field is on; the 3.3 V of an adapter gives 50 to "
        "100 mA, so it restarts",
        right='the 5 V of the adapter: reader-power = "usb"',
        rests_on=("reader_power",),
        look=_weak_adapter,
    ),
)
