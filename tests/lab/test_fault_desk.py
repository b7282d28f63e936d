"""The socket at which an operator injects faults: what is answered, and that nonsense changes nothing."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.lab.world.fault_book import FaultDesk
from firmware_host.lab.world.ground import Ground
from firmware_host.model.times import S
from firmware_host.run.line_server import SocketUnusable
from firmware_host.run.table_files import load_profile


class Desk:
    """The desk of a ground that moves only as far as it is told to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ground = Ground(load_profile("dice4"), Random(1))
        self.come_ups = 0
        self.desk = FaultDesk(self.ground, self._come_up, path)
        self.desk.look()

    def _come_up(self) -> None:
        self.come_ups += 1

    def ask(self, line: bytes) -> Any:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(self.path))
            asking.sendall(line + b"\n")
            for _ in range(3):  # it is let in, then heard
                self.desk.look()
            return json.loads(asking.recv(1 << 16))

    def tell(self, text: str, **more: Any) -> Any:
        return self.ask(json.dumps({"tell": text, **more}).encode())


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "faults.sock")
    yield made
    made.desk.close()


def test_only_its_own_user_may_connect(desk: Desk) -> None:
    assert desk.path.stat().st_mode & 0o777 == 0o600


def test_a_fault_begins_is_told_of_and_ends(desk: Desk) -> None:
    assert desk.tell("")["faults"] == []
    begun = desk.tell("unplug left 3s", id=7)
    assert (begun["id"], begun["ok"]) == (7, True)
    assert begun["faults"] == [{"kind": "unplug", "what": "left", "left_s": 3.0}]
    assert desk.ground.lost == {"left"}
    desk.ground.agenda.run(1 * S)
    assert desk.tell("stuck seat 2")["faults"] == [
        {"kind": "unplug", "what": "left", "left_s": 2.0},
        {"kind": "stuck", "what": "seat 2"},
    ]
    assert desk.tell("end left")["faults"] == [{"kind": "stuck", "what": "seat 2"}]
    assert desk.tell(" end ")["faults"] == []
    assert desk.ground.lost == set()
    assert desk.come_ups == 5


def test_it_says_what_can_go_wrong(desk: Desk) -> None:
    possible = desk.tell("")["possible"]
    assert set(possible) == {"unplug", "stuck", "storm"}
    assert possible["unplug"]["what"] == ["left", "right", "rows", "scoreboard"]
    assert possible["storm"]["what"][:5] == ["seat 1", "seat 2", "seat 3", "seat 4", "red 1"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"nonsense", 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b"\xff\xfe", 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b"[" * 3000, 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b'["storm seat 2"]', 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b'{"tell":5}', 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b'{"do":"sit","seat":2}', 'a line looks like {"tell":"storm seat 2 3s"}'),
        (b'{"tell":"hang i2c"}', "fault 'hang' is unknown; known: unplug, stuck, storm"),
        (b'{"tell":"end left"}', "'left' has no fault; nothing has one"),
    ],
)
def test_nonsense_is_refused_with_the_reason(line: bytes, why: str, desk: Desk) -> None:
    assert desk.ask(line) == {"ok": False, "why": why}
    assert desk.tell("")["faults"] == []


def test_two_desks_at_one_path_are_not_possible(desk: Desk) -> None:
    with pytest.raises(SocketUnusable):
        FaultDesk(desk.ground, lambda: None, desk.path)
