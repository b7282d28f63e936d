"""A bundle has what a helper needs, and nothing that says whose table it is."""

from __future__ import annotations

import gzip
import io
import json
import re
import sqlite3
import tarfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest

from firmware_host.model.events import DeviceChanged, TagSeen, format_input
from firmware_host.model.places import Pad, Stranger
from firmware_host.model.settings import Settings
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.model.times import exactly
from firmware_host.profile.profile import BuildChoices, Profile
from firmware_host.profile.table import StoreConfig, TableConfig
from firmware_host.store.store_reader import reading
from firmware_host.workshop.doctor.bundle import FACTS, Redaction, pack_bundle
from firmware_host.workshop.doctor.checks import CheckedTable, CheckReport, check_table
from firmware_host.workshop.doctor.device_findings import (
    Bus,
    Contacts,
    Gpio,
    GpioChip,
    ReaderFacts,
    SerialPort,
    SignFacts,
    SoundFacts,
)
from firmware_host.workshop.doctor.findings import Area, Finding, State
from firmware_host.workshop.doctor.machine_findings import DeviceFile, Disk, Machine, ServiceUser, User
from hw.sim.ht16k33 import Ht16k33Model
from tests.cli.commands import run
from tests.store.parties import add_match
from tests.thoroughness import some
from tests.workshop.doctor.finding import CARDS
from tests.workshop.doctor.tree import Tree
from tests.workshop.plan.plans import SHIPPED, shipped

pytestmark = pytest.mark.no_cover  # what happens in a simulated match is chance

FILE = "/srv/gartenlaube/ergebnisse.db"
USB = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
EVENT, UID = "Zoës Geburtstag", "04a1b2c3d4e5f6"
CANARIES = (
    *(EVENT, "Zoës", "Geburtstag", "Küchentisch", "links-aussen", "leser-vorn", "kammerchip"),
    *(
        "anna",
        "Muster",
        "kitchen-pi",
        "gartenlaube",
        "ergebnisse",
        "juergen",
        "wohnzimmer",
        "bastelkern",
        "wilhelmina",
    ),
    *("A50285BI", "B7701XYZ", "10000000deadbeef", UID, "0a0b0c0d"),
    *("192.168.1.17", "fe80::dea6:32ff:fe01:203", "12:34:56:78:9a:bc", "hunter2"),
)
MACS = ("dc:a6:32:01:02:03", "dc-a6-32-01-02-03", "dca632010203", "dca6.3201.0203", "DC:A6:32:01:02:03")


def unpacked(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data)) as bundle:
        return {
            entry.name.removeprefix("ligretto-table/"): (bundle.extractfile(entry) or io.BytesIO()).read()
            for entry in bundle.getmembers()
        }


def assert_tells_nothing(files: dict[str, bytes], canaries: Iterable[str] = (*CANARIES, *MACS)) -> None:
    for name, data in files.items():
        text = data.decode("utf-8", errors="replace").casefold()
        bare = re.sub(r"[\s:._-]|\\u[0-9a-f]{4}", "", text)
        for canary in canaries:
            short = re.sub(r"[\s:._-]", "", canary).casefold()
            assert canary.casefold() not in text and short not in bare, (name, canary)
            assert json.dumps(canary)[1:-1].casefold() not in text, (name, canary)


def checked() -> CheckedTable:
    """A table of cards whose owner has given names to everything."""
    readers = (replace(CARDS.readers[0], name="leser-vorn", port=USB), *CARDS.readers[1:])
    chips = tuple(replace(chip, name="kammerchip") for chip in CARDS.led_chips[:1]) + CARDS.led_chips[1:]
    wires = tuple(replace(wire, chip="kammerchip") for wire in CARDS.lamp_wires)
    profile = replace(
        CARDS,
        title="Küchentisch",
        chip="Küchentisch",
        board="juergen",
        chip_path="/dev/gpio-of-juergen",
        readers=readers,
        led_chips=chips,
        lamp_wires=wires,
        sign_port="/dev/ligretto/serial-B7701XYZ",
        build=BuildChoices(pull_ups_ohm={"kammerchip": 0}, given=frozenset(("pull_ups_ohm.kammerchip",))),
    )
    config = TableConfig(
        file="/srv/gartenlaube/table.toml",
        profiles={"cards": profile},
        game="cards",
        settings=Settings(language="de"),
        wiring={"cards": "/srv/gartenlaube/küchentisch.toml"},
        ports={"leser-vorn": USB},
        tags_file="/home/juergen/tags.csv",
        event=EVENT,
        store=StoreConfig(file=FILE),
    )
    return CheckedTable(profile=profile, config_file=config.file, config=config, store=config.store)


