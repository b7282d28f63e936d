"""The power budget: what each rail has to give, at rest and with all lights on, and what it can give.

A rail of the table ends at its supply, whose size follows from the sum unless the profile says it. The rest
is limited by the Pi: its 3.3 V, its USB ports, its GPIO lines. Of the readers of a group one has its field on
at a time, as `hw/rfid/field.py` lets them. All figures are from the catalogue; nothing has been measured on a
built table yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware_host.profile.device_kinds import LED_CHIPS
from firmware_host.profile.profile import GPIO, NO_FUSE, Profile
from firmware_host.workshop.plan.draft import PI
from firmware_host.workshop.plan.parts import BUTTON_PARTS, PARTS
from firmware_host.workshop.plan.pi_models import model_of
from firmware_host.workshop.plan.plan import Component, Plan, Rail, TextTable
from firmware_host.workshop.plan.wiring import ROWS

GPIO_LINE_MA, GPIO_ALL_MA = 16, 50
"""What one line of a Pi may give, and all of them together."""
SUPPLY_AMPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)
"""Usual sizes of supplies."""
FUSE_AMPS = (1, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10, 15, 20, 30)
"""Usual sizes of slow 5x20 fuses. Smaller ones lose too much of 5 V: one of 0.5 A takes 0.4 V."""
USUAL_LED_MA = 20
_COMMON_MA = 200
"""What a common of an HT16K33 sinks at most."""
_COMMONS = 8
_ULN2003_INPUT_MA = 1
"""What an input of a ULN2003 takes at 3.3 V, through its own 2.7 kilo-ohm."""
LINE_LED_MA = 4
"""An LED behind 330 ohm at 3.3 V."""
SPARE = 1.1
"""A fuse is so much larger than what the table draws. A slow one (IEC 60127) carries for good what is printed
on it, and 1.5 times that for an hour; this is for the warmth around it."""
BLOWS_AT = 2.1
"""A slow fuse must blow only at 2.1 times what is printed on it, so its supply has to give that."""
TABLE_RAILS = {"5 V of the table": Rail.V5, "12 V of the table": Rail.V12}
_HUB_MA = 100
_HUB_SUPPLY_MA = 2000
_PI_VOLTS = 3.3
NETWORKS, CONTACT_PULLS = "resistor network", "resistor at a contact"
"""Titles of loads."""
_CONTACT_PULL, _NETWORK = "resistor-pull", "pull-up-network"
_ADAPTERS = ("usb-uart", "usb-uart-4", "usb-uart-5v", "usb-rs232")


@dataclass(frozen=True, slots=True)
class Load:
    """Things of one kind on a rail, and what they draw together."""

    title: str
    count: int
    rest_ma: float
    most_ma: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RailBudget:
    """What is on a rail, and what it can give."""

    name: str
    loads: tuple[Load, ...]
    allowed_ma: float
    """What it can give, or should be able to if `asked`."""
    source: str
    """Where that comes from."""
    asked: bool = False
    """The profile does not say how large the supply is, so this is how large it has to be."""
    fuse_amps: float | None = None
    """The fuse behind the supply of the rail: 0 without a fuse, None without such a supply."""

    @property
    def rest_ma(self) -> float:
        """What is drawn at rest."""
        return sum(load.rest_ma for load in self.loads)

    @property
    def most_ma(self) -> float:
        """What is drawn with all lights, all readers and sound."""
        return sum(load.most_ma for load in self.loads)

    @property
    def flows_amps(self) -> float:
        """What can flow for long behind its supply, in a short circuit too; 0 without such a supply."""
        return 0 if self.fuse_amps is None else self.fuse_amps or self.allowed_ma / 1000

    @property
    def fits(self) -> bool:
        """Whether the rail can give that."""
        return self.most_ma <= self.allowed_ma


def power_budget(plan: Plan, profile: Profile) -> tuple[RailBudget, ...]:
    """The budget of each rail and limit of a table."""
    book = _Book(plan, profile)
    return tuple(budget for budget in book.budgets() if budget.loads)


def _size(amps: float, sizes: Iterable[float]) -> float:
    """The smallest usual size that is enough; the largest if none is."""
    known = sorted(sizes)
    return next((size for size in known if size >= amps), known[-1])


class _Book:
    def __init__(self, plan: Plan, profile: Profile) -> None:
        self._plan = plan
        self._profile = profile
        self._model = model_of(profile.board)
        self._rails: dict[str, Rail] = {}
        self._fed_by: dict[str, str] = {}
        adapters = {each.name for each in plan.components if each.part in _ADAPTERS}
        self._groups = {reader.name: reader.group for reader in profile.readers}
        self._resistors: Counter[str] = Counter()
        for wire in plan.wires:
            self._resistors[wire.start.component] += wire.rail is None
            if wire.rail in (Rail.V3_3, Rail.V5, Rail.V12) and wire.end.name != "COM":
                self._rails.setdefault(wire.end.component, wire.rail)
                if wire.start.component in adapters:
                    self._fed_by[wire.end.component] = wire.start.component
            elif wire.colour == "USB cable":
                self._fed_by[wire.end.component] = wire.start.component
        # What flows through a resistor to ground comes through the contact, which is at 3.3 V.
        self._rails |= {each.name: Rail.V3_3 for each in plan.components if each.part == _CONTACT_PULL}

    def budgets(self) -> Iterator[RailBudget]:
        build, model = self._profile.build, self._model
        own = self._supplied("5 V of the table", build.supply_amps, build.fuse_amps)
        usb = RailBudget(
            name="USB ports of the Pi",
            loads=self._sums(self._usb_loads(PI)),
            allowed_ma=model.usb_ma,
            source=f"all ports of a {model.name} together",
        )
        v3_3 = RailBudget(
            name="3.3 V of the Pi",
            loads=self._sums(self._rail_loads(Rail.V3_3)),
            allowed_ma=model.header_3v3_ma,
            source=f"3.3 V of a {model.name}, an estimate",
        )
        on_pi: tuple[RailBudget, ...] = (v3_3, usb)
        if build.supply == PI:
            left = max(0.0, model.supply_ma - model.most_ma - usb.most_ma - v3_3.most_ma)
            source = "what the supply of the Pi leaves"
            own = RailBudget(name="5 V of the table", loads=own.loads, allowed_ma=left, source=source)
            on_pi = (v3_3, usb, own)
        yield own
        yield self._supplied("12 V of the table")
        yield v3_3
        yield usb
        yield from self._hubs()
        yield RailBudget(
            name="supply of the Pi",
            loads=(Load(model.name, 1, model.rest_ma, model.most_ma), *_on_pi(*on_pi)),
            allowed_ma=model.supply_ma,
            source="the supply made for it",
        )
        yield from self._lines()

    # -- rails of the table

    def _supplied(self, name: str, amps: float = 0, fuse: float = 0) -> RailBudget:
        """A rail with a supply of its own, of a size that blows its fuse."""
        loads = self._sums(self._rail_loads(TABLE_RAILS[name]))
        drawn = sum(load.most_ma for load in loads) * SPARE / 1000
        fuse = 0 if fuse == NO_FUSE else fuse or _size(drawn, FUSE_AMPS)
        asked = _size(max(drawn, BLOWS_AT * fuse), SUPPLY_AMPS)
        return RailBudget(
            name=name,
            loads=loads,
            allowed_ma=1000 * (amps or asked),
            source="its supply, as the profile says" if amps else "a supply of that size",
            asked=not amps,
            fuse_amps=fuse,
        )

    def _rail_loads(self, rail: Rail) -> Iterator[tuple[str, float, float]]:
        """What is on a rail, without what an adapter feeds."""
        fields: set[int] = set()
        for component in self._plan.components:
            if self._rails.get(component.name) is rail and component.name not in self._fed_by:
                yield self._draw(component, fields)

    def _draw(self, component: Component, fields: set[int]) -> tuple[str, float, float]:
        """What a component draws: its kind, at rest, at most.

        `fields` are the groups that have a field on already.
        """
        build = self._profile.build
        part = PARTS[component.part]
        if component.part in BUTTON_PARTS:
            return "lamps of buttons", 0, build.button_led_ma or BUTTON_PARTS[component.part].led_ma
        if component.part in LED_CHIPS:
            return (
                f"{LED_CHIPS[component.part].title} and LEDs",
                part.rest_ma,
                self._matrix_ma(component.name),
            )
        if component.part == _NETWORK:
            each = build.hall_pull_up_volts / build.hall_pull_up_ohm * 1000
            return NETWORKS, 0, self._resistors[component.name] * each
        if component.part == _CONTACT_PULL:
            return CONTACT_PULLS, 0, _PI_VOLTS / build.contact_pull_up_ohm * 1000
        most_ma = part.most_ma
        if component.name in self._groups:
            group = self._groups[component.name]
            most_ma = part.rest_ma if group in fields else part.most_ma
            fields.add(group)
        return part.name.partition(",")[0].partition(" (")[0], part.rest_ma, most_ma

    def _matrix_ma(self, chip: str) -> float:
        """What an LED chip draws on average with all its LEDs on: its commons take turns."""
        led_ma = self._profile.build.led_ma or USUAL_LED_MA
        commons = [wire.led // ROWS for wire in self._profile.lamp_wires if wire.chip == chip]
        each = [min(_COMMON_MA, commons.count(common) * led_ma) for common in set(commons)]
        return PARTS["ht16k33"].rest_ma + sum(each) / _COMMONS

    # -- USB

    def _usb_loads(self, at: str, fields: set[int] | None = None) -> Iterator[tuple[str, float, float]]:
        """What is plugged in somewhere, with what that feeds in turn."""
        fields = set() if fields is None else fields
        for component in self._plan.components:
            if self._fed_by.get(component.name) != at:
                continue
            if component.part.startswith("hub"):
                yield "hubs", _HUB_MA, _HUB_MA
                if not self._profile.build.hub_supply:
                    yield from self._usb_loads(component.name, fields)
            elif component.part != "sign":
                yield self._draw(component, fields)
                yield from self._usb_loads(component.name, fields)

    def _hubs(self) -> Iterator[RailBudget]:
        for component in self._plan.components:
            if component.part.startswith("hub") and self._profile.build.hub_supply:
                yield RailBudget(
                    name=component.name,
                    loads=self._sums(self._usb_loads(component.name)),
                    allowed_ma=_HUB_SUPPLY_MA,
                    source="a supply of its own of 2 A",
                )

    # -- GPIO

    def _lines(self) -> Iterator[RailBudget]:
        """The current of the lamps on GPIO lines: of the one with most, and of all."""
        build = self._profile.build
        button = BUTTON_PARTS[build.button]
        each: float = _ULN2003_INPUT_MA
        if build.button_driver == "none":
            bare = button.bare_led or not button.led_ma
            each = build.button_led_ma or (LINE_LED_MA if bare else button.led_ma)
        lamps = [wire for wire in self._profile.lamp_wires if wire.chip == GPIO]
        for name, count, most in (
            ("a GPIO line", min(1, len(lamps)), GPIO_LINE_MA),
            ("all GPIO lines", len(lamps), GPIO_ALL_MA),
        ):
            loads = (Load("lamps", count, 0, count * each),) if count else ()
            yield RailBudget(name=name, loads=loads, allowed_ma=most, source="any Raspberry Pi")

    @staticmethod
    def _sums(draws: Iterable[tuple[str, float, float]]) -> tuple[Load, ...]:
        """The loads by kind, without those that draw nothing."""
        sums: dict[str, Load] = {}
        for title, rest, most in draws:
            before = sums.get(title, Load(title, 0, 0, 0))
            sums[title] = Load(title, before.count + 1, before.rest_ma + rest, before.most_ma + most)
        return tuple(load for load in sums.values() if load.most_ma)


def _on_pi(*rails: RailBudget) -> Iterator[Load]:
    """What the supply of the Pi gives to rails behind it."""
    for rail in rails:
        if rail.loads:
            yield Load(rail.name, 1, rail.rest_ma, rail.most_ma)


COLUMNS = ("rail", "on it", "at rest mA", "with all lights mA", "can give mA", "fits", "by")


def power_table(plan: Plan, profile: Profile) -> TextTable:
    """Each rail and limit: what is on it, its sums, what it can give, and whether that is enough."""
    rows: list[tuple[str, ...]] = []
    for budget in power_budget(plan, profile):
        sums = _ma(budget.rest_ma), _ma(budget.most_ma), _ma(budget.allowed_ma)
        rows.append((budget.name, "", *sums, _verdict(budget), budget.source + _fuse(budget)))
        for load in budget.loads:
            things = f"{load.count} x {load.title}"
            rows.append(("", things, _ma(load.rest_ma), _ma(load.most_ma), "", "", ""))
    title = f"{plan.title}: power, estimated from datasheets and not yet measured on a built table"
    return TextTable(title, COLUMNS, tuple(rows))


def _fuse(budget: RailBudget) -> str:
    """The fuse of a rail of the table, in words; empty if there is none."""
    return f"; fuse of {budget.fuse_amps:g} A" if budget.fuse_amps else ""


def _ma(current: float) -> str:
    return f"{current:.0f}"


def _verdict(budget: RailBudget) -> str:
    if budget.asked:
        return "buy"
    return "ok" if budget.fits else "TOO MUCH"
