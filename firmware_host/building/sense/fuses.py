"""The fuse of the table: above what the table draws, and below what its wires carry and its supply gives.

A fuse is for the wires. In a short circuit a strong supply drives all it has through them, and a thin wire
glows.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.budget import RailBudget, fuse_amps
from firmware_host.building.draft import PI
from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.building.sense.power_rails import TABLE_5V
from firmware_host.config.build_choices import NO_FUSE

_WIRES = ((4, 24), (2.5, 18), (1.5, 13), (1, 10), (0.75, 8), (0.5, 5), (0.25, 2.5), (0.14, 1))
"""What wires of so many mm2 carry in a bundle, in amperes: cautious values for PVC."""
_THINNEST_AMPS = 0.4


def wire_amps(mm2: float) -> float:
    """What a wire carries."""
    return next((amps for least, amps in _WIRES if mm2 >= least), _THINNEST_AMPS)


def _fused(built: Built) -> Iterator[tuple[RailBudget, float]]:
    """The 5 V of a table with a supply of its own, and its fuse; 0 A without one."""
    for budget in built.budgets:
        if budget.name == TABLE_5V and built.choices.supply != PI:
            chosen = built.choices.fuse_amps
            yield budget, 0 if chosen == NO_FUSE else chosen or fuse_amps(budget)


def _too_small(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if 0 < amps <= budget.most_ma / 1000:
            yield Trouble(
                "build.fuse-amps", f"a fuse of {amps:g} A, and {budget.most_ma / 1000:.2g} A are drawn"
            )


def _too_large(built: Built) -> Iterator[Trouble]:
    carries = wire_amps(built.choices.power_wire_mm2)
    for budget, amps in _fused(built):
        flows = amps or budget.allowed_ma / 1000
        if flows > carries:
            what = f"a fuse of {amps:g} A" if amps else f"no fuse, a supply of {flows:g} A"
            wire = f"wires of {built.choices.power_wire_mm2:g} mm2, which carry {carries:g} A"
            yield Trouble("build.power-wire-mm2", f"{what} and {wire}")


def _missing(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if not amps:
            yield Trouble("build.fuse-amps", f"no fuse behind a supply of {budget.allowed_ma / 1000:g} A")


def _never_blows(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if built.choices.fuse_amps > 0 and amps > budget.allowed_ma / 1000:
            yield Trouble(
                "build.fuse-amps", f"a fuse of {amps:g} A behind a supply of {budget.allowed_ma / 1000:g} A"
            )


RULES = (
    Rule(
        name="fuse-too-small",
        strength=Strength.ERROR,
        what="a fuse of less than the table draws with all lights on",
        why="a fuse blows, sooner or later, when more flows than is printed on it: in the middle of a match",
        right="the next size above 1.25 times what the table draws: see the power budget",
        rests_on=("fuse_amps",),
        look=_too_small,
    ),
    Rule(
        name="fuse-too-large-for-wires",
        strength=Strength.ERROR,
        what="a fuse that lets more flow than the wires from the supply can carry",
        why="in a short circuit a wire that carries more than it can melts its insulation before the "
        "fuse blows",
        right="a smaller fuse, or thicker wires from the supply to the terminal strips",
        rests_on=("fuse_amps", "power_wire_mm2"),
        look=_too_large,
    ),
    Rule(
        name="fuse-missing",
        strength=Strength.WARNING,
        what="a supply of the table without a fuse",
        why="a short circuit on the board takes all that the supply gives, and something else has to be "
        "the fuse",
        right="a fuse in the plus wire of the supply, close to it",
        rests_on=("fuse_amps",),
        look=_missing,
    ),
    Rule(
        name="fuse-never-blows",
        strength=Strength.WARNING,
        what="a fuse of more than the supply gives",
        why="the supply limits itself below the fuse, so the fuse never blows and a short circuit goes on "
        "heating",
        right="a fuse between what the table draws and what the supply gives",
        rests_on=("fuse_amps", "supply_amps"),
        look=_never_blows,
    ),
)
