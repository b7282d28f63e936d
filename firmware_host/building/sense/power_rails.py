"""What each rail has to give with all lights on, against what can give it: the power budget, judged."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.budget import CONTACT_PULLS, NETWORKS, RailBudget
from firmware_host.building.draft import PI
from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble

TABLE_5V = "5 V of the table"
_TAKERS = {NETWORKS: "build.hall-pull-up-ohm", CONTACT_PULLS: "build.contact-pull-up-ohm"}
"""What takes most of the 3.3 V, if not readers, and the key of the profile that can change it."""


def _overdrawn(built: Built, name: str) -> Iterator[RailBudget]:
    """The budgets with this beginning of their names that ask for more than there is."""
    yield from (each for each in built.budgets if each.name.startswith(name) and not each.fits)


def _told(budget: RailBudget) -> str:
    amps, allowed = (f"{ma / 1000:.2g} A" for ma in (budget.most_ma, budget.allowed_ma))
    return f"{budget.name}: up to {amps} are drawn, and there are {allowed} ({budget.source})"


def _supply(built: Built) -> Iterator[Trouble]:
    for budget in _overdrawn(built, TABLE_5V) if built.choices.supply != PI else ():
        yield Trouble("build.supply-amps", _told(budget))


def _fed_by_pi(built: Built) -> Iterator[Trouble]:
    for budget in _overdrawn(built, TABLE_5V) if built.choices.supply == PI else ():
        yield Trouble("build.supply", _told(budget))


def _header_3v3(built: Built) -> Iterator[Trouble]:
    for budget in _overdrawn(built, "3.3 V of the Pi"):
        most = max(budget.loads, key=lambda load: load.most_ma)
        yield Trouble(_TAKERS.get(most.title, "build.reader-power"), _told(budget))


def _usb(built: Built) -> Iterator[Trouble]:
    for budget in _overdrawn(built, "USB ports of the Pi"):
        yield Trouble("build.hub-supply", _told(budget))


def _pi(built: Built) -> Iterator[Trouble]:
    fed = any(_fed_by_pi(built))
    for budget in _overdrawn(built, "supply of the Pi") if not fed else ():
        yield Trouble("gpio.board", _told(budget))


_DIPS = "beyond its limit the voltage drops: LEDs flicker, chips forget their setup, the Pi restarts"

RULES = (
    Rule(
        name="supply-too-small",
        strength=Strength.ERROR,
        what="a supply that gives less than the table draws with all lights on",
        why=_DIPS,
        right="a larger supply; the power budget of `ligretto-table wiring` says how large",
        rests_on=("supply_amps",),
        look=_supply,
    ),
    Rule(
        name="supply-of-the-pi-too-small",
        strength=Strength.ERROR,
        what="the 5 V of the table from the pins of the Pi, whose supply has too little left",
        why=_DIPS,
        right='a supply for the table itself: supply = "supply-5v"',
        rests_on=("supply",),
        look=_fed_by_pi,
    ),
    Rule(
        name="header-3v3-overdrawn",
        strength=Strength.ERROR,
        what="more from the 3.3 V of the Pi than it has left",
        why="the regulator that makes the 3.3 V feeds the processor too: what is drawn beyond its limit "
        "stops the Pi",
        right='readers with 5 V: reader-power = "usb" or "supply"; resistors at contacts of some 10 kilo-ohm',
        rests_on=("reader_power", "hall_pull_up_ohm", "contact_pull_up_ohm"),
        look=_header_3v3,
    ),
    Rule(
        name="usb-current",
        strength=Strength.WARNING,
        what="USB devices that take more from the Pi than its sockets give",
        why="all sockets of a Pi share one limit; beyond it their voltage drops and devices come and go",
        right="a hub with a supply of its own",
        rests_on=("hub_supply", "hubs", "reader_power"),
        look=_usb,
    ),
    Rule(
        name="pi-supply-too-small",
        strength=Strength.WARNING,
        what="more from the supply of the Pi than the one made for it gives, with all that the Pi feeds",
        why=_DIPS,
        right="hubs and readers with supplies of their own",
        rests_on=("supply", "hub_supply", "hubs", "reader_power", "speaker"),
        look=_pi,
    ),
)
