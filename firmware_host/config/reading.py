"""Reads a wiring profile from TOML, with a message for each fault in it."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from firmware_host.config.faults import FaultyReader
from firmware_host.config.lamps import read_lamps
from firmware_host.config.profile import (
    BANK_LINES,
    CHIPS,
    DRIVERS,
    GPIO_LINES,
    PULLS,
    SIGNS,
    Bank,
    LedChip,
    Profile,
    TagPad,
)
from firmware_host.errors import BadSettings
from firmware_host.places import PLACES_PER_ROW, Button, Colour, Slot, Source

_REVISION = re.compile(r"[0-9a-f]{4,8}")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")
_BANK_PIN = re.compile(r"([a-z][a-z0-9-]*) ([AB])([0-7])")
_COLOURS = tuple(colour.word for colour in Colour)
_SECTIONS = (
    "title", "game", "gpio", "buttons", "slots", "i2c", "banks", "leds", "lamps", "readers", "scoreboard",
)  # fmt: skip
OWN_NAMES = ("gpio", "interrupts", "i2c", "lamps", "scoreboard")
"""Devices that every table may have, by the names under which it tells how they are."""
_BUS_LINES = (2, 3)
"""The lines that bus 1, that of the header, takes for itself."""
_BANK_ADDRESSES = (0x20, 0x27)
_LED_ADDRESSES = (0x70, 0x77)


def parse_profile(text: str, name: str) -> Profile:
    """The profile that a TOML text describes; BadSettings has a line for each fault in it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings([f"{name}: {error}"]) from None
    reader = _ProfileReader(FaultyReader(name, data))
    profile = reader.profile()
    if reader.faults:
        raise BadSettings(reader.faults)
    return profile


