"""Texts that make no sense inside a sound file: every command tells the rest, and no command falls over."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import Result

from firmware_host.cli.store_options import DAMAGED
from firmware_host.model.errors import DamagedRecord
from firmware_host.store.schema import NUMBERED
from firmware_host.store.store_reader import StoreReader
from tests.cli.commands import run
from tests.damage.daemon import plays, starts
from tests.damage.flips import PAGE
from tests.damage.readings import COMMANDS, MORE_COMMANDS, read_with
from tests.damage.texts import Spoiler
from tests.thoroughness import tries

WORDS = "\x1b[31mno answer\ud800\x00"
"""What a device may say of itself whose bytes are wrong."""
EACH = tries(1, 9)
"""So many values of every column are spoilt."""


@pytest.fixture
def store(sound: Path, tmp_path: Path) -> Path:
    """A copy that may be spoilt."""
    path = tmp_path / "table.db"
    path.write_bytes(sound.read_bytes())
    return path


Ask = Callable[..., Result]


@pytest.fixture
def ask(store: Path) -> Ask:
    return lambda *words: run(*words, "--store", str(store))


def spoil(store: Path, change: str, *values: object) -> None:
    """Change the store behind everybody's back."""
    with closing(sqlite3.connect(store)) as connection:
        connection.execute(change, values)
        connection.commit()


def test_every_command_reads_the_sound_store(sound: Path, tmp_path: Path) -> None:
    for command in (*COMMANDS, *MORE_COMMANDS[:-1]):
        reading = read_with(command, sound, tmp_path)
        assert (reading.code, reading.fault) == (0, ""), command


@pytest.mark.no_cover  # what is chosen is chance
def test_whatever_stands_in_a_column_nothing_falls_over(sound: Path, tmp_path: Path) -> None:
    chance = Random(20)
    spoiler = Spoiler(sound, tmp_path / "copy.db")
    commands = (*COMMANDS, *MORE_COMMANDS)
    codes = set()
    for table, column in spoiler.columns:
        for _ in range(EACH):
            words = spoiler.spoil(spoiler.any_value(chance, table, column), chance)
            for command in chance.sample(commands, 6) if words else ():
                reading = read_with(command, tmp_path / "copy.db", tmp_path)
                assert not reading.fault, f"{words}: {command}: {reading.fault}"
                codes.add(reading.code)
    assert codes == {0, 1, 2}  # status finds no daemon


