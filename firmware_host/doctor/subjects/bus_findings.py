"""Judges an I2C bus: who should answer, who does, and what stray addresses mean."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from firmware_host.config.profile import Profile
from firmware_host.config.wires import chip_kinds, chip_names
from firmware_host.device_kinds import EXPANDER, LED_CHIPS, BusChipKind
from firmware_host.doctor.findings import Area, Finding, State, named

ADDRESSES = 112
"""So many can be asked."""
FAST_HZ = 400_000
"""All chips that a table has on its bus can do this."""
WIRING = "check its power, its four wires and its address"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bus:
    """An I2C bus and who answers on it."""

    number: int
    adapter: bool = False
    driver: bool = False
    """The module i2c-dev is there."""
    device: bool = False
    seen: str = ""
    """Why it can't be scanned, or could not be scanned to its end."""
    advice: str = ""
    answered: frozenset[int] = frozenset()
    claimed: frozenset[int] = frozenset()
    """Addresses that a kernel driver has claimed."""
    clock_hz: int = 0
    """The speed of the bus; 0 if it is not known."""


def judge_bus(bus: Bus, profile: Profile, others: Collection[int] = ()) -> Iterator[Finding]:
    """Whether the bus can be used, and whether the chips of the profile are on it.

    `others` are addresses of chips that may be there for other profiles.
    """
    expected = chip_names(profile)
    if not expected:
        yield Finding(Area.I2C, "bus", State.OK, "the profile needs none")
        return
    name = f"bus {bus.number}"
    if not bus.device:
        yield _no_device(bus, name)
        return
    if bus.seen:
        yield Finding(Area.I2C, name, State.FAIL, bus.seen, bus.advice)
        return
    if not bus.answered and not bus.claimed:
        seen = f"no chip answers, but {named(list(expected.values()))} should"
        advice = (
            "check the chips' power, that SDA (GPIO 2) and SCL (GPIO 3) are not swapped, and the bus number"
        )
        yield Finding(Area.I2C, name, State.FAIL, seen, advice)
        return
    if len(bus.answered) >= ADDRESSES:
        seen = "every address answers: the data line is held low"
        advice = "take the chips off one by one until this ends; the last one, or its cable, is at fault"
        yield Finding(Area.I2C, name, State.FAIL, seen, advice)
        return
    yield from _chips(bus, profile, others)
    if profile.banks and 0 < bus.clock_hz < FAST_HZ:
        seen = f"runs at {bus.clock_hz // 1000} kHz, so edges of sensors may have to wait for lamps"
        advice = "put dtparam=i2c_arm_baudrate=400000 into /boot/firmware/config.txt, then reboot"
        yield Finding(Area.I2C, name, State.NOTE, seen, advice)


def _no_device(bus: Bus, name: str) -> Finding:
    if not bus.adapter:
        advice = "on a Raspberry Pi: sudo raspi-config nonint do_i2c 0, then reboot; or check [i2c] bus"
        return Finding(Area.I2C, name, State.FAIL, f"there is no I2C bus {bus.number}", advice)
    seen = f"the bus is there, but /dev/i2c-{bus.number} is not"
    advice = "its number changed meanwhile; run this again"
    if not bus.driver:
        seen = f"{seen}: the module i2c-dev is not loaded"
        advice = (
            "sudo modprobe i2c-dev; for every start: echo i2c-dev | sudo tee /etc/modules-load.d/i2c.conf"
        )
    return Finding(Area.I2C, name, State.FAIL, seen, advice)


def _chips(bus: Bus, profile: Profile, others: Collection[int]) -> Iterator[Finding]:
    expected, kinds = chip_names(profile), chip_kinds(profile)
    strays = bus.answered - expected.keys() - set(others)
    for address, name in sorted(expected.items()):
        at = f"0x{address:02x}"
        if address in bus.answered:
            yield Finding(Area.I2C, name, State.OK, f"answers at {at}")
        elif address in bus.claimed:
            seen = f"a kernel driver has claimed {at}"
            advice = "remove its dtoverlay from config.txt and reboot"
            yield Finding(Area.I2C, name, State.FAIL, seen, advice)
        else:
            yield _missing(name, address, kinds[address], strays)
    for address in sorted(strays):
        yield _stray(address)
    for address in sorted(bus.claimed - expected.keys() - set(others)):
        seen = f"a kernel driver has claimed 0x{address:02x}"
        yield Finding(Area.I2C, f"0x{address:02x}", State.NOTE, seen)


def _missing(name: str, address: int, kind: BusChipKind, strays: frozenset[int]) -> Finding:
    seen = f"does not answer at 0x{address:02x}"
    setting = kind.addresses[address]
    alike = sorted(stray for stray in strays if stray in kind.addresses)
    if alike:
        others = named([f"0x{stray:02x}" for stray in alike])
        seen = f"{seen}, but a chip does at {others}, where none should be"
        advice = f"if that is this chip: for 0x{address:02x} {setting}"
        return Finding(Area.I2C, name, State.FAIL, seen, advice)
    advice = f"{WIRING} ({setting})"
    return Finding(Area.I2C, name, State.FAIL, seen, advice)


def _stray(address: int) -> Finding:
    seen = "a chip answers here that is not in the profile"
    words = [_may_be(kind, address) for kind in (EXPANDER, *LED_CHIPS.values()) if address in kind.addresses]
    advice = (
        "; ".join(words) or "if it belongs to the table, add it to the profile; otherwise it does no harm"
    )
    return Finding(Area.I2C, f"0x{address:02x}", State.NOTE, seen, advice)


def _may_be(kind: BusChipKind, address: int) -> str:
    also = f", but also of {kind.also_at[address]}" if address in kind.also_at else ""
    return f"this is an address of {kind.title} chips{also}; if it {kind.job}, add it to [{kind.section}]"
