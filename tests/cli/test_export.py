"""`export`: rows for spreadsheets and programs, exact and complete."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from firmware_host.history.exporting import EXPORTS, as_csv, as_json
from firmware_host.model.effects import Judged
from firmware_host.model.plain_text import visible
from firmware_host.store.store_reader import reading
from tests.cli.commands import run
from tests.cli.stores import ask
from tests.store.parties import add_match
from tests.store.shelves import execute

KINDS = list(EXPORTS)


def table(store: Path, what: str, *arguments: str) -> list[dict[str, str]]:
    """The rows of the CSV by their columns."""
    text = ask("export", store, "--what", what, *arguments).stdout_bytes.decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def objects(store: Path, what: str, *arguments: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(
        ask("export", store, "--what", what, "--format", "json", *arguments).stdout
    )
    return rows


def cell(value: Any) -> str:
    """How a value of the JSON looks in the CSV."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("what", KINDS)
def test_csv_and_json_say_the_same(club: Path, what: str) -> None:
    rows, plain = objects(club, what), table(club, what)
    assert len(rows) == len(plain) > 0
    assert [list(row) for row in rows] == [list(EXPORTS[what].columns)] * len(rows)
    assert [{name: cell(value) for name, value in row.items()} for row in rows] == plain


@pytest.mark.parametrize("what", KINDS)
def test_the_csv_is_as_the_standard_wants_it(club: Path, what: str) -> None:
    data = ask("export", club, "--what", what).stdout_bytes
    lines = data.decode("utf-8").split("\r\n")
    assert lines[0] == ",".join(EXPORTS[what].columns) and lines[-1] == ""
    assert not any("\n" in line or "\r" in line for line in lines)
    assert len({line.count(",") for line in lines[:-1]}) == 1


def test_matches(club: Path) -> None:
    rows = objects(club, "matches")
    assert [(row["match"], row["day"], row["event"], row["game"]) for row in rows] == [
        (1, "2026-11-17", "Club evening", "dice"),
        (2, "2026-11-18", "Club evening", "dice"),
        (3, "2026-11-18", "", "cards"),
    ]
    for row in rows:
        best = max(row["totals"])
        assert row["winners"] == [seat for seat in row["seats"] if row["totals"][seat - 1] == best]


def test_rounds_lead_up_to_their_matches(club: Path) -> None:
    rounds = objects(club, "rounds")
    for match in objects(club, "matches"):
        of_match = [row for row in rounds if row["match"] == match["match"]]
        sums = [sum(column) for column in zip(*(row["scores"] for row in of_match), strict=True)]
        assert sums == match["totals"] == of_match[-1]["totals"]
        assert [row["number"] for row in of_match] == list(range(1, len(of_match) + 1))


def test_every_verdict_of_every_round_is_there(club: Path) -> None:
    rows = objects(club, "verdicts")
    with reading(str(club)) as book:
        for each in book.rounds():
            decisions = book.decisions(each.session, each.first_effect, each.last_effect)
            judged = [decision.effect for decision in decisions if isinstance(decision.effect, Judged)]
            mine = [row for row in rows if row["round"] == each.n]
            start_ns = decisions[0].t_ns
            assert [(row["seat"], row["verdict"], row["earliest_ns"], row["decided_ns"]) for row in mine] == [
                (j.seat, j.verdict.value, j.stamp.earliest_ns - start_ns, j.decided_ns - start_ns)
                for j in judged
            ]


def test_dead_heats_stand_with_the_verdicts_that_settled_them(club: Path) -> None:
    tied = [row for row in objects(club, "verdicts") if row["tied_seats"]]
    assert tied
    for row in tied:
        assert row["verdict"] == "dead-heat-won" and row["seat"] in row["tied_seats"]
        assert len(row["tied_seats"]) == len(row["ties_won_before"]) > 1


