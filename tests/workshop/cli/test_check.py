"""`check`: what it says of a good table.toml, of a bad one, and what its guide shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wiring
from firmware_host.profile.device_kinds import SIGNS
from firmware_host.profile.keys import PROFILE_SECTIONS, TABLE_NAMES, TABLE_SECTIONS
from firmware_host.profile.tags import Registry, format_registry
from firmware_host.run import table_files
from firmware_host.run.table_files import VARIABLE, load_config
from tests.cli.commands import run

GUIDE = (Path(__file__).parents[3] / "docs" / "configuring.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?ms)^```(?:toml)?\n(.*?)^```\n", GUIDE)
SHELL, EXAMPLE, CHECKED, WRONG, FAULTS, SYNTAX = BLOCKS

SENSE = [
    "error: build.hall-volts: A3144 needs 4.5 V and has 3.3 V",
    "  why: below its least supply a sensor switches at random or never",
    "  right: hall-volts = 5.0, its output pulled up to 3.3 V",
]


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(table_files, "USUAL_FILES", (Path("table.toml"), Path("/no/such/table.toml")))


def write(text: str, name: str = "table.toml") -> None:
    Path(name).write_text(text, encoding="utf-8")


# -- the command


def test_the_example_passes_when_saved() -> None:
    example = run("check", "--example")
    assert example.exit_code == 0
    write(example.stdout)
    result = run("check")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("table.toml has no faults.\n\nlanguage     en\n")
    assert "dice: Dice for four (dice4)" in result.stdout


@pytest.mark.parametrize("name", wiring.profile_names())
def test_every_profile_that_ships_can_be_checked(name: str) -> None:
    write("uid,tag\n", "tags.csv")
    write(f'wiring = "{name}"\ntags = "tags.csv"\n')
    result = run("check")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"({name})\n" in result.stdout


def test_without_any_file_it_says_what_to_do() -> None:
    result = run("check")
    assert result.exit_code == 2
    assert "write one with: ligretto-table check --example > table.toml" in result.stderr


def test_the_variable_names_the_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    write('wiring = "dice4-direct"', "other.toml")
    monkeypatch.setenv(VARIABLE, "other.toml")
    assert run("check").stdout.startswith("other.toml has no faults.\n")


def test_all_faults_of_all_files_are_told_and_nothing_else() -> None:
    write("uid,tag\nx,card 1 red 1\n", "tags.csv")
    write("title = 5\n", "own.toml")
    write('wiring = "own.toml"\ntags = "tags.csv"\nrounds = 0\n')
    result = run("check")
    assert (result.exit_code, result.stdout) == (2, "")
    assert [line.split(": ")[1] for line in result.stderr.splitlines()[:2]] == ["table.toml:3", "own.toml:1"]
    assert result.stderr.splitlines()[-1].startswith("ligretto-table: tags.csv:2: ")


def test_what_is_printed_is_good_wherever_it_is_put(tmp_path: Path) -> None:
    own = wiring.profile_file("dice4-rfid").read_text(encoding="utf-8")
    write(own, "own.toml")
    write(format_registry(Registry.for_dice()), "tags.csv")
    write(
        'wiring = "own.toml"\ntags = "tags.csv"\nbrightness = 4\n'
        '[store]\nfile = "t.db"\n[timing]\nlock = "3s"\n'
    )
    printed = run("check", "--print")
    assert printed.exit_code == 0
    elsewhere = tmp_path / "elsewhere" / "t.toml"
    elsewhere.parent.mkdir()
    elsewhere.write_text(printed.stdout, encoding="utf-8")
    there, here = load_config(elsewhere).config, load_config(Path("table.toml")).config
    assert (there.settings, there.profiles, there.brightness) == (here.settings, here.profiles, 4)
    assert there.store.file == str(tmp_path / "t.db")
    again = run("check", "--print", "--config", str(elsewhere)).stdout
    assert again.splitlines()[1:] == printed.stdout.splitlines()[1:]


def test_the_old_name_of_a_section_is_told_the_new_one() -> None:
    write('wiring = "dice4"\n[windows]\nlock = "2s"\n')
    result = run("check")
    assert (result.exit_code, result.stderr) == (
        0,
        "ligretto-table: table.toml:2: windows is called timing now\n",
    )
    assert "\ntiming       lock 2s (1s); all others as usual\n" in result.stdout
    write(run("check", "--print").stdout)
    assert run("check").stderr == ""


def test_a_faulty_file_is_not_printed() -> None:
    write('wiring = "dice4"\nrounds = 0\n')
    result = run("check", "--print")
    assert (result.exit_code, result.stdout) == (2, "")


# -- electrical sense


def own(change: str, name: str = "dice4") -> None:
    """A table with a profile of its own, which says something more than a shipped one."""
    write(wiring.profile_file(name).read_text(encoding="utf-8") + change, "own.toml")
    write('wiring = "own.toml"\n')


def test_an_electrical_error_is_told_after_the_table_and_sets_the_exit_code() -> None:
    own("[build]\nhall-volts = 3.3\n")
    result = run("check")
    assert (result.exit_code, result.stderr) == (2, "")
    assert result.stdout.startswith(
        "table.toml has no faults, but its wiring has 1 electrical error.\n\nlanguage"
    )
    assert result.stdout.endswith("\n\nelectrical sense of own.toml:\n" + "\n".join(SENSE) + "\n")


def test_warnings_do_not_change_the_exit_code_and_reasons_are_told_once() -> None:
    own('[build]\noverlays = ["strange", "stranger"]\n')
    result = run("check")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("table.toml has no faults.\n")
    told = result.stdout.partition("electrical sense of own.toml:\n")[2]
    assert [told.count(word) for word in ("warning: ", "  why: ", "  right: ")] == [2, 1, 1]


def test_a_table_that_chooses_no_parts_gets_no_errors() -> None:
    own("")
    write(
        Path("own.toml").read_text(encoding="utf-8").replace('pull = "up"', 'pull = "floating"'), "own.toml"
    )
    result = run("check")
    assert result.exit_code == 0
    assert "\nwarning: gpio.pull: nothing pulls the lines of buttons and sensors" in result.stdout
    assert result.stdout.splitlines()[-1] == (
        "  assumed, as the profile does not say: build.contact-pull-up-ohm"
    )


def test_the_ports_of_the_table_are_judged_and_not_those_of_the_profile() -> None:
    write('wiring = "dice4"\n[ports]\nscoreboard = "/dev/ttyAMA5"\n')
    result = run("check")
    assert result.exit_code == 2
    assert "error: scoreboard.port: /dev/ttyAMA5 is on GPIO 12, where lamps.seats has" in result.stdout


def test_the_page_shows_what_is_printed() -> None:
    page = (Path(__file__).parents[3] / "docs" / "electrical.md").read_text(encoding="utf-8")
    assert "\n".join(SENSE) in page


@pytest.mark.parametrize("electrical", [False, True])
@pytest.mark.parametrize("columns", [40, 64, 66])
def test_what_it_says_fits_into_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, electrical: bool
) -> None:
    if electrical:
        own('[build]\nbutton-driver = "none"\n')
    else:
        write(EXAMPLE)
    write(format_registry(Registry.for_cards(4)), "tags.csv")
    usual = run("check").stdout
    monkeypatch.setenv("COLUMNS", str(columns))
    told = run("check").stdout
    assert max(map(len, told.splitlines())) <= columns
    assert told.split() == usual.split()


def test_a_registry_that_is_yet_to_come_is_told_how_to_be_made() -> None:
    write('wiring = "cards4"\ntags = "tags.csv"\n')
    result = run("check")
    assert result.exit_code == 2
    assert result.stderr == (
        "ligretto-table: table.toml:2: tags is 'tags.csv'; allowed: a file that can be read: "
        "tags.csv: No such file or directory; make it with: ligretto-table tags enrol\n"
    )


def test_a_folder_is_no_store() -> None:
    Path("st.db").mkdir()
    write('wiring = "dice4"\n[store]\nfile = "st.db"\n')
    result = run("check")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "st.db is a folder; name a file in it, such as 'st.db/table.db'" in result.stderr


# -- the guide


def test_the_guide_shows_what_check_says_of_its_example() -> None:
    write(EXAMPLE)
    tags = format_registry(Registry.for_cards(4)).splitlines()
    write("\n".join(tags[:-2]), "tags.csv")
    assert run("check").stdout == CHECKED


def test_the_guide_shows_what_check_says_of_its_faults() -> None:
    write(WRONG, "party.toml")
    result = run("check", "--config", "party.toml")
    assert (result.exit_code, result.stderr) == (2, FAULTS)


def test_the_guide_shows_a_syntax_error() -> None:
    write("wiring = cards4\nlangauge = 5\n", "party.toml")
    result = run("check", "--config", "party.toml")
    assert (result.exit_code, result.stderr) == (2, SYNTAX)


def test_the_commands_of_the_guide_work() -> None:
    assert SHELL.splitlines() == ["ligretto-table check --example > table.toml", "ligretto-table check"]


def test_the_guide_lists_every_setting_and_every_time_with_its_default() -> None:
    for name in TABLE_NAMES:
        assert re.search(rf"(?m)^\| `\[?{name}\]?( [a-z-]+)?` \|", GUIDE), name
    for name in TABLE_SECTIONS["store"]:
        assert f"| `[store] {name}` |" in GUIDE


def test_the_guide_lists_every_setting_of_a_profile() -> None:
    table = GUIDE[GUIDE.index("## A profile of your own") :]
    for section, names in PROFILE_SECTIONS.items():
        if section == "build":
            assert "| `[build]` | what only building needs: [Wiring](wiring.md#build)" in table
            continue  # that page lists its keys
        (line,) = [
            line for line in table.splitlines()
            if line.startswith("| `[") and f"`[{section.replace('*', 'NAME')}]`" in line
        ]  # fmt: skip
        assert all(f"`{name}`" in line for name in names if not name.isdigit())
    for name, form in SIGNS.items():
        (line,) = [line for line in table.splitlines() if f"`{name}`" in line and line.startswith("| `")]
        assert line.endswith(f" {', '.join(f'`{each}`' for each in form.charsets)} |")
