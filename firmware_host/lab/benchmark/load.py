"""How much the table can take when nothing sleeps, and what processes around it take: spectators, starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import IO, Any

from firmware_host.games.games import Table
from firmware_host.lab.benchmark.latency import measure_latency
from firmware_host.lab.party import Invitation, Misbehaviour, even_deal, hold_party
from firmware_host.lab.simulated_table import scripted_table, simulated_table
from firmware_host.lab.tournament import play_match
from firmware_host.model.effects import Judged, MatchEnded, Verdict
from firmware_host.model.errors import TableError
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


# What spectators cost: the referee nothing, the web process some memory.
#
# The same hands hit the same buttons in turn at a table that nobody watches, and at one whose feed
# goes through a real web process to many spectators, each a connection that reads all it gets.


SPECTATORS = 200
PRESSES_A_SECOND = 20
"""Several times what four people do."""
SECONDS = 10
DAEMONS = -10
TIMES = 3
_WEB = """
import logging, os, sys, time
logging.disable()
begun = time.perf_counter()
from pathlib import Path
from firmware_host.web.web_server import listen, serve, with_port
from firmware_host.web.web_table import USUAL, FoundTable, WebSettings
imported = time.perf_counter() - begun
os.setpriority(os.PRIO_PROCESS, 0, 5)  # as its unit has it
folder = Path(sys.argv[1])
listening = listen("127.0.0.1", 0)
settings = with_port(WebSettings(folder / "access.json"), listening)
print(settings.port, imported, flush=True)
serve(listening, settings, lambda: FoundTable(folder, ""), USUAL)
"""
_SPECTATORS = """
import json, os, selectors, socket, sys
os.setpriority(os.PRIO_PROCESS, 0, 19)  # they are on machines of their own
port, count = map(int, sys.argv[1:])
waiting, received, steps = selectors.DefaultSelector(), {}, {}
for _ in range(count):
    each = socket.create_connection(("127.0.0.1", port))
    each.sendall(b"GET /api/stream HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    waiting.register(each, selectors.EVENT_READ)
    received[each] = steps[each] = 0
waiting.register(sys.stdin, selectors.EVENT_READ)
told = over = False
while not over:
    for key, _ in waiting.select():
        if key.fileobj is sys.stdin:
            over = True
            continue
        data = key.fileobj.recv(65536)
        if not data:
            waiting.unregister(key.fileobj)
        received[key.fileobj] += len(data)
        steps[key.fileobj] += data.count(b'"is":"step"')
    if not told and all(received.values()):
        told = True
        print("ready", flush=True)
print(json.dumps({"connected": len(waiting.get_map()) - 1, "fewest": min(steps.values()),
    "most": max(steps.values()), "bytes": sum(received.values())}), flush=True)
"""


class NoFigure(TableError):
    """It could not be measured."""


def measure_spectators(
    seed: int = 0, seconds: float = SECONDS, spectators: int = SPECTATORS, times: int = TIMES
) -> dict[str, Any]:
    """Delays of verdicts with and without spectators, in turn, and start and memory of the web process.

    Of each figure of a delay it is the median of all times.
    """
    unwatched, watched, webs = [], [], []
    with _urgent() as urgent:
        for _ in range(times):
            unwatched.append(measure_latency(seed, seconds, presses_a_second=PRESSES_A_SECOND))
            delays, web = _watched(seed, seconds, spectators)
            watched.append(delays)
            webs.append(web)
    return {
        "spectators": spectators,
        "with_the_priority_of_the_service": "yes" if urgent else "no: only root may",
        **{f"unwatched_{name}": median(each[name] for each in unwatched) for name in unwatched[0]},
        **{f"watched_{name}": median(each[name] for each in watched) for name in watched[0]},
        "fewest_still_connected": min(web["connected"] for web in webs),
        "fewest_steps_seen": min(web["fewest"] for web in webs),
        "steps_missed_by_somebody": sum(web["most"] - web["fewest"] for web in webs),
        "web_import_ms": min(web["import_ms"] for web in webs),
        "web_memory_mb": max(web["alone_mb"] for web in webs),
        "web_memory_with_spectators_mb": max(web["crowded_mb"] for web in webs),
    }


@contextmanager
def _urgent() -> Iterator[bool]:
    """This thread has the priority that the daemon's unit gives it, if that is allowed; whether it is."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, DAEMONS)
    except PermissionError:
        yield False
        return
    try:
        yield True
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, before)