FINDINGS = [
    Finding(
        Area.RIGHTS,
        "i2c",
        State.FAIL,
        "/dev/i2c-1 belongs to the group i2c, and anna is not in it",
        "sudo usermod -aG i2c anna, then log in again",
    ),
    Finding(Area.RIGHTS, "user", State.OK, "anna, in the groups gpio, i2c, juergen"),
    Finding(Area.CONFIG, "/srv/gartenlaube/table.toml", State.FAIL, f"line 3: event = {EVENT} is odd"),
    Finding(Area.STORE, "file", State.OK, f"{FILE} has 1.2 MB, and is sound"),
    Finding(Area.GPIO, "contacts", State.WARN, "pressed, though nobody should: seat 1, seat 3"),
    Finding(
        Area.READERS, "leser-vorn, pad-2", State.FAIL, f"each of these 2 is not plugged in ({USB}, {USB})"
    ),
    Finding(Area.PORTS, "/dev/ttyUSB0", State.OK, f"pad-1, as {USB}"),
    Finding(Area.WALK, "readers: pad 1", State.OK, f"{UID}: not enrolled"),
]
SEEN = [
    Machine(
        model="Raspberry Pi 4 Model B Rev 1.4 of juergen",
        architecture="juergen",
        kernel="6.12.34-bastelkern-v8+",
        build="#1 SMP anna@kitchen-pi",
        clock_source="tsc",
        throttled=0,
        python="3.11.2",
        libraries={"click": "8.1.7", "wilhelmina": "hunter2"},
    ),
    User(name="anna", root=False, groups=frozenset({"gpio", "juergen"}), enlisted=frozenset({"anna"})),
    ServiceUser(user="juergen"),
    DeviceFile(path=USB, group="anna", mode=0o660, openable=False),
    Disk(
        file=FILE,
        folder="/srv/gartenlaube",
        owner="anna",
        trouble=f"{FILE} is full",
        broken=f"{FILE}: hunter2",
        refused="juergen holds it",
        advice="ask anna",
        sqlite="3.40.1",
    ),
    Gpio(
        chips=(GpioChip(path="/dev/gpio-of-juergen", label="bastelkern", lines=54),),
        closed=("/dev/gpiochip0",),
        wanted=("Küchentisch",),
        users={5: "juergen", 6: "sysfs"},
    ),
    Contacts(levels={17: True}, seen="juergen holds it", advice="ask anna"),
    Bus(number=1, device=True, seen="hunter2", advice="ask anna", answered=frozenset({0x21})),
    SerialPort(
        path="/dev/ttyUSB0",
        by_id=USB,
        by_path="/dev/serial/by-path/wohnzimmer",
        ours=("/dev/ligretto/serial-B7701XYZ",),
        used=(("leser-vorn", USB), ("pad-1", "/dev/ttyUSB0")),
    ),
    ReaderFacts(name="leser-vorn", port=USB, there=True, firmware="PN532 1.6", seen="hunter2"),
    SignFacts(port="/dev/ligretto/serial-B7701XYZ", kind="cd5220", line="9600 8N1", page=(EVENT,)),
    SoundFacts(card="wohnzimmer", device="plughw:CARD=wohnzimmer", cards=("wohnzimmer",), ahead_ns=12),
]
"""Each kind of thing that the doctor looks at, with secrets wherever there is a text."""
REPORT = CheckReport(FINDINGS, facts=SEEN)
LOG = [
    "Nov 18 10:00:00 kitchen-pi ligretto-table[7]: firmware_host.run.daemon: ready: cards, 4 seats",
    "Nov 18 10:00:01 KITCHEN-PI table[7]: firmware_host.run.daemon_store: the match is over, totals 1, 2",
    f"2026-11-18 10:00:02,123 ERROR   hw.work: {FILE} is broken (anna): kept as x, a new file begins",
    "Nov 18 10:00:03 kitchen-pi juergen: firmware_host.gartenlaube: wohnzimmer",
    'Nov 18 10:00:04 kitchen-pi t[7]:   File "/home/anna/x/firmware_host/run/daemon.py", line 7, in anna',
    "Nov 18 10:00:05 kitchen-pi ligretto-table[7]: ValueError: hunter2 at juergen",
    *(f"link/ether {mac} of anna" for mac in MACS),
    "from 192.168.1.17 and fe80::dea6:32ff:fe01:203, 12:34:56:78:9a:bc",
    f"Nov 18 {EVENT.upper()} begins: hunter2",
]