@pytest.mark.parametrize("table", [*NUMBERED, "sqlite_sequence"])
def test_a_store_in_which_no_row_has_a_number_left_is_kept_aside(store: Path, table: str) -> None:
    column = "seq" if table == "sqlite_sequence" else "n"
    spoil(store, f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT max(rowid) FROM {table})", 2**63 - 1)
    assert starts(store) == []
    (aside,) = store.parent.glob("table.db.broken-*")
    assert run("store", "check", str(aside)).exit_code in (0, DAMAGED), "what it has can still be read"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("active", ["seat 9"]),
        ("last_match", '{"is":"MatchEnded","seats":[1,2],"totals":[20],"winners":[1]}'),
        ("last_match", '{"is":"MatchEnded","seats":[9],"totals":[1,2,3,4],"winners":[9]}'),
    ],
)
def test_a_damaged_head_is_named_and_costs_only_the_last_session(
    store: Path, key: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    (text,) = read_row(store, "SELECT head FROM sessions ORDER BY n DESC LIMIT 1")
    spoil(
        store,
        "UPDATE sessions SET head = ? WHERE n = (SELECT max(n) FROM sessions)",
        spoilt(text, key, value),
    )
    assert starts(store) == [] and plays(store.parent, store) == []
    assert "the last session can't be read: session " in caplog.text
    assert "internal error" not in caplog.text and "Error(" not in caplog.text
    assert not list(store.parent.glob("table.db.broken-*"))


def read_row(store: Path, question: str) -> tuple[str, ...]:
    with closing(sqlite3.connect(store)) as connection:
        row: tuple[str, ...] = connection.execute(question).fetchone()
        return row


def spoilt(head: str, key: str, value: object) -> str:
    return json.dumps(json.loads(head) | {key: value})


# -- what is said, and what is told all the same


def complaint(result: Result) -> str:
    """What can't be read, by a command that has told the rest."""
    assert result.exit_code == 1
    first, *lines = result.stderr.splitlines()
    assert first.startswith("ligretto-table: ") and first.endswith(
        "is damaged. This of what was asked for can't be read:"
    )
    return "\n".join(lines)


def test_a_round_whose_result_is_damaged_is_told_all_the_same(store: Path, ask: Ask) -> None:
    sound = ask("recall", "--round", "2").stdout
    spoil(store, "UPDATE rounds SET scores = '[1, 2' WHERE n = 2")
    listed, told = ask("recall"), ask("recall", "--round", "2")
    words = "  what came of round 2: '[1, 2' is not a list of numbers (scores)"
    assert complaint(listed) == complaint(told) == words
    assert len(listed.stdout.splitlines()) == 6
    assert listed.stdout.splitlines()[4].endswith("  its result can't be read")
    assert told.stdout.splitlines()[-5:] == sound.splitlines()[-5:]
    rows = json.loads(ask("export", "--what", "rounds", "--format", "json").stdout)
    assert [(row["state"], row["scores"]) for row in rows if row["round"] == 2] == [("unreadable", [])]
    points = json.loads(ask("export", "--what", "standings", "--format", "json").stdout)
    assert [row["rounds"] for row in points if row["scope"] == "day" and row["name"] == "2026-11-17"] == [
        1
    ] * 4


def test_a_round_that_is_lost_is_named_and_the_others_keep_their_place(store: Path, ask: Ask) -> None:
    spoil(store, "UPDATE rounds SET first_effect = 'early' WHERE n = 4")
    listed = ask("recall")
    assert complaint(listed) == "  round 4: 'early' is not a number from 0 on (first effect)"
    assert listed.stdout.splitlines()[2].split() == ["2", "4", "?", "can't", "be", "read"]
    assert ask("recall", "3").stdout.splitlines()[1].startswith("round 3 of the store")
    assert [row["round"] for row in json.loads(ask("recall", "--json").stdout)] == [5, 3, 2, 1]
    lost = ask("recall", "2")
    assert (lost.exit_code, lost.stdout) == (1, "")
    assert lost.stderr == "ligretto-table: round 4: 'early' is not a number from 0 on (first effect)\n"


def test_a_decision_is_named_and_the_others_keep_their_numbers(store: Path, ask: Ask) -> None:
    sound = json.loads(ask("recall", "--round", "3", "--json").stdout)
    lost = sound["verdicts"][4]
    spoil(
        store,
        "UPDATE effects SET text = ? WHERE n = ? AND session = (SELECT id FROM sessions WHERE n = 2)",
        '{"is":"Judged","verdict":"accepted","seat":92}',
        lost["n"],
    )
    told = ask("recall", "--round", "3", "--json")
    assert complaint(told).startswith(f"  decision {lost['n']} of session 2: ")
    assert json.loads(told.stdout)["verdicts"] == [each for each in sound["verdicts"] if each != lost]
    rows = json.loads(ask("export", "--what", "verdicts", "--format", "json").stdout)
    assert len(rows) > 100 and lost["t_ns"] not in [row["t_ns"] for row in rows if row["round"] == 3]
    replayed = ask("replay", "--session", "2")
    assert replayed.exit_code == 1
    assert f"is damaged: decision {lost['n']} of session 2: " in replayed.stderr
    assert replayed.stderr.endswith(", so it can't be replayed\n")
    assert ask("replay", "--session", "1").exit_code == 0


def test_a_decision_that_is_gone_is_named(store: Path, ask: Ask) -> None:
    where = "WHERE session = (SELECT id FROM sessions WHERE n = 1)"
    spoil(store, f"DELETE FROM effects {where} AND n IN (31, 33, 34)")
    assert complaint(ask("recall", "--round", "1")) == (
        "  decision 31 of session 1 is missing\n  decisions 33 to 34 of session 1 are missing"
    )
    assert complaint(ask("export", "--what", "verdicts")) == "  3 decisions are missing in session 1"
    spoil(store, f"DELETE FROM effects {where} AND n = 33")
    assert ask("replay", "--session", "1").exit_code == 1


def test_a_round_whose_beginning_can_not_be_read_is_not_said_to_be_let_go_of(store: Path, ask: Ask) -> None:
    spoil(store, """UPDATE effects SET text = '{"is"' WHERE text LIKE '{"is":"RoundStarted"%'""")
    told = ask("recall", "last")
    assert "what was decided in it can't be read; its result is all that is left" in told.stdout
    assert len(complaint(told).splitlines()) >= 1


def test_a_damaged_head_hides_no_counts(store: Path, ask: Ask) -> None:
    sound = ask("audits").stdout
    spoil(store, "UPDATE sessions SET head = replace(head, '\"seats\": 4', '\"seats\": 444')")
    told = ask("audits")
    assert complaint(told) == "  session 3: cards can't be played at 444 seats"
    assert told.stdout.splitlines()[:3] == sound.splitlines()[:3]


def test_a_round_whose_session_is_not_known_any_more(store: Path, ask: Ask) -> None:
    spoil(store, "UPDATE sessions SET id = 'two' WHERE n = 2")
    told = ask("replay", "--round", "3")
    assert told.exit_code == 1 and "which session round 3 was in" in told.stderr
    assert complaint(ask("recall", "--round", "3")) == "  session 2: 'two' is not a number from 0 on (id)"


def test_counts_and_events_of_the_log(store: Path, ask: Ask) -> None:
    spoil(store, "UPDATE audits SET count = 'many' WHERE name = 'seat 3'")
    spoil(store, "UPDATE log SET text = CAST(x'ff1b' AS TEXT)")
    assert complaint(ask("audits")) == "  the count of 'seat 3': 'many' is not a number from 0 on (count)"
    assert (
        complaint(ask("audits", "--log", "5")) == "  event 1 of the log: b'\\xff\\x1b' is not a text (text)"
    )
    assert ask("audits", "--json").exit_code == 1


def test_many_losses_are_not_many_lines(store: Path, ask: Ask) -> None:
    spoil(store, "UPDATE effects SET t_ns = 'then'")
    told = complaint(ask("recall", "--round", "3")).splitlines()
    assert len(told) == 21 and told[-1].startswith("  ... and ")


def test_a_store_of_which_no_round_can_be_read(store: Path, ask: Ask) -> None:
    spoil(store, "ALTER TABLE rounds RENAME TO rounde")
    listed = ask("recall")
    assert listed.stdout == "no round can be read\n"
    assert complaint(listed).splitlines()[-1] == "  the table rounds, or a part of it: no such table: rounds"
    last, number = ask("recall", "last"), ask("recall", "--round", "3")
    assert last.exit_code == number.exit_code == 2
    assert "no round can be read" in last.stderr and "no round 3: no round can be read" in number.stderr


def test_a_round_that_is_listed_and_can_not_be_read_is_damage(store: Path, ask: Ask) -> None:
    """One bit of the schema is another one: a column has another name."""
    spoil(store, "ALTER TABLE rounds RENAME COLUMN leftovers TO leftoverr")
    words = "the table rounds, or a part of it: no such column: r.leftovers"
    for asked in (("recall", "1"), ("recall", "--round", "2", "--json"), ("recall", "last", "--around", "5")):
        told = ask(*asked)
        assert (told.exit_code, told.stdout) == (1, "")
        assert told.stderr == f"ligretto-table: {words}\n"
    assert f"is damaged: {words}, so it can't be replayed" in ask("replay", "--round", "2").stderr


def test_a_round_that_no_index_leads_to_is_damage(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(store)) as connection:
        book = StoreReader(connection, tolerant=True)
        monkeypatch.setattr(book, "round_numbers", lambda: [9])
        with pytest.raises(DamagedRecord, match="round 9 is listed, and can't be found by its number"):
            book.round(9)


NOT_REPLAYED = {
    f"ALTER TABLE {table} RENAME COLUMN {column} TO other": f"the table {table}, or a part of it: no such "
    for table, column in (("inputs", "text"), ("effects", "shown"), ("sessions", "n"))
}
NOT_REPLAYED["UPDATE inputs SET text = replace(text, 'seat 2 ', 'seat 9 ')"] = "no seat 9; there are 4; and "


@pytest.mark.parametrize(("change", "words"), NOT_REPLAYED.items())
def test_a_part_of_a_session_is_not_replayed_as_if_it_were_all(
    store: Path, ask: Ask, change: str, words: str
) -> None:
    spoil(store, change)
    told = ask("replay")
    assert (told.exit_code, told.stdout) == (1, "")
    assert "is damaged: " in told.stderr and words in told.stderr
    assert told.stderr.endswith(", so it can't be replayed\n")


def test_decisions_that_are_looked_for_in_another_table_are_not_said_to_be_let_go_of(
    store: Path, ask: Ask
) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.executescript(
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = "
            "(SELECT rootpage FROM sqlite_master WHERE name = 'choices') WHERE name = 'effects'"
        )
    told = ask("recall", "1")
    assert complaint(told) == "  the table effects, or a part of it: its pages are those of another table"
    assert "not kept any more" not in told.stdout


# -- one value each


DIFFER = "5: the scores, the totals and the seats don't fit"
ALL_PLAYED = "and seats 1, 2, 3, 4 played"


@pytest.mark.parametrize(
    ("asked", "change", "words"),
    [
        ("recall", "rounds SET finisher = 9", "what came of round 5: its finisher is seat 9, and seats 1, 2"),
        ("recall", "rounds SET seats = '[]'", f"what came of round {DIFFER}"),
        ("recall", "rounds SET totals = '[1]'", f"what came of round {DIFFER}"),
        ("recall", "rounds SET state = 'lost'", "what came of round 5: 'lost' is not one of running, scored"),
        ("recall", "rounds SET void_reason = 'rain'", "round 5: 'rain' is not one of stuck, interrupted"),
        ("recall", "rounds SET scores = '[1, 2, 3, true]'", "round 5: '[1, 2, 3, true]' is not a list"),
        ("recall", "matches SET game = 'chess'", "  round 5: 'chess' is not one of dice, cards (game)"),
        ("recall", "rounds SET match = 7", "  round 5: nothing is not one of dice, cards (game)"),
        ("matches", "winners = '[]'", f"match 3: its winners are seats none, {ALL_PLAYED}"),
        ("matches", "winners = '[7]'", f"match 3: its winners are seats 7, {ALL_PLAYED}"),
        ("matches", "seats = '[5]'", "match 3: '[5]' is not a list of seats from 1 to 4 (seats)"),
        ("matches", "number = 0", "  match 3: 0 is not a number from 1 on (number)"),
        ("matches", "ended = x'ff'", "what came of match 3: b'\\xff' is not a text (ended)"),
        ("standings", "dead_heats SET seats = '[1, 99]'", "  the dead heat at decision "),
    ],
)
def test_what_is_wrong_with_one_value(store: Path, ask: Ask, asked: str, change: str, words: str) -> None:
    spoil(store, f"UPDATE matches SET {change} WHERE n = 3" if asked == "matches" else f"UPDATE {change}")
    result = ask(asked) if asked in ("recall", "audits") else ask("export", "--what", asked)
    assert words in complaint(result)
    if asked == "matches":
        assert [line.split(",")[0] for line in result.stdout.splitlines()[1:3]] == ["1", "2"]


def test_a_match_that_can_not_be_read_counts_for_nobody(store: Path, ask: Ask) -> None:
    spoil(store, "UPDATE matches SET totals = '[3]' WHERE n = 1")
    result = ask("export", "--what", "standings", "--format", "json")
    assert "what came of match 1: " in complaint(result)
    assert {row["matches"] for row in json.loads(result.stdout) if row["scope"] == "all"} == {1}


def test_a_match_with_other_seats_than_its_rounds(store: Path, ask: Ask) -> None:
    spoil(store, "UPDATE matches SET seats = '[1, 5]', totals = '[1,2,3,4,5]', winners = '[5]' WHERE n = 3")
    rows = json.loads(ask("export", "--what", "standings", "--format", "json").stdout)
    cards = [row for row in rows if row["game"] == "cards" and row["scope"] == "all"]
    assert [(row["seat"], row["rounds"]) for row in cards] == [(5, 0), (1, 1)]


def test_the_last_session_of_a_daemon_is_read_whole_or_not_at_all(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        assert StoreReader(connection).last_session() is not None
    spoil(store, "UPDATE effects SET shown = x'ff' WHERE shown IS NOT NULL")
    with (
        closing(sqlite3.connect(store)) as connection,
        pytest.raises(DamagedRecord, match="of session 3: b"),
    ):
        StoreReader(connection).last_session()
    spoil(store, "UPDATE sessions SET id = 'three' WHERE n = 3")
    with (
        closing(sqlite3.connect(store)) as connection,
        pytest.raises(DamagedRecord, match="session 3: 'three'"),
    ):
        StoreReader(connection).last_session()


def test_an_effect_of_an_unknown_kind_is_named(store: Path, ask: Ask) -> None:
    spoil(store, """UPDATE effects SET text = '{"is":"Jxdged"}' WHERE text LIKE '{"is":"SeatTaken"%'""")
    assert "'Jxdged'" in complaint(ask("export", "--what", "verdicts"))


def test_an_effect_that_only_looks_like_another_kind_is_no_verdict(store: Path, ask: Ask) -> None:
    sound = ask("export", "--what", "verdicts").stdout
    spoil(store, """UPDATE effects SET text = ' ' || text WHERE text LIKE '{"is":"SeatTaken"%'""")
    assert ask("export", "--what", "verdicts").stdout == sound


def test_what_only_hinders_sqlite_for_now_is_not_taken_for_damage(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        book = StoreReader(connection, tolerant=True)
        connection.set_progress_handler(lambda: 1, 1)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            book.rounds()


def test_rows_that_are_missing_without_an_error_are_noticed(store: Path, ask: Ask) -> None:
    """The page of a table says that it has one row less than it has."""
    with closing(sqlite3.connect(store)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'matches'").fetchone()
    data = bytearray(store.read_bytes())
    data[(root - 1) * PAGE + 4] -= 1
    store.write_bytes(data)
    result = ask("export", "--what", "matches")
    assert complaint(result).startswith("  the table matches, or a part of it: ")
    assert len(result.stdout.splitlines()) == 3


def test_words_that_can_not_be_printed_are_written_out(store: Path, ask: Ask, tmp_path: Path) -> None:
    report = json.dumps(
        {
            "is": "DeviceReported",
            "device": "left",
            "condition": "lost",
            "needed": True,
            "words": WORDS,
            "t_ns": 1,
        }
    )
    spoil(store, """UPDATE effects SET text = ? WHERE text LIKE '{"is":"Judged"%'""", report)
    spoil(store, "UPDATE matches SET event = char(27) || '[31mClub' || char(0)")
    drawing = tmp_path / "round.svg"
    for words in (("recall", "last"), ("recall", "2", "-v"), ("recall", "last", "--svg", str(drawing))):
        result = ask(*words)
        assert result.exit_code == 0 and "\x1b" not in result.output and "\x00" not in result.output
    assert "left is lost: \\x1b[31mno answer\\ud800\\x00" in ask("recall", "last").stdout
    assert ElementTree.fromstring(drawing.read_bytes()).tag.endswith("svg")
