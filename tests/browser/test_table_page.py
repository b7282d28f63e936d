"""The table page follows a match: at every look it shows what the table told at that moment."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.model.times import S
from tests.browser.conftest import OpenPage
from tests.browser.peopled_tables import PeopledTable
from tests.browser.tables import Moment, Witness, wait_for

pytestmark = pytest.mark.xdist_group("browser")

LOOK_EVERY_NS = 1 * S

DRAWN = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const lamp = (node) => Number(node.dataset.tint);
  const text = (node, selector) => node.querySelector(selector)?.textContent ?? "";
  return {
    n: document.querySelector(".table-view").dataset.n,
    phase: document.querySelector(".table-view").dataset.phase,
    board: Object.fromEntries(all(".place").filter((node) => node.dataset.state !== "free")
      .map((node) => [node.dataset.place, [node.dataset.state, text(node, ".owner-number")]])),
    piles: Object.fromEntries(all(".pile.standing")
      .map((node) => [node.dataset.pile, [text(node, ".top"), text(node, ".owner-number")]])),
    heads: all(".pile").map((node) => [...node.querySelectorAll(".head, .step")].map(lamp)).flat(),
    places: [...all(".place"), ...all(".symbol")].map(lamp),
    panels: all(".dome").map(lamp),
    seats: all(".seat").map((node) => [text(node, ".left-number"), text(node, ".seat-points")]),
    sign: all(".sign-line").map((line) => line.textContent.trimEnd()),
    ranks: all(".standings .rank").map((node) => [text(node, ".badge"), text(node, ".rank-total")]),
    curtain: text(document, ".curtain:not([hidden]) .curtain-large"),
    verdicts: all(".verdicts .event").length,
  };
}"""


def look(page: Any, witness: Witness) -> dict[str, Any]:
    """What the page shows; it is what the table told at that moment."""
    drawn: dict[str, Any] = page.evaluate(DRAWN)
    moments = wait_for(f"step {drawn['n']}", lambda: witness.moments.get(drawn["n"]))
    faults = [_differences(drawn, moment) for moment in list(moments)]
    assert [] in faults, f"at {drawn['n']}: {faults}"
    return drawn


def _differences(drawn: dict[str, Any], moment: Moment) -> list[str]:
    """What the page shows differently."""
    state = moment.state
    told_board = {
        name: [each["state"], str(each.get("seat", ""))] for name, each in state.get("board", {}).items()
    }
    told_piles = {
        number: [str(pile["height"]), str(pile["owners"][-1])]
        for number, pile in state.get("piles", {}).items()
    }
    tints = [int(moment.lamps[at], 16) for at in range(0, len(moment.lamps), 3)]
    seats = len(state["seats"])
    compared = {
        "phase": (drawn["phase"], state["phase"]),
        "board": (drawn["board"], told_board),
        "piles": (drawn["piles"], told_piles),
        "lamps": ((drawn["heads"] or drawn["places"]) + drawn["panels"], tints),
        "sign": (drawn["sign"], [line.rstrip() for line in moment.page]),
        "points": (
            [points for _, points in drawn["seats"]],
            [
                _signed(seat["total"]) if "total" in seat and seat["seated"] else ""
                for seat in state["seats"].values()
            ],
        ),
    }
    assert len(drawn["panels"]) == seats
    return [f"{what}: {one} is not {other}" for what, (one, other) in compared.items() if one != other]


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def follow_a_match(table: PeopledTable, page: Any, witness: Witness) -> dict[str, dict[str, Any]]:
    """What the page showed last in each phase, until a match is over that began meanwhile."""
    seen: dict[str, dict[str, Any]] = {}

    def over() -> bool:
        page.wait_for_selector(f".table-view[data-n='{table.latest}']")
        drawn = look(page, witness)
        seen[drawn["phase"]] = drawn
        return drawn["phase"] == "result" and "play" in seen and bool(witness.saw("MatchEnded"))

    table.until("the end of a match", over, LOOK_EVERY_NS)
    return seen


def check_result(drawn: dict[str, Any], witness: Witness) -> None:
    """The page names the winners, and ranks all seats by their totals."""
    result = witness.saw("MatchEnded")[-1]
    totals = {str(seat): _signed(result["totals"][seat - 1]) for seat in result["seats"]}
    assert dict(drawn["ranks"]) == totals
    leaders = {int(seat) for seat, total in drawn["ranks"] if total == drawn["ranks"][0][1]}
    assert leaders == set(result["winners"])
    assert all(str(seat) in drawn["curtain"] for seat in result["winners"])


def test_a_match_of_dice_is_followed(dice: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(dice)
    with closing(Witness(dice)) as witness:
        seen = follow_a_match(dice, page, witness)
    assert len(seen["play"]["board"]) >= 6, "dice were drawn while they were played"
    assert seen["play"]["verdicts"] >= 4
    check_result(seen["result"], witness)


def test_a_match_of_cards_is_followed(tmp_path: Path, open_page: OpenPage) -> None:
    with closing(PeopledTable(tmp_path, "cards4", (5, 5, 0, 0), language="fr")) as table:
        page = open_page(table)
        with closing(Witness(table)) as witness:
            seen = follow_a_match(table, page, witness)
    assert len(seen["play"]["piles"]) > 3
    check_result(seen["result"], witness)
    assert page.evaluate("document.documentElement.lang") == "fr", "the language of the table"


def test_verdicts_tell_who_was_first_and_by_how_much(racing: PeopledTable, open_page: OpenPage) -> None:
    page = open_page(racing, "/?lang=en")
    page.wait_for_selector(".table-view[data-n]")
    with closing(Witness(racing)) as witness:

        def shown() -> bool:
            late = [
                each
                for each in witness.saw("Judged")
                if each["verdict"] == "too-late" and each.get("margin_ns")
            ]
            margins = {f"+{_milliseconds(each['margin_ns'])}": each for each in late}
            for row in page.evaluate(CONTESTS):
                judged = margins.get(row["margin"])
                if judged and (row["first"], row["late"]) == (str(judged["rival"]), str(judged["seat"])):
                    return True
            return False

        racing.until("a contest with its margin", shown, LOOK_EVERY_NS)


CONTESTS = """() => [...document.querySelectorAll(".event[data-contest]")].flatMap((event) =>
  [...event.querySelectorAll(".rival")].map((rival) => ({
    first: event.querySelector(":scope > .badge").textContent,
    late: rival.querySelector(".badge").textContent,
    margin: rival.querySelector(".late-by").textContent,
  })))"""


def _milliseconds(ns: int) -> str:
    if ns < 999_500:
        return f"{ns / 1e3:.0f} µs"
    return f"{ns / 1e6:.1f} ms" if ns < 99_950_000 else f"{ns / 1e9:.2f} s"
