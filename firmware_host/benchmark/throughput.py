"""How much the table can take when nothing sleeps."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from firmware_host.durations import MS, S
from firmware_host.effects import Effect, Judged, MatchEnded
from firmware_host.events import StartMatch
from firmware_host.places import ALL_SLOTS, Button
from firmware_host.runtime.assembly import load_profile, scripted_table
from firmware_host.runtime.party import Invitation, Misbehaviour, even_deal, hold_party
from firmware_host.runtime.tournament import play_match
from firmware_host.settings import Settings
from firmware_host.stamps import exactly
from firmware_host.table.session import Table
from hw.ports import Edge

MATCHES = 20
RECORDED_MATCHES = 10
HAMMERED_SLAPS = 20_000
FEWER_THAN_A_HAND = 5  # so that nobody can finish the round


def measure_throughput(
    seed: int = 0, matches: int = RECORDED_MATCHES, slaps: int = HAMMERED_SLAPS
) -> dict[str, Any]:
    """Edges fed as fast as the table takes them, from intake to frames and scoreboard bytes.

    Once the edges of whole matches, recorded before with simulated people: the table's own
    time runs on for minutes meanwhile, with all its blinking and counting. And once what
    four hammering hands make, 250 slaps a second with a die now and then.
    """
    steady = _feed(Misbehaviour(), range(seed, seed + matches))
    contacts = frozenset(load_profile("dice4").lines.values())
    bouncing = _feed(Misbehaviour(bounce=contacts), range(seed, seed + matches))
    hammered = _hammer(slaps)
    return {
        "edges_per_second_hammered": hammered["edges_per_second"],
        "judged_slaps_per_second_hammered": hammered["slaps_per_second"],
        "edges_per_second_of_matches": steady["edges_per_second"],
        "edges_per_second_of_bouncing_matches": bouncing["edges_per_second"],
        "judged_slaps_per_second_of_matches": steady["slaps_per_second"],
        "edges_fed": steady["edges"] + bouncing["edges"] + hammered["edges"],
    }


def _hammer(slaps: int) -> dict[str, int]:
    """Slaps of four seats in turn, each of them judged, and dice on the board in between."""
    profile = load_profile("dice4")
    lines = {source: line for line, source in profile.lines.items()}
    edges: list[Edge] = []
    slots = iter(ALL_SLOTS[:FEWER_THAN_A_HAND])
    for count in range(slaps):
        t_ns = 4 * S + count * MS * 4
        line = lines[Button(count % 4 + 1)]
        if count % 401 == 0 and (slot := next(slots, None)) is not None:
            edges.append(Edge(lines[slot], False, t_ns - MS, len(edges)))
        edges.append(Edge(line, False, t_ns, len(edges)))
        edges.append(Edge(line, True, t_ns + 7 * MS, len(edges)))
    edges.sort(key=lambda edge: edge.t_ns)
    took, judged = _replay(edges, 1, start=True)
    return {
        "edges": len(edges),
        "edges_per_second": round(len(edges) / took),
        "slaps_per_second": round(judged / took),
    }


def _feed(misbehaviour: Misbehaviour, seeds: range) -> dict[str, int]:
    edges = slaps = 0
    spent = 0.0
    for seed in seeds:
        recorded = _record(misbehaviour, seed)
        took, judged = _replay(recorded, seed)
        spent += took
        edges += len(recorded)
        slaps += judged
    return {
        "edges": edges,
        "edges_per_second": round(edges / spent),
        "slaps_per_second": round(slaps / spent),
    }


def _record(misbehaviour: Misbehaviour, seed: int) -> list[Edge]:
    """All edges of one match, as the driver delivered them."""
    profile = load_profile("dice4")
    over: list[MatchEnded] = []

    def notice(t_ns: int, effects: list[Effect]) -> None:
        over.extend(effect for effect in effects if isinstance(effect, MatchEnded))

    asked = Invitation(profile=profile, deal=even_deal(profile, profile.seats), misbehaviour=misbehaviour)
    party = hold_party(asked, seed, observers=[notice])
    edges: list[Edge] = []
    party.table.loop.witnesses.append(lambda now_ns, edge: edges.append(edge))
    while not over:
        party.table.loop.step()
    party.close()
    return edges


def _replay(edges: list[Edge], seed: int, start: bool = False) -> tuple[float, int]:
    """Seconds of computing for these edges, and how many slaps were judged."""
    profile = load_profile("dice4")
    slaps = 0

    def count(t_ns: int, effects: list[Effect]) -> None:
        nonlocal slaps
        slaps += sum(type(effect) is Judged for effect in effects)

    table = scripted_table(
        profile,
        table=Table(seats=profile.seats),
        settings=Settings(),
        lot=Random(seed),
        keep=64,
    )
    table.pipeline.observers.append(count)
    signal, pipeline = table.intake.signal, table.pipeline
    if start:
        pipeline.command(StartMatch(even_deal(profile, profile.seats), exactly(0)))
    began = time.perf_counter()
    for edge in edges:
        pipeline.advance(edge.t_ns)
        pipeline.arrive(signal(edge), edge.t_ns)
    pipeline.advance(edges[-1].t_ns + 60 * S)
    return time.perf_counter() - began, slaps


def measure_matches(seed: int = 0, matches: int = MATCHES) -> dict[str, Any]:
    """Matches of four simulated people in virtual time."""
    profile = load_profile("dice4")
    asked = Invitation(profile=profile, deal=even_deal(profile, profile.seats))
    play_match(asked, seed)
    began = time.perf_counter()
    rounds = sum(play_match(asked, seed + number).rounds for number in range(1, matches + 1))
    took = time.perf_counter() - began
    return {"matches_per_second": round(matches / took, 1), "rounds_per_second": round(rounds / took, 1)}
