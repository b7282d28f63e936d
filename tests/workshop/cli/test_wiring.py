"""`wiring`: what it prints and writes, what it refuses, and a profile of one's own from beginning to end."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import wiring
from firmware_host.profile.keys import PROFILE_KEYS
from firmware_host.profile.profile import BOARD_SETTINGS, BUILD_SETTINGS
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.workshop.drawing.sheets import VIEWS
from tests.cli.commands import run
from tests.workshop.plan.own_table import six_seats

GUIDE = (Path(__file__).parents[3] / "docs" / "wiring.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# -- showing


@pytest.mark.parametrize("name", wiring.profile_names())
def test_every_profile_that_ships_can_be_shown(name: str) -> None:
    result = run("wiring", name)
    assert (result.exit_code, result.stderr) == (0, "")
    for title in (": parts, about", ": power, estimated", "switching on: plug of the Pi"):
        assert title in result.stdout


@pytest.mark.parametrize("view", VIEWS)
def test_one_view_is_a_part_of_all(view: str) -> None:
    whole = run("wiring", "dice4").stdout
    part = run("wiring", "--only", view, "dice4").stdout
    assert part in whole and len(part) < len(whole)


def test_a_view_may_be_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(run("wiring", "dice4", "--only", "checklist", "--csv").stdout)))
    assert rows[-1]["to"] == "pi: USB-C"
    assert {"from": "left: GPA0 (pin 21)", "to": "red 1: OUT (pin 3)"}.items() <= next(
        row for row in rows if row["to"].startswith("red 1: OUT")
    ).items()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dce4"], "profile 'dce4' is unknown; known: "),
        (["no.toml"], "no.toml: "),
        (["dice4", "--csv"], "--csv: name what with --only: addresses, checklist, parts, power"),
        (["dice4", "--csv", "--only", "header"], "--csv: name what with --only: "),
        (["dice4", "--force"], "--force goes with --out"),
        (["dice4", "--png"], "--png goes with --out"),
        (["dice4", "--out", "x", "--only", "parts"], "--out writes everything; leave out --only"),
        (["dice4", "--out", "there.txt"], "--out there.txt: there is a file of that name; name a folder"),
        (["dice4", "--out", ""], "--out: is empty; name a folder"),
        (["new", "--from", "dice4", "my.txt"], "my.txt: the name of a profile ends with .toml"),
        (["new", "--from", "dce4", "my.toml"], "profile 'dce4' is unknown; known: "),
    ],
)
def test_what_can_not_be_is_refused(arguments: list[str], message: str) -> None:
    Path("there.txt").write_text("mine")
    result = run("wiring", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ligretto-table: {message}")
    assert Path("there.txt").read_text() == "mine"


def test_faults_of_a_profile_come_all_at_once() -> None:
    text = wiring.profile_file("dice4").read_text(encoding="utf-8")
    Path("my.toml").write_text(
        text.replace("2 = 6", "2 = 5") + "\n[build]\nhal = 'a3144'\nsupply-amps = -1\n"
    )
    result = run("wiring", "my.toml")
    assert result.exit_code == 2
    assert [line.split(":")[1] for line in result.stderr.splitlines()] == [" my.toml"] * 3


# -- writing


def test_everything_is_written_and_nothing_is_overwritten() -> None:
    result = run("wiring", "dice4", "--out", "built/here")
    assert result.exit_code == 0 and result.stdout.endswith(" files to built/here\n")
    folder = Path("built/here")
    assert {f"{view}.txt" for view in VIEWS} < {path.name for path in folder.iterdir()}
    (folder / "header.txt").write_text("notes")
    again = run("wiring", "dice4", "--out", "built/here")
    assert again.exit_code == 2 and again.stderr.endswith("exists already; add --force to overwrite\n")
    assert (folder / "header.txt").read_text() == "notes"
    assert run("wiring", "dice4", "--out", "built/here", "--force").exit_code == 0
    assert (folder / "header.txt").read_text().startswith("Raspberry Pi 4 B")


def test_one_file_that_is_there_is_named_alone() -> None:
    Path("built").mkdir()
    Path("built/parts.csv").write_text("mine")
    result = run("wiring", "dice4", "--out", "built")
    assert result.stderr == "ligretto-table: built/parts.csv: exists already; add --force to overwrite\n"
    assert [path.name for path in Path("built").iterdir()] == ["parts.csv"]


def test_nothing_is_written_if_one_file_can_not_be() -> None:
    Path("built/whole.svg").mkdir(parents=True)
    result = run("wiring", "dice4", "--out", "built", "--force")
    assert (result.exit_code, result.stderr) == (2, "ligretto-table: built/whole.svg: is a folder\n")
    assert [path.name for path in Path("built").iterdir()] == ["whole.svg"]
    store = Path("built/power.csv")
    store.write_bytes(b"SQLite format 3\0")
    Path("built/whole.svg").rmdir()
    assert run("wiring", "dice4", "--out", "built", "--force").exit_code == 2
    assert list(Path("built").iterdir()) == [store]


# -- a profile of one's own


@pytest.mark.parametrize("name", wiring.profile_names())
def test_a_new_profile_means_the_same_as_the_one_it_came_from(name: str) -> None:
    result = run("wiring", "new", "--from", name, "my.toml")
    assert (result.exit_code, result.stderr) == (0, "")
    shipped = parse_profile(wiring.profile_file(name).read_text(encoding="utf-8"), "x")
    own = parse_profile(Path("my.toml").read_text(encoding="utf-8"), "my.toml")
    assert (own, own.build) == (shipped, shipped.build)


def test_a_new_profile_explains_every_key() -> None:
    run("wiring", "new", "--from", "dice4", "my.toml")
    text = Path("my.toml").read_text(encoding="utf-8")
    for key in (*BUILD_SETTINGS, *BOARD_SETTINGS, "overlays"):
        assert re.search(rf"(?m)^(# )?{key} = .* # .", text), key
    for each in PROFILE_KEYS:
        assert f"#   {each.name} = {each.example}" in text


def test_a_new_profile_never_overwrites() -> None:
    Path("my.toml").write_text("mine")
    result = run("wiring", "new", "--from", "dice4", "my.toml")
    assert result.exit_code == 2
    assert (
        result.stderr
        == "ligretto-table: my.toml: exists already, and is not overwritten; name another file\n"
    )
    assert Path("my.toml").read_text() == "mine"


@pytest.mark.parametrize("written", ['build.hall = "us5881"\n', 'build = { hall = "us5881" }\n'])
def test_a_profile_that_can_not_be_copied_is_refused(written: str) -> None:
    text = wiring.profile_file("dice4").read_text(encoding="utf-8")
    Path("one.toml").write_text(written + text)
    result = run("wiring", "new", "--from", "one.toml", "two.toml")
    assert result.exit_code == 2 and "--from one.toml: can't be copied" in result.stderr
    assert not Path("two.toml").exists()


def test_a_table_for_six_goes_all_the_way() -> None:
    assert run("wiring", "new", "--from", "cards4", "my.toml").exit_code == 0
    Path("my.toml").write_text(six_seats(Path("my.toml").read_text(encoding="utf-8")))
    Path("tags.csv").write_text("uid,tag\n")
    Path("table.toml").write_text('wiring = "my.toml"\ntags = "tags.csv"\n')
    checked = run("check", "--config", "table.toml")
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert "1 on GPIO 4, 2 on GPIO 17" in checked.stdout
    shown = run("wiring", "my.toml", "--only", "header")
    assert shown.exit_code == 0 and "call 1  GPIO 11 23 o o 24" in shown.stdout
    dealt = ("--seats", "6", "--deal", "2,2,2,2,2,2")
    played = run("simulate", "--profile", "my.toml", *dealt, "--rounds", "1", "--matches", "1", "--json")
    assert played.exit_code == 0
    assert set(json.loads(played.stdout)["seats"]) == set("123456")


# -- the guide


def test_the_guide_shows_the_header_as_it_is_printed() -> None:
    assert run("wiring", "dice4", "--only", "header").stdout in GUIDE


def test_the_commands_of_the_guide_work() -> None:
    run("wiring", "new", "--from", "cards4", "my.toml")
    for line in re.findall(r"(?m)^ligretto-table (wiring (?!new).*)$", GUIDE):
        words = line.partition(" >")[0].split()
        assert run(*words).exit_code == 0, line
