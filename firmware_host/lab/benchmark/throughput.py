"""How much the table can take when nothing sleeps."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from firmware_host.games.games import Table
from firmware_host.lab.party import Invitation, Misbehaviour, even_deal, hold_party
from firmware_host.lab.simulated_table import scripted_table
from firmware_host.lab.tournament import play_match
from firmware_host.model.effects import Judged, MatchEnded, Verdict
from firmware_host.model.events import Command, EndMatch, StartMatch
from firmware_host.model.places import ALL_SLOTS, Button
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S, exactly
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile
from hw.ports import Edge

MATCHES = 20
RECORDED_MATCHES = 10
STREAMED_ROUNDS = 500
DICE_A_ROUND = 20  # five for each seat, so that nobody finishes the round
SLAP_EVERY_NS = 4 * MS
COUNTDOWN_NS = 1 * MS
KNOWN_NS = 60 * MS  # longer than any change takes to be known
PAUSE_NS = 400 * MS  # between rounds: a slot that is filled more than twice a second for long is masked
STREAM = Settings(count_ns=COUNTDOWN_NS // 4, second_slap_ns=0)  # no hand slaps that often


def measure_throughput(
    seed: int = 0, matches: int = RECORDED_MATCHES, rounds: int = STREAMED_ROUNDS
) -> dict[str, Any]:
    """Edges fed as fast as the table takes them, from intake to frames and scoreboard bytes.

    Once the edges of whole matches, recorded before with simulated people: the table's own
    time runs on for minutes meanwhile, with all its blinking and counting. And once a stream
    of dice and slaps in rounds of a tenth of a second, a slap every 4 ms, each of which is
    awarded a die.
    """
    contacts = frozenset(load_profile("dice4-direct").lines.values())
    steady = _feed(Misbehaviour(), range(seed, seed + matches))
    bouncing = _feed(Misbehaviour(bounce=contacts), range(seed, seed + matches))
    stream = _stream(rounds)
    return {
        "edges_per_second_of_a_stream": stream["edges_per_second"],
        "awarded_slaps_per_second_of_a_stream": stream["slaps_per_second"],
        "edges_per_second_of_matches": steady["edges_per_second"],
        "edges_per_second_of_bouncing_matches": bouncing["edges_per_second"],
        "judged_slaps_per_second_of_matches": steady["slaps_per_second"],
        "edges_fed": steady["edges"] + bouncing["edges"] + stream["edges"],
    }


def _stream(rounds: int) -> dict[str, int]:
    """Rounds of twenty dice: each is put down, claimed by a slap, and taken off at the end."""
    profile = load_profile("dice4-direct")
    lines = {source: line for line, source in profile.lines.items()}
    dice = [(slot, seat % 4 + 1) for seat, slot in enumerate(ALL_SLOTS[:DICE_A_ROUND])]
    edges: list[Edge] = []
    commands: list[Command] = []
    start_ns = S
    for _ in range(rounds):
        commands.append(StartMatch(even_deal(profile, profile.seats), exactly(start_ns)))
        for count, (slot, seat) in enumerate(dice):
            t_ns = start_ns + COUNTDOWN_NS + count * SLAP_EVERY_NS
            edges.append(Edge(lines[slot], False, t_ns, len(edges)))
            edges.append(Edge(lines[Button(seat)], False, t_ns + MS, len(edges)))
            edges.append(Edge(lines[Button(seat)], True, t_ns + 3 * SLAP_EVERY_NS, len(edges)))
        end_ns = start_ns + COUNTDOWN_NS + (DICE_A_ROUND + 3) * SLAP_EVERY_NS + KNOWN_NS
        commands.append(EndMatch(exactly(end_ns)))
        edges += [
            Edge(lines[slot], True, end_ns + MS, len(edges) + row) for row, (slot, _) in enumerate(dice)
        ]
        start_ns = end_ns + PAUSE_NS
    edges.sort(key=lambda edge: edge.t_ns)
    took, judged = _replay(edges, 1, commands)
    assert judged[Verdict.ACCEPTED] == rounds * DICE_A_ROUND, judged
    return {
        "edges": len(edges),
        "edges_per_second": round(len(edges) / took),
        "slaps_per_second": round(judged[Verdict.ACCEPTED] / took),
    }


def _feed(misbehaviour: Misbehaviour, seeds: range) -> dict[str, int]:
    edges = slaps = 0
    spent = 0.0
    for seed in seeds:
        recorded = _record(misbehaviour, seed)
        took, judged = _replay(recorded, seed)
        spent += took
        edges += len(recorded)
        slaps += judged.total()
    return {
        "edges": edges,
        "edges_per_second": round(edges / spent),
        "slaps_per_second": round(slaps / spent),
    }


def _record(misbehaviour: Misbehaviour, seed: int) -> list[Edge]:
    """All edges of one match, as the driver delivered them."""
    profile = load_profile("dice4-direct")
    over: list[MatchEnded] = []

    def notice(step: Step) -> None:
        over.extend(effect for effect in step.effects if isinstance(effect, MatchEnded))

    asked = Invitation(profile=profile, deal=even_deal(profile, profile.seats), misbehaviour=misbehaviour)
    party = hold_party(asked, seed, onlookers=[notice])
    edges: list[Edge] = []
    party.table.loop.witnesses.append(
        lambda now_ns, report: edges.append(report) if isinstance(report, Edge) else None
    )
    while not over:
        party.table.loop.step()
    party.close()
    return edges


def _replay(edges: list[Edge], seed: int, commands: Sequence[Command] = ()) -> tuple[float, Counter[Verdict]]:
    """Seconds of computing for these edges, and what the slaps in them came to."""
    profile = load_profile("dice4-direct")
    judged: Counter[Verdict] = Counter()

    def count(step: Step) -> None:
        for effect in step.effects:
            if type(effect) is Judged:
                judged[effect.verdict] += 1

    table = scripted_table(
        profile,
        table=Table(seats=profile.seats),
        settings=STREAM if commands else Settings(),
        draws=Random(seed),
        keep=64,
    )
    table.shell.onlookers.append(count)
    for command in commands:
        table.shell.command(command)
    signal, shell = table.intake.source_edge, table.shell
    began = time.perf_counter()
    for edge in edges:
        shell.advance(edge.t_ns)
        shell.put(signal(edge), edge.t_ns)
    shell.advance(edges[-1].t_ns + KNOWN_NS)
    return time.perf_counter() - began, judged


def measure_matches(seed: int = 0, matches: int = MATCHES) -> dict[str, Any]:
    """Matches of four simulated people in virtual time."""
    profile = load_profile("dice4-direct")
    asked = Invitation(profile=profile, deal=even_deal(profile, profile.seats))
    play_match(asked, seed)
    began = time.perf_counter()
    rounds = sum(play_match(asked, seed + number).rounds for number in range(1, matches + 1))
    took = time.perf_counter() - began
    return {"matches_per_second": round(matches / took, 1), "rounds_per_second": round(rounds / took, 1)}
