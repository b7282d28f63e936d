"""What may happen to a reader, and what people do with tags meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.hw.rfid.reader_rigs import CARD, DIE, ReaderOnCable, garbler

BACK_S = 5.0
"""The longest pause between two attempts, and the time for one."""


def unplug(rig: ReaderOnCable) -> None:
    rig.cable.unplug()


def fall_silent(rig: ReaderOnCable) -> None:
    rig.model.silent = True


def be_noisy(rig: ReaderOnCable) -> None:
    rig.cable.garble = garbler(Random(rig.agenda.now_ns), 0.03)


def slow_down(rig: ReaderOnCable) -> None:
    rig.cable.baud = 2400


def take_nothing(rig: ReaderOnCable) -> None:
    rig.cable.baud = 0


def refuse(rig: ReaderOnCable) -> None:
    rig.model.error_every = 3


def reset(rig: ReaderOnCable) -> None:
    rig.model.forget()


def mend(rig: ReaderOnCable) -> None:
    rig.cable.plug()
    rig.model.silent = False
    rig.cable.garble = None
    rig.cable.baud = 115200
    rig.model.error_every = 0


def move_die(rig: ReaderOnCable) -> None:
    if DIE.uid in rig.model.tags:
        rig.model.take(DIE.uid)
    else:
        rig.model.put(DIE)


def move_card(rig: ReaderOnCable) -> None:
    if CARD.uid in rig.model.tags:
        rig.model.take(CARD.uid)
    else:
        rig.model.put(CARD)


Deed = Callable[[ReaderOnCable], None]
FAULTS: list[Deed] = [unplug, fall_silent, be_noisy, slow_down, take_nothing, refuse, reset]
