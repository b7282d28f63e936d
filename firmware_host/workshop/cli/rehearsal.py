"""Simulated devices, and hands that do what an operator is asked to do: to rehearse it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from firmware_host.lab.chips_table import chip_table
from firmware_host.lab.party import Misbehaviour
from firmware_host.lab.simulated_table import Behaviour
from firmware_host.model.places import Source, Spot
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.profile.profile import Profile
from firmware_host.profile.tags import Registry
from firmware_host.run.equipment import Equipment
from firmware_host.run.table_files import table_of
from firmware_host.workshop.doctor.system import System
from firmware_host.workshop.enrolling.tag_station import TagStation, simulated_station
from hw.sim.agenda import Agenda, PacedClock
from hw.sim.pn532 import SimTag

BEGINS_NS = 1500 * MS
TOUCH_NS = 250 * MS
BETWEEN_NS = 600 * MS
TAG_NS = 1500 * MS
"""A tag is held to a reader for so long, and then for the time that it has to be alone."""
UID_BYTES = 7

Deed = Callable[[], None]


def rehearsed_station(
    profile: Profile, reader: int, alone_ns: int, speed: float, chance: Random
) -> TagStation:
    """A station where somebody holds one new tag after another to that reader."""
    station, site = simulated_station(profile, PacedClock(speed))
    antenna = site.antennas[profile.readers[reader].at]

    def hold() -> None:
        tag = SimTag(b"\x04" + chance.randbytes(UID_BYTES - 1))
        antenna.put(tag)
        site.agenda.after(TAG_NS + alone_ns, lambda: lift(tag))

    def lift(tag: SimTag) -> None:
        antenna.take(tag.uid)
        site.agenda.after(BETWEEN_NS + alone_ns, hold)

    site.agenda.after(BEGINS_NS, hold)
    return station


def rehearsed_system(speed: float) -> System:
    """A machine with a simulated table, each part of which somebody touches, one after the other."""

    def equipment(profile: Profile, registry: Registry | None) -> Equipment:
        bouncing = Misbehaviour(bounce=frozenset(profile.lines.values()))
        table = chip_table(
            profile,
            table=table_of(profile),
            settings=Settings(),
            draws=Random(1),
            chance=Random(2),
            behaviour=Behaviour(bouncing.habits),
            clock=PacedClock(speed),
        )

        def touch(source: Source) -> tuple[Deed, Deed]:
            contact = table.contacts[source]
            return lambda: contact.set(True), lambda: contact.set(False)

        def hold(at: Spot) -> tuple[Deed, Deed]:
            tag = SimTag(b"\x04" + bytes(UID_BYTES - 1))
            antenna = table.site.antennas[at]
            return lambda: antenna.put(tag), lambda: antenna.take(tag.uid)

        begun_ns = BEGINS_NS
        _one_after_another(
            table.agenda, begun_ns, map(touch, sorted(table.contacts, key=_in_order)), TOUCH_NS
        )
        _one_after_another(table.agenda, begun_ns, map(hold, table.site.antennas), TAG_NS)
        return table.equipment

    return System(equipment=equipment)


def _one_after_another(
    agenda: Agenda, begun_ns: int, deeds: Iterable[tuple[Deed, Deed]], for_ns: int
) -> None:
    for do, undo in deeds:
        agenda.at(begun_ns, do)
        agenda.at(begun_ns + for_ns, undo)
        begun_ns += for_ns + BETWEEN_NS


def _in_order(source: Source) -> tuple[str, str]:
    return type(source).__name__, str(source)
