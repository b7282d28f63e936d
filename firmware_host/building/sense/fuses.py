"""The fuses of the table: above what the table draws, and below what its wires carry and its supply gives.

A fuse is for the wires. In a short circuit a strong supply drives all it has through them, and a thin wire
glows.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.budget import BLOWS_AT, SPARE, RailBudget
from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.building.wire_sizes import wire_amps, wire_mm2

_BREADBOARD_AMPS = 1
"""What the clips of a breadboard and its jumper wires carry."""
_BREADBOARD = "breadboard-rail"


def _fused(built: Built) -> Iterator[tuple[RailBudget, float]]:
    """The rails of the table that have supplies of their own, and their fuses; 0 A without one."""
    for budget in built.budgets:
        if budget.fuse_amps is not None:
            yield budget, budget.fuse_amps


def _fuse_text(budget: RailBudget) -> str:
    """What limits the current of a rail."""
    if budget.fuse_amps:
        return f"{budget.name}: a fuse of {budget.fuse_amps:g} A"
    return f"{budget.name}: no fuse, a supply of {budget.flows_amps:g} A"


def _too_small(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if 0 < amps < budget.most_ma * SPARE / 1000:
            drawn = f"up to {budget.most_ma / 1000:.2g} A are drawn"
            yield Trouble("build.fuse-amps", f"{_fuse_text(budget)}, and {drawn}")


def _too_large(built: Built) -> Iterator[Trouble]:
    mm2 = built.choices.power_wire_mm2
    for budget, _ in _fused(built):
        if budget.flows_amps > wire_amps(mm2):
            wires = f"wires of {mm2:g} mm2, which carry {wire_amps(mm2):g} A"
            yield Trouble("build.power-wire-mm2", f"{_fuse_text(budget)} and {wires}")


def _thin_before_the_fuse(built: Built) -> Iterator[Trouble]:
    carried = wire_amps(built.choices.power_wire_mm2)
    for budget, amps in _fused(built):
        if amps and budget.flows_amps <= carried < budget.allowed_ma / 1000:
            supply = f"a supply of {budget.allowed_ma / 1000:g} A"
            wires = f"wires of {built.choices.power_wire_mm2:g} mm2 to its fuse, which carry {carried:g} A"
            yield Trouble("build.power-wire-mm2", f"{budget.name}: {supply} and {wires}")


def _thin_branches(built: Built) -> Iterator[Trouble]:
    for budget, _ in _fused(built):
        mm2 = built.choices.branch_wire_mm2 or wire_mm2(budget.flows_amps)
        if budget.flows_amps > wire_amps(mm2) and built.choices.strips != _BREADBOARD:
            wires = f"wires of {mm2:g} mm2 behind it, which carry {wire_amps(mm2):g} A"
            yield Trouble("build.branch-wire-mm2", f"{_fuse_text(budget)} and {wires}")


def _hot_breadboard(built: Built) -> Iterator[Trouble]:
    for budget, _ in _fused(built):
        if built.choices.strips == _BREADBOARD and budget.flows_amps > _BREADBOARD_AMPS:
            yield Trouble("build.strips", f"{_fuse_text(budget)} and the rails of a breadboard")


def _missing(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if not amps:
            yield Trouble("build.fuse-amps", _fuse_text(budget))


def _never_blows(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if budget.fits and BLOWS_AT * amps > budget.allowed_ma / 1000:
            supply = f"a supply of {budget.allowed_ma / 1000:g} A"
            yield Trouble("build.fuse-amps", f"{_fuse_text(budget)} behind {supply}")


FUSES = (
    Rule(
        name="fuse-too-small",
        strength=Strength.ERROR,
        what="a fuse of less than 1.1 times what the table draws with all lights on",
        why="a fuse blows, sooner or later, when more flows than is printed on it: in the middle of a match",
        right="the next size above 1.1 times what the table draws: see the power budget",
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
        name="supply-too-strong-for-wires",
        strength=Strength.ERROR,
        what="a supply that gives more than the wire between it and its fuse can carry",
        why="before the fuse only the supply itself limits a short circuit",
        right="wires that carry what the supply gives, or a supply no larger than the power budget asks for",
        rests_on=("supply_amps", "fuse_amps", "power_wire_mm2"),
        look=_thin_before_the_fuse,
    ),
    Rule(
        name="fuse-too-large-for-branches",
        strength=Strength.ERROR,
        what="wires of power from the terminal strips on that carry less than the fuse lets through",
        why="a short circuit at the far end of a thin wire heats that wire, and the fuse sees nothing wrong",
        right="wires as thick as the parts list asks for without branch-wire-mm2, or a smaller fuse",
        rests_on=("fuse_amps", "branch_wire_mm2"),
        look=_thin_branches,
    ),
    Rule(
        name="breadboard-rail-overloaded",
        strength=Strength.ERROR,
        what="rails of a breadboard behind a fuse of more than 1 A",
        why="the clips of a breadboard and its jumper wires are made for about 1 A; with more they get hot "
        "and loose",
        right='terminal strips and soldered wires: strips = "block"',
        rests_on=("strips", "fuse_amps"),
        look=_hot_breadboard,
    ),
    Rule(
        name="fuse-missing",
        strength=Strength.WARNING,
        what="a supply of the table without a fuse",
        why="a short circuit on the board takes all that the supply gives, and something else has to be "
        "the fuse",
        right="a fuse in the plus wire of the supply, within 15 cm of it",
        rests_on=("fuse_amps",),
        look=_missing,
    ),
    Rule(
        name="fuse-never-blows",
        strength=Strength.WARNING,
        what="a fuse whose supply gives less than 2.1 times as much",
        why="a slow fuse must blow only at 2.1 times what is printed on it; a supply that limits itself "
        "below that lets a short circuit go on heating",
        right="a larger supply, or a smaller fuse if the table draws less: see the power budget",
        rests_on=("fuse_amps", "supply_amps"),
        look=_never_blows,
    ),
)
