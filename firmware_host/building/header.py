"""The 40-pin header of a Raspberry Pi: what each pin is."""

from __future__ import annotations

V3_3, V5, GROUND = "3.3 V", "5 V", "ground"
HEADER = (
    *(V3_3, V5, "GPIO 2", V5, "GPIO 3", GROUND, "GPIO 4", "GPIO 14", GROUND, "GPIO 15"),
    *("GPIO 17", "GPIO 18", "GPIO 27", GROUND, "GPIO 22", "GPIO 23", V3_3, "GPIO 24", "GPIO 10", GROUND),
    *("GPIO 9", "GPIO 25", "GPIO 11", "GPIO 8", GROUND, "GPIO 7", "GPIO 0", "GPIO 1", "GPIO 5", GROUND),
    *("GPIO 6", "GPIO 12", "GPIO 13", GROUND, "GPIO 19", "GPIO 16", "GPIO 26", "GPIO 20", GROUND, "GPIO 21"),
)
"""The name of each pin, from pin 1 on; odd pins are in the row towards the middle of the board."""
SPECIAL = {
    2: "SDA",
    3: "SCL",
    14: "TXD",
    15: "RXD",
    0: "HAT EEPROM",
    1: "HAT EEPROM",
}
"""What GPIO lines are besides."""


def header_pin(line: int) -> int | None:
    """The pin of a GPIO line; None if it is not on a header."""
    name = f"GPIO {line}"
    return HEADER.index(name) + 1 if name in HEADER else None