def test_standings_of_days_events_and_all_time(club: Path) -> None:
    rows = objects(club, "standings")
    groups = {(row["scope"], row["name"], row["game"]) for row in rows}
    assert groups == {
        ("day", "2026-11-17", "dice"),
        ("day", "2026-11-18", "cards"),
        ("day", "2026-11-18", "dice"),
        ("event", "Club evening", "dice"),
        ("all", "", "cards"),
        ("all", "", "dice"),
    }
    dice = [row for row in rows if (row["scope"], row["game"]) == ("all", "dice")]
    assert [row["matches"] for row in dice] == [2] * 4 and sum(row["points"] for row in dice) == 0
    shares = [row["dead_heat_share"] for row in dice if row["dead_heats"]]
    assert shares and all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("what", KINDS)
def test_days_and_events_part_the_rows(club: Path, what: str) -> None:
    everything = objects(club, what)
    days = [objects(club, what, "--day", f"2026-11-{day}") for day in (17, 18)]
    event = objects(club, what, "--event", "Club evening")
    if what in ("standings", "players"):
        assert {row["scope"] for rows in days for row in rows} == {"day"}
        assert {(row["scope"], row["name"]) for row in event} == {("event", "Club evening")}
    else:
        assert [*days[0], *days[1]] == everything
        assert event == [row for row in everything if row["event"]]
    both = objects(club, what, "--day", "2026-11-17", "--event", "Club evening")
    assert 0 < len(both) <= len(event)


def test_today(tmp_path: Path) -> None:
    path = add_match(tmp_path / "t.db", "dice4", 1, day=date.today().isoformat(), wrong=False)
    assert len(objects(path, "matches", "--day", "today")) == 1
    assert objects(path, "matches", "--day", "2020-02-29") == []


@pytest.mark.parametrize("what", KINDS)
def test_where_there_is_nothing_there_is_the_header_and_a_note(club: Path, what: str) -> None:
    result = ask("export", club, "--what", what, "--day", "2020-02-29", "--event", "Cup")
    assert result.stdout_bytes.decode() == ",".join(EXPORTS[what].columns) + "\r\n"
    assert result.stderr == f"there are no {what} of 2020-02-29 of the event 'Cup'\n"
    assert objects(club, what, "--day", "2020-02-29") == []
    plain = ask("export", club, "--what", what, "--event", "Cup")
    assert plain.stderr == f"there are no {what} of the event 'Cup'\n"


def test_names_with_signs_of_csv_are_kept(tmp_path: Path) -> None:
    name = 'Müller, "Cup"\nfinal'
    path = add_match(tmp_path / "t.db", "dice4", 1, event=name, wrong=False)
    (row,) = table(path, "matches")
    assert row["event"] == name
    assert b'"M\xc3\xbcller, ""Cup""\nfinal"' in ask("export", path, "--what", "matches").stdout_bytes
    assert objects(path, "matches", "--event", name)[0]["event"] == name


def test_verdicts_of_a_round_under_way_are_there(club: Path, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    path.write_bytes(club.read_bytes())
    execute(path, "UPDATE rounds SET state = 'running', last_effect = NULL WHERE n = 5")
    before = [row for row in objects(club, "verdicts") if row["round"] == 5]
    assert [row for row in objects(path, "verdicts") if row["round"] == 5] == before


def test_a_file_is_written_as_a_whole_and_links_and_devices_stay(club: Path, tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text("what was there")
    path.chmod(0o600)
    result = ask("export", club, "--what", "rounds", str(path))
    assert result.stdout == ""
    assert path.read_bytes() == ask("export", club, "--what", "rounds").stdout_bytes
    assert [each.name for each in tmp_path.iterdir()] == ["rounds.csv"]
    assert path.stat().st_mode & 0o777 == 0o600
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "target.csv")
    for written in (link, Path("/dev/null")):
        ask("export", club, "--what", "matches", str(written))
    assert link.is_symlink() and link.read_bytes().startswith(b"match,")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--what", "winners"], "'winners' is not one of"),
        (["--what", "matches", "--day", "yesterday"], "--day yesterday: a day looks like 2026-11-18"),
        (["--what", "matches", "--event", "\udcff"], "is not valid UTF-8"),
        (["--what", "matches", "no/where/x.csv"], "no/where/x.csv can't be written: No such file"),
        ([], "Missing option '--what'"),
    ],
)
def test_what_can_not_be_is_told(club: Path, arguments: list[str], told: str) -> None:
    result = run("export", *arguments, "--store", str(club))
    assert result.exit_code == 2 and told in result.stderr


