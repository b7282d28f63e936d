"""A reader on a pseudo-terminal with threads of its own: the main faults, in real time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.ports import Condition
from tests.hw.rfid.reader_rigs import CARD, DIE, ReaderOnPty, check_truth
from tests.hw.uart.pty_bench import wait_until

LOST = Condition.LOST


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[ReaderOnPty]:
    made = ReaderOnPty(tmp_path / "port")
    made.model.put(DIE)
    made.wait_for(1)
    yield made
    assert made.owner.alive
    assert made.peer_owner.alive
    made.close()


def test_unplugged_and_plugged_in_again(rig: ReaderOnPty) -> None:
    rig.peer.unplug()
    wait_until(lambda: rig.condition is LOST)
    rig.model.put(CARD)
    rig.peer.plug()
    rig.wait_for(3)
    wait_until(lambda: rig.condition is not LOST)
    assert check_truth(rig.reads, rig.model.tag_history) == {DIE.uid: True, CARD.uid: True}


def test_closing_leaves_the_field_off(tmp_path: Path) -> None:
    rig = ReaderOnPty(tmp_path / "port")
    wait_until(lambda: rig.model.field_on)
    rig.owner.close()
    wait_until(lambda: not rig.model.field_on)
    rig.close()
