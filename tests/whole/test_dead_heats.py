"""Dead heats are won evenly, whatever the pins and whoever the software saw first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import scripted_table
from firmware_host.lab.tournament import evenness
from firmware_host.model.effects import Judged, TieBroken, Verdict
from firmware_host.model.events import EndMatch, StartMatch
from firmware_host.model.places import Button, Colour, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, US, S, exactly
from firmware_host.referee import Step
from tests.rewiring import renumbered
from tests.thoroughness import tries
from tests.whole.recording import PROFILE

HEATS = tries(1200, 10_000)
LAYOUTS: dict[str, dict[int, int]] = {
    "as shipped": {},
    "seats on falling pins": {4: 7, 5: 6, 6: 5, 7: 4},
    "seats far apart": {4: 40, 5: 0, 6: 45, 7: 12},
}


def test_dead_heats_of_four_are_won_evenly() -> None:
    each = {name: dead_heats(pins, HEATS // len(LAYOUTS) + 1, name) for name, pins in LAYOUTS.items()}
    together: Counter[int] = sum(each.values(), Counter())
    assert together.total() >= HEATS
    for name, winners in {**each, "together": together}.items():
        counts = [winners[seat] for seat in range(1, 5)]
        assert evenness(counts)["even"], (name, counts)


def test_the_lot_falls_the_same_way_on_all_pins() -> None:
    first, *others = (dead_heats(pins, 100, "one lot") for pins in LAYOUTS.values())
    assert all(other == first for other in others)


def dead_heats(pins: dict[int, int], heats: int, lot: str) -> Counter[int]:
    """How often each seat won the first dead heat of a match, all four contending."""
    profile = renumbered(PROFILE, pins)
    settings = Settings(count_ns=1 * MS)
    table = scripted_table(profile, table=Table(seats=4), settings=settings, draws=Random(lot), keep=1)
    winners: Counter[int] = Counter()

    def observe(step: Step) -> None:
        winners.update(effect.winner for effect in step.effects if isinstance(effect, TieBroken))
        verdicts = [effect.verdict for effect in step.effects if isinstance(effect, Judged)]
        assert not set(verdicts) - {Verdict.DEAD_HEAT_WON, Verdict.DEAD_HEAT_LOST}

    shell, lines = table.shell, table.lines
    shell.onlookers.append(observe)
    arrival, slot = Random("arrival"), Slot(Colour.RED, 1)

    def edges(sources: list[Source], active: bool, t_ns: int) -> None:
        """All of them within the tie window, delivered in any order."""
        moments = [t_ns + arrival.randint(0, 190) * US for _ in sources]
        order = list(zip(sources, moments, strict=True))
        arrival.shuffle(order)
        for source, moment_ns in order:
            table.agenda.at(t_ns + 1 * MS, delivery(source, active, moment_ns))

    def delivery(source: Source, active: bool, moment_ns: int) -> Callable[[], None]:
        return lambda: lines.deliver(profile.line_of(source), not active, moment_ns)

    seats: list[Source] = [Button(seat) for seat in range(1, 5)]
    for heat in range(heats):
        start_ns = (heat + 1) * S
        shell.command(StartMatch((6, 6, 6, 6), exactly(start_ns)))
        table.loop.run(start_ns + 10 * MS)
        edges([slot], True, start_ns + 10 * MS)
        table.loop.run(start_ns + 100 * MS)
        edges(seats, True, start_ns + 100 * MS)
        table.loop.run(start_ns + 200 * MS)
        edges([*seats, slot], False, start_ns + 200 * MS)
        table.loop.run(start_ns + 400 * MS)
        shell.command(EndMatch(exactly(start_ns + 500 * MS)))
    return winners
