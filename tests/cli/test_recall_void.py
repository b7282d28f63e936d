"""`recall` of rounds that do not count."""

from __future__ import annotations

import json
import re
from pathlib import Path

from firmware_host.model.states import Phase
from firmware_host.model.times import MS
from tests.cli.commands import run
from tests.cli.stores import ask
from tests.run.evenings import evening
from tests.store.shelves import execute


def test_a_void_round_names_those_whose_hands_said_so(tmp_path: Path) -> None:
    """Both hold their buttons while it runs: that is no slap of theirs, though it is judged as one."""
    with evening(tmp_path) as table:
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
