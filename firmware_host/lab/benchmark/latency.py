"""How long after its settle time a slap has its verdict on the lamps, in the real loop."""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import Simulated, simulated_table
from firmware_host.model.effects import Judged
from firmware_host.model.events import Input, StartMatch
from firmware_host.model.places import ALL_SLOTS, Button
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, exactly
from firmware_host.referee import Step
from firmware_host.run.recorded_sessions import RecordedSession
from firmware_host.run.table_files import load_profile
from firmware_host.run.table_sockets import FeedOutlet

PRESSES_A_SECOND = 100  # 25 for each seat, faster than any hand; above 30 a button is masked
UNLOCKED = Settings(count_ns=200 * MS, lock_ns=0, claim_early_ns=0, just_lost_ns=0)
SECONDS = 10
LISTENED_TO_S = 10
FEWER_THAN_A_HAND = 5  # so that nobody can finish the round


class _Timed:
    """A journal that keeps only how late each verdict is there; it is asked before anything is shown."""

    def __init__(self) -> None:
        self.delays_ns: list[int] = []
        self.due_ns: list[int] = []
        """The verdicts that are not shown yet."""
        self.id = 1
        self.effects = 0
        """What the feed counts by."""

    def came(self, advanced_ns: int, arrived_ns: int, seen: Input) -> None:
        """Inputs are of no interest here."""

    def commit(self, step: Step) -> None:
        now_ns = time.monotonic_ns()
        self.effects += len(step.effects)
        for effect in step.effects:
            if type(effect) is Judged:
                self.due_ns.append(effect.decided_ns)
                self.delays_ns.append(now_ns - effect.decided_ns)


def measure_latency(
    seed: int = 0,
    seconds: float = SECONDS,
    presses_a_second: int = PRESSES_A_SECOND,
    feed_in: Path | None = None,
) -> dict[str, Any]:
    """Press buttons from another thread while a round runs; every verdict is timed.

    A slap here is mostly a false claim, judged as soon as it is ripe; now and then it claims a
    die; nobody is locked. The settle time is a rule of the game, not work: what is measured is
    the delay between the moment a verdict was due and the moment it was there; and, as a
    second figure, the moment its frame and page were handed to the devices. With a folder for it
    there is a feed, and whoever listens gets all that happens.
    """
    presses = int(presses_a_second * seconds)
    profile = load_profile("dice4-direct")
    verdicts = _Timed()
    table = simulated_table(
        profile,
        table=Table(seats=profile.seats),
        settings=UNLOCKED,
        draws=Random(seed),
        journal=verdicts,
        live=True,
    )
    shown_ns: list[int] = []
    outlet = None if feed_in is None else _outlet(feed_in, table, verdicts)
    try:
        _begin_round(table)
        gc.collect()
        gc.freeze()
        hands = threading.Thread(target=_slap, args=(table, presses, presses_a_second), daemon=True)
        hands.start()
        while hands.is_alive():
            table.loop.step(time.monotonic_ns() + 50 * MS)
            if outlet is not None:
                outlet.look()
            if verdicts.due_ns:
                now_ns = time.monotonic_ns()
                shown_ns += [now_ns - each for each in verdicts.due_ns]
                verdicts.due_ns.clear()
    finally:
        gc.unfreeze()
        if outlet is not None:
            outlet.close()
        table.close()
    return {
        "presses": presses,
        "verdicts": len(verdicts.delays_ns),
        **_quantiles("verdict", verdicts.delays_ns),
        **_quantiles("light", shown_ns),
    }


def _quantiles(name: str, delays_ns: list[int]) -> dict[str, float]:
    ordered = sorted(delays_ns)
    last = len(ordered) - 1
    shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    return {
        f"{name}_{key}_us": round(ordered[round(last * share)] / 1000, 1) for key, share in shares.items()
    }


def _begin_round(table: Simulated) -> None:
    table.shell.command(StartMatch((6, 6, 6, 6), exactly(time.monotonic_ns())))
    while table.shell.referee.session.phase is not Phase.PLAY:
        table.loop.step(time.monotonic_ns() + 100 * MS)


def _outlet(folder: Path, table: Simulated, verdicts: _Timed) -> FeedOutlet:
    """A feed that somebody listens to."""
    outlet = FeedOutlet(folder)
    recorded = SimpleNamespace(shell=table.shell, journal=verdicts)  # a session that is kept nowhere
    outlet.begin(cast(RecordedSession, recorded))
    table.shell.onlookers.append(outlet.follow)
    table.shell.on_felt = outlet.feel
    table.loop.descriptors.append(outlet.fileno())
    end_s = time.monotonic() + LISTENED_TO_S
    while not outlet.has_listeners and time.monotonic() < end_s:
        time.sleep(0.01)
        outlet.look()
    return outlet


def _slap(table: Simulated, presses: int, presses_a_second: int) -> None:
    """Four hands hit their buttons in turn, and dice come down now and then, in real time."""
    slots = iter(ALL_SLOTS[:FEWER_THAN_A_HAND])
    start_ns = time.monotonic_ns()
    for count in range(presses):
        press_ns = start_ns + count * S // presses_a_second
        seat = count % 4 + 1
        _sleep_until(press_ns)
        if count % 101 == 0 and (slot := next(slots, None)) is not None:
            table.set(slot, True)
        table.set(Button(seat), True)
        # Let go before the same seat's turn comes again, and long enough to be no bounce.
        if count >= 2:
            table.set(Button((count - 2) % 4 + 1), False)


def _sleep_until(t_ns: int) -> None:
    time.sleep(max(0.0, (t_ns - time.monotonic_ns()) / S))
