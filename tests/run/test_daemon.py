"""The daemon as a whole, in one process: a table, its store, its signals, and what systemd is told."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from firmware_host import __version__
from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.model.errors import BadSettings
from firmware_host.model.places import Colour, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import BuildChoices, Profile
from firmware_host.profile.table import StoreConfig, TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.run.daemon import Daemon, Setup, health_folder_of
from firmware_host.run.equipment import Equipment
from firmware_host.run.host import Host
from firmware_host.run.system import Notifier, UnixSignals
from firmware_host.run.table_files import load_profile
from firmware_host.store.store_lock import StoreTaken
from firmware_host.store.store_reader import StoreReader, reading
from hw.gpio.gpio_chips import GpioError
from hw.ports import Condition, Health
from tests.run.evenings import config_for
from tests.run.rooms import TAP_NS, Room
from tests.store.shelves import lock, open_store

R1 = Slot(Colour.RED, 1)
NOW = datetime(2026, 11, 18, 20, 0, 0)
AT_ONCE = {"WATCHDOG_USEC": "2"}
"""A watchdog so short that it is fed whenever the daemon comes round."""


class Killed(BaseException):
    """The process is gone in this very moment."""


def ask_for_the_end() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def ask_for_another_reading() -> None:
    os.kill(os.getpid(), signal.SIGHUP)


DEVICES = ("gpio", "i2c", "lamps", "left", "right", "rows", "scoreboard", "speaker", "store")


class Rig:
    """A table in a folder, and a program that is run at it."""

    def __init__(self, folder: Path, **values: object) -> None:
        self.folder = folder
        self.room = Room("dice4")
        self.file = folder / "lib" / "table.db"
        self.run_folder = folder / "run"
        self.run_folder.mkdir()
        self.config = config_for(self.room.profile, self.file, **values)
        self.fresh: Callable[[], Setup] = lambda: Setup(self.config, None)
        self.opened: list[Profile] = []
        self.open: Callable[[Profile, Registry | None], Equipment] = self.room.open
        self.environment: dict[str, str] = {}
        self.daemon: Daemon | None = None
        self.written: bool | None = None
        self.threads = set(threading.enumerate())

    # -- the program

    def run(self) -> None:
        """Run it until it is asked for its end."""
        with UnixSignals() as signals, closing(Notifier(self.environment)) as notifier:
            self.daemon = self.made(signals, notifier)
            self.written = self.daemon.run()

    def made(self, signals: UnixSignals, notifier: Notifier | None = None) -> Daemon:
        return Daemon(
            Setup(self.config, None),
            lambda: self.fresh(),
            self._open,
            signals,
            notifier=notifier,
            health_folder=self.run_folder,
            now=lambda: NOW,
        )

    def _open(self, profile: Profile, registry: Registry | None) -> Equipment:
        self.opened.append(profile)
        return self.open(profile, registry)

    @property
    def host(self) -> Host:
        assert self.daemon is not None and self.daemon.host is not None
        return self.daemon.host

    @property
    def phase(self) -> str:
        return self.host.phase

    # -- what happens while it runs

    def after(self, duration_ns: int, deed: Callable[[], object]) -> None:
        agenda = self.room.site.agenda

        def do() -> None:
            deed()

        agenda.at(self.room.clock.now_ns() + duration_ns, do)

    def when(self, so: Callable[[], object], deed: Callable[[], object], every_ns: int = 50 * MS) -> None:
        """As soon as that is so; nobody waits for ever."""
        end_ns = self.room.clock.now_ns() + 600 * S

        def look() -> None:
            assert self.room.clock.now_ns() < end_ns, f"it never came to that; it is {self.phase}"
            if so():
                deed()
            else:
                self.after(every_ns, look)

        self.after(every_ns, look)

    def tap(self, *seats: int) -> None:
        self.room.press(*seats)
        self.after(TAP_NS, lambda: self.room.release(*seats))

    def sit_down(self) -> None:
        """Two sit down, seat 1 calls the match, and both deal."""

        def hold() -> None:
            self.room.press(1)
            self.after(1200 * MS, lambda: self.room.release(1))

        self.after(500 * MS, lambda: self.tap(1, 2))
        self.after(1000 * MS, hold)
        self.after(2500 * MS, lambda: self.tap(1, 2))

    def play(self) -> None:
        """Two sit down; seat 1 wins the round with a single die, and then the board is cleared."""
        self.sit_down()
        self.when(lambda: self.phase == "play", lambda: self.after(100 * MS, self._place))

    def _place(self) -> None:
        self.room.fill(R1)
        self.after(150 * MS, lambda: self.tap(1))
        self.when(
            lambda: self.phase == "clear", lambda: self.after(1 * S, lambda: self.room.empty(R1)), 1 * S
        )

    def end_when(self, so: Callable[[], object], wait_ns: int = 300 * MS) -> None:
        self.when(so, lambda: self.after(wait_ns, ask_for_the_end), 20 * MS)

    # -- what is left of it

    @contextmanager
    def book(self) -> Iterator[StoreReader]:
        with reading(str(self.file)) as book:
            yield book

    def log(self, kind: str = "") -> list[str]:
        with self.book() as book:
            return [text for _, each, text in book.log() if not kind or each == kind]

    @property
    def page(self) -> dict[str, Any]:
        """The health page as it is now."""
        page: dict[str, Any] = json.loads((self.run_folder / HEALTH_FILE).read_text())
        return page

    def assert_gone(self) -> None:
        """It has left nothing behind: no light, no word, no page, no lock, no thread."""
        assert self.room.is_dark
        assert list(self.run_folder.iterdir()) == []
        lock(str(self.file))()
        assert set(threading.enumerate()) <= self.threads


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path, rounds=1, handicap=(23, 11))


# -- from its start to its end


def test_it_runs_until_somebody_asks_for_its_end(rig: Rig) -> None:
    rig.after(3 * S, ask_for_the_end)
    rig.run()
    assert rig.room.clock.now_ns() <= 5 * S
    rig.assert_gone()
    assert rig.log("start") == [f"ligretto-table {__version__} starts with table.toml"]
    assert rig.log()[-1] == "stopped on request"


PHASES = [phase.value for phase in Phase if phase is not Phase.PAUSED]


@pytest.mark.parametrize("phase", [*PHASES, "service", "paused", "listening"])
def test_it_ends_cleanly_in_every_phase_with_all_written_and_goes_on_there(rig: Rig, phase: str) -> None:
    if phase == "listening":
        rig.play()
        rig.when(lambda: rig.phase == "play", ask_for_the_end)
        rig.run()
        rig.after(700 * MS, ask_for_the_end)
    elif phase == "attract":
        rig.after(1 * S, ask_for_the_end)
    elif phase == "service":
        rig.sit_down()
        rig.when(lambda: rig.phase == "play", lambda: rig.room.press(1, 4))
        rig.end_when(lambda: rig.phase == phase)
    else:
        rig.play()
        if phase == "paused":
            lose = Health("left", Condition.LOST, "no answer")
            rig.when(lambda: rig.phase == "play", lambda: rig.room.tell(lose))
        rig.end_when(lambda: rig.phase == phase, 100 * MS)
    rig.run()
    rig.assert_gone()
    journal = rig.host.recorded.journal
    with rig.book() as book:
        session_log = book.last_session()
    assert session_log is not None and session_log.id == journal.id
    assert (len(session_log.entries), len(session_log.decisions)) == (journal.inputs, journal.effects)
    assert rig.log("end")[-1] == "stopped on request"
    if phase in ("attract", "service", "paused", "listening"):
        return
    rig.room.release(1, 2)
    rig.after(2500 * MS, ask_for_the_end)
    rig.run()
    assert rig.log("resume") == [f"the match is resumed: {phase}"]
    assert rig.phase in (phase, "paused")
    with rig.book() as book:
        assert {each.name: each.count for each in book.audits() if each.kind == "table"}["restarts"] == 1


def test_a_process_that_is_killed_goes_on_as_well(rig: Rig) -> None:
    def killed() -> None:
        raise Killed

    rig.play()
    rig.when(lambda: rig.phase == "play", lambda: rig.after(500 * MS, killed))
    with pytest.raises(Killed):
        rig.run()
    rig.assert_gone()
    rig.end_when(lambda: rig.phase == "result")
    rig.when(
        lambda: rig.phase == "play" and rig.host._device_wait is None, lambda: rig.after(200 * MS, rig._place)
    )
    rig.run()
    with rig.book() as book:
        (match,) = book.matches()
    assert match.state == "finished"


def test_nothing_is_opened_if_its_end_was_asked_for_before(rig: Rig) -> None:
    rig.file.parent.mkdir()
    with UnixSignals() as signals:
        ask_for_the_end()
        rig.made(signals).run()
    assert rig.opened == []
    rig.assert_gone()


def test_lines_that_can_not_be_had_end_it_and_all_is_let_go(rig: Rig) -> None:
    def refuse(profile: Profile, registry: Registry | None) -> Equipment:
        raise GpioError("GPIO4 is used by another program", "end that one")

    rig.file.parent.mkdir()
    rig.open = refuse
    with pytest.raises(GpioError):
        rig.run()
    rig.assert_gone()
    assert rig.log("end") == []


def test_its_devices_are_as_it_is_configured(rig: Rig) -> None:
    rig.config = replace(rig.config, brightness=6, volume=3, ports={"scoreboard": "/dev/ttyUSB7"})
    rig.after(1 * S, ask_for_the_end)
    rig.run()
    assert set(rig.room.dimmed) == {6}
    assert {chip.brightness for chip in rig.opened[0].led_chips} == {12}  # what None goes back to
    assert rig.room.site.speaker.volume == 3
    assert [profile.sign_port for profile in rig.opened] == ["/dev/ttyUSB7"]


# -- two of them


def test_a_second_one_at_the_same_store_is_told_so_and_disturbs_nobody(rig: Rig) -> None:
    refused: list[str] = []

    def second() -> None:
        page = rig.page
        with UnixSignals() as signals, pytest.raises(StoreTaken) as taken:
            rig.made(signals).run()
        refused.append(str(taken.value))
        assert rig.page == page

    rig.after(1 * S, second)
    rig.after(2 * S, ask_for_the_end)
    rig.run()
    assert refused == [f"{rig.file}: another ligretto-table runs this table already; stop that one first"]
    assert len(rig.opened) == 1
    rig.assert_gone()


# -- its store


def test_a_store_that_can_not_be_made_does_not_keep_people_from_playing(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    (rig.folder / "file").write_text("no folder")
    rig.file = rig.folder / "file" / "lib" / "table.db"
    rig.config = replace(rig.config, store=StoreConfig(file=str(rig.file)))
    pages: list[dict[str, Any]] = []
    rig.play()
    rig.when(lambda: rig.phase == "result", lambda: pages.append(rig.page))
    rig.end_when(lambda: rig.phase == "result")
    with caplog.at_level(logging.ERROR):
        rig.run()
    assert rig.host.news.last_match is not None
    (page,) = pages
    assert page["devices"]["store"]["condition"] == "lost"
    assert "can't be written" in page["devices"]["store"]["seen"]
    assert "can't be made: Not a directory" in caplog.text
    assert rig.room.is_dark and list(rig.run_folder.iterdir()) == []


def test_a_health_page_that_can_not_be_written_does_not_keep_people_from_playing(rig: Rig) -> None:
    rig.run_folder = rig.folder / "nowhere"
    rig.play()
    rig.end_when(lambda: rig.phase == "result")
    rig.run()
    assert rig.log("end") == ["stopped on request"]


def test_a_store_that_is_overwritten_while_people_play_is_told_and_the_match_is_saved(rig: Rig) -> None:
    open_store(str(rig.folder / "backup.db")).close()
    pages: list[dict[str, Any]] = []
    rig.play()
    rig.when(lambda: rig.phase == "play", lambda: shutil.copyfile(rig.folder / "backup.db", rig.file))
    rig.when(lambda: rig.phase == "result", lambda: pages.append(rig.page))
    rig.end_when(lambda: rig.phase == "result")
    rig.run()
    (aside,) = rig.file.parent.glob("*.broken-*")
    words = f"the file was changed by another program and is kept as {aside}"
    assert pages[0]["devices"]["store"]["condition"] == "degraded"
    assert words in pages[0]["devices"]["store"]["seen"] and words in rig.log("store")
    with rig.book() as book:
        assert [match.state for match in book.matches()] == ["finished"]


# -- another configuration


def test_a_configuration_is_read_again_and_counts_when_nobody_plays(rig: Rig) -> None:
    changed = replace(rig.config, settings=Settings(language="nl"), handicap=(22, 10))
    languages: list[str] = []
    rig.fresh = lambda: Setup(changed, None)
    rig.play()
    rig.when(lambda: rig.phase == "play", ask_for_another_reading)
    rig.when(lambda: rig.phase == "scores", lambda: languages.append(rig.host.session.settings.language))
    rig.end_when(lambda: rig.phase == "attract" and languages, 2 * S)
    rig.run()
    assert languages == ["en"]
    session = rig.host.session
    assert (session.settings.language, session.table.handicap) == ("nl", (22, 10))
    assert rig.log("config") == ["reloaded; takes effect as soon as no match is played"]


def test_a_faulty_configuration_changes_nothing_and_each_fault_is_told(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    def faulty() -> Setup:
        raise BadSettings(["table.toml:3: language is 'xx'", "table.toml:7: seats is empty"])

    rig.fresh = faulty
    rig.after(1 * S, ask_for_another_reading)
    rig.after(3 * S, ask_for_the_end)
    with caplog.at_level(logging.ERROR):
        rig.run()
    assert rig.log("config") == [
        "reloaded, but not applied: it has faults",
        "table.toml:3: language is 'xx'",
        "table.toml:7: seats is empty",
    ]
    assert [record.getMessage() for record in caplog.records][1:] == [
        "table.toml:3: language is 'xx'",
        "table.toml:7: seats is empty",
    ]
    assert rig.host.session.settings.language == "en"
    with rig.book() as book:
        assert len({each.id for each in [book.last_session()] if each}) == 1
    assert len(rig.opened) == 1


BUILT = {"dice": replace(load_profile("dice4"), build=BuildChoices(hall="us5881"))}
LATER = "changed: takes effect at the next start"
RELOADED = "reloaded; takes effect as soon as no match is played"
ELSEWHERE = StoreConfig(file="/elsewhere/table.db")


@pytest.mark.parametrize(
    ("values", "said", "language"),
    [
        ({"ports": {"scoreboard": "/dev/ttyUSB7"}}, [f"the ports {LATER}", RELOADED], "de"),
        ({"store": ELSEWHERE}, [f"the store {LATER}", RELOADED], "de"),
        ({"store": ELSEWHERE, "ports": {"a": "b"}}, [f"the ports and the store {LATER}", RELOADED], "de"),
        ({"profiles": BUILT}, [RELOADED], "de"),  # what only building needs
        (  # seats, handicaps and tags were checked for the other wiring: with this one they may leave no seat
            {"profiles": {"dice": load_profile("dice4-direct")}, "open_seats": (3, 4)},
            [f"the wiring {LATER}, as does everything else"],
            "en",
        ),
    ],
)
def test_what_can_not_change_while_it_runs_is_named(
    rig: Rig, values: dict[str, object], said: list[str], language: str
) -> None:
    changed = replace(rig.config, settings=Settings(language="de"), **values)  # type: ignore[arg-type]
    rig.fresh = lambda: Setup(changed, None)
    rig.after(1 * S, ask_for_another_reading)
    rig.after(4 * S, ask_for_the_end)
    rig.run()
    assert rig.log("config") == said
    assert rig.host.session.settings.language == language
    assert rig.host.session.table.closed == frozenset()
    assert rig.opened == [rig.room.profile]
    assert not Path("/elsewhere").exists()


def test_each_wish_is_answered(rig: Rig) -> None:
    languages = iter(["de", "fr", "it"])
    rig.fresh = lambda: Setup(replace(rig.config, settings=Settings(language=next(languages))), None)
    for n in range(3):
        rig.after((n + 1) * S, ask_for_another_reading)
    rig.after(5 * S, ask_for_the_end)
    rig.run()
    assert rig.host.session.settings.language == "it"


def test_a_mistake_of_the_program_in_reading_ends_no_table(rig: Rig) -> None:
    def mistaken() -> Setup:
        raise KeyError("rounds")

    rig.fresh = mistaken
    rig.after(1 * S, ask_for_another_reading)
    rig.after(3 * S, ask_for_the_end)
    rig.run()
    assert rig.log("config") == ["reloaded, but not applied: internal error: KeyError('rounds'); report it"]
    assert rig.log("end") == ["stopped on request"]


# -- another game


def two_games(rig: Rig) -> tuple[Room, TableConfig]:
    """A room in which both games can be set up, each with a table of its own."""
    cards = Room("cards4")
    rooms = {"dice": rig.room, "cards": cards}
    rig.open = lambda profile, registry: rooms[profile.game].open(profile)
    both = {game: room.profile for game, room in rooms.items()}
    rig.config = replace(rig.config, profiles=both)
    return cards, rig.config


def test_another_game_is_set_up_with_its_own_equipment(rig: Rig) -> None:
    cards, config = two_games(rig)
    rig.fresh = lambda: Setup(replace(config, game="cards"), None)
    rig.after(1 * S, ask_for_another_reading)
    cards.site.agenda.at(3 * S, ask_for_the_end)
    rig.run()
    assert [profile.game for profile in rig.opened] == ["dice", "cards"]
    assert rig.host.session.table.game.name == "cards"
    assert rig.room.is_dark and cards.is_dark
    rig.assert_gone()


def test_a_game_that_was_chosen_at_the_table_is_set_up_at_the_next_start(rig: Rig) -> None:
    cards, _ = two_games(rig)
    rig.after(1 * S, ask_for_the_end)
    rig.run()
    connection = sqlite3.connect(rig.file)
    with connection:
        connection.execute("INSERT INTO choices VALUES ('game', 'cards')")
    connection.close()
    cards.site.agenda.at(3 * S, ask_for_the_end)
    rig.run()
    assert [profile.game for profile in rig.opened] == ["dice", "cards"]


def test_a_match_goes_on_though_another_game_is_wanted_by_now(rig: Rig) -> None:
    cards, config = two_games(rig)

    def killed() -> None:
        raise Killed

    rig.fresh = lambda: Setup(replace(config, game="cards"), None)
    rig.sit_down()
    rig.when(lambda: rig.phase == "play", ask_for_another_reading)
    rig.when(lambda: rig.phase == "play" and rig.log("config"), lambda: rig.after(200 * MS, killed))
    with pytest.raises(Killed):
        rig.run()
    rig.config = replace(config, game="cards")
    rig.room.release(1, 2)
    rig.when(
        lambda: rig.phase == "play" and rig.host._device_wait is None, lambda: rig.after(200 * MS, rig._place)
    )
    cards.site.agenda.at(3 * S, ask_for_the_end)
    rig.run()
    assert rig.log("resume") == ["the match is resumed: play"]
    assert [profile.game for profile in rig.opened] == ["dice", "dice", "cards"]
    with rig.book() as book:
        assert [match.state for match in book.matches()] == ["finished"]


def test_if_its_lines_can_not_be_had_any_more_the_wanted_game_is_played(rig: Rig) -> None:
    cards, config = two_games(rig)
    rig.play()
    rig.end_when(lambda: rig.phase == "play")
    rig.run()

    def refuse_dice(profile: Profile, registry: Registry | None) -> Equipment:
        if profile.game == "dice":
            raise GpioError("GPIO4 is used by another program", "end that one")
        return cards.open(profile)

    rig.open = refuse_dice
    rig.config = replace(config, game="cards")
    cards.site.agenda.at(3 * S, ask_for_the_end)
    rig.run()
    (said,) = rig.log("resume")
    assert said.startswith("the last match can't be resumed: GPIO4 is used by another program")
    assert rig.host.session.table.game.name == "cards"


# -- what is told of it


def test_the_health_page_follows_what_happens(rig: Rig) -> None:
    pages: dict[str, dict[str, Any]] = {}

    def note() -> None:
        pages.setdefault(rig.page["phase"], rig.page)
        rig.after(20 * MS, note)

    rig.play()
    rig.after(100 * MS, note)
    rig.end_when(lambda: rig.phase == "result")
    rig.run()
    assert list(pages) == ["attract", "join", "clear", "countdown", "play", "settle", "scores", "result"]
    play = pages["play"]
    assert play.pop("stamp_ns") > pages["attract"]["stamp_ns"]
    assert play == {
        "version": __version__,
        "written": "2026-11-18T20:00:00",
        "started": "2026-11-18T20:00:00",
        "pid": os.getpid(),
        "phase": "play",
        "game": "dice",
        "seats": 4,
        "seated": [1, 2],
        "round": {"number": 1, "of": 1, "seconds": 0, "dice_left": {"1": 1, "2": 1}},
        "match": {"seconds": 3, "totals": {"1": 0, "2": 0}, "leaders": []},
        "devices": {name: {"condition": "ok", "seen": "", "advice": ""} for name in DEVICES},
        "masked": {},
        "counts": {},
        "config": os.path.abspath("table.toml"),
        "store": str(rig.file),
    }
    assert pages["result"]["counts"]["rounds"] == 1
    assert not (rig.run_folder / HEALTH_FILE).exists()


@contextmanager
def listening(folder: Path) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """A socket as systemd has it, and what was sent to it."""
    path = folder / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(path))
        ear.setblocking(False)
        heard: list[str] = []

        def take() -> list[str]:
            while True:
                try:
                    heard.append(ear.recv(4096).decode())
                except BlockingIOError:
                    return heard

        yield str(path), take


def test_systemd_is_told_from_the_start_to_the_end(rig: Rig, tmp_path: Path) -> None:
    with listening(tmp_path) as (address, heard):
        rig.environment = {"NOTIFY_SOCKET": address}
        rig.after(1 * S, ask_for_another_reading)
        rig.after(2 * S, heard)
        rig.after(3 * S, ask_for_the_end)
        rig.run()
        told = heard()
    words = [text.split("\n")[0] for text in told]
    assert words[0] == "READY=1"
    assert words[-1] == "STOPPING=1"
    again = words.index("RELOADING=1")
    assert words[again + 1] == "READY=1"
    assert "STATUS=attract, 0 seated; all is well" in words
    assert "WATCHDOG=1" not in words


def test_the_watchdog_is_fed_while_all_come_back_from_what_they_do(
    rig: Rig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stuck: list[str] = []
    fed: list[int] = []
    real_open = rig.open

    def opened(profile: Profile, registry: Registry | None) -> Equipment:
        equipment = real_open(profile, registry)
        equipment.stuck = lambda: list(stuck)
        return equipment

    with listening(tmp_path) as (address, heard):

        def count() -> None:
            fed.append(heard().count("WATCHDOG=1"))

        rig.open = opened
        rig.environment = {"NOTIFY_SOCKET": address, **AT_ONCE}
        rig.after(2 * S, count)
        rig.after(2 * S + 1, lambda: stuck.append("i2c"))
        rig.after(2 * S + 500 * MS, count)
        rig.after(5 * S, count)
        rig.after(5 * S + 1, stuck.clear)
        rig.after(7 * S, count)
        rig.after(8 * S, ask_for_the_end)
        with caplog.at_level(logging.ERROR):
            rig.run()
    before, soon, later, again = fed
    assert 0 < before <= soon
    assert later == soon
    assert again > later
    said = [record.getMessage() for record in caplog.records]
    assert said == ["stuck: i2c; the watchdog is not fed any more"]


# -- where its page is


@pytest.mark.parametrize(
    ("runtime", "folder"),
    [
        ("", "/var/lib/ligretto-table"),
        ("/run/ligretto-table", "/run/ligretto-table"),
        ("/run/a:/run/b", "/run/a"),
    ],
)
def test_the_health_page_is_where_systemd_says_or_beside_the_store(
    runtime: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", runtime)
    config = config_for(load_profile("dice4"), Path("/var/lib/ligretto-table/table.db"))
    assert health_folder_of(config) == Path(folder)


def test_another_game_is_told_that_the_store_is_lost(rig: Rig) -> None:
    cards, config = two_games(rig)
    rig.file.parent.mkdir()
    rig.file.mkdir()
    rig.fresh = lambda: Setup(replace(config, game="cards"), None)
    rig.after(2 * S, ask_for_another_reading)
    seen: list[dict[str, Any]] = []
    cards.site.agenda.at(3 * S, lambda: seen.append(dict(rig.host.loop.health)))
    cards.site.agenda.at(4 * S, ask_for_the_end)
    rig.run()
    assert seen[0]["store"].device.condition == "lost"
    assert rig.written is False


def test_what_nobody_can_go_on_with_any_more_is_over(rig: Rig) -> None:
    rig.play()
    rig.end_when(lambda: rig.phase == "play")
    rig.run()
    rig.room.release(1, 2)
    rig.config = replace(rig.config, profiles={"dice": replace(rig.room.profile, seats=3)})
    rig.after(2 * S, ask_for_the_end)
    rig.run()
    assert rig.log("resume") == ["the last match can't be resumed: the wiring of the table has changed"]
    with rig.book() as book:
        assert [(match.state, bool(match.ended)) for match in book.matches()] == [("abandoned", True)]
        assert [(each.state, bool(each.ended)) for each in book.rounds()] == [("abandoned", True)]