def _watched(seed: int, seconds: float, spectators: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The delays with spectators, and what became of them and of the web process."""
    with TemporaryDirectory() as folder, _running(_WEB, folder) as web:
        port, imported = _line(web).split()
        alone_mb = _memory_mb(web.pid)
        with _running(_SPECTATORS, port, str(spectators)) as crowd:
            _line(crowd)
            rate = PRESSES_A_SECOND
            delays = measure_latency(seed, seconds, presses_a_second=rate, feed_in=Path(folder))
            crowded_mb = _memory_mb(web.pid)
            assert crowd.stdin is not None
            crowd.stdin.close()
            seen: dict[str, Any] = json.loads(_line(crowd))
    memory = {"import_ms": round(1000 * float(imported)), "alone_mb": alone_mb, "crowded_mb": crowded_mb}
    return delays, seen | memory


@contextmanager
def _running(script: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Another Python, until the end of the block."""
    command = [sys.executable, "-c", script, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: subprocess.Popen[str]) -> str:
    said: IO[str] | None = process.stdout
    line = "" if said is None else said.readline()
    if not line:
        raise NoFigure("the web process can't be measured; does this work? ligretto-table web")
    return line


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    taken = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))
    return round(int(taken) / 1024, 1)


IDLE_SECONDS = 5
STARTS = 5
_READY = """
import time
from random import Random
from firmware_host.run.table_files import load_profile
from firmware_host.lab.simulated_table import simulated_table
from firmware_host.model.settings import Settings
from firmware_host.games.games import Table
profile = load_profile("dice4-direct")
table = Table(seats=profile.seats)
table = simulated_table(profile, table=table, settings=Settings(), draws=Random(1), live=True)
table.loop.step(time.monotonic_ns())
ready_ns = time.monotonic_ns()
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(ready_ns, status["VmRSS"].split()[0], flush=True)
"""


def measure_idle(seed: int = 0, seconds: float = IDLE_SECONDS) -> dict[str, Any]:
    """CPU time of a table in its attract phase, lights running, as a share of one core."""
    profile = load_profile("dice4-direct")
    table = simulated_table(
        profile, table=Table(seats=profile.seats), settings=Settings(), draws=Random(seed), live=True
    )
    until_ns = time.monotonic_ns() + int(seconds * 1e9)
    before, steps = time.process_time(), 0
    while table.loop.step(until_ns) < until_ns:
        steps += 1
    spent = time.process_time() - before
    table.close()
    return {
        "cpu_percent": round(100 * spent / seconds, 2),
        "wake_ups_per_second": round(steps / seconds, 1),
    }


def measure_start(_seed: int = 0, starts: int = STARTS) -> dict[str, Any]:
    """Seconds from starting a Python process to a lit, listening table; with and without caches."""
    warm = [_start({}) for _ in range(starts)]
    cold = [
        _start({"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": os.devnull}) for _ in range(starts)
    ]
    return {
        "ready_seconds": round(min(seconds for seconds, _ in warm), 3),
        "ready_seconds_without_caches": round(min(seconds for seconds, _ in cold), 3),
        "resident_mb": round(max(kilobytes for _, kilobytes in warm) / 1024, 1),
    }


def _start(environment: dict[str, str]) -> tuple[float, int]:
    began_ns = time.monotonic_ns()
    ready = subprocess.run(
        [sys.executable, "-c", _READY],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    at_ns, kilobytes = map(int, ready.stdout.split())
    return (at_ns - began_ns) / 1e9, kilobytes
