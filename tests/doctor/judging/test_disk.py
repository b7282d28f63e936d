"""Whether the table can remember: folder, room, speed, and the file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.config.table import StoreConfig
from firmware_host.doctor.findings import State
from firmware_host.doctor.judging.disk import judge_disk
from firmware_host.durations import MS
from firmware_host.runtime.assembly.probing.facts import Disk
from tests.doctor.finding import one, states

FINE = Disk(
    file="/var/lib/ligretto-table/table.db",
    folder="/var/lib/ligretto-table",
    there=True,
    writable=True,
    free_bytes=10_000_000_000,
    sync_ns=(2 * MS, 3 * MS, 9 * MS),
    size_bytes=1_500_000,
)
USUAL = StoreConfig()


def test_a_good_place_has_nothing_to_be_said_of() -> None:
    findings = list(judge_disk(FINE, USUAL))
    assert states(findings) == {"room": State.OK, "speed": State.OK, "file": State.OK}
    assert one(findings, "speed").seen == "to make a write safe takes 3.0 ms, at worst 9.0 ms"
    assert "1.5 MB" in one(findings, "file").seen


def test_a_missing_folder_has_its_command() -> None:
    (finding,) = judge_disk(replace(FINE, there=False), USUAL)
    assert finding.state is State.FAIL
    assert "sudo install -d -o ligretto-table /var/lib/ligretto-table" in finding.advice


def test_a_folder_that_is_not_ours() -> None:
    findings = list(judge_disk(replace(FINE, writable=False, sync_ns=()), USUAL))
    assert states(findings) == {"folder": State.FAIL, "room": State.OK, "file": State.OK}
    assert "sudo chown ligretto-table" in one(findings, "folder").advice


@pytest.mark.parametrize(("free", "state"), [(150_000_000, State.WARN), (9_000_000, State.FAIL)])
def test_little_room_is_told(free: int, state: State) -> None:
    finding = one(judge_disk(replace(FINE, free_bytes=free), USUAL), "room")
    assert finding.state is state
    assert "du -xh" in finding.advice


@pytest.mark.parametrize(
    ("worst_ns", "sync", "state"),
    [
        (900 * MS, "rounds", State.OK),
        (1100 * MS, "rounds", State.WARN),
        (50 * MS, "verdicts", State.OK),
        (70 * MS, "verdicts", State.WARN),
    ],
)
def test_a_slow_disk_matters_by_how_often_it_is_waited_for(worst_ns: int, sync: str, state: State) -> None:
    disk = replace(FINE, sync_ns=(MS, MS, worst_ns))
    finding = one(judge_disk(disk, StoreConfig(sync=sync)), "speed")
    assert finding.state is state
    assert bool(finding.advice) is (state is State.WARN)


def test_writes_that_cant_be_made_safe_fail() -> None:
    finding = one(judge_disk(replace(FINE, trouble="Input/output error"), USUAL), "speed")
    assert finding.state is State.FAIL
    assert "Input/output error" in finding.seen
    assert "nothing was measured" in one(judge_disk(replace(FINE, sync_ns=()), USUAL), "speed").seen


def test_a_file_that_is_not_there_yet_is_no_fault() -> None:
    assert one(judge_disk(replace(FINE, size_bytes=None), USUAL), "file").state is State.NOTE


def test_a_broken_file_is_told_with_what_becomes_of_it() -> None:
    finding = one(judge_disk(replace(FINE, broken="file is not a database"), USUAL), "file")
    assert finding.state is State.WARN
    assert "file is not a database" in finding.seen
