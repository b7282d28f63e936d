"""How late verdicts are, in the real loop: until they are there, until they are lit, until they are heard.

Buttons are pressed from another thread while a round runs. The settle time is a rule of the game, not work: a
delay is counted from the moment at which a verdict was due.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import Simulated, simulated_table
from firmware_host.model.effects import Judged, LateSignal
from firmware_host.model.events import Input, StartMatch
from firmware_host.model.places import ALL_SLOTS, Button
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, exactly
from firmware_host.referee import Step
from firmware_host.run.devices import clips_for, played_by
from firmware_host.run.recorded_sessions import RecordedSession
from firmware_host.run.table_files import load_profile
from firmware_host.run.table_sockets import FeedOutlet
from firmware_host.show.sounds import Sound
from hw.ports import Clip, Health
from hw.sim.outputs import SimPlayer
from hw.sound.player import AHEAD_NS

PROFILE = load_profile("dice4-direct")
LISTENED_TO_S = 10


@dataclass(frozen=True, slots=True)
class TimedVerdict:
    """A verdict, and when it was committed, just before it is shown."""

    judged: Judged
    committed_ns: int


class VerdictLog:
    """A journal that keeps only the verdicts, and how many edges and tags came too late."""

    def __init__(self) -> None:
        self.verdicts: list[TimedVerdict] = []
        self.late = 0
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
                self.verdicts.append(TimedVerdict(effect, now_ns))
            elif type(effect) is LateSignal:
                self.late += 1


def quantiles(
    name: str, delays_ns: Iterable[int], shares: Sequence[str] = ("p50", "p99", "max"), unit: str = "ms"
) -> dict[str, float | None]:
    """These quantiles of delays as figures; None where there is none."""
    ordered = sorted(delays_ns)
    last, (unit_ns, digits) = len(ordered) - 1, {"ms": (MS, 2), "us": (1000, 1)}[unit]
    at = {share: 100 if share == "max" else int(share[1:]) for share in shares}
    return {
        f"{name}_{share}_{unit}": round(ordered[round(last * percent / 100)] / unit_ns, digits)
        if ordered
        else None
        for share, percent in at.items()
    }


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Within, what exists already is left alone by the garbage collector."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def begin_round(table: Simulated, deal: tuple[int, ...] = (6, 6, 6, 6)) -> None:
    """Start a match, and let its countdown pass."""
    table.shell.command(StartMatch(deal, exactly(time.monotonic_ns())))
    while table.shell.referee.session.phase is not Phase.PLAY:
        table.loop.step(time.monotonic_ns() + 50 * MS)


def _table(settings: Settings, seed: int, journal: VerdictLog) -> Simulated:
    return simulated_table(
        PROFILE,
        table=Table(seats=PROFILE.seats),
        settings=settings,
        draws=Random(seed),
        journal=journal,
        live=True,
    )


def _live(table: Simulated, hands: Callable[[], None], afterwards: Callable[[], None]) -> None:
    """Let the table live while hands do this in a thread of their own."""
    with nothing_collected():
        thread = threading.Thread(target=hands, daemon=True)
        thread.start()
        while thread.is_alive():
            table.loop.step(time.monotonic_ns() + 50 * MS)
            afterwards()


# -- until they are there, and lit

PRESSES_A_SECOND = 100  # 25 for each seat, faster than any hand; above 30 a button is masked
SECONDS = 10
FEWER_THAN_A_HAND = 5  # so that nobody can finish the round
UNLOCKED = Settings(lock_ns=0, claim_early_ns=0, just_lost_ns=0)


def measure_latency(
    seed: int = 0,
    seconds: float = SECONDS,
    presses_a_second: int = PRESSES_A_SECOND,
    feed_in: Path | None = None,
) -> dict[str, Any]:
    """Delays of verdicts: until they are there, and until frame and page were handed to the devices.

    A slap here is mostly a false claim, judged as soon as it is ripe; now and then it claims a die; nobody is
    locked. With a folder for it there is a feed, and whoever listens gets all that happens.
    """
    presses = int(presses_a_second * seconds)
    journal, shown_ns = VerdictLog(), list[int]()
    table = _table(replace(UNLOCKED, count_ns=200 * MS), seed, journal)
    outlet = None if feed_in is None else _outlet(feed_in, table, journal)

    def afterwards() -> None:
        if outlet is not None:
            outlet.look()
        now_ns, new = time.monotonic_ns(), journal.verdicts[len(shown_ns) :]
        shown_ns.extend(now_ns - each.judged.decided_ns for each in new)

    try:
        begin_round(table)
        _live(table, lambda: _slap(table, presses, presses_a_second), afterwards)
    finally:
        if outlet is not None:
            outlet.close()
        table.close()
    delays_ns = [each.committed_ns - each.judged.decided_ns for each in journal.verdicts]
    return {
        "presses": presses,
        "verdicts": len(delays_ns),
        **quantiles("verdict", delays_ns, unit="us"),
        **quantiles("light", shown_ns, unit="us"),
    }


def _outlet(folder: Path, table: Simulated, journal: VerdictLog) -> FeedOutlet:
    """A feed that somebody listens to."""
    outlet = FeedOutlet(folder)
    recorded = SimpleNamespace(shell=table.shell, journal=journal)  # a session that is kept nowhere
    outlet.begin(cast(RecordedSession, recorded))
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
        time.sleep(max(0.0, (press_ns - time.monotonic_ns()) / S))
        if count % 101 == 0 and (slot := next(slots, None)) is not None:
            table.set(slot, True)
        table.set(Button(count % 4 + 1), True)
        # Let go before the same seat's turn comes again, and long enough to be no bounce.
        if count >= 2:
            table.set(Button((count - 2) % 4 + 1), False)


# -- until they are heard

HEARD_PRESSES_A_SECOND = 25
HEARD_SECONDS = 8


def measure_sound(seed: int = 0, seconds: float = HEARD_SECONDS) -> dict[str, Any]:
    """How long after a verdict was written down its sound begins.

    Everything is real up to the player: the loop, the mixer, and the thread that feeds it. The player and
    its card are a model with the sizes that `aplay` is asked for: the figures are those of such a card.
    """
    journal, player = VerdictLog(), SimPlayer(time.monotonic_ns)
    written_ns, heard_ns, wrong = list[int](), list[int](), list[Health]()

    def started(clip: Clip, t_ns: int) -> None:
        if clip.name == Sound.FALSE_CLAIM.value:
            written_ns.append(player.heard[-1].written_ns)
            heard_ns.append(player.heard[-1].heard_ns)

    table = _table(UNLOCKED, seed, journal)
    clips_s = time.process_time()
    clips = clips_for(PROFILE.seats)
    clips_s = time.process_time() - clips_s
    soundboard = table.shell.soundboard = played_by(lambda: player, PROFILE.seats, wrong.append, started)
    presses = int(HEARD_PRESSES_A_SECOND * seconds)
    try:
        begin_round(table)
        gaps = player.gaps
        _live(table, lambda: _press(table, presses, Random(seed)), lambda: None)
        table.loop.step(time.monotonic_ns() + 50 * MS)
    finally:
        soundboard.close()
        table.close()
    sizes = [len(clip.samples) * clip.samples.itemsize for clip in clips.values()]
    moments_ns = dict.fromkeys(each.committed_ns for each in journal.verdicts)  # a step has one sound

    def delays_ns(to_ns: list[int]) -> Iterator[int]:
        """The last ones may not have been heard any more."""
        return (to - begin for begin, to in zip(moments_ns, to_ns, strict=False))

    return {
        "verdicts": len(moments_ns),
        "sounds": len(heard_ns),
        **quantiles("verdict_to_samples", delays_ns(written_ns)),
        **quantiles("verdict_to_sound", delays_ns(heard_ns)),
        "card_ms": AHEAD_NS / MS,
        "gaps": player.gaps - gaps,
        "clips": len(sizes),
        "clips_kb": round(sum(sizes) / 1000),
        "clips_made_in_ms": round(clips_s * 1000, 1),
    }


def _press(table: Simulated, presses: int, chance: Random) -> None:
    """Four hands hit their buttons in turn, where nothing lies: each is a false claim."""
    for count in range(presses):
        for seat, down in ((count % 4 + 1, True), ((count + 2) % 4 + 1, False)):
            table.set(Button(seat), down)
        time.sleep(chance.uniform(0.5, 1.5) / HEARD_PRESSES_A_SECOND)  # not in step with the card