@pytest.fixture
def machine(tree: Tree) -> Tree:
    """A machine with names and numbers of its own, and a store with a match in it."""
    tree.write("/proc/cpuinfo", "processor\t: 0\nSerial\t\t: 10000000deadbeef")
    tree.write("/proc/sys/kernel/osrelease", "6.12.34-bastelkern-v8+")
    tree.write("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4 of juergen")
    path = tree.path(FILE)
    path.parent.mkdir(parents=True)
    add_match(path, "cards4", 2, rounds=1, event=EVENT, day="2026-11-18", wrong=False)
    with closing(sqlite3.connect(path)) as store:
        (session_log,) = store.execute("SELECT id FROM sessions").fetchone()
        (n, advanced, arrived) = store.execute(
            "SELECT n, advanced_ns, arrived_ns FROM inputs ORDER BY n DESC LIMIT 1"
        ).fetchone()
        later = exactly(arrived)
        words = f"is not plugged in ({USB})"
        for more in (
            DeviceChanged(DeviceCondition("leser-vorn", Condition.LOST, words, words), False, later),
            DeviceChanged(DeviceCondition("scoreboard", Condition.DEGRADED, words), False, later),
            TagSeen(Pad(1), Stranger(UID), later),
        ):
            n += 1
            row = (session_log, n, advanced, arrived, format_input(more))
            store.execute("INSERT INTO inputs VALUES (?, ?, ?, ?, ?)", row)
        store.execute(
            "INSERT INTO log (at, kind, text) VALUES ('2026-11-18T20:00:00', 'device', ?)", (f"{USB} lost",)
        )
        store.execute("INSERT INTO log (at, kind, text) VALUES ('gartenlaube', 'juergen', 'hunter2')")
        store.execute("INSERT INTO audits VALUES ('device', 'leser-vorn', 42, '2026-11-18T20:00:00', 1)")
        store.execute("INSERT INTO choices VALUES ('event', ?)", (EVENT,))
        store.execute("INSERT INTO players VALUES (1, 'Wilhelmina')")
        store.execute("INSERT INTO named_seats VALUES (1, 1)")
        store.execute("INSERT INTO sat VALUES (?, 1, 1, 1)", (session_log,))
        store.commit()
    return tree


def packed(machine: Tree, log: list[str] | None = None) -> tuple[list[str], dict[str, bytes]]:
    contents, data = pack_bundle(machine.system(), checked(), REPORT, {"jitter": {"seconds": 3.0}}, log)
    return contents, unpacked(data)


def test_a_bundle_says_what_is_in_it(machine: Tree) -> None:
    contents, files = packed(machine, LOG)
    names = ["findings.json", "facts.json", "config.json", "wiring.json"]
    names += ["log.txt", "sessions.txt", "store.db"]
    assert list(files) == ["README.txt", *names]
    assert [line.split()[0] for line in contents] == names
    readme = files["README.txt"].decode()
    assert all(line in readme for line in contents)


def test_no_name_of_any_kind_is_in_it(machine: Tree) -> None:
    contents, data = pack_bundle(machine.system(), checked(), REPORT, {}, LOG)
    assert_tells_nothing(
        {**unpacked(data), "all": gzip.decompress(data), "contents": "".join(contents).encode()}
    )
    assert data[:10] == bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF])  # no name, no time


def test_each_kind_of_thing_that_is_looked_at_has_its_row(machine: Tree) -> None:
    machine.i2c({0x71: Ht16k33Model()})
    looked_at = check_table(machine.system(), checked(), lambda page: None).facts
    assert set(map(type, looked_at)) <= set(map(type, SEEN)) == {*FACTS} - {Profile, TableConfig, GpioChip}
    for kind, told in FACTS.items():
        assert set(told.split()) <= {each.name for each in fields(kind)}
    assert_tells_nothing({"facts": json.dumps([Redaction().data(each) for each in looked_at]).encode()})


