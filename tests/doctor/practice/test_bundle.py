"""A bundle has what a helper needs, and nothing that says whose table it is."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.config.table import StoreConfig, TableConfig
from firmware_host.doctor.findings import Area, Finding, State
from firmware_host.doctor.practice.bundle import Part
from firmware_host.doctor.practice.drafts import DataDraft, Draft, LinesDraft, ReportDraft, redacted
from firmware_host.doctor.practice.examination import Patient
from firmware_host.doctor.practice.packing import pack_bundle
from firmware_host.doctor.practice.secrets import secrets_of
from firmware_host.doctor.practice.store_copy import MOST_BYTES, store_draft
from firmware_host.doctor.redaction import Redactor, Secret
from firmware_host.doctor.report import as_data
from firmware_host.settings import Settings
from firmware_host.store.schema import connect, migrate
from tests.doctor.profiles import CARDS
from tests.doctor.tree import Tree

FILE = "/var/lib/ligretto-table/table.db"
USB = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
EVENT, UID = "Zoës Geburtstag", "04a1b2c3d4e5f6"
PRIVATE = (
    *(
        "anna",
        "Anna Muster",
        "kitchen-pi",
        "10000000deadbeef",
        "A50285BI",
        "dc:a6:32:01:02:03",
        "192.168.1.17",
    ),
    *("Zoës", "Geburtstag", json.dumps(EVENT)[1:-1], UID),
)
HEADS = "INSERT INTO chapters (id, begun, head) VALUES (1, '2026-11-18', ?)"
MATCHES = (
    "INSERT INTO matches (chapter, number, begun, day, event, game, state) "
    "VALUES (1, 1, ?, ?, ?, 'dice', 'running')"
)


@pytest.fixture
def machine(tree: Tree) -> Tree:
    """A machine with names and numbers of its own, and a store with a journal."""
    tree.write("/proc/cpuinfo", "processor\t: 0\nSerial\t\t: 10000000deadbeef\nModel\t\t: Raspberry Pi 4")
    tree.write("/sys/bus/usb/devices/1-1/serial", "A50285BI")
    tree.write("/sys/class/net/eth0/address", "dc:a6:32:01:02:03")
    tree.path(FILE).parent.mkdir(parents=True)
    with closing(connect(str(tree.path(FILE)))) as store:
        migrate(store)
        store.execute(HEADS, (json.dumps({"version": "0.1.0", "event": EVENT}),))
        store.execute(MATCHES, ("2026-11-18T10:00:00", "2026-11-18", EVENT))
        store.execute("INSERT INTO inputs VALUES (1, 1, 0, 0, ?)", (f"12.0001 shown pad 1 unknown {UID}",))
        store.execute(
            "INSERT INTO effects VALUES (1, 1, 0, ?, NULL)", (f'{{"is":"TagNoticed","uid":"{UID}"}}',)
        )
        store.execute(
            "INSERT INTO log (at, kind, text) VALUES ('2026', 'device', ?)", (f"{USB} was unplugged",)
        )
        store.execute("INSERT INTO audits VALUES ('button', 'seat 1', 42, '2026', 3)")
        # What was deleted still stands in free pages of the file.
        store.execute("INSERT INTO log (at, kind, text) VALUES ('2026', 'old', ?)", ("kitchen-pi " * 2000,))
        store.execute("DELETE FROM log WHERE kind = 'old'")
    return tree


def patient() -> Patient:
    readers = (replace(CARDS.readers[0], port=USB), *CARDS.readers[1:])
    profile = replace(CARDS, readers=readers)
    config = TableConfig(
        file="/home/anna/table.toml",
        profiles={"cards": profile},
        game="cards",
        settings=Settings(),
        event=EVENT,
        store=StoreConfig(file=FILE),
    )
    return Patient(profile=profile, config_file=config.file, config=config, store=config.store)


FINDINGS = [
    Finding(Area.RIGHTS, "gpio", State.FAIL, "anna is not in gpio", "sudo usermod -aG gpio anna"),
    Finding(Area.PORTS, "/dev/ttyUSB0", State.OK, f"pad-1, as {USB}"),
]
LOG = [
    f"Nov 18 10:00:0{n % 10} kitchen-pi ligretto-table[7]: pad-1 at {USB}; "
    "from 192.168.1.17 dc:a6:32:01:02:03"
    for n in range(1500)
]


def unpacked(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as bundle:
        return {
            entry.name.removeprefix("ligretto-table/"): (bundle.extractfile(entry) or io.BytesIO()).read()
            for entry in bundle.getmembers()
        }


def packed(machine: Tree, path: Path, log: list[str] | None = None) -> tuple[list[str], dict[str, bytes]]:
    data: dict[str, Any] = as_data(FINDINGS, {"config": "/home/anna/table.toml"})
    contents, everything = pack_bundle(machine.ground(), patient(), data, FINDINGS, log)
    path.write_bytes(everything)
    return contents, unpacked(path)


def test_a_bundle_says_what_is_in_it(machine: Tree, tmp_path: Path) -> None:
    contents, files = packed(machine, tmp_path / "help.tar.gz", LOG)
    names = [
        "findings.json",
        "findings.txt",
        "versions.json",
        "config.json",
        "wiring.json",
        "log.txt",
        "store.db",
    ]
    assert list(files) == ["README.txt", *names]
    assert [line.split()[0] for line in contents] == names
    readme = files["README.txt"].decode()
    assert all(line in readme for line in contents)
    assert json.loads(files["findings.json"])["findings"][0]["advice"] == "sudo usermod -aG gpio USER-1"
    assert json.loads(files["versions.json"])["kernel"] == "6.12.34+rpt-rpi-v8"
    assert json.loads(files["config.json"])["settings"]["lock_ns"] == Settings().lock_ns
    wiring = json.loads(files["wiring.json"])
    assert wiring["lines"]["5"] == "seat 1"
    assert wiring["readers"][0]["port"] == USB.replace("A50285BI", "SERIAL-1")


def test_the_last_log_lines_are_in_it(machine: Tree, tmp_path: Path) -> None:
    lines = packed(machine, tmp_path / "help.tar.gz", LOG)[1]["log.txt"].decode().splitlines()
    assert len(lines) == 1000
    assert lines[0].startswith(
        "Nov 18 10:00:00 HOST-1 ligretto-table[7]: pad-1 at /dev/serial/by-id/usb-FTDI"
    )


def test_nothing_private_is_in_it(machine: Tree, tmp_path: Path) -> None:
    path = tmp_path / "help.tar.gz"
    _, files = packed(machine, path, LOG)
    everything = b"\n".join(files.values()) + gzip.decompress(path.read_bytes())
    for secret in PRIVATE:
        assert secret.encode() not in everything, secret
    assert b"help.tar.gz" not in gzip.decompress(path.read_bytes())
    assert path.read_bytes()[:10] == bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF])  # no name, no time


PORT = "/dev/ligretto/serial-B7701XYZ"


def test_an_adapter_that_is_unplugged_is_known_by_the_name_of_its_port(machine: Tree, tmp_path: Path) -> None:
    readers = (replace(CARDS.readers[0], port=PORT), *CARDS.readers[1:])
    told = replace(patient(), profile=replace(CARDS, readers=readers))
    assert told.config is not None
    told = replace(told, config=replace(told.config, ports={"pad-1": PORT}))
    findings = [Finding(Area.READERS, "pad-1", State.FAIL, f"is not plugged in ({PORT})", "plug it in")]
    log = [f"pad-1: {PORT} was unplugged", "usb 1-1.2: SerialNumber: B7701XYZ", "vm: B7701XYZ of juergen"]
    machine.write("/proc/sys/kernel/hostname", "vm")
    with closing(connect(str(machine.path(FILE)))) as store:
        store.execute("INSERT INTO log (at, kind, text) VALUES ('2026', 'x', 'read /home/juergen/a')")
    path = tmp_path / "help.tar.gz"
    path.write_bytes(pack_bundle(machine.ground(), told, as_data(findings, {}), findings, log)[1])
    files = unpacked(path)
    for name, data in files.items():
        assert b"B7701XYZ" not in data and b"juergen" not in data, name
    lines = files["log.txt"].decode().splitlines()
    assert [re.sub("-[12]", "", line.replace("pad-1", "pad")) for line in lines] == [
        "pad: /dev/ligretto/serial-SERIAL was unplugged",
        "usb 1.2: SerialNumber: SERIAL",
        "HOST: SERIAL of USER",
    ]


def test_no_line_breaks_a_name_apart() -> None:
    for length in range(60, 110):
        seen = f"{'x' * length} Anna Muster"
        draft = ReportDraft("a.txt", [Finding(Area.STORE, "file", State.NOTE, seen)], "")
        (part,) = redacted([draft], Redactor([Secret("USER", "Anna Muster")]))
        assert b"Muster" not in part.data


FORMS = (
    "/dev/ligretto/serial-{}",
    "usb 1-1: SerialNumber: {}",
    "usb-X_Y_{}-if00-port0",
    "ID_SERIAL_SHORT={}",
)
SERIAL = st.from_regex("[A-Z]{2,6}[2-9][A-Z0-9]{2,6}", fullmatch=True)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(SERIAL, st.tuples(st.sampled_from(FORMS), *[st.integers(0, 3)] * 2), max_size=4))
def test_what_one_part_gives_away_is_in_none(told: dict[str, tuple[str, int, int]]) -> None:
    """Wherever it is given away, and wherever else it stands."""
    texts: list[list[str]] = [["nothing"] for _ in range(4)]
    for serial, (form, giving, bare) in told.items():
        texts[giving].append(form.format(serial))
        texts[bare].append(f"{serial} is meant")
    with tempfile.TemporaryDirectory() as folder:
        path, copies = Path(folder) / "table.db", Path(folder) / "copies"
        copies.mkdir()
        with closing(connect(str(path))) as store:
            migrate(store)
            rows = [(text,) for text in texts[0]]
            store.executemany("INSERT INTO log (at, kind, text) VALUES ('2026', 'x', ?)", rows)
        drafts: list[Draft] = [
            DataDraft("a.json", {text: [text] for text in texts[1]}, ""),
            LinesDraft("b.txt", texts[2], ""),
            ReportDraft("c.txt", [Finding(Area.PORTS, "a", State.OK, text, text) for text in texts[3]], ""),
            store_draft(path, copies),
        ]
        parts = redacted(drafts, Redactor())
    assert [part.name for part in parts] == ["a.json", "b.txt", "c.txt", "store.db"]
    for serial in told:
        assert not any(serial.encode() in part.data for part in parts)


def test_the_same_device_has_the_same_word_everywhere(machine: Tree, tmp_path: Path) -> None:
    _, files = packed(machine, tmp_path / "help.tar.gz", LOG)
    word = USB.replace("A50285BI", "SERIAL-1").encode()
    assert all(word in files[name] for name in ("findings.txt", "wiring.json", "log.txt", "store.db"))


def test_the_store_can_still_be_read(machine: Tree, tmp_path: Path) -> None:
    _, files = packed(machine, tmp_path / "help.tar.gz")
    copy = tmp_path / "copy.db"
    copy.write_bytes(files["store.db"])
    with closing(sqlite3.connect(copy)) as store:
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert store.execute("SELECT count FROM audits").fetchone() == (42,)
        assert store.execute("SELECT event FROM matches").fetchone() == ("EVENT-1",)
        (head,) = store.execute("SELECT head FROM chapters").fetchone()
        assert json.loads(head) == {"version": "0.1.0", "event": "EVENT-1"}
        (seen,) = store.execute("SELECT text FROM inputs").fetchone()
        (effect,) = store.execute("SELECT text FROM effects").fetchone()
    uid = json.loads(effect)["uid"]
    assert seen == f"12.0001 shown pad 1 unknown {uid}"
    assert len(uid) == len(UID)
    assert os.listdir(machine.path(FILE).parent) == ["table.db"]


def test_a_store_in_use_is_copied_whole(machine: Tree, tmp_path: Path) -> None:
    with closing(connect(str(machine.path(FILE)))) as running:
        running.execute("INSERT INTO audits VALUES ('button', 'seat 2', 1, '2026', 3)")
        _, files = packed(machine, tmp_path / "help.tar.gz")
    (tmp_path / "copy.db").write_bytes(files["store.db"])
    with closing(sqlite3.connect(tmp_path / "copy.db")) as store:
        assert store.execute("SELECT count(*) FROM audits").fetchone() == (2,)


def test_a_table_without_a_configuration_has_less_in_its_bundle(tree: Tree, tmp_path: Path) -> None:
    path = tmp_path / "help.tar.gz"
    path.write_bytes(pack_bundle(tree.ground(), Patient(), as_data([], {}), [], None)[1])
    assert list(unpacked(path)) == ["README.txt", "findings.json", "findings.txt", "versions.json"]


def test_a_store_that_cant_be_had_is_explained(tmp_path: Path) -> None:
    path, folder = tmp_path / "table.db", tmp_path / "copies"
    folder.mkdir()

    def part() -> Part:
        (made,) = redacted([store_draft(path, folder)], Redactor())
        return made

    assert part().data == b"there is no store yet\n"
    path.write_bytes(b"no database " * 1000)
    broken = part()
    assert (broken.name, broken.data) == ("store.txt", b"the store can't be read: file is not a database\n")
    os.truncate(path, MOST_BYTES + 1)
    assert b"too much for a bundle" in part().data


def test_a_copy_of_something_else_is_not_packed(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "table.db")) as other:
        other.execute("CREATE TABLE diary (text TEXT)")
    (part,) = redacted([store_draft(tmp_path / "table.db", tmp_path)], Redactor())
    assert (part.name, part.data) == ("store.txt", b"the store can't be read: no such table: matches\n")


def test_secrets_are_those_of_the_machine_and_its_people(machine: Tree) -> None:
    found = {(secret.kind, secret.text) for secret in secrets_of(machine.ground())}
    assert found == {
        ("HOST", "kitchen-pi"),
        ("USER", "anna"),
        ("USER", "Anna Muster"),
        ("SERIAL", "A50285BI"),
        ("ADDRESS", "dc:a6:32:01:02:03"),
        ("SERIAL", "10000000deadbeef"),
    }


def test_usual_names_are_no_secrets(machine: Tree) -> None:
    machine.write("/etc/passwd", "pi:x:1000:1000:,,,:/home/pi:/bin/sh\nroot:x:0:0:Somebody:/root:/bin/sh")
    machine.write("/proc/sys/kernel/hostname", "localhost")
    redactor = Redactor(secrets_of(machine.ground()))
    for text in ("pi@localhost", "/home/pi/table.toml", "Raspberry Pi"):
        assert redactor.text(text) == text
