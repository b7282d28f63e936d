"""`recall`: the last rounds, one of them in full, and its pictures."""

from __future__ import annotations

import json
import re
import runpy
import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from firmware_host.model import effects as e
from firmware_host.model.effects import Judged, TieBroken, format_effect
from firmware_host.model.places import Button
from firmware_host.model.states import AwayReason, Condition, Corrector, DeviceCondition, Phase
from firmware_host.model.times import MS, exactly
from firmware_host.store.store_reader import reading
from tests.cli.commands import run
from tests.cli.stores import ask, config_for
from tests.run.evenings import evening as evening_at_work
from tests.store.parties import evening
from tests.store.shelves import execute, writing


def recalled(store: Path, *arguments: str) -> Any:
    """The round, as JSON."""
    return json.loads(ask("recall", store, "--json", *arguments).stdout)


def copied(store: Path, tmp_path: Path) -> Path:
    """A copy that may be spoilt."""
    copy = tmp_path / "copy.db"
    copy.write_bytes(store.read_bytes())
    return copy


# -- the list


def test_the_last_rounds_are_listed(club: Path) -> None:
    lines = ask("recall", club).stdout.splitlines()
    assert lines[0].split()[:4] == ["no", "round", "begun", "game"]
    rows = [line.split()[:2] for line in lines[1:] if line[:3].strip()]  # a long result goes on below
    assert rows == [[str(n), str(6 - n)] for n in range(1, 6)]
    assert all(len(line) <= 80 for line in lines)
    assert re.search(r"2026-11-17 20:0\d  dice    1  seat \d ended it: 1:[+-]\d+ 2:", lines[-1])


def test_the_list_as_json(club: Path) -> None:
    rounds = recalled(club)
    assert [row["round"] for row in rounds] == [5, 4, 3, 2, 1]
    assert [row["chapter"] for row in rounds] == [3, 2, 2, 1, 1]
    assert not any("session_log" in row for row in rounds), "a key that nobody has asked for"
    assert rounds[0]["seats"] == [1, 2, 3, 4] and rounds[0]["state"] == "scored"


def test_a_store_without_rounds(tmp_path: Path) -> None:
    with writing(tmp_path / "table.db") as (writer, _):
        writer.secure()
        assert writer.settle(10)
    assert ask("recall", tmp_path / "table.db").stdout == "no round was played yet\n"
    assert recalled(tmp_path / "table.db") == []


# -- one round


def test_every_verdict_is_told_in_order(club: Path) -> None:
    for back in range(1, 6):
        told = ask("recall", club, str(back)).stdout
        with reading(str(club)) as book:
            row = book.rounds()[back - 1]
            decisions = book.decisions(row.session, row.first_effect, row.last_effect)
        verdicts = [each.effect for each in decisions if isinstance(each.effect, Judged)]
        lines = re.findall(r"^ +(\d+\.\d{6}) +\d+[mu]s  .*", told, re.MULTILINE)
        assert len(lines) == len(verdicts)
        assert sorted(lines, key=float) == lines
        assert all(len(line) <= 80 for line in told.splitlines()[:-1])


def test_dead_heats_tell_how_they_were_settled(club: Path) -> None:
    told = " ".join(ask("recall", club, "3").stdout.split())
    with reading(str(club)) as book:
        row = book.rounds()[2]
        ties = [
            each.effect
            for each in book.decisions(row.session, row.first_effect, row.last_effect)
            if isinstance(each.effect, TieBroken)
        ]
    assert ties
    for tie in ties:
        how = "by lot" if tie.drawn else "having won the fewest ties before"
        assert f"for {tie.what}: seat {tie.winner} gets it, {how} (won before: " in told


def test_the_heading_says_which_round_it_was_and_what_came_of_it(club: Path) -> None:
    first, second, third, fourth = ask("recall", club, "--round", "4").stdout.splitlines()[:4]
    assert re.fullmatch(r"round 2 of dice, 2026-11-18 20:\d\d:\d\d, Club evening: seat \d ended it", first)
    assert second.startswith("round 4 of the store, match 2, session 2, ended 2026-11-18 20:")
    assert re.match(r"scores 1:[+-]\d+ .*; totals 1:[+-]\d+", third)
    assert re.match(r"left over 1:\d 2:\d 3:\d 4:\d", fourth)


