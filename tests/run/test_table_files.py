"""Where a table.toml is looked for, what is read beside it, and what it changes in the wiring."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.model.errors import BadSettings
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S
from firmware_host.run import table_files
from firmware_host.run.devices import Owner, open_scoreboard
from firmware_host.run.table_files import (
    VARIABLE,
    FilesAround,
    config_path,
    load_config,
    load_profile,
    rewired,
    settings_for,
)
from hw.ports import Health, Tell
from hw.serial_port import OpenPort
from hw.sim.agenda import Agenda, AgendaOwner
from hw.sim.cable import Cable
from hw.sim.text_displays import Vt100Model
from hw.work import Work
from tests.another_user import another_user, let_others_into, needs_root

HINT = "write one with: ligretto-table check --example > table.toml"


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder without any table.toml, on a machine without any."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(table_files, "USUAL_FILES", (Path("table.toml"), tmp_path / "etc" / "table.toml"))


def faults_of(path: Path) -> list[str]:
    with pytest.raises(BadSettings) as error:
        load_config(path)
    return error.value.faults


# -- which file


@needs_root
@pytest.mark.parametrize("named", [True, False])
def test_one_that_this_user_may_not_look_at_is_no_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    """To write another one would be the wrong advice."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    file = closed / "table.toml"
    file.touch()
    let_others_into(tmp_path)
    if named:
        monkeypatch.setenv(VARIABLE, str(file))
    else:
        monkeypatch.setattr(table_files, "USUAL_FILES", (file,))
    with another_user():
        path = config_path()
        faults = faults_of(path)
    assert (path, faults) == (
        file,
        [f"{file}: Permission denied; name a file that can be read, or use sudo"],
    )


def test_the_first_that_is_named_or_there_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadSettings, match=r"there is no table.toml and no .*/etc/table.toml; write one with"):
        config_path()
    usual = tmp_path / "etc" / "table.toml"
    usual.parent.mkdir()
    usual.touch()
    assert config_path() == usual
    Path("table.toml").touch()
    assert config_path() == Path("table.toml")
    Path("other.toml").touch()
    monkeypatch.setenv(VARIABLE, "other.toml")
    assert config_path() == Path("other.toml")
    assert config_path(Path("mine.toml")) == Path("mine.toml")