class _ProfileReader:
    def __init__(self, reader: FaultyReader) -> None:
        self._reader = reader
        self._lines: dict[int, Source] = {}
        self._taken: dict[int, str] = {}
        self._addresses: dict[int, str] = {}
        self._banks: dict[str, tuple[int, int]] = {}
        self._pins: dict[str, dict[int, int]] = {}
        self._names = dict.fromkeys(OWN_NAMES, "the table itself")
        self._ports: dict[str, str] = {}

    @property
    def faults(self) -> list[str]:
        return self._reader.faults

    def profile(self) -> Profile:
        reader = self._reader
        reader.check_keys("", reader.data, _SECTIONS)
        gpio = reader.section("gpio", ("chip", "path", "driver", "board", "pull"))
        i2c = reader.section("i2c", ("bus", "reset"))
        scoreboard = reader.section("scoreboard", ("sign", "port", "columns"))
        if any(section in reader.data for section in ("banks", "leds")):
            bus = i2c.get("bus", 1)
            self._taken |= dict.fromkeys(_BUS_LINES if bus == 1 else (), "the I2C bus")
        seats = self._buttons()
        self._read_banks()
        self._slots()
        led_chips = self._led_chips()
        sign = reader.one_of("scoreboard.sign", scoreboard.get("sign", "text"), tuple(SIGNS))
        title = reader.text("title", reader.data.get("title"))
        game = reader.one_of("game", reader.data.get("game"), ("dice",))
        chips = {chip.name for chip in led_chips}
        return Profile(
            title=title,
            game=game,
            chip=reader.one_of("gpio.chip", gpio.get("chip", "auto"), CHIPS),
            chip_path=reader.text("gpio.path", gpio.get("path"), default=""),
            driver=reader.one_of("gpio.driver", gpio.get("driver", "gpiod"), DRIVERS),
            board=self._board(gpio.get("board")),
            pull=reader.one_of("gpio.pull", gpio.get("pull", "up"), PULLS),
            lines=self._lines,
            seats=seats,
            i2c_bus=reader.number("i2c.bus", i2c.get("bus", 1), 0, 31),
            reset=self._claim("i2c.reset", i2c["reset"], "the reset line") if "reset" in i2c else None,
            banks=tuple(
                Bank(name=name, address=address, interrupt=interrupt, pins=self._pins[name])
                for name, (address, interrupt) in self._banks.items()
            ),
            led_chips=led_chips,
            lamp_wires=read_lamps(reader, seats, chips, self._claim),
            pads=self._pads(seats),
            sign=sign,
            sign_port=self._port("scoreboard.port", scoreboard.get("port"), default=""),
            columns=reader.number(
                "scoreboard.columns", scoreboard.get("columns", 20), *SIGNS.get(sign, (20, 80))
            ),
        )

    def _buttons(self) -> int:
        buttons = self._reader.section("buttons")
        seats = range(1, len(buttons) + 1)
        if not 2 <= len(buttons) <= 4:
            self._reader.fault("buttons", len(buttons), "2 to 4 seats for dice")
        for seat, line in buttons.items():
            if seat not in map(str, seats):
                self._reader.fault(f"buttons.{seat}", seat, f"the seats 1 to {len(buttons)}")
            elif isinstance(line, str) and _BANK_PIN.fullmatch(line):
                why = "a GPIO line: an expander can't tell which of two buttons was first"
                self._reader.fault(f"buttons.{seat}", line, why)
            else:
                self._wire(f"buttons.{seat}", line, Button(int(seat)))
        return len(buttons)

    def _read_banks(self) -> None:
        for name in self._reader.section("banks"):
            bank = self._reader.section(f"banks.{name}", ("address", "interrupt"))
            address = self._address(f"banks.{name}.address", bank.get("address"), _BANK_ADDRESSES, name)
            interrupt = self._claim(f"banks.{name}.interrupt", bank.get("interrupt"), f"bank {name}")
            self._check_name(f"banks.{name}", name)
            self._banks[name] = (address, interrupt)
            self._pins[name] = {}

    def _led_chips(self) -> tuple[LedChip, ...]:
        chips = []
        for name in self._reader.section("leds"):
            key = f"leds.{name}"
            chip = self._reader.section(key, ("address", "brightness"))
            address = self._address(f"{key}.address", chip.get("address"), _LED_ADDRESSES, name)
            brightness = self._reader.number(f"{key}.brightness", chip.get("brightness", 15), 0, 15)
            self._check_name(key, name)
            chips.append(LedChip(name=name, address=address, brightness=brightness))
        return tuple(chips)

    def _slots(self) -> None:
        slots = self._reader.section("slots", _COLOURS)
        for colour in Colour:
            key = f"slots.{colour.word}"
            lines = slots.get(colour.word)
            if not isinstance(lines, list) or len(lines) != PLACES_PER_ROW:
                self._reader.fault(key, lines, f"a list of {PLACES_PER_ROW} lines")
                continue
            for number, line in enumerate(lines, start=1):
                self._wire(f"{key}[{number}]", line, Slot(colour, number))

    def _pads(self, seats: int) -> tuple[TagPad, ...]:
        pads = []
        for name in self._reader.section("readers"):
            key = f"readers.{name}"
            pad = self._reader.section(key, ("seat", "port", "group"))
            self._check_name(key, name)
            pads.append(
                TagPad(
                    name=name,
                    seat=self._reader.number(f"{key}.seat", pad.get("seat"), 1, max(1, seats)),
                    port=self._port(f"{key}.port", pad.get("port")),
                    group=self._reader.number(f"{key}.group", pad.get("group", 1), 1, 99),
                )
            )
        return tuple(pads)

    def _wire(self, key: str, line: object, source: Source) -> None:
        """A button or slot on its line."""
        pin = _BANK_PIN.fullmatch(line) if isinstance(line, str) else None
        number = self._bank_line(key, pin) if pin else self._claim(key, line, str(source))
        if number >= 0:
            self._lines[number] = source

    def _bank_line(self, key: str, pin: re.Match[str]) -> int:
        name, port, bit = pin[1], pin[2], int(pin[3])
        if name not in self._banks:
            self._reader.fault(key, pin[0], f"an expander of [banks]: {', '.join(self._banks) or 'none'}")
            return -1
        if bit == 7:
            self._reader.fault(key, pin[0], "A0 to A6 and B0 to B6: the last pin of each port is an output")
            return -1
        number = bit if port == "A" else 8 + bit
        line = BANK_LINES + 16 * list(self._banks).index(name) + number
        if line in self._lines:
            self._reader.fault(key, pin[0], f"a pin of its own; it is taken by {self._lines[line]}")
            return -1
        self._pins[name][number] = line
        return line

    def _claim(self, key: str, line: object, owner: str) -> int:
        """A GPIO line that nobody else has; -1 if it can't be had."""
        number = self._reader.number(key, line, 0, GPIO_LINES - 1)
        if number < 0:
            return -1
        if number in self._taken:
            taken = f"a line of its own; it is taken by {self._taken[number]}"
            self._reader.fault(key, f"line {number}", taken)
            return -1
        self._taken[number] = owner
        return number

    def _address(self, key: str, value: object, span: tuple[int, int], owner: str) -> int:
        address = self._reader.number(key, value, *span, form="0x{:02x}")
        if address in self._addresses:
            taken = f"an address of its own; it is taken by {self._addresses[address]}"
            self._reader.fault(key, f"0x{address:02x}", taken)
        elif address >= 0:
            self._addresses[address] = owner
        return address

    def _check_name(self, key: str, name: str) -> None:
        if not _NAME.fullmatch(name):
            self._reader.fault(key, name, "a name of small letters and digits, up to 16")
        elif name in self._names:
            self._reader.fault(key, name, f"a name of its own; it is taken by {self._names[name]}")
        self._names[name] = key

    def _port(self, key: str, value: object, default: str | None = None) -> str:
        """A serial port that nobody else has."""
        port = self._reader.text(key, value, default)
        if port and port in self._ports:
            self._reader.fault(key, port, f"a port of its own; it is taken by {self._ports[port]}")
        self._ports[port] = key
        return port

    def _board(self, value: Any) -> str:
        if isinstance(value, str) and _REVISION.fullmatch(value):
            return value
        self._reader.fault("gpio.board", value, "the revision code of a Raspberry Pi, such as 'a020a0'")
        return ""
