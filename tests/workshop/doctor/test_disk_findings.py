"""Whether the table can remember: folder, room, speed, and the file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.model.times import MS
from firmware_host.profile.table import StoreConfig
from firmware_host.workshop.doctor.findings import Finding, State
from firmware_host.workshop.doctor.machine_findings import Disk, ServiceUser, User, judge_disk
from tests.workshop.doctor.finding import one, states

FINE = Disk(
    file="/var/lib/ligretto-table/table.db",
    folder="/var/lib/ligretto-table",
    there=True,
    owner="ligretto",
    for_its_owner=True,
    writable=True,
    free_bytes=10_000_000_000,
    sync_ns=(2 * MS, 3 * MS, 9 * MS),
    size_bytes=1_500_000,
)
CLOSED = replace(FINE, writable=False, sync_ns=())
USUAL = StoreConfig()
SERVICE = ServiceUser(user="ligretto")
ANNA, DAEMON = (
    User(name=name, root=False, groups=frozenset(), enlisted=frozenset()) for name in ("anna", "ligretto")
)


def judged(
    disk: Disk, config: StoreConfig = USUAL, user: User = ANNA, service: ServiceUser = SERVICE
) -> list[Finding]:
    return list(judge_disk(disk, config, user, service))


def test_a_good_place_has_nothing_to_be_said_of() -> None:
    findings = judged(FINE)
    assert states(findings) == {"room": State.OK, "speed": State.OK, "file": State.OK}
    assert one(findings, "speed").seen == "a safe write takes 3.0 ms, at worst 9.0 ms"
    assert "1.5 MB" in one(findings, "file").seen


def test_a_missing_folder_has_its_command() -> None:
    (finding,) = judged(replace(FINE, there=False))
    assert finding.state is State.FAIL
    command = "sudo install -d -o ligretto /var/lib/ligretto-table"
    assert finding.advice == f"{command}; or name another file in [store]"


def test_nothing_is_given_to_a_user_who_is_not_there() -> None:
    nobody = ServiceUser(user="ligretto", there=False)
    for disk in (replace(FINE, there=False), replace(CLOSED, owner="root")):
        advice = one(judged(disk, service=nobody), "folder").advice
        assert advice.startswith(
            "sudo ligretto-table install-service (there is no user ligretto), then sudo "
        )


def test_the_folder_of_the_service_is_no_fault() -> None:
    findings = judged(CLOSED)
    assert states(findings) == {"folder": State.NOTE, "room": State.OK, "file": State.OK}
    finding = one(findings, "folder")
    assert "belongs to the service's user ligretto" in finding.seen
    assert finding.advice.endswith("sudo -u ligretto ligretto-table doctor")


def test_a_folder_of_somebody_else_is_to_be_given_to_the_service() -> None:
    findings = judged(replace(CLOSED, owner="root"))
    assert states(findings) == {"folder": State.FAIL, "room": State.OK, "file": State.OK}
    assert "sudo chown ligretto /var/lib/ligretto-table" in one(findings, "folder").advice


@pytest.mark.parametrize(("changes", "user"), [({"for_its_owner": False}, ANNA), ({}, DAEMON)])
def test_a_folder_that_the_service_may_not_write_in_itself(changes: dict[str, bool], user: User) -> None:
    finding = one(judged(replace(CLOSED, **changes), user=user), "folder")  # type: ignore[arg-type]
    assert finding.state is State.FAIL
    assert finding.advice == "sudo chmod u+rwx /var/lib/ligretto-table"


def test_a_folder_that_nobody_else_may_look_into() -> None:
    (finding,) = judged(Disk(file=FINE.file, folder=FINE.folder, hidden=True))
    assert finding.state is State.NOTE
    assert finding.advice.endswith("sudo -u ligretto ligretto-table doctor")


def test_nobody_writes_in_a_file_system_that_can_only_be_read() -> None:
    finding = one(judged(replace(CLOSED, read_only=True), user=DAEMON), "folder")
    assert finding.state is State.FAIL
    assert "read-only" in finding.seen and "dmesg" in finding.advice


@pytest.mark.parametrize(("free", "state"), [(150_000_000, State.WARN), (9_000_000, State.FAIL)])
def test_little_room_is_told(free: int, state: State) -> None:
    finding = one(judged(replace(FINE, free_bytes=free)), "room")
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
    finding = one(judged(disk, StoreConfig(sync=sync)), "speed")
    assert finding.state is state
    assert bool(finding.advice) is (state is State.WARN)


def test_writes_that_cant_be_made_safe_fail() -> None:
    finding = one(judged(replace(FINE, trouble="Input/output error")), "speed")
    assert finding.state is State.FAIL
    assert "Input/output error" in finding.seen
    assert "nothing was measured" in one(judged(replace(FINE, sync_ns=())), "speed").seen


def test_a_file_that_is_not_there_yet_is_no_fault() -> None:
    assert one(judged(replace(FINE, size_bytes=None)), "file").state is State.NOTE


def test_a_file_that_the_daemon_could_not_use_is_told_with_what_to_do() -> None:
    found = one(judged(replace(FINE, refused="it is of version 3", advice="install a newer one")), "file")
    assert (found.state, found.seen, found.advice) == (
        State.FAIL,
        "it is of version 3",
        "install a newer one",
    )


def test_a_sound_file_is_told_with_the_version_of_sqlite() -> None:
    found = one(judged(replace(FINE, sqlite="3.46.1")), "file")
    assert found.seen.endswith(" MB, and is sound (SQLite 3.46.1)")


def test_a_broken_file_is_told_with_what_becomes_of_it() -> None:
    finding = one(judged(replace(FINE, broken="file is not a database")), "file")
    assert finding.state is State.WARN
    assert "file is not a database" in finding.seen
