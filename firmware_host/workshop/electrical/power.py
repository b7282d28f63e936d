"""What each rail has to give with all lights on, against what can give it: the power budget, judged."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.workshop.electrical.built import Built, Trouble, error, warning
from firmware_host.workshop.plan.budget import BLOWS_AT, CONTACT_PULLS, NETWORKS, SPARE, RailBudget
from firmware_host.workshop.plan.draft import PI
from firmware_host.workshop.plan.parts import wire_amps, wire_mm2, wire_ohm

_MOST_LOST_VOLTS = 0.25
_PLUGS = {
    "supply-5v": ("a barrel plug carries", 5),
    "supply-12v": ("a barrel plug carries", 5),
    "supply-5v-din": ("a closed supply with a DIN plug gives", 6),
}
"""What each kind of supply gives at most, in amperes."""
TABLE_5V = "5 V of the table"
_TAKERS = {NETWORKS: "build.hall-pull-up-ohm", CONTACT_PULLS: "build.contact-pull-up-ohm"}
"""What takes most of the 3.3 V, if not readers, and the key of the profile that can change it."""


def _overdrawn(built: Built, name: str) -> Iterator[RailBudget]:
    """The budgets with this beginning of their names that ask for more than there is."""
    yield from (each for each in built.budgets if each.name.startswith(name) and not each.fits)


def _told(budget: RailBudget) -> str:
    amps, allowed = (f"{ma / 1000:.2g} A" for ma in (budget.most_ma, budget.allowed_ma))
    return f"{budget.name}: up to {amps} are drawn, and there are {allowed} ({budget.source})"


_DIPS = "beyond its limit the voltage drops: LEDs flicker, chips forget their setup, the Pi restarts"


@error(
    what="a supply that gives less than the table draws with all lights on",
    why=_DIPS,
    right="a larger supply; the power budget of `ligretto-table wiring` says how large",
    rests_on=("supply_amps",),
)
def supply_too_small(built: Built) -> Iterator[Trouble]:
    for budget in _overdrawn(built, TABLE_5V) if built.choices.supply != PI else ():
        yield Trouble("build.supply-amps", _told(budget))


@error(
    what="a supply of more than 5 A with a barrel plug, or of more than 6 A with a DIN plug",
    why="contacts that carry more than they are made for get hot, and good closed supplies of 5 V end "
    "near 6 A",
    right='supply = "supply-5v-din" for up to 6 A at 5 V; beyond, less current, or hubs that feed the '
    "readers",
    rests_on=("supply", "supply_amps", "fuse_amps"),
)
def supply_too_strong_for_plug(built: Built) -> Iterator[Trouble]:
    for budget in built.budgets:
        is_5v = budget.name == TABLE_5V
        plug, most = _PLUGS.get(built.choices.supply if is_5v else "supply-12v", ("", 0))
        if budget.fuse_amps is not None and budget.allowed_ma > most * 1000:
            supply = f"a supply of {budget.allowed_ma / 1000:g} A"
            where = "build.supply" if is_5v else "build.button-led-ma"
            yield Trouble(where, f"{budget.name}: {supply}, and {plug} {most} A")


@error(
    what="wires from the supply of 5 V to the terminal strips, and back, that lose more than 0.25 V",
    why="hall sensors and LED chips need 4.5 V, and the fuse takes some 0.15 V, too",
    right="the supply nearer to the table, or a thicker power-wire-mm2, until 0.25 V or less are lost",
    rests_on=("cables_mm", "power_wire_mm2"),
)
def supply_too_far_away(built: Built) -> Iterator[Trouble]:
    mm2 = built.choices.power_wire_mm2
    there_mm, back_mm = built.leads_mm[TABLE_5V]
    for budget in built.budgets:
        amps = budget.most_ma / 1000
        lost = wire_ohm(mm2, there_mm + back_mm) * amps
        if budget.name == TABLE_5V and lost > _MOST_LOST_VOLTS:
            way = f"{there_mm / 1000:.2f} m of wire there and {back_mm / 1000:.2f} m back"
            wrong = f"{TABLE_5V}: {way} with {mm2:g} mm2 lose {lost:.2f} V at {amps:.2g} A"
            yield Trouble("build.cables.power", wrong)


@error(
    what="the 5 V of the table from the pins of the Pi, whose supply has too little left",
    why=_DIPS,
    right='a supply for the table itself: supply = "supply-5v"',
    rests_on=("supply",),
)
def supply_of_the_pi_too_small(built: Built) -> Iterator[Trouble]:
    for budget in _overdrawn(built, TABLE_5V) if built.choices.supply == PI else ():
        yield Trouble("build.supply", _told(budget))


@error(
    what="more from the 3.3 V of the Pi than it has left",
    why="the regulator that makes the 3.3 V feeds the processor too: what is drawn beyond its limit "
    "stops the Pi",
    right='readers with 5 V: reader-power = "usb" or "supply"; resistors at contacts of some 10 kilo-ohm',
    rests_on=("reader_power", "hall_pull_up_ohm", "contact_pull_up_ohm"),
)
def header_3v3_overdrawn(built: Built) -> Iterator[Trouble]:
    for budget in _overdrawn(built, "3.3 V of the Pi"):
        most = max(budget.loads, key=lambda load: load.most_ma)
        yield Trouble(_TAKERS.get(most.title, "build.reader-power"), _told(budget))


@warning(
    what="USB devices that take more from the Pi than its sockets give",
    why="all sockets of a Pi share one limit; beyond it their voltage drops and devices come and go",
    right="a hub with a supply of its own",
    rests_on=("hub_supply", "hubs", "reader_power"),
)
def usb_current(built: Built) -> Iterator[Trouble]:
    for budget in _overdrawn(built, "USB ports of the Pi"):
        yield Trouble("build.hub-supply", _told(budget))


@warning(
    what="more from the supply of the Pi than the one made for it gives, with all that the Pi feeds",
    why=_DIPS,
    right="hubs and readers with supplies of their own",
    rests_on=("supply", "hub_supply", "hubs", "reader_power", "speaker"),
)
def pi_supply_too_small(built: Built) -> Iterator[Trouble]:
    fed = any(supply_of_the_pi_too_small.look(built))
    for budget in _overdrawn(built, "supply of the Pi") if not fed else ():
        yield Trouble("gpio.board", _told(budget))


# The fuses of the table: above what the table draws, and below what its wires carry and its supply gives.
#
# A fuse is for the wires. In a short circuit a strong supply drives all it has through them, and a thin wire
# glows.

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


@error(
    what="a fuse of less than 1.1 times what the table draws with all lights on",
    why="a fuse blows, sooner or later, when more flows than is printed on it: in the middle of a match",
    right="the next size above 1.1 times what the table draws: see the power budget",
    rests_on=("fuse_amps",),
)
def fuse_too_small(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if 0 < amps < budget.most_ma * SPARE / 1000:
            drawn = f"up to {budget.most_ma / 1000:.2g} A are drawn"
            yield Trouble("build.fuse-amps", f"{_fuse_text(budget)}, and {drawn}")


@error(
    what="a fuse that lets more flow than the wires from the supply can carry",
    why="in a short circuit a wire that carries more than it can melts its insulation before the fuse blows",
    right="a smaller fuse, or thicker wires from the supply to the terminal strips",
    rests_on=("fuse_amps", "power_wire_mm2"),
)
def fuse_too_large_for_wires(built: Built) -> Iterator[Trouble]:
    mm2 = built.choices.power_wire_mm2
    for budget, _ in _fused(built):
        if budget.flows_amps > wire_amps(mm2):
            wires = f"wires of {mm2:g} mm2, which carry {wire_amps(mm2):g} A"
            yield Trouble("build.power-wire-mm2", f"{_fuse_text(budget)} and {wires}")


@error(
    what="a supply that gives more than the wire between it and its fuse can carry",
    why="before the fuse only the supply itself limits a short circuit",
    right="wires that carry what the supply gives, or a supply no larger than the power budget asks for",
    rests_on=("supply_amps", "fuse_amps", "power_wire_mm2"),
)
def supply_too_strong_for_wires(built: Built) -> Iterator[Trouble]:
    carried = wire_amps(built.choices.power_wire_mm2)
    for budget, amps in _fused(built):
        if amps and budget.flows_amps <= carried < budget.allowed_ma / 1000:
            supply = f"a supply of {budget.allowed_ma / 1000:g} A"
            wires = f"wires of {built.choices.power_wire_mm2:g} mm2 to its fuse, which carry {carried:g} A"
            yield Trouble("build.power-wire-mm2", f"{budget.name}: {supply} and {wires}")


@error(
    what="wires of power from the terminal strips on that carry less than the fuse lets through",
    why="a short circuit at the far end of a thin wire heats that wire, and the fuse sees nothing wrong",
    right="wires as thick as the parts list asks for without branch-wire-mm2, or a smaller fuse",
    rests_on=("fuse_amps", "branch_wire_mm2"),
)
def fuse_too_large_for_branches(built: Built) -> Iterator[Trouble]:
    for budget, _ in _fused(built):
        mm2 = built.choices.branch_wire_mm2 or wire_mm2(budget.flows_amps)
        if budget.flows_amps > wire_amps(mm2) and built.choices.strips != _BREADBOARD:
            wires = f"wires of {mm2:g} mm2 behind it, which carry {wire_amps(mm2):g} A"
            yield Trouble("build.branch-wire-mm2", f"{_fuse_text(budget)} and {wires}")


@error(
    what="rails of a breadboard behind a fuse of more than 1 A",
    why="the clips of a breadboard and its jumper wires are made for about 1 A; with more they get hot "
    "and loose",
    right='terminal strips and soldered wires: strips = "block"',
    rests_on=("strips", "fuse_amps"),
)
def breadboard_rail_overloaded(built: Built) -> Iterator[Trouble]:
    for budget, _ in _fused(built):
        if built.choices.strips == _BREADBOARD and budget.flows_amps > _BREADBOARD_AMPS:
            yield Trouble("build.strips", f"{_fuse_text(budget)} and the rails of a breadboard")


@warning(
    what="a supply of the table without a fuse",
    why="a short circuit on the board takes all that the supply gives, and something else has to be the fuse",
    right="a fuse in the plus wire of the supply, within 15 cm of it",
    rests_on=("fuse_amps",),
)
def fuse_missing(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if not amps:
            yield Trouble("build.fuse-amps", _fuse_text(budget))


@warning(
    what="a fuse whose supply gives less than 2.1 times as much",
    why="a slow fuse must blow only at 2.1 times what is printed on it; a supply that limits itself "
    "below that lets a short circuit go on heating",
    right="a larger supply, or a smaller fuse if the table draws less: see the power budget",
    rests_on=("fuse_amps", "supply_amps"),
)
def fuse_never_blows(built: Built) -> Iterator[Trouble]:
    for budget, amps in _fused(built):
        if budget.fits and BLOWS_AT * amps > budget.allowed_ma / 1000:
            supply = f"a supply of {budget.allowed_ma / 1000:g} A"
            yield Trouble("build.fuse-amps", f"{_fuse_text(budget)} behind {supply}")