def test_counting_back_and_by_number_are_the_same(club: Path) -> None:
    assert recalled(club, "1") == recalled(club, "last") == recalled(club, "--round", "5")
    assert recalled(club, "5") == recalled(club, "--round", "1")


def test_a_round_as_json_has_all_that_is_known(club: Path) -> None:
    record = recalled(club, "2")
    assert {"round", "chapter", "match", "seats", "verdicts", "contests", "pauses", "events"} <= set(record)
    assert record["inputs_kept"] is True
    assert all(each["earliest_ns"] <= each["t_ns"] <= each["latest_ns"] for each in record["verdicts"])


def test_more_is_told_to_whoever_wants_it(club: Path) -> None:
    short, long = ask("recall", club, "2").stdout, ask("recall", club, "2", "-v").stdout
    assert "red 1 is open" in long and "red 1 is open" not in short
    assert len(long.splitlines()) > len(short.splitlines())


def test_the_picture_has_a_lane_for_each_seat_and_no_colour_in_a_pipe(club: Path) -> None:
    told = ask("recall", club, "2").stdout
    assert [line[:7] for line in told.splitlines() if line.startswith("seat")] == [
        f"seat {n} " for n in (1, 2, 3, 4)
    ]
    assert "\x1b" not in told and "o accepted" in told


