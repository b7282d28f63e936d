"""What may happen to a reader, and what people do with tags meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.hw.rfid.rigs import CARD, DIE, CableRig, garbler

BACK_S = 5.0
"""The longest pause between two attempts, and the time for one."""


def unplug(rig: CableRig) -> None:
    rig.cable.unplug()


def fall_silent(rig: CableRig) -> None:
    rig.model.silent = True


def be_noisy(rig: CableRig) -> None:
    rig.cable.garble = garbler(Random(rig.agenda.now_ns), 0.03)


def slow_down(rig: CableRig) -> None:
    rig.cable.baud = 2400


def take_nothing(rig: CableRig) -> None:
    rig.cable.baud = 0


def refuse(rig: CableRig) -> None:
    rig.model.error_every = 3


def reset(rig: CableRig) -> None:
    rig.model.forget()


def mend(rig: CableRig) -> None:
    rig.cable.plug()
    rig.model.silent = False
    rig.cable.garble = None
    rig.cable.baud = 115200
    rig.model.error_every = 0


def move_die(rig: CableRig) -> None:
    if DIE.uid in rig.model.tags:
        rig.model.take(DIE.uid)
    else:
        rig.model.put(DIE)


def move_card(rig: CableRig) -> None:
    if CARD.uid in rig.model.tags:
        rig.model.take(CARD.uid)
    else:
        rig.model.put(CARD)


Deed = Callable[[CableRig], None]
FAULTS: list[Deed] = [unplug, fall_silent, be_noisy, slow_down, take_nothing, refuse, reset]