def test_of_a_finding_only_its_subject_and_state_are_told(machine: Tree) -> None:
    data = json.loads(packed(machine)[1]["findings.json"])
    assert [(each["state"], each["subject"]) for each in data["findings"]] == [
        ("fail", "i2c"),
        ("ok", "user"),
        ("fail", "name-1"),
        ("ok", "file"),
        ("warn", "contacts"),
        ("ok", "/dev/ttyUSB0"),
        ("fail", "name-8, pad-2"),
        ("ok", "readers: pad 1"),
    ]
    assert [each["seen"] for each in data["findings"] if each["seen"]] == ["event"]  # a wrong setting
    assert not any(each["advice"] for each in data["findings"])
    assert data["jitter"] == {"seconds": 3.0}


def test_the_facts_say_what_a_helper_needs(machine: Tree) -> None:
    facts = {each["fact"]: each for each in json.loads(packed(machine)[1]["facts.json"])}
    assert facts["Machine"]["model"] == "Raspberry Pi 4 Model B Rev 1.4…"
    assert facts["Machine"]["kernel"] == "6.12.34…"
    assert facts["Machine"]["libraries"]["click"] == "8.1.7"
    assert facts["Disk"]["trouble"] is True and facts["Contacts"]["seen"] is True
    assert facts["Gpio"]["users"]["6"] == "sysfs" and facts["Gpio"]["chips"][0]["lines"] == 54
    assert facts["Bus"]["answered"] == [0x21]
    reader, port = facts["ReaderFacts"], facts["SerialPort"]
    assert (reader["firmware"], reader["seen"]) == ("PN532 1.6", True)
    assert port["used"] == [[reader["name"], reader["port"]], ["pad-1", "/dev/ttyUSB0"]]


def test_settings_and_wiring_are_in_it(machine: Tree) -> None:
    files = packed(machine)[1]
    config, wiring = (json.loads(files[name]) for name in ("config.json", "wiring.json"))
    assert config["settings"]["lock_ns"] == Settings().lock_ns and config["settings"]["language"] == "de"
    assert wiring["lines"][str(CARDS.line_of(next(iter(CARDS.lines.values()))))]
    assert wiring["readers"][1]["name"] == CARDS.readers[1].name
    assert wiring["lamp_wires"][0]["chip"] == wiring["led_chips"][0]["name"]
    assert wiring["lamp_wires"][0]["chip"].startswith("name-") and "title" not in wiring


@pytest.mark.parametrize("name", SHIPPED)
def test_no_name_of_a_shipped_profile_needs_a_stand_in(name: str) -> None:
    assert "name-" not in json.dumps(Redaction().data(shipped(name)))


def test_of_the_log_the_programs_own_words_are_left(machine: Tree) -> None:
    assert packed(machine, LOG)[1]["log.txt"].decode().splitlines() == [
        "Nov 18 10:00:00 firmware_host.run.daemon: ready: cards, 4 seats",
        "Nov 18 10:00:01 firmware_host.run.daemon_store: the match is over, totals 1, 2",
        "2026-11-18 10:00:02,123 ERROR hw.work: …",
        "  firmware_host/run/daemon.py:7",
        "ValueError",
        f"{len(LOG) - 5} of {len(LOG)} lines are left out",
    ]


def test_only_the_last_lines_of_the_log_are_in_it(machine: Tree) -> None:
    lines = packed(machine, LOG[:1] * 1500)[1]["log.txt"].decode().splitlines()
    assert len(lines) == 1001


