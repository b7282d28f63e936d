"""`fault`: the simulated devices of a running table fail, and the real daemon notices by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import FAULTS_SOCKET
from tests.browser.tables import SimulatedTable, Witness, wait_for
from tests.cli.commands import run


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatedTable]:
    made = SimulatedTable(tmp_path_factory.mktemp("faults"), "--speed", "10", "--seed", "3")
    made.start_daemon()
    yield made
    made.close()


def fault(table: SimulatedTable, *words: str) -> Any:
    return run("fault", "--store", str(table.sockets / "simulated.db"), *words)


@pytest.fixture
def witness(table: SimulatedTable) -> Iterator[Witness]:
    with closing(Witness(table)) as reader:
        yield reader
    fault(table, "end")


def state(witness: Witness) -> dict[str, Any]:
    """What the daemon told last."""
    told: dict[str, Any] = list(witness.moments.values())[-1][-1].state
    return told


def test_a_lost_bank_is_noticed_and_the_match_goes_on_when_it_is_back(
    table: SimulatedTable, witness: Witness
) -> None:
    wait_for("a round", lambda: state(witness)["phase"] == "play")
    assert fault(table, "unplug", "left").output == "unplug left until you end it\n"
    wait_for("the loss", lambda: state(witness)["devices"].get("left", {}).get("condition") == "lost")
    wait_for("the pause", lambda: state(witness)["phase"] == "paused")
    assert fault(table, "end", "left").output == "nothing is wrong\n"
    wait_for("its return", lambda: "left" not in state(witness)["devices"])
    wait_for("the match", lambda: state(witness)["phase"] != "paused")


def test_buttons_that_chatter_or_jam_are_masked_and_a_lost_scoreboard_is_reported_until_all_is_well(
    table: SimulatedTable, witness: Witness
) -> None:
    assert fault(table, "storm", "seat", "2", "20s").output == "storm seat 2 for 20.0 s\n"
    fault(table, "stuck", "seat", "3")
    told = json.loads(fault(table, "--json", "unplug", "scoreboard").output)
    assert told["ok"] and {"kind": "unplug", "what": "scoreboard"} in told["faults"]
    wait_for("the mask of what chatters", lambda: "seat 2" in state(witness)["masked"])
    found = wait_for("the loss", lambda: state(witness)["devices"].get("scoreboard"))
    assert found["advice"] == "check its plug and its power"
    wait_for("the mask of what jams", lambda: "seat 3" in state(witness)["masked"])
    fault(table, "end", "seat", "3")
    fault(table, "end", "scoreboard")
    wait_for("the return of the scoreboard", lambda: "scoreboard" not in state(witness)["devices"])
    wait_for("the end of the masks", lambda: not {"seat 2", "seat 3"} & set(state(witness)["masked"]))
    assert fault(table).output.startswith(
        "nothing is wrong\nwhat can go wrong:\nunplug   its plug is pulled: "
    )


def test_what_can_not_go_wrong_is_refused(table: SimulatedTable) -> None:
    refused = fault(table, "stuck", "scoreboard")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("ligretto-table: fault 'stuck': 'scoreboard' can't have it; allowed: ")


def test_a_table_that_is_not_simulated_has_no_faults(table: SimulatedTable) -> None:
    path = table.sockets / FAULTS_SOCKET
    aside = path.with_suffix(".aside")
    path.rename(aside)
    try:
        told = fault(table)
    finally:
        aside.rename(path)
    assert told.exit_code == 2 and "faults can only be injected at a simulated table" in told.stderr


def test_no_table_runs(tmp_path: Path) -> None:
    assert run("fault", "--store", str(tmp_path / "none.db")).exit_code == 2