@pytest.mark.parametrize(
    "name", ["=1+1", "+cmd", "-cup-", "@SUM(A1)", "\t=1", "\r=1", "-3 and more", "=", "--3"]
)
def test_no_text_is_a_formula_in_a_spreadsheet(name: str) -> None:
    assert as_csv(("event",), [(name,)]).splitlines(keepends=False)[1].strip('"').startswith("'")
    assert list(csv.reader(io.StringIO(as_csv(("event",), [(name,)]), newline="")))[1] == [
        f"'{visible(name)}"
    ]
    assert json.loads(as_json(("event",), [(name,)])) == [{"event": name}]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-3, "-3"),
        ("-3", "-3"),
        ("+2.5", "+2.5"),
        (-0.5, "-0.5"),
        ((-1, 4), "-1 4"),
        ((-3,), "-3"),
        (None, ""),
        (True, "true"),
    ],
)
def test_numbers_stay_numbers(value: object, cell: str) -> None:
    assert as_csv(("value", "end"), [(value, 0)]) == f"value,end\r\n{cell},0\r\n"


def test_a_csv_does_not_steer_the_terminal_that_it_is_shown_on(club: Path, tmp_path: Path) -> None:
    store = tmp_path / "table.db"
    store.write_bytes(club.read_bytes())
    execute(store, "UPDATE matches SET event = '=' || char(27) || '[2J' || char(155, 8238, 9) || 'x,é'")
    data = ask("export", store, "--what", "matches").stdout_bytes.decode()
    events = [row["event"] for row in csv.DictReader(io.StringIO(data, newline=""))]
    assert set(events) == {r"'=\u001b[2J\u009b\u202e" + "\tx,é"}
    assert all(letter.isprintable() or letter in "\r\n\t" for letter in data)
    (event,) = {row["event"] for row in objects(store, "matches")}
    assert event == "=\x1b[2J\x9b\u202e\tx,é"


def test_players_have_what_their_seats_have(club: Path) -> None:
    seats = {row["seat"]: row for row in objects(club, "standings", "--day", "2026-11-17")}
    players = objects(club, "players", "--day", "2026-11-17")
    assert {row["player_name"] for row in players} == {"Anna", "Ben"}
    for row in players:
        seat = seats[row["player"]]
        assert [row[name] for name in ("wins", "points", "rounds_ended")] == [
            seat[name] for name in ("wins", "points", "rounds_ended")
        ]


def test_who_sat_where(club: Path) -> None:
    rows = [(row["match"], row["seat"], row["player_name"]) for row in objects(club, "seats")]
    assert rows == [(1, 1, "Anna"), (1, 2, "Ben"), (2, 1, "Ben"), (2, 3, "Anna"), (3, 4, "Anna")]


def test_who_was_deleted_sat_nowhere(club: Path, tmp_path: Path) -> None:
    store = tmp_path / "table.db"
    store.write_bytes(club.read_bytes())
    execute(store, "DELETE FROM players WHERE name = 'Anna'")
    rows = [(row["match"], row["seat"], row["player_name"]) for row in objects(store, "seats")]
    assert rows == [(1, 2, "Ben"), (2, 1, "Ben")]


@pytest.mark.parametrize("what", ["matches", "rounds", "verdicts", "standings"])
def test_names_are_only_in_what_is_asked_for_by_name(club: Path, what: str) -> None:
    for form in ("csv", "json"):
        assert "Anna" not in ask("export", club, "--what", what, "--format", form).stdout
