"""Text scenarios: the good ones hold, the bad ones are told line by line."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from firmware_host.lab.cli.replay import BROKEN, WRONG, replay
from firmware_host.lab.party import Invitation
from firmware_host.lab.scenarios.reading import parse_scenario
from firmware_host.lab.scenarios.running import Recorder, run_scenario
from firmware_host.lab.scenarios.wording import Expect, Input, Scenario, Sighting
from firmware_host.lab.simulated_table import Simulated, simulated_table
from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.errors import BadSettings
from firmware_host.model.places import (
    Button,
    Call,
    Card,
    Colour,
    Pad,
    Pile,
    Slot,
    Source,
    Spot,
    Stranger,
    Tag,
)
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.run.table_files import load_profile, settings_for, table_of

SCENARIOS = Path(__file__).parent / "scenarios"
GAMES = ("dice", "cards")
FOLDERS = (*GAMES, "rfid")
FEWEST = 25


def _files(folder: str) -> list[Path]:
    return sorted((SCENARIOS / folder).glob("*.txt"))


def _stem(path: Path) -> str:
    return path.stem


@cache
def _read(path: Path) -> Scenario:
    return parse_scenario(path.read_text(encoding="utf-8-sig"), path.name)


def _played() -> list[Path]:
    """The scenarios of both games."""
    return [path for folder in FOLDERS for path in _files(folder)]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _in_time(scenario: Scenario) -> bool:
    """Whether everything is told as it happens."""
    return all(
        seen.arrival_ns == seen.t_ns for seen in scenario.statements if isinstance(seen, Input | Sighting)
    )


def _most_ns(seen: Input | Sighting, settings: Settings) -> int:
    """How long after its stamp this may be told."""
    if isinstance(seen, Sighting):
        return settings.tag_settle_ns
    most_ns = settings.slot_settle_ns if isinstance(seen.source, Slot) else settings.button_settle_ns
    return max(0, most_ns - seen.wide_ns)  # a wide one may be as old as that already


def _delayed(scenario: Scenario, random: Random) -> Scenario:
    """The same, with everything told later by anything up to its settle time."""
    settings = settings_for(load_profile(scenario.profile), scenario.settings)

    def delay(seen: Input | Sighting) -> Input | Sighting:
        most_ns = _most_ns(seen, settings)
        delay_ns = random.choice((0, random.randint(0, most_ns), most_ns))
        return replace(seen, arrival_ns=seen.t_ns + delay_ns, background=True)

    statements = (delay(s) if isinstance(s, Input | Sighting) else s for s in scenario.statements)
    return replace(scenario, statements=tuple(statements))


def _expected(subject: str, game: str) -> set[str]:
    """All texts that the scenarios of a game expect of a subject."""
    return {
        statement.wanted
        for path in _files(game)
        for statement in _read(path).statements
        if isinstance(statement, Expect) and statement.subject == subject
    }


def _replay(path: Path) -> tuple[int, str]:
    """Exit code and everything said, with the file's name written as FILE."""
    result = CliRunner().invoke(replay, [str(path)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output.replace(str(path), "FILE")


@pytest.mark.parametrize("path", _played(), ids=_name)
def test_a_scenario_of_a_game_holds(path: Path) -> None:
    code, said = _replay(path)
    assert (code, said.startswith("FILE: ok, ")) == (0, True), said


@pytest.mark.no_cover  # delays are chance
@pytest.mark.parametrize("path", [path for path in _played() if _in_time(_read(path))], ids=_name)
def test_what_is_told_later_changes_nothing(path: Path) -> None:
    scenario = _read(path)
    found = run_scenario(scenario)
    for seed in range(3):
        assert run_scenario(_delayed(scenario, Random(seed))) == found


@pytest.mark.parametrize("path", _played(), ids=_name)
def test_a_scenario_begins_with_its_title(path: Path) -> None:
    first = path.read_text(encoding="utf-8-sig").splitlines()[0]
    assert first.startswith("# ")
    assert _read(path).title == first.removeprefix("# ")


@pytest.mark.parametrize("path", _files("broken"), ids=_stem)
def test_a_broken_scenario_tells_every_fault(path: Path) -> None:
    assert _replay(path) == (BROKEN, path.with_suffix(".stderr").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", _files("failing"), ids=_stem)
def test_a_failing_scenario_tells_what_was_expected_and_found(path: Path) -> None:
    assert _replay(path) == (WRONG, path.with_suffix(".stderr").read_text(encoding="utf-8"))


def test_there_are_enough_scenarios() -> None:
    for game in GAMES:
        assert len(_files(game)) >= FEWEST
    assert _files("broken")
    assert _files("failing")


def test_no_message_is_without_its_scenario() -> None:
    messages = sorted(SCENARIOS.rglob("*.stderr"))
    assert messages == [path.with_suffix(".stderr") for path in _files("broken") + _files("failing")]


def test_titles_are_told_apart() -> None:
    titles = [_read(path).title for path in _played()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("game", GAMES)
def test_every_verdict_is_met(game: str) -> None:
    met = {wanted.split()[1] for wanted in _expected("verdict", game) if wanted != "none"}
    wanted = set(Verdict) - ({Verdict.REPEATED, Verdict.TAKEN_BACK} if game == "cards" else set())
    assert met == {verdict.value for verdict in wanted}


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_is_met(game: str) -> None:
    assert _expected("phase", game) == set(Phase.__members__)


def test_every_cue_that_cards_can_bring_is_met() -> None:
    wanted = " ".join(_expected("verdict", "cards") | _expected("cue", "cards"))
    met = {cue for cue in Cue if cue.value in wanted.split()}
    assert met == set(Cue) - {Cue.UNREAD, Cue.WRONG_DIE}  # these are for dice on readers


def test_a_folder_is_replayed_as_a_whole() -> None:
    result = CliRunner().invoke(replay, [str(SCENARIOS / "failing"), str(SCENARIOS / "broken")])
    assert result.exit_code == BROKEN
    for path in _files("failing") + _files("broken"):
        assert f"{path}:" in result.output


# -- recording


class _Play:
    """A simulated table at which hands do as they are told, and a recorder that watches it."""

    def __init__(self, profile: str) -> None:
        asked = Invitation(profile=load_profile(profile), deal=(10, 10), rounds=1, expert=True)
        self.table: Simulated = simulated_table(
            asked.profile,
            table=table_of(asked.profile, asked.rounds, expert=asked.expert),
            settings=asked.settings,
            draws=Random(5),
            chance=Random(3),
        )
        self._said: list[str] = []
        recorder = Recorder(asked, 5, self._said.append)
        self.table.loop.witnesses.append(recorder.arrived)
        self.table.shell.onlookers.append(recorder.observe)

    def tap(self, t_ns: int, source: Source, for_ns: int = 60 * MS) -> None:
        contact = self.table.contacts[source]
        self.table.agenda.at(t_ns, lambda: contact.set(True))
        self.table.agenda.at(t_ns + for_ns, lambda: contact.set(False))

    def show(self, t_ns: int, at: Spot, tag: Tag, for_ns: int = 1 * S) -> None:
        self.table.agenda.at(t_ns, lambda: self.table.hold_to(at, tag))
        self.table.agenda.at(t_ns + for_ns, lambda: self.table.take_from(at, tag))

    def record(self) -> str:
        self.table.loop.run(45 * S)
        self.table.close()
        return "".join(self._said)


def _with_pads() -> str:
    play = _Play("cards4")
    play.tap(1 * S, Button(1))
    play.tap(2 * S, Button(2))  # ten seconds later they deal
    for seat in (1, 2):
        play.tap(12_300 * MS, Button(seat))  # the start call comes before 16 s
    play.show(16 * S, Pad(1), Card(1, Colour.RED, 1))
    play.show(16 * S, Pad(2), Stranger("04a1b2c3"))
    play.tap(16 * S + 500 * MS, Button(1))
    play.tap(16 * S + 600 * MS, Button(2))
    play.tap(18 * S, Call(1))
    play.show(21 * S, Pad(2), Card(2, Colour.BLUE, 5))
    return play.record()


def _with_readers_at_the_piles() -> str:
    play = _Play("cards2-piles")
    play.tap(1 * S, Button(1))
    play.tap(2 * S, Button(2))  # the table is full: a second later they deal
    for seat in (1, 2):
        play.tap(3_300 * MS, Button(seat))  # the start call comes before 7 s
    play.show(7 * S, Pile(3), Card(2, Colour.GREEN, 1))
    play.show(9 * S, Pile(3), Card(1, Colour.GREEN, 2))
    play.tap(12 * S, Button(2), for_ns=1500 * MS)
    return play.record()


def test_a_recorded_match_with_pads_says_what_was_seen_and_replays() -> None:
    text = _with_pads()
    scenario = parse_scenario(text, "match.txt")
    assert scenario.profile == "cards4"
    for said in (
        " press call 1\n",
        " show pad 1 card 1 red 1 wide ",
        " withdraw pad 1 card 1 red 1 wide ",
        " show pad 2 unknown 04a1b2c3 wide ",
        "expect verdict 1 accepted red 1\n",
        "expect verdict 2 illegal unknown-tag\n",
        "expect scanned 2 blue 5 count 1\n",
        "expect scores +1,-2,+0,+0\n",
        "expect winners 1\n",
    ):
        assert said in text
    assert run_scenario(scenario) == []


def test_a_recorded_match_without_pads_says_what_was_seen_and_replays() -> None:
    text = _with_readers_at_the_piles()
    scenario = parse_scenario(text, "match.txt")
    assert scenario.profile == "cards2-piles"
    for said in (
        " show pile 3 card 2 green 1 wide ",
        "expect verdict 1 accepted green 2\n",
        "expect scores +1,+1\n",
        "expect winners 1,2\n",
    ):
        assert said in text
    assert run_scenario(scenario) == []


def test_a_record_says_that_dice_are_owned_by_tag() -> None:
    said: list[str] = []
    profile = replace(load_profile("dice4-rfid"), ownership="tag")
    Recorder(Invitation(profile=profile, deal=(6, 6)), 1, said.append)
    assert "profile dice4-rfid\nownership tag\n" in "".join(said)


def test_a_record_with_another_verdict_is_found_out() -> None:
    text = _with_pads().replace("verdict 1 accepted red 1", "verdict 1 accepted red 2")
    found = run_scenario(parse_scenario(text, "match.txt"))
    assert [mismatch.found for mismatch in found] == ["verdict 1 accepted red 1"]


def test_a_table_of_which_there_is_no_profile_is_not_recorded() -> None:
    profile = replace(load_profile("cards4"), title="Cards for three", seats=3, piles=12)
    with pytest.raises(BadSettings, match="'Cards for three' can't be recorded"):
        Recorder(Invitation(profile=profile, deal=(10, 10, 10)), 1, print)
