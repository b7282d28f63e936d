"""Hammering the button does not pay: a seat that only slaps never does as well as an honest one."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import scripted_table
from firmware_host.model.effects import RoundFinished
from firmware_host.model.events import StartMatch
from firmware_host.model.places import PLACES_PER_ROW, Button, Colour, Slot, Source
from firmware_host.model.settings import CHOICES, Settings
from firmware_host.model.times import MS, S, exactly
from firmware_host.referee import Step
from tests.thoroughness import some, tries
from tests.whole.recording import PROFILE

ROUNDS = tries(10, 40)
HONEST = (1, 2, 3)
HAMMERING = 4
ROUND_NS = 60 * S


@pytest.mark.parametrize("locks", CHOICES["locks"])
@pytest.mark.parametrize("every_ms", some(2, [100, 300, 700, 1010, 1250, 2000]))
def test_a_seat_that_only_slaps_hardly_ever_finishes_first(every_ms: int, locks: str) -> None:
    first = [finisher(seed, every_ms * MS, locks) for seed in range(ROUNDS)]
    assert sum(seat in HONEST for seat in first) >= 0.9 * ROUNDS
    assert first.count(HAMMERING) <= 0.1 * ROUNDS


def finisher(seed: int, every_ns: int, locks: str) -> int | None:
    """Who places the last die first, if three place honestly and the fourth only slaps."""
    chance = Random(seed)
    table = scripted_table(
        PROFILE, table=Table(), settings=Settings(count_ns=1 * MS, locks=locks), draws=Random(seed), keep=1
    )
    done: list[int] = []

    def observe(step: Step) -> None:
        done.extend(effect.seat for effect in step.effects if isinstance(effect, RoundFinished))

    table.shell.onlookers.append(observe)
    table.shell.command(StartMatch((6, 6, 6, 6), exactly(0)))

    def touch(source: Source, active: bool, t_ns: int) -> None:
        line = PROFILE.line_of(source)
        table.agenda.at(t_ns, lambda: table.lines.deliver(line, not active, t_ns))

    def slap(seat: int, t_ns: int) -> None:
        touch(Button(seat), True, t_ns)
        touch(Button(seat), False, t_ns + 60 * MS)

    places = [Slot(colour, number) for number in range(1, PLACES_PER_ROW + 1) for colour in Colour]
    deeds = sorted(
        (int(moment * S), seat) for seat in HONEST for moment in _moments(chance, every=2.5, until=60)
    )
    for (t_ns, seat), slot in zip(deeds, places, strict=False):
        touch(slot, True, t_ns)
        slap(seat, t_ns + chance.randint(60, 180) * MS)
    for t_ns in range(1 * S + chance.randrange(every_ns), ROUND_NS, every_ns):
        slap(HAMMERING, t_ns)
    while not done and table.loop.step(ROUND_NS) < ROUND_NS:
        pass
    return done[0] if done else None


def _moments(chance: Random, every: float, until: float) -> list[float]:
    """Moments of one hand that places a die about every so many seconds."""
    moments = [1 + chance.uniform(0, every)]
    while moments[-1] < until:
        moments.append(moments[-1] + chance.uniform(0.5 * every, 1.5 * every))
    return moments
