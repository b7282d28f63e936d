"""The whole report on a machine of files, with real drivers against simulated chips."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.lab.chips_table import sign_model
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import StoreConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.table_files import simulated_registry
from firmware_host.workshop.doctor import device_look
from firmware_host.workshop.doctor.checks import CheckedTable, check_table
from firmware_host.workshop.doctor.findings import Area, Finding, State
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.mcp23017 import Mcp23017Model
from tests.workshop.doctor.finding import CARDS, DICE, one, profile_with
from tests.workshop.doctor.tree import Tree, reader

BY_ID = "/dev/serial/by-id"
STORE = StoreConfig(file="/var/lib/ligretto-table/table.db")


def at_its_ports(profile: Profile) -> Profile:
    """The profile with its devices by lasting names."""
    readers = tuple(replace(spot, port=f"{BY_ID}/usb-X_UART_{spot.name}-if00") for spot in profile.readers)
    return profile_with(profile, readers=readers, sign_port=f"{BY_ID}/usb-X_UART_sign-if00")


PROFILE = at_its_ports(CARDS)
CHECKED = CheckedTable(
    profile=PROFILE, config_file="table.toml", registry=simulated_registry(CARDS), store=STORE
)


@pytest.fixture
def table(tree: Tree) -> Tree:
    """A machine with a whole card table at it."""
    tree.i2c({0x71: Ht16k33Model(), 0x72: Ht16k33Model()})
    tree.path(STORE.file).parent.mkdir(parents=True)
    tree.plug("/dev/ttyUSB0", sign_model("cd5220", 20), "usb-X_UART_sign-if00")
    for number, spot in enumerate(PROFILE.readers, start=1):
        tree.plug(f"/dev/ttyUSB{number}", reader(), f"usb-X_UART_{spot.name}-if00")
    tree.sound_card()
    return tree


def looked(tree: Tree, checked: CheckedTable = CHECKED) -> tuple[list[Finding], list[tuple[str, ...]]]:
    pages: list[tuple[str, ...]] = []
    return check_table(tree.system(), checked, pages.append).findings, pages


def test_a_table_that_lacks_nothing(table: Tree) -> None:
    findings, pages = looked(table)
    assert [finding for finding in findings if finding.state in (State.WARN, State.FAIL)] == []
    assert {finding.area for finding in findings} == set(Area) - {Area.WALK, Area.JITTER}
    notes = [(finding.area, finding.subject) for finding in findings if finding.state is State.NOTE]
    assert notes == [(Area.STORE, "file"), (Area.SCOREBOARD, "cd5220")]
    assert pages == [("12345678901234567890", "Ligretto aouen ^o#*|")]
    assert {one(findings, f"pad-{seat}", Area.READERS).state for seat in range(1, 5)} == {State.OK}
    assert one(findings, "devices").seen == "all 7 may be opened"
    assert one(findings, "plughw:CARD=Device").seen.endswith("sounds wait 12 ms in player and card")


def test_everything_that_is_missing_is_told(tree: Tree) -> None:
    tree.remove("/dev/gpiochip0")
    tree.chips.clear()
    findings, pages = looked(tree)
    failing = {(finding.area, finding.subject) for finding in findings if finding.state is State.FAIL}
    assert failing == {
        (Area.STORE, "folder"),
        (Area.GPIO, "chip"),
        (Area.I2C, "bus 1"),
        (Area.READERS, "pad-1, pad-2, pad-3, pad-4"),
        (Area.SCOREBOARD, "cd5220"),
    }
    assert pages == []


def test_a_table_at_work_is_left_alone(table: Tree) -> None:
    table.users = {5: "ligretto-table", 6: "ligretto-table"}
    report = check_table(table.system(open_port=None, open_bus=None, site=None), CHECKED, lambda page: None)
    assert report.at_work
    assert one(report.findings, "lines").state is State.FAIL
    untouched = [finding for finding in report.findings if finding.seen.startswith("not checked")]
    assert [finding.area for finding in untouched] == [Area.I2C, Area.READERS, Area.SCOREBOARD, Area.SOUND]
    assert one(report.findings, "devices").state is State.OK


def test_lines_of_somebody_else_are_not_asked_for(table: Tree) -> None:
    table.users = {5: "spi0 CS0"}
    findings = check_table(table.system(site=None), CHECKED, lambda page: None).findings
    assert one(findings, "lines").seen == "'spi0 CS0' holds line 5 (seat 1)"
    assert not any(finding.subject == "contacts" for finding in findings)


def test_an_old_kernel_is_not_asked_for_lines(table: Tree) -> None:
    table.old_interface = True
    findings = check_table(table.system(site=None), CHECKED, lambda page: None).findings
    assert one(findings, "interface").state is State.FAIL


def test_without_a_profile_the_machine_is_looked_at_all_the_same(tree: Tree) -> None:
    findings, pages = looked(tree, CheckedTable())
    assert one(findings, "profile").state is State.NOTE
    assert {finding.area for finding in findings} == {
        *(Area.MACHINE, Area.RIGHTS, Area.CONFIG, Area.GPIO, Area.PORTS),
    }
    assert pages == []


def test_only_the_open_seats_need_cards(table: Tree) -> None:
    whole = simulated_registry(CARDS)
    registry = Registry({uid: tag for uid, tag in whole.items() if getattr(tag, "seat", 0) != 4})
    checked = replace(CHECKED, registry=registry)
    assert one(looked(table, checked)[0], "cards of seat 4").state is State.FAIL
    open_ones = replace(checked, open_seats=(1, 2, 3))
    assert one(looked(table, open_ones)[0], "registry").state is State.OK


def test_a_user_without_a_group_gets_the_command(table: Tree) -> None:
    table.path("/dev/i2c-1").chmod(0o660)
    number = table.path("/dev/i2c-1").stat().st_gid
    table.write("/etc/group", f"i2c:x:{number}:")
    table.groups = {4242}
    table.closed = {"/dev/i2c-1"}
    findings, _ = looked(table)
    assert one(findings, "i2c").advice == "sudo usermod -aG i2c anna, then log in again"


def test_a_dice_table_without_a_sign(tree: Tree) -> None:
    findings, _ = looked(tree, CheckedTable(profile=profile_with(DICE, sign_port="")))
    assert one(findings, "sign").state is State.NOTE
    assert not any(finding.area is Area.READERS for finding in findings)


# -- a table for two games

BOTH = replace(CHECKED, others=(at_its_ports(DICE),), registry=simulated_registry(CARDS))


@pytest.fixture
def both(table: Tree) -> Tree:
    """The same machine with the chips of a dice table beside those of the cards."""
    table.i2c({
        0x20: Mcp23017Model(), 0x21: Mcp23017Model(),
        0x70: Ht16k33Model(), 0x71: Ht16k33Model(), 0x72: Ht16k33Model(),
    })  # fmt: skip
    return table


def test_a_table_for_two_games_that_lacks_nothing(both: Tree) -> None:
    findings, pages = looked(both, BOTH)
    assert [finding for finding in findings if finding.state in (State.WARN, State.FAIL)] == []
    assert len(pages) == 1, "both games have the same sign"
    answers = {finding.subject: finding.seen for finding in findings if finding.area is Area.I2C}
    assert answers == {
        "piles-1": "answers at 0x71",
        "piles-2": "answers at 0x72",
        **{
            name: f"for dice: answers at 0x{at:02x}"
            for name, at in (("left", 0x20), ("right", 0x21), ("rows", 0x70))
        },
    }
    lines = [finding.seen for finding in findings if finding.subject == "lines"]
    assert lines[1].startswith("for dice: the ") and len(lines) == 2
    assert one(findings, "chip").area is Area.GPIO
    assert one(findings, "registry").seen.endswith("none is missing")


def test_what_the_other_game_lacks_is_told(both: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_look, "PATIENCE_S", 30.0)  # all of them answer, on a busy machine too
    both.bus.gone |= {0x21, 0x72}
    findings, _ = looked(both, BOTH)
    assert one(findings, "piles-2").seen == "does not answer at 0x72"
    assert one(findings, "right").seen == "for dice: does not answer at 0x21"
    dice_first = replace(BOTH, profile=BOTH.others[0], others=(PROFILE,))
    pads = [finding.seen for finding in looked(both, dice_first)[0] if finding.area is Area.READERS]
    assert len(pads) == 4 and all(seen.startswith("for cards: ") for seen in pads)
    nobody = replace(dice_first, registry=Registry({}))
    assert one(looked(both, nobody)[0], "registry").seen == "no tag is enrolled"


def test_a_table_for_two_games_at_work_is_left_alone(both: Tree) -> None:
    both.users = {17: "ligretto-table"}
    report = check_table(both.system(open_port=None, open_bus=None), BOTH, lambda page: None)
    assert report.at_work
