"""How long after a verdict was written down its sound begins, in the real loop."""

from __future__ import annotations

import gc
import threading
import time
from random import Random
from typing import Any

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import Simulated, simulated_table
from firmware_host.model.effects import Judged
from firmware_host.model.events import Input, StartMatch
from firmware_host.model.places import Button
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, exactly
from firmware_host.referee import Step
from firmware_host.run.devices import clips_for, played_by
from firmware_host.run.table_files import load_profile
from firmware_host.show.sounds import Sound
from hw.ports import Clip, Health
from hw.sim.outputs import SimPlayer
from hw.sound.player import AHEAD_NS

PRESSES_A_SECOND = 25
SECONDS = 8
UNLOCKED = Settings(lock_ns=0, claim_early_ns=0, just_lost_ns=0)


class _Committed:
    """A journal that keeps only when each verdict was written down."""

    def __init__(self) -> None:
        self.moments_ns: list[int] = []

    def came(self, advanced_ns: int, arrived_ns: int, seen: Input) -> None:
        """Inputs are of no interest here."""

    def commit(self, step: Step) -> None:
        if any(type(effect) is Judged for effect in step.effects):
            self.moments_ns.append(time.monotonic_ns())


def measure_sound(seed: int = 0, seconds: float = SECONDS) -> dict[str, Any]:
    """Press buttons from another thread while a round runs; the sound of every verdict is timed.

    Everything is real up to the player: the loop, the mixer, and the thread that feeds it. The player and
    its card are a model with the sizes that `aplay` is asked for: the figures are those of such a card.
    """
    verdicts, player = _Committed(), SimPlayer(time.monotonic_ns)
    written_ns, heard_ns, wrong = list[int](), list[int](), list[Health]()

    def started(clip: Clip, t_ns: int) -> None:
        if clip.name == Sound.FALSE_CLAIM.value:
            written_ns.append(player.heard[-1].written_ns)
            heard_ns.append(player.heard[-1].heard_ns)

    profile = load_profile("dice4-direct")
    table = simulated_table(
        profile,
        table=Table(seats=profile.seats),
        settings=UNLOCKED,
        draws=Random(seed),
        journal=verdicts,
        live=True,
    )
    clips_s = time.process_time()
    clips = clips_for(profile.seats)
    clips_s = time.process_time() - clips_s
    soundboard = table.shell.soundboard = played_by(lambda: player, profile.seats, wrong.append, started)
    try:
        _begin_round(table)
        gc.collect()
        gc.freeze()
        gaps = player.gaps
        presses, chance = int(PRESSES_A_SECOND * seconds), Random(seed)
        hands = threading.Thread(target=_press, args=(table, presses, chance), daemon=True)
        hands.start()
        while hands.is_alive():
            table.loop.step(time.monotonic_ns() + 50 * MS)
        table.loop.step(time.monotonic_ns() + 50 * MS)
    finally:
        gc.unfreeze()
        soundboard.close()
        table.close()
    sizes = [len(clip.samples) * clip.samples.itemsize for clip in clips.values()]
    return {
        "verdicts": len(verdicts.moments_ns),
        "sounds": len(heard_ns),
        **_quantiles("verdict_to_samples", verdicts.moments_ns, written_ns),
        **_quantiles("verdict_to_sound", verdicts.moments_ns, heard_ns),
        "card_ms": AHEAD_NS / MS,
        "gaps": player.gaps - gaps,
        "clips": len(sizes),
        "clips_kb": round(sum(sizes) / 1000),
        "clips_made_in_ms": round(clips_s * 1000, 1),
    }


def _quantiles(name: str, from_ns: list[int], to_ns: list[int]) -> dict[str, float]:
    """How long it took from each verdict to its sound; the last ones may not have been heard any more."""
    ordered = sorted(to - begin for begin, to in zip(from_ns, to_ns, strict=False))
    last = len(ordered) - 1
    shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    return {f"{name}_{key}_ms": round(ordered[round(last * share)] / MS, 2) for key, share in shares.items()}


def _begin_round(table: Simulated) -> None:
    table.shell.command(StartMatch((6, 6, 6, 6), exactly(time.monotonic_ns())))
    while table.shell.referee.session.phase is not Phase.PLAY:
        table.loop.step(time.monotonic_ns() + 100 * MS)


def _press(table: Simulated, presses: int, chance: Random) -> None:
    """Four hands hit their buttons in turn, where nothing lies: each is a false claim."""
    for count in range(presses):
        for seat, down in ((count % 4 + 1, True), ((count + 2) % 4 + 1, False)):
            table.set(Button(seat), down)
        time.sleep(chance.uniform(0.5, 1.5) / PRESSES_A_SECOND)  # not in step with the card