def test_a_variable_that_names_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/no/such.toml")
    with pytest.raises(BadSettings) as error:
        config_path()
    assert error.value.faults == [f"{VARIABLE} is '/no/such.toml'; allowed: an existing file; {HINT}"]
    monkeypatch.setenv(VARIABLE, "")
    Path("table.toml").touch()
    assert config_path() == Path("table.toml")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("gone.toml", f"No such file or directory; {HINT}"),
        (".", "Is a directory; name a file that can be read"),
        ("a\0b", "no file can have this name; name a file that can be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(path: str, why: str) -> None:
    assert faults_of(Path(path)) == [f"{path}: {why}"]


def test_a_file_in_another_encoding_is_told_with_its_line() -> None:
    Path("table.toml").write_bytes(b'wiring = "dice4"\nevent = "Stra\xdfenfest"\n')
    assert faults_of(Path("table.toml")) == ["table.toml:2: 0xdf is not UTF-8; allowed: text in UTF-8"]


# -- what it names


def test_paths_are_seen_from_where_the_file_is() -> None:
    folder = Path("tables")
    folder.mkdir()
    (folder / "tags.csv").write_text("uid,tag\n04a1b2c3,card 1 red 1\n", encoding="utf-8")
    (folder / "own.toml").write_text(
        Path(__file__).parents[2].joinpath("wiring", "cards4.toml").read_text(encoding="utf-8"),
        encoding="utf-8",
    )
    (folder / "t.toml").write_text(
        '\ufeffwiring = "own.toml"\r\ntags = "tags.csv"\r\n[store]\r\nfile = "t.db"\r\n', encoding="utf-8"
    )
    loaded = load_config(folder / "t.toml")
    assert loaded.registry is not None and len(loaded.registry) == 1
    assert loaded.config.file == "tables/t.toml"
    assert dict(loaded.config.wiring) == {"cards": "tables/own.toml"}
    assert (loaded.config.tags_file, loaded.config.store.file) == ("tables/tags.csv", "tables/t.db")


def test_what_is_named_with_its_whole_path_is_there(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "tags.csv"
    elsewhere.parent.mkdir()
    elsewhere.write_text("uid,tag\n", encoding="utf-8")
    Path("t.toml").write_text(f'wiring = "cards4"\ntags = "{elsewhere}"\n', encoding="utf-8")
    assert load_config(Path("t.toml")).config.tags_file == str(elsewhere)


# -- what it changes


def test_ports_are_put_in_and_what_its_chips_do_by_themselves_stays() -> None:
    Path("t.toml").write_text(
        'wiring = { dice = "dice4", cards = "cards4" }\ngame = "dice"\ntags = "tags.csv"\nbrightness = 3\n'
        '[ports]\nscoreboard = "/dev/ttyACM0"\npad-2 = "/dev/ttyACM1"\n',
        encoding="utf-8",
    )
    Path("tags.csv").write_text("uid,tag\n", encoding="utf-8")
    config = load_config(Path("t.toml")).config
    cards = rewired(config.profiles["cards"], config)
    assert [reader.port for reader in cards.readers] == [
        "/dev/ttyUSB1", "/dev/ttyACM1", "/dev/ttyUSB3", "/dev/ttyUSB4",
    ]  # fmt: skip
    assert (cards.sign_port, cards.led_chips) == ("/dev/ttyACM0", load_profile("cards4").led_chips)
    assert replace(rewired(config.profile, config), sign_port="/dev/ttyUSB0") == config.profile


def test_a_config_that_says_nothing_changes_nothing() -> None:
    Path("t.toml").write_text('wiring = "dice4"', encoding="utf-8")
    config = load_config(Path("t.toml")).config
    assert rewired(config.profile, config) == load_profile("dice4")


# -- signs


class _Desk:
    """One sign on a cable, in virtual time."""

    def __init__(self, sign: Vt100Model) -> None:
        self.agenda = Agenda()
        self.told: list[Health] = []
        self.tell: Tell = self.told.append
        self._cable = Cable(sign, self.agenda)

    def open_port(self, name: str, path: str, baud: int, bits: int, parity: str) -> OpenPort:
        return self._cable.open()

    def own(self, work: Work) -> AgendaOwner:
        return AgendaOwner(work, self.agenda)


@pytest.mark.parametrize(
    ("charset", "codec", "read"), [("", "ascii", "Drucken"), ("utf-8", "utf-8", "Drücken")]
)
def test_the_sign_speaks_the_charset_of_the_profile(charset: str, codec: str, read: str) -> None:
    profile = replace(load_profile("dice4"), sign="vt100", charset=charset)
    sign = Vt100Model(codec=codec)
    desk = _Desk(sign)
    owners: list[Owner] = []
    scoreboard = open_scoreboard(profile, desk, owners)
    scoreboard.show(("Drücken", ""))
    desk.agenda.run(20 * S)
    assert sign.lines[0] == read
    for owner in owners:
        owner.close()


def faults_with(store: str) -> list[str]:
    Path("table.toml").write_text(f'wiring = "dice4"\ntags = "tags.csv"\n[store]\nfile = "{store}"\n')
    Path("tags.csv").write_text("uid,tag\n")
    try:
        load_config(Path("table.toml"))
    except BadSettings as refusal:
        return [fault.partition("allowed: the path of a file")[2] for fault in refusal.faults]
    return []


def test_a_link_to_another_file_is_that_file(tmp_path: Path) -> None:
    for target, owner in (
        ("tags.csv", "the file of tags in line 2"),
        ("table.toml", "this table.toml itself"),
    ):
        faults_with("table.db")
        for name in ("soft", "hard"):
            Path(name).unlink(missing_ok=True)
        Path("soft").symlink_to(tmp_path / target)
        os.link(target, "hard")
        assert faults_with("soft") == faults_with("hard") == [f": it is {owner}"]


def test_a_link_into_a_folder_that_is_no_disk_is_refused() -> None:
    Path("null").symlink_to("/dev/null")
    Path("kernel").symlink_to("/proc")
    why = [" on a disk: nothing in /dev or /proc or /sys stays"]
    assert faults_with("null") == faults_with("kernel/table.db") == faults_with("/proc/self/cwd/t.db") == why
    assert faults_with("/device/table.db") == faults_with("/dev/shm/table.db") == []


def test_a_fifo_is_no_store() -> None:
    os.mkfifo("fifo")
    assert faults_with("fifo") == [": fifo is a named pipe; name a file somewhere else"]


def test_a_store_may_be_a_link_and_need_not_be_there(tmp_path: Path) -> None:
    Path("store.db").symlink_to(tmp_path / "there.db")
    assert faults_with("store.db") == faults_with("new/folder/table.db") == []
    assert faults_with(f"{'x' * 200}") == []
    assert len(faults_with("ü" * 101)) == 1


def test_files_that_are_not_there_are_the_same_by_their_place() -> None:
    files = FilesAround(Path("table.toml"))
    assert files.same("a/../b", "b") and not files.same("a", "b")
    assert not files.same("a\0", "a\0")


@pytest.mark.parametrize(
    ("profile", "tag_settle_ms", "identify_ms"),
    [
        ("dice4-direct", 150, 0),
        ("cards4", 150, 0),
        ("dice4-rfid", 150, 6 * 40 + 2 * 40 + 150),
        ("cards2-piles", 4 * 40 + 40, 0),
    ],
)
def test_readers_have_the_time_that_they_need(profile: str, tag_settle_ms: int, identify_ms: int) -> None:
    settings = settings_for(load_profile(profile), Settings())
    assert (settings.tag_settle_ns, settings.identify_ns) == (tag_settle_ms * MS, identify_ms * MS)


def test_times_that_are_longer_anyway_stay() -> None:
    longer = Settings(tag_settle_ns=400 * MS, identify_ns=900 * MS)
    assert settings_for(load_profile("dice4-rfid"), longer) == longer