def test_a_terminal_has_colours(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    told = ask("recall", club, "2").stdout
    assert "\x1b[32m" in told
    bare = re.sub(r"\x1b\[[0-9;]*m", "", told)
    assert max(len(line) for line in bare.splitlines()[:-1]) == 100


def test_whoever_wants_proof_is_told_where_it_is(club: Path) -> None:
    last = ask("recall", club, "--round", "3").stdout.splitlines()[-1]
    assert last == f"To replay it: ligretto-table replay --round 3 --store {club}"
    assert run(*last.split(" ligretto-table ")[1].split()).exit_code == 0


# -- close finishes


def finish(store: Path, overlap: bool) -> tuple[str, str, dict[str, Any]]:
    """A contest whose first loser overlaps with the winner or does not: its round, its moment, itself."""
    for row in recalled(store):
        record = recalled(store, "--round", str(row["round"]))
        for contest in record["contests"]:
            if (contest["losers"][0]["surely_apart_ns"] < 0) is overlap:
                winner = next(each for each in record["verdicts"] if each["n"] == contest["winner"])
                return str(row["round"]), f"{winner['t_ns'] / 1e9:.9f}", contest
    raise AssertionError("there is none")


def test_a_dead_heat_is_shown_to_scale_and_explained(club: Path) -> None:
    number, moment, contest = finish(club, overlap=True)
    told = ask("recall", club, "--round", number, "--around", moment).stdout
    assert f"\n{contest['what']}:\n" in told and "[___] its stamp" in told
    words = " ".join(told.split())
    assert re.search(r"the stamps of seat \d and seat \d overlap by [\d.]+[mu]s: nobody can say", words)
    assert re.search(r"dead heat of seat \d and .*\(won before: ", words)
    assert told.count(" slapped between ") == 1 + len(contest["losers"])


def test_a_clear_finish_is_shown_and_explained(club: Path) -> None:
    number, moment, contest = finish(club, overlap=False)
    told = ask("recall", club, "--round", number, "--around", f"{moment}s").stdout
    found = re.search(r"came ([\d.]+[mu]?s) after seat \d, at least ([\d.]+)([mu]s): certain", told)
    assert found is not None
    least_ns = float(found[2]) * {"us": 1e3, "ms": 1e6}[found[3]]
    assert least_ns <= contest["losers"][0]["surely_apart_ns"] < least_ns + 1e4


def test_a_span_can_be_asked_for(club: Path) -> None:
    number, moment, contest = finish(club, overlap=True)
    before = f"{float(moment) - 1:.9f}"
    slapped = [
        ask("recall", club, "--round", number, "--around", before, "--span", span).stdout.count(
            "slapped between"
        )
        for span in ("1us", "3s", "200s")
    ]
    assert slapped[0] == 0 < 1 + len(contest["losers"]) <= slapped[1] <= slapped[2]


def test_where_nobody_slapped_the_nearest_slap_is_told(club: Path) -> None:
    verdicts = recalled(club, "last")["verdicts"]
    pairs = [(one, other) for one, other in pairwise(verdicts) if other["t_ns"] - one["t_ns"] > 700_000_000]
    one, _ = pairs[0]
    moment = f"{one['t_ns'] / 1e9 + 0.3:.9f}"
    told = " ".join(ask("recall", club, "last", "--around", moment).stdout.split())
    assert "nobody slapped in that time; the nearest slap was at " in told
    assert f"{one['t_ns'] / 1e9 - 5e-7:.6f} s: seat {one['seat']}: {one['verdict'].replace('-', ' ')}" in told
    assert "nobody slapped" not in ask("recall", club, "last", "--around", f"{one['t_ns'] / 1e9:.9f}").stdout


def test_a_round_in_which_nobody_slapped(club: Path, tmp_path: Path) -> None:
    path = copied(club, tmp_path)
    execute(path, 'DELETE FROM effects WHERE text LIKE \'{"is":"Judged"%\'')
    result = run("recall", "last", "--around", "9999", "--store", str(path))
    assert result.exit_code == 2 and "; nobody slapped in it" in result.stderr


def test_where_nothing_is_to_be_seen_is_told(club: Path) -> None:
    record = recalled(club, "1")
    first, *_, last = [
        f"{each['t_ns'] / 1e9 - 5e-7:.6f} s: seat {each['seat']}: " for each in record["verdicts"]
    ]
    for moment, why in (
        ("9999", f"the round ended at {record['ended_ns'] / 1e9:.1f} s; the nearest slap was at {last}"),
        ("-60", f"the round began at 0 s; the nearest slap was at {first}"),
    ):
        for more in ([], ["--json"], ["--span", "1s"]):
            result = run("recall", "1", "--around", moment, *more, "--store", str(club))
            assert (result.exit_code, result.stdout) == (2, "")
            assert result.stderr.startswith(f"ligretto-table: --around {moment}: {why}")


def test_of_a_round_without_an_end_it_is_told_how_far_it_is_known(club: Path, tmp_path: Path) -> None:
    path = copied(club, tmp_path)
    execute(path, 'DELETE FROM effects WHERE text LIKE \'{"is":"RoundFinished"%\'')
    execute(path, "UPDATE rounds SET state = 'running', ended = NULL WHERE n = 5")
    result = run("recall", "1", "--around", "9999", "--store", str(path))
    assert result.exit_code == 2 and "nothing is known of the round after " in result.stderr


# -- drawings


def test_a_drawing_is_written_as_a_whole(club: Path, tmp_path: Path) -> None:
    path = tmp_path / "round.svg"
    path.write_text("what was there")
    result = ask("recall", club, "2", "--svg", str(path))
    assert result.stdout == "" and result.stderr == f"drawn: {path}\n"
    svg = ElementTree.fromstring(path.read_bytes())
    assert "Round 2 of dice" in (svg[0].text or "")
    assert [each.name for each in tmp_path.iterdir()] == ["round.svg"]


def test_a_close_finish_can_be_drawn(club: Path, tmp_path: Path) -> None:
    whole, close = tmp_path / "whole.svg", tmp_path / "close.svg"
    ask("recall", club, "2", "--svg", str(whole))
    ask("recall", club, "2", "--around", "5", "--svg", str(close))
    assert whole.read_text() != close.read_text()


def test_a_drawing_is_refused_another_format(club: Path, tmp_path: Path) -> None:
    path = tmp_path / "round.png"
    result = run("recall", "1", "--store", str(club), "--svg", str(path))
    assert (result.exit_code, result.stdout) == (2, "") and not path.exists()
    assert f"--svg {path}: the picture is an SVG drawing; name it round.svg" in result.stderr
    for name in ("round.SVG", "round"):
        ask("recall", club, "1", "--svg", str(tmp_path / name))
        assert (tmp_path / name).read_text().startswith("<svg ")


def test_the_title_of_a_close_finish_says_who_got_what(club: Path, tmp_path: Path) -> None:
    path = tmp_path / "finish.svg"
    for overlap, words in (
        (True, "dead heat of seats . and .*, seat . gets it"),
        (False, "seat . before seat ."),
    ):
        number, moment, contest = finish(club, overlap)
        ask("recall", club, "--round", number, "--around", moment, "--svg", str(path))
        title = ElementTree.fromstring(path.read_bytes())[0].text or ""
        assert re.search(f": {contest['what']}, {words}$", title)
    ask("recall", club, "last", "--around", "0", "--span", "1ms", "--svg", str(path))
    assert (ElementTree.fromstring(path.read_bytes())[0].text or "").startswith(
        "Round 1 of cards, 2026-11-18"
    )


def test_who_ended_a_round_by_a_correction_is_not_who_called_its_end(club: Path, tmp_path: Path) -> None:
    path = copied(club, tmp_path)
    assert "correction" not in ask("recall", path, "last").stdout.splitlines()[0]
    execute(path, "UPDATE rounds SET finisher = finisher % 4 + 1 WHERE n = 5")
    assert re.search(
        r": seat \d ended it, after a correction$", ask("recall", path, "last").stdout.splitlines()[0]
    )


def test_a_drawing_that_can_not_be_written_is_told(club: Path, tmp_path: Path) -> None:
    path = tmp_path / "no" / "round.svg"
    result = run("recall", "1", "--store", str(club), "--svg", str(path))
    assert result.exit_code == 2 and f"{path} can't be written: No such file" in result.stderr


# -- what is not all there


def test_a_round_that_is_under_way(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with evening(path, "dice4", 6, wrong=False) as people:
        people.go_on(lambda: any(isinstance(effect, Judged) for _, effect in people.effects))
        assert people.writer.settle(10)
        assert "under way" in ask("recall", path).stdout
        told = ask("recall", path, "1").stdout
        assert told.splitlines()[0].endswith(": under way") and "accepted" in told
        people.play()


def test_void_and_abandoned_rounds(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with evening(path, "dice4", 6, wrong=False) as people:
        people.play()
    execute(path, "UPDATE rounds SET finisher = NULL")
    assert "all were stuck" in ask("recall", path).stdout
    execute(path, "UPDATE rounds SET state = 'void', scores = NULL, totals = NULL")
    assert ask("recall", path).stdout.splitlines()[1].endswith("  voided")
    assert "scores" not in "\n".join(ask("recall", path, "1").stdout.splitlines()[:3])
    execute(path, "UPDATE rounds SET state = 'abandoned'")
    assert "given up" in ask("recall", path).stdout


def test_a_round_whose_session_was_cut_off(club: Path, tmp_path: Path) -> None:
    path = copied(club, tmp_path)
    execute(path, "UPDATE rounds SET state = 'running', scores = NULL, finisher = NULL WHERE n = 1")
    assert ask("recall", path).stdout.splitlines()[-1].endswith("cut off")


def test_a_round_whose_inputs_are_not_kept(club: Path, tmp_path: Path) -> None:
    path = copied(club, tmp_path)
    execute(path, "DELETE FROM inputs WHERE session = (SELECT session FROM rounds WHERE n = 5)")
    told = ask("recall", path, "1").stdout
    assert told.splitlines()[-1] == "Its inputs are not kept any more, so it can't be replayed."
    assert "accepted" in told and recalled(path, "1")["inputs_kept"] is False


def test_a_round_of_which_only_the_result_is_kept(club: Path, tmp_path: Path) -> None:
    path = copied(club, tmp_path)
    execute(path, "DELETE FROM effects WHERE session = (SELECT session FROM rounds WHERE n = 5)")
    told = ask("recall", path, "1").stdout
    assert "scores 1:" in told and "its result is all that is left" in told
    assert recalled(path, "1")["scores"] and "verdicts" not in recalled(path, "1")
    drawn = run("recall", "1", "--store", str(path), "--svg", str(tmp_path / "round.svg"))
    assert drawn.exit_code == 2 and "round 5: what was decided in it is not kept any more" in drawn.stderr


def test_pauses_troubles_and_corrections_are_told(club: Path, tmp_path: Path) -> None:
    """Happenings that no match of simulated people has by itself, put in after the start call."""
    path = copied(club, tmp_path)
    with reading(str(path)) as book:
        row = book.round(5)
    connection = sqlite3.connect(path)
    (t_ns,) = connection.execute(
        "SELECT t_ns FROM effects WHERE session = ? AND n = ?", (row.session, row.first_effect)
    ).fetchone()
    happenings: list[e.Effect] = [
        e.WasInterrupted(AwayReason.POWER, t_ns + 1),
        e.PhaseEntered(Phase.PAUSED, t_ns + 10**9),
        e.PhaseEntered(Phase.PLAY, t_ns + 3 * 10**9),
        e.DeviceReported(DeviceCondition("pad-1", Condition.LOST, "no answer"), True, t_ns),
        e.Noise(Button(1), exactly(t_ns)),
        e.Corrected(2, 3, 1, Corrector.OPERATOR),
    ]
    count = len(happenings)
    connection.execute(
        "UPDATE effects SET n = -n - ? WHERE session = ? AND n > ?",
        (count, row.session, row.first_effect),
    )
    connection.execute("UPDATE effects SET n = -n WHERE session = ? AND n < 0", (row.session,))
    connection.execute("UPDATE rounds SET last_effect = last_effect + ? WHERE n = 5", (count,))
    for number, effect in enumerate(happenings, start=row.first_effect + 1):
        moment = effect.t_ns if isinstance(effect, e.PhaseEntered) else t_ns
        values = (row.session, number, moment, format_effect(effect))
        connection.execute("INSERT INTO effects (session, n, t_ns, text) VALUES (?, ?, ?, ?)", values)
    connection.commit()
    connection.close()
    told = ask("recall", path, "1").stdout
    assert "the table was off, and is back" in told and "the round pauses for 2.0 s" in told
    assert "pad-1 is lost: no answer" in told and "seat 2 holds 1, not 3 (said by operator)" in told
    assert "1 disturbance on wires changed nothing" in told
    assert re.search(r"^table.*S", told, re.MULTILINE) and ":: stands still" in told
    assert "a disturbance, no change" in ask("recall", path, "1", "-v").stdout


# -- the page about it


def test_the_page_for_operators_shows_what_the_commands_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If they say something else now, or draw it: make docs"""
    docs = Path(__file__).parent.parent.parent / "docs"
    evening_at_the_club = runpy.run_path(str(docs / "evening.py"))
    monkeypatch.chdir(tmp_path)
    evening_at_the_club["make_store"]("table.db")
    page = (docs / "recall.md").read_text(encoding="utf-8")
    assert evening_at_the_club["written"](page) == page
    evening_at_the_club["draw"](tmp_path)
    drawings = evening_at_the_club["DRAWINGS"]
    assert sorted(re.findall(r"\((\w+\.svg)\)", page)) == sorted(drawings)
    for name in drawings:
        assert (tmp_path / name).read_text(encoding="utf-8") == (docs / name).read_text(encoding="utf-8")


# -- wrong wishes


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["9"], "there is no round 9 counted back: N is 1, the last round, to 5, the first one"),
        (["0"], "there is no round 0 counted back: N is 1, the last round, to 5, the first one"),
        (["first"], "'first' is not a round: write last, or 2 for the one before"),
        (["--round", "9"], "the store has no round 9; its rounds are 1 to 5, and `ligretto-table recall`"),
        (["--round", "-1"], "the store has no round -1; its rounds are 1 to 5"),
        (["--round", "9" * 30], "9; its rounds are 1 to 5"),
        (["1", "--round", "2"], "N and --round can't be combined"),
        (["1", "--span", "3ms"], "--span says how much to show --around a moment"),
        (["--around", "3"], "which round? `recall last ...` is the last one"),
        (["1", "--around", "soon"], "'soon' is not a time; write seconds"),
        (["1", "--around", "3", "--span", "soon"], "'soon' is no duration"),
        (["1", "--around", "3", "--span", "0ms"], "--span 0ms: allowed: more than nothing"),
    ],
)
def test_what_can_not_be_is_told(club: Path, arguments: list[str], told: str) -> None:
    result = run("recall", *arguments, "--store", str(club))
    assert result.exit_code == 2 and told in result.stderr


# -- which store


def test_the_store_of_a_configuration(club: Path, tmp_path: Path) -> None:
    config = config_for(club, tmp_path)
    assert f"replay --round 5 --config {config}" in run("recall", "1", "--config", str(config)).stdout
    both = run("recall", "--config", str(config), "--store", "x")
    assert both.exit_code == 2 and "--config and --store can't be combined" in both.stderr


def test_a_configuration_with_faults_needs_not_be_read(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("wirign = 3\n")
    result = run("recall", "--config", str(config))
    assert result.exit_code == 2 and "name the store file itself with --store" in result.stderr


# -- the photo finish


def test_the_closest_finish_is_drawn_and_told(club: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "finish.svg"
    told = ask("recall", club, "--round", "3", "--finish", str(drawn), "--lang", "de")
    assert "drawn:" in told.stderr
    root = ElementTree.parse(drawn).getroot()
    assert (root.findtext("{http://www.w3.org/2000/svg}title") or "").startswith("Zielfoto: ")
    assert told.stdout.startswith("Zielfoto: ")
    assert "Reihenfolge des Eingangs" in told.stdout


def test_a_moment_chooses_another_finish(club: Path, tmp_path: Path) -> None:
    round_ = recalled(club, "--round", "3")
    verdicts = {each["n"]: each for each in round_["verdicts"]}
    whats = set()
    for contest in round_["contests"]:
        moment = verdicts[contest["winner"]]["t_ns"] / 1e9
        at = ask(
            "recall", club, "--round", "3", "--around", f"{moment:.6f}", "--finish", str(tmp_path / "a.svg")
        )
        whats.add(at.stdout.splitlines()[0])
    assert len(whats) == len(round_["contests"])


def test_where_nobody_raced_there_is_no_photo_finish(club: Path, tmp_path: Path) -> None:
    there = ("--round", "3", "--around", "0", "--span", "1us")
    refused = run("recall", "--store", str(club), *there, "--finish", str(tmp_path / "a.svg"))
    assert refused.exit_code == 2
    assert "no photo finish" in refused.stderr
    wrong = run("recall", "last", "--store", str(club), "--finish", "a.png")
    assert wrong.exit_code == 2 and "name it a.svg" in wrong.stderr
    listed = run("recall", "--store", str(club), "--finish", "a.svg")
    assert listed.exit_code == 2 and "which round?" in listed.stderr


# -- a round that does not count


def test_a_void_round_names_those_whose_hands_said_so(tmp_path: Path) -> None:
    """Both hold their buttons while it runs: that is no slap of theirs, though it is judged as one."""
    with evening_at_work(tmp_path) as table:
        table.start()
        table.play(1, 2)
        table.hold(1, 2, for_ns=1500 * MS)
        table.until_phase(Phase.CLEAR)
        table.stop()
        store = table.file
    listed = ask("recall", store).stdout
    assert listed.endswith("  voided: seats 1 and 2 agreed that\n" + " " * 41 + "nobody could play\n")
    told = ask("recall", store, "1").stdout
    title = "round 1 of dice, 2026-11-18 20:00:00: voided: seats 1 and 2 agreed that nobody could play"
    assert " ".join(told.split()).startswith(title)
    words = " ".join(told.split())
    for seat in (1, 2):
        assert re.search(rf"seat {seat}: false claim; held until the round was voided", words)
    assert "round 1 is void: seats 1 and 2 agreed that nobody could play" in words
    assert re.search(r"^table   S .*V", told, re.MULTILINE) and "V round is void" in told
    record = json.loads(ask("recall", store, "1", "--json").stdout)
    (row,) = json.loads(ask("recall", store, "--json").stdout)
    held = {each["seat"] for each in record["verdicts"] if each["n"] in record["voided"]["verdicts"]}
    assert held == {1, 2} and row["voided"] == {"reason": "stuck", "seats": [1, 2]}
    result = run("recall", "1", "--around", "9999", "--store", str(store))
    assert f"the round was voided at {record['voided']['t_ns'] / 1e9:.1f} s" in result.stderr
    execute(store, "DELETE FROM inputs; DELETE FROM effects")
    assert ask("recall", store).stdout == listed, "why it was void is a result, and kept for ever"


# -- in terminals of any width


@pytest.mark.parametrize("columns", [40, 64, 66])
def test_everything_fits_into_a_narrow_terminal(
    club: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    close = [["3", "--around", str(moment)] for moment in range(1, 12, 2)]
    for arguments in ([], ["2"], ["2", "-v"], *close):
        lines = ask("recall", club, *arguments).stdout.splitlines()
        told = lines if not arguments else lines[:-1]  # the last is a command to be copied
        assert max(map(len, told)) <= columns


def test_what_came_of_a_round_stands_below_it_in_a_narrow_terminal(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = ask("recall", club).stdout.split()
    monkeypatch.setenv("COLUMNS", "40")
    narrow = ask("recall", club).stdout
    assert narrow.split() == wide
    assert re.search(r"^  1       5  2026-11-\d\d 20:\d\d  cards   1\n     ", narrow, re.MULTILINE)


def test_a_pipe_is_as_wide_as_usual(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = ask("recall", club, "2").stdout
    monkeypatch.setenv("COLUMNS", "200")
    assert ask("recall", club, "2").stdout == usual  # a pipe
