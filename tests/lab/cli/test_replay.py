"""`replay` of a store: a session is lived through again and compared; text scenarios are tested elsewhere."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from firmware_host.model.effects import Judged, Verdict
from firmware_host.store.store_reader import reading
from tests.cli.commands import run
from tests.cli.stores import ask, tidied
from tests.cli.terminals import CTRL_C, TerminalProcess
from tests.store.parties import evening
from tests.store.shelves import execute

SCENARIO = Path(__file__).parents[2] / "scenarios" / "dice" / "dead-heat-of-three.txt"
IDENTICAL = re.compile(
    r"(.*): session (\d+): identical: (\d+) decisions from (\d+) inputs, (\d+) digests of frames and pages\n"
)


@pytest.fixture
def store(club: Path, tmp_path: Path) -> Path:
    """A copy that may be spoilt."""
    path = tmp_path / "table.db"
    path.write_bytes(club.read_bytes())
    return path


@pytest.mark.parametrize(
    ("which", "session_log"),
    [
        ([], "3"),
        (["--last"], "3"),
        (["--session", "1"], "1"),
        (["--session", "2"], "2"),
        (["--round", "1"], "1"),
        (["--round", "4"], "2"),
        (["--round", "5"], "3"),
    ],
)
def test_a_session_comes_to_the_same_again(club: Path, which: list[str], session_log: str) -> None:
    found = IDENTICAL.fullmatch(ask("replay", club, *which).stdout)
    assert found is not None and found[1] == str(club) and found[2] == session_log
    with reading(str(club)) as book:
        written = book.session_log(book.session_ids()[int(session_log)])
    assert (int(found[3]), int(found[4])) == (len(written.decisions), len(written.entries))
    assert int(found[5]) == sum(decision.shown is not None for decision in written.decisions) > 5


def test_a_store_may_be_named_like_a_scenario(club: Path) -> None:
    result = run("replay", str(SCENARIO), str(club))
    assert result.exit_code == 0
    assert IDENTICAL.search(result.stdout) and "dead-heat-of-three.txt: ok" in result.stdout
    assert run("replay", str(club), "--session", "1").exit_code == 0


def test_everything_can_be_told(club: Path) -> None:
    told = ask("replay", club, "--session", "2", "-v").stdout
    with reading(str(club)) as book:
        written = book.decisions(book.session_ids()[2])
    shown = [decision for decision in written if decision.shown is not None]
    assert len(told.splitlines()) == len(written) + len(shown) + 1
    assert told.count("shown by then: ") == len(shown) and f"shown by then: {shown[0].shown}" in told


def test_a_round_can_be_told_again(club: Path, tmp_path: Path) -> None:
    result = ask("replay", club, "--round", "3", "--feed", str(tmp_path), "--speed", "1000")
    assert result.exit_code == 0 and IDENTICAL.fullmatch(result.stdout)
    assert result.stderr == f"the feed: {tmp_path / 'feed.sock'} (Ctrl-C ends)\n"
    assert not (tmp_path / "feed.sock").exists()


def test_a_round_is_drawn_in_a_terminal(club: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "firmware_host.cli", "replay", str(club), "--round", "3"]
    with TerminalProcess([*command, "--feed", str(tmp_path), "--speed", "20"]) as child:
        child.wait_for("what the referee says")
        child.wait_for(" accepted for ")
        child.press(CTRL_C)
        assert child.end() == 130
    assert "A RECORDED SESSION   round " in child.seen and "Traceback" not in child.seen


def test_where_nothing_can_be_told(club: Path, tmp_path: Path) -> None:
    result = run("replay", str(club), "--feed", str(tmp_path / "none"))
    assert result.exit_code == 2 and result.stderr.endswith(
        "nothing can listen there: No such file or directory\n"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--speed", "2"], "--speed needs --feed: without it a replay takes no time"),
        ([str(SCENARIO), "--feed", "."], "--feed needs one store, and nothing else"),
    ],
)
def test_wrong_wishes_about_a_feed(club: Path, arguments: list[str], told: str) -> None:
    result = run("replay", str(club), *arguments)
    assert result.exit_code == 2 and told in result.stderr


def change_a_verdict(store: Path, to: str) -> tuple[int, int]:
    """Somebody edits the store: an accepted slap of the second session gets another text."""
    with reading(str(store)) as book:
        session_log = book.session_ids()[2]
        n = next(
            n
            for n, decision in enumerate(book.decisions(session_log))
            if isinstance(decision.effect, Judged) and decision.effect.verdict is Verdict.ACCEPTED
        )
    execute(store, f"UPDATE effects SET text = {to} WHERE session = {session_log} AND n = {n}")
    return session_log, n


def test_a_verdict_that_was_tampered_with_is_found(store: Path) -> None:
    _, n = change_a_verdict(store, """replace(text, '"accepted"', '"too-late"')""")
    result = run("replay", "--session", "2", "--store", str(store))
    assert result.exit_code == 1 and result.stdout == ""
    assert f"session 2: decision {n} was " in result.stderr
    was, now = result.stderr.split("; now ")
    assert "TOO_LATE" in was and "ACCEPTED" in now
    assert "it was recorded by 0.0, and this is" in result.stderr
    assert run("replay", "--session", "1", "--store", str(store)).exit_code == 0


def test_an_input_that_was_tampered_with_is_found(store: Path) -> None:
    with reading(str(store)) as book:
        session_log = book.session_ids()[2]
    execute(
        store,
        f"UPDATE inputs SET text = replace(text, 'on seat 1', 'on seat 2') WHERE session = {session_log}",
    )
    result = run("replay", "--round", "3", "--store", str(store))
    assert result.exit_code == 1 and "decision " in result.stderr


def test_other_lights_than_those_that_were_shown_are_found(store: Path) -> None:
    with reading(str(store)) as book:
        session_log = book.session_ids()[1]
    execute(
        store,
        f"UPDATE effects SET shown = '0123456789abcdef' WHERE session = {session_log} AND shown IS NOT NULL",
    )
    result = run("replay", "--session", "1", "--store", str(store))
    assert result.exit_code == 1 and "with 0123456789abcdef shown by then; now" in result.stderr


def test_a_decision_that_did_not_happen_again_is_found(store: Path) -> None:
    with reading(str(store)) as book:
        session_log = book.session_ids()[1]
        n = len(book.decisions(session_log))
    execute(store, f"INSERT INTO effects SELECT session, n + 1, t_ns, text, shown FROM effects "
                   f"WHERE session = {session_log} AND n = {n - 1}")  # fmt: skip
    result = run("replay", "--session", "1", "--store", str(store))
    assert result.exit_code == 1 and "now there is none" in result.stderr


def test_a_match_can_be_checked_while_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with evening(path, "dice4", 6, wrong=False) as people:
        for verdicts in (1, 5, 9):
            people.go_on(lambda: sum(isinstance(e, Judged) for _, e in people.effects) >= verdicts)  # noqa: B023
            assert people.writer.settle(10)
            assert IDENTICAL.fullmatch(ask("replay", path).stdout)
        people.play()
        assert IDENTICAL.fullmatch(ask("replay", path).stdout)


def test_a_round_of_which_only_the_result_is_kept_proves_nothing(store: Path) -> None:
    tidied(store, keep_rounds=1)
    result = run("replay", "--store", str(store), "--round", "1")
    assert result.exit_code == 2 and "session 1: its decisions are not kept any more" in result.stderr
    assert "identical" not in result.output
    assert run("replay", "--store", str(store)).exit_code == 0, "the last session is there as it was"


def test_what_can_not_be_read(store: Path) -> None:
    execute(store, "UPDATE inputs SET text = 'somebody slapped' WHERE n = 3")
    result = run("replay", "--store", str(store))
    assert result.exit_code == 1 and "input 3 of session 3: 'somebody' is not a time" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--session", "9"], "the store has no session 9; the last one is 3"),
        (["--round", "9"], "the store has no round 9"),
        (["--session", "1", "--round", "1"], "name one of --session, --round and --last"),
        (["--seed", "3"], "a store is replayed by itself"),
        ([str(SCENARIO)], "a store is replayed by itself"),
    ],
)
def test_wrong_wishes_about_a_store(club: Path, arguments: list[str], told: str) -> None:
    result = run("replay", *arguments, "--store", str(club))
    assert result.exit_code == 2 and told in result.stderr


def test_wrong_wishes_about_scenarios() -> None:
    nothing = run("replay")
    assert nothing.exit_code == 2 and "name scenarios, or a store with --store" in nothing.stderr
    session_log = run("replay", str(SCENARIO), "--session", "1")
    assert session_log.exit_code == 2 and "need a store; name one with" in session_log.stderr
