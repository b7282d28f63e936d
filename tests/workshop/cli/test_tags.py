"""`tags`, as a person meets it: enrolling at a reader behind a pseudo-terminal, and care of the file."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.profile.tags import Registry, format_registry
from tests.cli.commands import run
from tests.cli.reading_table import REDS, ReadingTable
from tests.hw.uart.pty_bench import wait_until

CARDS4 = format_registry(Registry.for_cards(4))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ReadingTable]:
    made = ReadingTable(tmp_path)
    yield made
    made.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "tags.csv"
    made.write_text(CARDS4, encoding="utf-8")
    return made


def tags(command: str, file: Path, *arguments: str, profile: str = "cards4") -> tuple[int, list[str]]:
    """The exit code of one of the commands, and what it printed."""
    result = run("tags", command, "--profile", profile, "--file", str(file), *arguments)
    return result.exit_code, result.output.replace(f"{file.parent}/", "").splitlines()


# -- at the reader


def test_cards_are_enrolled_interrupted_and_gone_on_with(table: ReadingTable) -> None:
    first = table.start("enrol", "--only", "seat 1 red")
    for card in REDS[:2]:
        table.enrol(card)
    table.wait_for("seat 1: red 3")
    first.interrupt()
    code, lines = first.end()
    assert code == 130
    assert lines[-1] == "2 enrolled now, 8 left; continue with the same command"
    wait_until(lambda: table.sign.lines == ("", ""))
    assert set(table.enrolled.values()) == set(REDS[:2])

    second = table.start("enrol", "--only", "seat 1 red", terminal=True)
    assert second.line().endswith("tags.csv: 2 of 10 tags; 8 to go through")
    assert second.line_with("keys:").startswith("keys: s skips one")
    table.enrol(REDS[2])
    table.wait_for("seat 1: red 4")
    second.press("s")
    table.wait_for("seat 1: red 5")
    second.press("b")
    table.enrol(REDS[3])
    table.wait_for("seat 1: red 5")
    second.press("q")
    code, lines = second.end()
    assert code == 0
    assert lines[-1] == "2 enrolled now, 6 left; continue with the same command"
    assert set(table.enrolled.values()) == set(REDS[:4])


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_whoever_ends_it_leaves_reader_and_scoreboard_at_rest(
    table: ReadingTable, by: signal.Signals
) -> None:
    command = table.start("enrol", terminal=True)
    table.wait_for("Hold to any pad")
    command.interrupt(by)
    assert command.end()[0] == 130
    wait_until(lambda: table.sign.lines == ("", "") and not table.pad.field_on)


def test_what_was_told_to_be_saved_survives_a_power_cut(table: ReadingTable) -> None:
    command = table.start("enrol", "--only", "seat 1")
    table.enrol(REDS[0])
    table.wait_for("seat 1: red 2")
    table.hold(REDS[1])
    command.kill()
    assert set(table.enrolled.values()) == set(REDS[:2])
    assert [path.name for path in table.file.parent.iterdir() if path.suffix == ".csv"] == ["tags.csv"]


def test_the_last_one_ends_it(table: ReadingTable) -> None:
    command = table.start("enrol", "--only", "card 1 red 1")
    table.enrol(REDS[0])
    table.wait_for("Done", "Without a tag: 0")
    assert command.end()[0] == 0
    again = table.start("enrol", "--only", "card 1 red 1")
    code, lines = again.end()
    assert code == 0
    assert lines[-1] == "nothing left to do; add --again to enrol tags again"


def test_two_cards_and_a_pulled_plug_on_a_real_terminal(table: ReadingTable) -> None:
    command = table.start("enrol", "--only", "seat 1 red", "--reader", "pad-1")
    table.wait_for("seat 1: red 1", "Hold to pad 1")
    table.wait_for_looks()
    table.put(REDS[0])
    table.put(REDS[1])
    table.wait_for("two at once")
    table.take(REDS[1])
    table.wait_for("Saved: take it off")
    table.take(REDS[0])
    table.wait_for("seat 1: red 2")
    table.peers["pad"].unplug()
    table.wait_for("Check: pad 1")
    table.peers["pad"].plug()
    table.enrol(REDS[1])
    command.interrupt()
    code, lines = command.end()
    told = "\n".join(lines)
    assert code == 130
    assert "pad-1 is lost: was unplugged; check its plug and its power" in told
    assert "pad-2 is lost" not in told, "that one does not matter"
    assert set(table.enrolled.values()) == set(REDS[:2])


def test_each_tag_that_comes_is_shown(table: ReadingTable) -> None:
    table.file.write_text("uid,tag\nca010001,card 1 red 1\n", encoding="utf-8")
    command = table.start("read")
    command.line_with("readers; Ctrl-C ends it")
    table.put(REDS[0])
    assert command.line_with("ca010001").split() == ["pad-1", "ca010001", "card", "1", "red", "1"]
    table.put(REDS[1])
    assert command.line_with("ca010002").endswith("not enrolled")
    table.take(REDS[0])
    assert command.line_with("ca010001").endswith("removed")
    command.interrupt()
    assert command.end() == (130, ["stopped"])


# -- which table


def config(folder: Path, text: str) -> Path:
    """A table.toml with a profile of its own ports."""
    made = folder / "table.toml"
    made.write_text(text, encoding="utf-8")
    return made


def test_the_table_and_its_tags_are_those_of_table_toml(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = config(file.parent, 'wiring = "cards4"\ntags = "tags.csv"\n')
    fine = f"{file}: all 160 tags are there, each once\n"
    assert run("tags", "check", "--config", str(path)).output == fine
    monkeypatch.setenv("LIGRETTO_TABLE_CONFIG", str(path))
    assert run("tags", "check").output == fine
    monkeypatch.delenv("LIGRETTO_TABLE_CONFIG")
    monkeypatch.chdir(file.parent)
    assert run("tags", "check").output == "tags.csv: all 160 tags are there, each once\n"


def test_its_tags_may_be_missing_yet_or_be_full_of_faults(tmp_path: Path) -> None:
    path = config(tmp_path, 'wiring = "cards4"\ntags = "tags.csv"\n')
    assert run("tags", "list", "--config", str(path)).output.startswith(f"{tmp_path}/tags.csv: 0 of 160 tags")
    (tmp_path / "tags.csv").write_text("bla", encoding="utf-8")
    assert run("tags", "check", "--config", str(path)).output.startswith(f"{tmp_path}/tags.csv:1: the header")


def test_a_table_for_both_games_needs_the_tags_of_both(tmp_path: Path) -> None:
    wiring = 'wiring = { cards = "cards4", dice = "dice4-rfid" }'
    path = config(tmp_path, f'{wiring}\ngame = "dice"\ntags = "tags.csv"\n')
    output = run("tags", "list", "--config", str(path)).output
    assert output.startswith(f"{tmp_path}/tags.csv: 0 of 304 tags")


def test_another_file_may_be_named(file: Path) -> None:
    path = config(file.parent, 'wiring = "cards4"\ntags = "none.csv"\n')
    assert run("tags", "check", "--config", str(path), "--file", str(file)).exit_code == 0


def test_a_table_that_is_not_there_or_not_right_is_told(tmp_path: Path) -> None:
    missing = run("tags", "list", "--config", str(tmp_path / "none.toml"))
    assert missing.exit_code == 2
    assert "No such file or directory; write one with" in missing.output
    wrong = run("tags", "list", "--config", str(config(tmp_path, 'wiring = "cards4"\n')))
    assert wrong.exit_code == 2
    assert "table.toml:1: tags is missing; allowed: " in wrong.output


def test_ports_are_those_of_table_toml(table: ReadingTable) -> None:
    path = config(
        table.file.parent,
        'wiring = "cards4"\ntags = "tags.csv"\nlanguage = "de"\n'
        f'[ports]\npad-1 = "{table.peers["pad"].path}"\nscoreboard = "{table.peers["sign"].path}"\n',
    )
    command = table.start_with("enrol", "--config", str(path), "--only", "card 1 red 1")
    table.wait_for("Platz 1: rot 1", "An irgendeinen Platz")
    table.hold(REDS[0], "de")
    table.take(REDS[0])
    table.wait_for("Fertig", "Ohne Tag: 0")
    assert command.end()[0] == 0
    assert list(table.enrolled.values()) == REDS[:1]


# -- what can't be


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "seat 5"], "'seat 5': this table has no such tags; it needs the cards of seats 1-4"),
        (["--only", "bla"], "'bla' names no cards and no dice; it looks like 'seat 3'"),
        (
            ["--reader", "pad-9"],
            "--reader pad-9: there is no such reader; this table has pad-1, pad-2, pad-3, pad-4",
        ),
        (["--lang", "xx"], "language 'xx' is unknown; allowed: de, en"),
        (["--config", "table.toml"], "--config and --profile can't be combined"),
    ],
)
def test_what_is_wrong_is_said_before_any_device_is_opened(
    file: Path, arguments: list[str], message: str
) -> None:
    code, lines = tags("enrol", file, *arguments)
    assert code == 2
    assert lines[0].startswith(f"ligretto-table: {message}")


def test_a_table_without_readers_has_nothing_to_enrol(file: Path) -> None:
    code, lines = tags("enrol", file, profile="dice4")
    assert code == 2
    assert lines == [
        "ligretto-table: 'Dice for four' has no tag readers; its profile needs a section [readers]"
    ]


def test_without_a_file_it_is_asked_for() -> None:
    result = run("tags", "list", "--profile", "cards4")
    assert result.exit_code == 2
    assert "there is no tags file; name one with --file" in result.output


def test_a_file_that_can_not_be_read_or_written_is_named(tmp_path: Path) -> None:
    assert tags("list", tmp_path) == (2, [f"ligretto-table: {tmp_path.name}: Is a directory"])
    odd = tmp_path / "odd.csv"
    odd.write_bytes(b"uid,tag\n\xff")
    assert tags("list", odd) == (
        2,
        ["ligretto-table: odd.csv:2: 0xff is not UTF-8; allowed: text in UTF-8"],
    )
    code, lines = tags("import", tmp_path / "none" / "tags.csv", str(odd))
    assert (code, len(lines)) == (2, 1)
    assert lines[0].endswith("/odd.csv:2: 0xff is not UTF-8; allowed: text in UTF-8")
    odd.write_text(CARDS4, encoding="utf-8")
    code, lines = tags("import", tmp_path / "none" / "tags.csv", str(odd))
    assert code == 2
    assert lines[-1] == "ligretto-table: tags.csv: can't be written: No such file or directory"


# -- looking


def test_a_full_file_is_fine(file: Path) -> None:
    assert tags("check", file) == (0, ["tags.csv: all 160 tags are there, each once"])
    code, lines = tags("list", file)
    assert (code, lines[0], lines[2].split()) == (0, "tags.csv: 160 of 160 tags", ["seat", "1", *["all"] * 4])
    assert tags("list", file, "--missing") == (0, ["tags.csv: 160 of 160 tags"])


def test_a_file_that_is_not_there_yet_says_what_is_missing(tmp_path: Path) -> None:
    code, lines = tags("check", tmp_path / "none.csv")
    assert (code, lines[0]) == (1, "none.csv: 160 of 160 tags are missing:")
    assert tags("list", tmp_path / "none.csv")[1][0] == "none.csv: 0 of 160 tags"


def test_what_is_missing_is_named(file: Path) -> None:
    file.write_text(CARDS4.replace("ca030006,card 3 red 6\n", ""), encoding="utf-8")
    expected = ["        red  yellow  green  blue", "seat 3  6    -       -      -"]
    assert tags("list", file, "--missing")[1][1:] == expected
    code, lines = tags("check", file)
    assert (code, lines[0]) == (1, "tags.csv: 1 of 160 tags are missing:")
    assert [line.removeprefix("  ") for line in lines[1:]] == expected


def test_doubles_and_strangers_and_what_is_missing_are_told_together(file: Path) -> None:
    text = CARDS4.replace("ca030006,card 3 red 6", "ca030006,card 3 red 7")
    file.write_text(text + "04a1b2c3,card 5 red 1\n04a1b2c4,die 1 face 1\n", encoding="utf-8")
    code, lines = tags("check", file)
    assert code == 1
    assert lines[:4] == [
        "tags.csv:88: 'card 3 red 7' has a tag in line 87 already; allowed: one each",
        "tags.csv:162: tags of seat 5, which this table does not have",
        "tags.csv:163: tags of dice, which are not played with at this table",
        "tags.csv: 1 of 160 tags are missing:",
    ]


def test_tags_of_the_wrong_game_are_told(file: Path) -> None:
    code, lines = tags("check", file, profile="dice4-rfid")
    assert code == 1
    assert lines[0] == "tags.csv:2-161: tags of cards, which are not played with at this table"
    assert tags("list", file, profile="dice4-rfid")[1][-1] == (
        "and 160 that this table does not need; see: tags check"
    )


# -- changing


def test_tags_of_another_file_come_in(file: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.csv"
    new.write_text("uid,tag\nca030006,card 3 red 6\n04a1b2c3,die 1 face 1\n", encoding="utf-8")
    before = "# mine\n" + CARDS4
    file.write_text(before, encoding="utf-8")
    told = "tags.csv: 1 new, 0 changed, 0 gone, 160 as before"
    assert tags("import", file, str(new), "--dry-run") == (0, [told, "nothing was written"])
    assert file.read_text(encoding="utf-8") == before
    assert tags("import", file, str(new)) == (0, [told, "tags.csv.bak: the file as it was before"])
    assert file.read_text(encoding="utf-8") == before + "04a1b2c3,die 1 face 1\n"
    assert (tmp_path / "tags.csv.bak").read_text(encoding="utf-8") == before
    again = tags("import", file, str(new), "--merge")
    assert again == (0, ["tags.csv: 0 new, 0 changed, 0 gone, 161 as before", "nothing to write"])


def test_contradictions_and_faults_are_told_at_once_and_nothing_is_written(
    file: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.csv"
    new.write_text("uid,tag\nca030006,card 3 red 7\nca030007,card 3 red 6\n", encoding="utf-8")
    code, lines = tags("import", file, str(new))
    assert code == 2
    assert lines == [
        "ligretto-table: new.csv:2: ca030006 is 'card 3 red 7' here, but 'card 3 red 6' in tags.csv:87",
        "ligretto-table: new.csv:3: ca030007 is 'card 3 red 6' here, but 'card 3 red 7' in tags.csv:88",
    ]
    new.write_text("uid,tag\nxx,card 3 red 7\nca030007,card\n", encoding="utf-8")
    file.write_text(CARDS4 + "bla\n", encoding="utf-8")
    code, lines = tags("import", file, str(new))
    assert code == 2
    assert [line.split()[1] for line in lines] == ["tags.csv:162:", "new.csv:2:", "new.csv:3:"]
    assert not (tmp_path / "tags.csv.bak").exists()


def test_another_file_can_take_its_place_even_if_that_is_broken(file: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.csv"
    new.write_text("uid,tag  # theirs\nca030006,card 3 red 7\n", encoding="utf-8")
    file.write_text(CARDS4 + "bla\n", encoding="utf-8")
    code, lines = tags("import", file, str(new), "--replace")
    assert (code, lines[0]) == (0, "tags.csv: 0 new, 1 changed, 159 gone, 0 as before")
    assert file.read_text(encoding="utf-8") == new.read_text(encoding="utf-8")
    assert (tmp_path / "tags.csv.bak").read_text(encoding="utf-8") == CARDS4 + "bla\n"


@pytest.mark.parametrize("mode", ["--merge", "--replace"])
def test_an_empty_file_is_no_file_of_tags(file: Path, tmp_path: Path, mode: str) -> None:
    """An export that has failed must not cost anybody his tags."""
    new = tmp_path / "new.csv"
    new.write_text("\n", encoding="utf-8")
    code, lines = tags("import", file, str(new), mode)
    assert (code, lines) == (2, ["ligretto-table: new.csv is empty; a file of tags begins with: uid,tag"])
    assert file.read_text(encoding="utf-8") == CARDS4


def test_a_copy_is_never_written_over(file: Path, tmp_path: Path) -> None:
    for number in range(1, 4):
        assert tags("forget", file, f"card 1 red {number}")[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "tags.csv",
        "tags.csv.bak",
        "tags.csv.bak2",
        "tags.csv.bak3",
    }


def test_tags_can_be_struck_out(file: Path) -> None:
    assert tags("forget", file, "card 3 red 7", "seat 4 blue 10") == (
        0,
        [
            "ca030007 was card 3 red 7",
            "ca04030a was card 4 blue 10",
            "tags.csv.bak: the file as it was before",
        ],
    )
    assert "card 3 red 7" not in file.read_text(encoding="utf-8")
    code, lines = tags("forget", file, "card 3 red 7")
    assert (code, lines) == (2, ["ligretto-table: 'card 3 red 7': no such tag is in " + "tags.csv"])


def test_all_tags_can_be_written_out(file: Path, tmp_path: Path) -> None:
    file.write_text("# mine\n" + CARDS4, encoding="utf-8")
    assert tags("export", file) == (0, CARDS4.splitlines())
    copy = tmp_path / "copy.csv"
    assert tags("export", file, str(copy)) == (0, ["copy.csv: 160 tags"])
    assert copy.read_text(encoding="utf-8") == CARDS4
    code, lines = tags("export", file, str(copy))
    assert (code, lines) == (2, ["ligretto-table: copy.csv: exists already; add --force to overwrite it"])
    copy.write_text("old", encoding="utf-8")
    assert tags("export", file, str(copy), "--force") == (0, ["copy.csv: 160 tags"])
    assert copy.read_text(encoding="utf-8") == CARDS4


def test_a_file_keeps_its_rights_and_a_link_stays_one(file: Path, tmp_path: Path) -> None:
    file.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(file)
    assert tags("forget", link, "card 1 red 1")[0] == 0
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert "card 1 red 1\n" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["enrol", "read", "list", "check", "import", "export", "forget"])
def test_every_command_has_examples(command: str) -> None:
    result = run("tags", command, "--help")
    assert result.exit_code == 0
    assert f"ligretto-table tags {command}" in result.output
