"""`doctor` as a person meets it: what it prints, how it ends, and what it leaves behind."""

from __future__ import annotations

import io
import json
import os
import signal
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.cli.install_service import system_files
from firmware_host.lab.chips_table import sign_model
from firmware_host.model.places import Button
from firmware_host.model.settings import Settings
from firmware_host.profile.tags import Registry, format_registry
from firmware_host.workshop.cli.doctor import fitted, live_screen
from firmware_host.workshop.doctor.system import System
from firmware_host.workshop.doctor.walks import ContactWalk
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.mcp23017 import Mcp23017Model
from tests.another_user import another_user, let_others_into, needs_root
from tests.store.parties import add_match
from tests.thoroughness import some
from tests.workshop.doctor.finding import DICE
from tests.workshop.doctor.tables import Bench
from tests.workshop.doctor.tree import Tree

CONFIG = """
wiring = "dice4"
[ports]
scoreboard = "/dev/serial/by-id/usb-X_UART_SIGN1-if00"
[store]
file = "{store}"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    made = Tree(tmp_path / "machine")
    yield made
    made.close()


@pytest.fixture
def table(tree: Tree) -> Tree:
    """A machine with a whole dice table at it."""
    tree.i2c({0x20: Mcp23017Model(), 0x21: Mcp23017Model(), 0x70: Ht16k33Model()})
    tree.plug("/dev/ttyUSB0", sign_model("cd5220", 20), "usb-X_UART_SIGN1-if00")
    tree.path("/var/lib/table").mkdir(parents=True)
    return tree


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(CONFIG.format(store="/var/lib/table/table.db"), encoding="utf-8")
    return file


def doctor(system: System | None, *arguments: str | Path, input: str | None = None) -> Result:
    runner = CliRunner(env={"LIGRETTO_TABLE_CONFIG": None})
    words = ["doctor", "--page", "0", *map(str, arguments)]
    result = runner.invoke(main, words, prog_name="ligretto-table", obj=system, input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def read(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def walking(bench: Bench, tree: Tree) -> System:
    return tree.system(equipment=bench.equipment)


def test_a_table_that_lacks_nothing(table: Tree, config: Path) -> None:
    result = doctor(table.system(), "--config", config)
    assert result.exit_code == 0
    assert "  ok     left: answers at 0x20" in result.stdout.splitlines()
    assert result.stdout.splitlines()[-1].startswith("0 fail, 0 warn, ")


@needs_root
def test_a_table_of_the_service_is_no_fault_for_somebody_else(table: Tree, config: Path) -> None:
    """The service is stopped, and the operator runs the doctor, as docs/installing.md has it."""
    for file in system_files("/opt/ligretto-table/bin/ligretto-table", "ligretto", ""):
        table.write(file.path, file.text)
    folder = table.path("/var/lib/table")
    users = f"anna:x:1000:1000::/home/anna:/bin/sh\nligretto:x:{folder.stat().st_uid}:990::/:/bin/false"
    table.write("/etc/passwd", users)
    table.path("/dev/ttyUSB0").chmod(0o666)  # as her groups have it
    config.chmod(0o644)
    let_others_into(folder.parent)
    with another_user():
        result = doctor(table.system(), "--config", config)
    assert result.exit_code == 0, result.output
    assert "note   folder: /var/lib/table belongs to the service's user ligretto" in result.stdout
    assert "sudo -u ligretto ligretto-table doctor" in " ".join(result.stdout.split())


def test_something_that_fails_is_the_exit_code(table: Tree, config: Path) -> None:
    table.bus.gone.add(0x21)
    result = doctor(table.system(), "--config", config)
    assert result.exit_code == 1
    assert "FAIL   right: does not answer at 0x21" in result.stdout
    assert "-> check its power" in result.stdout


def test_programs_get_json_and_nothing_else(table: Tree, config: Path) -> None:
    result = doctor(table.system(), "--config", config, "--json")
    data = read(result)
    assert list(data) == ["format", "version", "config", "profile", "state", "counts", "findings"]
    assert (data["config"], data["profile"], data["state"]) == (str(config), "Dice for four", "note")
    assert result.exit_code == 0


def test_this_very_machine_can_be_examined() -> None:
    result = doctor(None, "--profile", "dice4-direct", "--json")
    data = read(result)
    assert result.exit_code == (1 if data["state"] == "fail" else 0)
    assert {finding["area"] for finding in data["findings"]} >= {"machine", "rights", "gpio"}


def test_every_fault_of_the_configuration_is_told(tree: Tree, config: Path) -> None:
    config.write_text('wiring = "dice5"\nrounds = 0\n', encoding="utf-8")
    result = doctor(tree.system(), "--config", config, "--json")
    assert result.exit_code == 1
    faults = [finding for finding in read(result)["findings"] if finding["area"] == "config"]
    assert sum(finding["state"] == "fail" for finding in faults) == 2
    assert any("dice5" in finding["seen"] for finding in faults)


def test_without_any_configuration_the_machine_is_examined(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctor(tree.system())
    assert result.exit_code == 0
    assert "without a profile it is not known what should be there" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--config", "/nowhere/table.toml"), "/nowhere/table.toml: No such file or directory"),
        (("--profile", "dice5"), "profile 'dice5' is unknown"),
        (("--log", "-"), "--log is for --bundle"),
        (("--walk", "feet", "--profile", "dice4"), "'feet' is not one of"),
        (("--jitter", "0"), "0 is not in the range"),
    ],
)
def test_what_cant_be_read_or_meant_is_no_finding(tree: Tree, words: tuple[str, ...], said: str) -> None:
    result = doctor(tree.system(), *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_walk_needs_a_wiring(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctor(tree.system(), "--walk", "buttons")
    assert result.exit_code == 2
    assert "--profile NAME" in result.stderr


def test_a_walk_is_told_line_by_line(table: Tree, config: Path) -> None:
    bench = Bench(DICE)
    bench.touch(*(Button(seat) for seat in range(1, 5)))
    result = doctor(walking(bench, table), "--config", config, "--walk", "buttons")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "[x] seat 1 came (line 5)" in lines
    assert "4 of 4: all have come" in lines
    assert sum(line.startswith("[x] seat 4 ") and "once, no bounce" in line for line in lines) == 1, lines


def test_a_walk_repeats_neither_the_report_nor_its_list(table: Tree, config: Path) -> None:
    table.bus.gone.add(0x21)
    report = doctor(table.system(), "--config", config).stdout.splitlines()
    good = [line for line in report if line.startswith(("  ok ", "  note"))]
    bench = Bench(DICE)
    bench.touch(*(Button(seat) for seat in range(1, 4)))
    words = ("--walk", "buttons", "--seconds", "5")
    result = doctor(walking(bench, table), "--config", config, *words)
    lines = result.stdout.splitlines()
    assert len(good) > 8 and not set(good) & set(lines)
    assert any("FAIL   right: does not answer at 0x21" in line for line in lines)
    assert "  FAIL   buttons: seat 4: did not come (line 19)" in lines
    assert sum("seat 2" in line for line in lines) == 2  # as it came, and in the list
    fails, warns, notes, oks = (int(part.split()[0]) for part in lines[-1].split(","))
    assert (fails, warns) == (2, 0) and notes + oks == len(good) + 3


def test_missing_parts_fail_and_programs_get_them_too(table: Tree, config: Path) -> None:
    bench = Bench(DICE)
    bench.touch(Button(1))
    words = ("--walk", "buttons", "--walk", "leds", "--seconds", "5", "--step", "0.1", "--json")
    result = doctor(walking(bench, table), "--config", config, *words)
    assert result.exit_code == 1
    states = {f["subject"]: f["state"] for f in read(result)["findings"] if f["area"] == "walk"}
    assert states["buttons: seat 1"] == "ok"
    assert states["buttons: seat 2"] == "fail"
    assert "[x] seat 1 came" in result.stderr


def test_no_walk_while_the_table_is_at_work(table: Tree, config: Path) -> None:
    table.users = {5: "ligretto-table"}
    result = doctor(table.system(equipment=None), "--config", config, "--walk", "buttons")
    assert result.exit_code == 1
    assert "'ligretto-table' holds line 5 (seat 1)" in " ".join(result.stdout.split())
    assert "FAIL   buttons: the table is running" in result.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_whoever_ends_a_walk_finds_nothing_lit(table: Tree, config: Path, number: int) -> None:
    bench = Bench(DICE)
    bench.table.agenda.at(350_000_000, lambda: os.kill(os.getpid(), number))
    words = ("--walk", "leds", "--step", "0.1")
    result = doctor(walking(bench, table), "--config", config, *words)
    assert result.exit_code == 0
    assert "4 of 80 lights were lit" in result.stdout
    assert any(any(frame) for _, frame in bench.table.leds.history)
    assert not any(bench.table.leds.frame)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_jitter_is_measured_and_explained(table: Tree, config: Path) -> None:
    result = doctor(walking(Bench(DICE), table), "--config", config, "--jitter", "0.1")
    assert "how late a timer wakes this process:" in result.stdout
    assert "button-settle" in result.stdout
    data = read(doctor(walking(Bench(DICE), table), "--config", config, "--jitter", "0.1", "--json"))
    assert data["jitter"]["seconds"] == 0.1
    assert data["jitter"]["wake_ups"]["count"] > 0


def test_a_bundle_is_packed_with_a_log(table: Tree, config: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "help.tar.gz"
    log = "Nov 18 10:00:00 kitchen-pi ligretto-table[7]: hw.work: Anna was here\n"
    result = doctor(table.system(), "--config", config, "--bundle", bundle, "--log", "-", input=log)
    assert result.exit_code == 0
    assert f"{bundle}:" in result.stdout
    with tarfile.open(bundle) as packed:
        names = [name.removeprefix("ligretto-table/") for name in packed.getnames()]
        found = packed.extractfile("ligretto-table/log.txt")
        assert found is not None
        lines = found.read().decode().splitlines()
    assert lines == ["Nov 18 10:00:00 hw.work: …", "0 of 1 lines are left out"]
    assert names == [
        *("README.txt", "findings.json", "facts.json", "config.json", "wiring.json"),
        *("log.txt", "sessions.txt"),
    ]
    assert all(name in result.stdout for name in names[1:])


@pytest.mark.parametrize(
    "event",
    some(
        3,
        [
            'event = "Party of Gudrun"',
            "event = Party of Gudrun",
            "event = Party of Gudrun # for all",
            "event = “Party of Gudrun”",
            'event: "Party of Gudrun"',
            "event Party of Gudrun",
            '"event" = Party of Gudrun',
            'evnt = "Party of Gudrun"',
            "Event = Party of Gudrun",
            'event = ["Party of Gudrun"]',
            'event = "Party of Gudrun, who has a birthday today, and of all who come to it"',
        ],
    ),
)
def test_the_bundle_of_a_faulty_configuration_tells_no_event(
    table: Tree, config: Path, tmp_path: Path, event: str
) -> None:
    """And it has the store all the same."""
    config.write_text(f'{event}\nrounds = "x"\n{config.read_text()}', encoding="utf-8")
    add_match(table.path("/var/lib/table/table.db"), "dice4", 1, rounds=1, event="", day="2026-11-18")
    bundle = tmp_path / "help.tar.gz"
    log = f"INFO the event is {event[event.index('Party') :].rstrip('”]' + chr(34))} now"
    doctor(table.system(), "--config", config, "--bundle", bundle, "--log", "-", input=log)
    with tarfile.open(bundle) as packed:
        parts = {name: packed.extractfile(name) for name in packed.getnames()}
        texts = {name.rpartition("/")[2]: part.read() for name, part in parts.items() if part is not None}
    assert not [name for name, text in texts.items() if b"Gudrun" in text]
    assert "sessions.txt" in texts and "store.db" in texts


def test_the_bundle_says_which_settings_are_wrong(table: Tree, config: Path, tmp_path: Path) -> None:
    config.write_text(f'rounds = "Gudrun"\nlanguge = "de"\n{config.read_text()}', encoding="utf-8")
    bundle = tmp_path / "help.tar.gz"
    doctor(table.system(), "--config", config, "--bundle", bundle)
    with tarfile.open(bundle) as packed:
        file = packed.extractfile("ligretto-table/findings.json")
        assert file is not None
        findings = json.load(file)["findings"]
    faults = [each["seen"] for each in findings if each["area"] == "config" and each["state"] == "fail"]
    assert faults == ["rounds", "language"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--profile", "dice4"), "--config and --profile can't be combined"),
        (("--game", "cards"), "has a wiring only for dice"),
    ],
)
def test_what_does_not_go_together_is_refused(
    table: Tree, config: Path, arguments: tuple[str, str], told: str
) -> None:
    result = doctor(table.system(), "--config", config, *arguments)
    assert result.exit_code == 2 and told in result.stderr


def test_a_table_for_two_games_is_looked_at_as_a_whole(table: Tree, config: Path) -> None:
    both = config.read_text().replace('"dice4"', '{ dice = "dice4", cards = "cards4" }\ngame = "dice"')
    config.write_text(f'tags = "tags.csv"\n{both}', encoding="utf-8")
    (config.parent / "tags.csv").write_text(format_registry(Registry.for_cards(4)), encoding="utf-8")
    findings = read(doctor(table.system(), "--config", config, "--json"))["findings"]
    seen = {finding["subject"]: finding["seen"] for finding in findings}
    assert seen["left"] == "answers at 0x20" and seen["piles-1"] == "for cards: does not answer at 0x71"
    cards = read(doctor(table.system(), "--config", config, "--game", "cards", "--json"))
    seen = {finding["subject"]: finding["seen"] for finding in cards["findings"]}
    assert cards["profile"] == "Cards for four"
    assert seen["left"] == "for dice: answers at 0x20" and seen["piles-1"] == "does not answer at 0x71"


def test_a_bundle_that_cant_be_written_is_bad_usage(table: Tree, config: Path) -> None:
    result = doctor(table.system(), "--config", config, "--bundle", "/nowhere/help.tar.gz")
    assert result.exit_code == 2
    assert "/nowhere/help.tar.gz can't be written" in result.stderr


def test_the_page_stands_for_its_time(table: Tree, config: Path) -> None:
    result = doctor(table.system(), "--config", config, "--page", "0.1")
    assert "for 0.1 s the scoreboard should show:" in result.stdout
    assert "  [12345678901234567890]" in result.stdout


class Terminal(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_in_a_terminal_the_whole_list_is_painted() -> None:
    terminal = Terminal()
    walk = ContactWalk("buttons", [Button(1)], {Button(1): "line 5"}, Settings())
    walk.begin([Button(1)])
    with live_screen(terminal) as screen:
        screen.show(walk)
        assert not screen.wants_next()
    painted = terminal.getvalue()
    assert "[ ] seat 1" in painted and "now press: seat 1 (line 5)" in painted
    assert "seat 1 is pressed from the start" in painted


def test_a_small_terminal_shows_what_is_left_to_do() -> None:
    picture = ["[x] seat 1", "[ ] seat 2", "[x] seat 3", "[ ] seat 4", "2 of 4; now press: seat 2"]
    assert fitted(picture, 5) == picture
    assert fitted(picture, 4) == picture[1:]
    assert fitted(picture, 3) == ["[ ] seat 2", "[ ] seat 4", picture[-1]]
    assert fitted(picture, 2) == ["[ ] seat 2", picture[-1]]
    assert fitted(picture, 0) == [picture[-1]]