@pytest.mark.parametrize(
    "event", some(3, ["red", "JOIN", "1", "seat", "pad 1", "unknown", "press", "lost", EVENT])
)
def test_the_session_of_any_event_replays_identically(event: str, tree: Tree, tmp_path: Path) -> None:
    path = tree.path(FILE)
    path.parent.mkdir(parents=True)
    add_match(path, "dice4", 1, rounds=1, event=event, day="2026-11-18")
    files = unpacked(
        pack_bundle(tree.system(), CheckedTable(store=StoreConfig(file=FILE)), CheckReport(), {}, None)[1]
    )
    assert re.fullmatch(
        r"session 1: a replay is identical: [0-9]+ decisions from [0-9]+ inputs\n",
        files["sessions.txt"].decode(),
    )
    copy = tmp_path / "store.db"
    copy.write_bytes(files["store.db"])
    result = run("replay", "--store", str(copy), "--session", "1")
    assert result.exit_code == 0 and "identical" in result.stdout
    with reading(str(path)) as book, reading(str(copy)) as other:
        (mine,), (theirs,) = (each.session_ids().values() for each in (book, other))
        assert [each.seen for each in book.session_log(mine).entries] == [
            each.seen for each in other.session_log(theirs).entries
        ]
        assert [each.effect for each in book.decisions(mine)] == [
            each.effect for each in other.decisions(theirs)
        ]
        assert [each.event for each in other.matches()] == [""]
        assert [each.scores for each in other.rounds()] == [each.scores for each in book.rounds()]


def test_a_session_with_names_in_it_replays_without_them(machine: Tree, tmp_path: Path) -> None:
    files = packed(machine)[1]
    copy = tmp_path / "store.db"
    copy.write_bytes(files["store.db"])
    result = run("replay", "--store", str(copy), "--last", "-v")
    assert result.exit_code == 0, result.output
    with reading(str(copy)) as book:
        *_, named, usual, stranger = (each.seen for each in book.session_log(1).entries)
        ((name, count),) = ((each.name, each.count) for each in book.audits() if each.kind == "device")
        assert name.startswith("name-") and count == 42
        assert book.log()[-2:] == [("2026-11-18T20:00:00", "device", "…"), ("", "…", "…")]
        assert book.choices() == {}
    assert isinstance(named, DeviceChanged) and isinstance(usual, DeviceChanged)
    assert named.device == DeviceCondition(name, Condition.LOST)
    assert usual.device == DeviceCondition("scoreboard", Condition.DEGRADED)
    assert isinstance(stranger, TagSeen) and isinstance(stranger.tag, Stranger)
    assert len(stranger.tag.uid) == len(UID) and stranger.tag.uid != UID


def test_a_session_that_comes_out_otherwise_is_told(machine: Tree) -> None:
    with closing(sqlite3.connect(machine.path(FILE))) as store:
        store.execute("UPDATE effects SET t_ns = t_ns + 1 WHERE n = 3")
        store.commit()
    told = packed(machine)[1]["sessions.txt"].decode()
    assert re.fullmatch(r"session 1: a replay differs at decision 3: (\w+) is now \1\n", told)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE inputs SET text = 'hunter2 ' || text",
        "UPDATE inputs SET advanced_ns = 'hunter2'",
        'UPDATE sessions SET head = replace(head, \'"seed": 2\', \'"seed": "hunter2"\')',
        'UPDATE sessions SET head = replace(head, \'"language": "en"\', \'"language": "hunter2"\')',
    ],
)
def test_a_session_with_texts_for_numbers_is_left_out(change: str, machine: Tree) -> None:
    with closing(sqlite3.connect(machine.path(FILE))) as store:
        assert store.execute(change).rowcount > 0
        store.commit()
    files = packed(machine)[1]
    assert files["sessions.txt"] == b"session 1: it can't be read, and is left out\n"
    assert_tells_nothing(files)


def test_a_store_in_use_is_read_as_well(machine: Tree) -> None:
    before = sorted(machine.path(FILE).parent.iterdir())
    with closing(sqlite3.connect(machine.path(FILE))) as running:
        running.execute("BEGIN IMMEDIATE")
        assert b"session 1: a replay" in packed(machine)[1]["sessions.txt"]
    assert sorted(machine.path(FILE).parent.iterdir()) == before


def test_a_store_that_cant_be_had_is_explained(machine: Tree) -> None:
    machine.path(FILE).write_bytes(b"hunter2 " * 1000)
    files = packed(machine)[1]
    assert "store.db" not in files and b"can't be read" in files["sessions.txt"]
    assert_tells_nothing(files)
    machine.path(FILE).unlink()
    assert b"there is no store" in packed(machine)[1]["sessions.txt"]


def test_a_table_without_a_configuration_has_less_in_its_bundle(tree: Tree) -> None:
    files = unpacked(pack_bundle(tree.system(), CheckedTable(), CheckReport(), {}, None)[1])
    assert list(files) == ["README.txt", "findings.json", "facts.json"]
