"""The table that is judged: its wiring, its parts, and what follows from both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import NamedTuple

from firmware_host.model.places import Button, Call, Slot, Source
from firmware_host.profile.profile import GPIO, BuildChoices, LampWire, Profile, lamp_name, line_names
from firmware_host.workshop.drawing.board_drawing import Mark, marks_of
from firmware_host.workshop.plan.budget import LINE_LED_MA, TABLE_RAILS, RailBudget, power_budget
from firmware_host.workshop.plan.parts import BUTTON_PARTS, HALL_PARTS, ButtonPart, HallPart
from firmware_host.workshop.plan.pi_models import PiModel, model_of
from firmware_host.workshop.plan.plan import Plan, Rail
from firmware_host.workshop.plan.planning import fuse_name, supply_name

_LISTS = {"pile": "piles", "seat": "seats", "symbol": "symbols"}
"""The lists of lamps whose names are not those of their lamps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A profile with its choices, and the measures that its plan has."""

    profile: Profile
    choices: BuildChoices
    bus_mm: Mapping[str, int] = field(default_factory=dict)
    """The length of cable to each chip of the bus, by its name."""
    leads_mm: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The length of wire from the supply of each rail of the table to its strip, and back."""
    at_mm: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Where things lie, by their names."""
    board_mm: tuple[float, float] = (0.0, 0.0)
    """Width and height of the board."""
    marks: tuple[Mark, ...] = ()
    """The places, holes and frames on it."""
    budgets: tuple[RailBudget, ...] = ()
    """What each rail has to give, and what it can."""

    @property
    def hall(self) -> HallPart:
        """The hall sensors."""
        return HALL_PARTS[self.choices.hall]

    @property
    def button(self) -> ButtonPart:
        """The buttons."""
        return BUTTON_PARTS[self.choices.button]

    @property
    def model(self) -> PiModel:
        """The Pi."""
        return model_of(self.profile.board)

    @property
    def hall_volts(self) -> float:
        """The supply of the hall sensors."""
        return self.choices.hall_volts or (5.0 if self.hall.at_5v else 3.3)

    @property
    def has_halls(self) -> bool:
        """Whether the table has hall sensors."""
        return any(isinstance(source, Slot) for source in self.profile.lines.values())

    @property
    def direct_halls(self) -> bool:
        """Whether there are hall sensors on lines of the Pi."""
        return any(isinstance(source, Slot) for source in self.profile.direct_lines.values())

    @property
    def gpio_lamps(self) -> tuple[LampWire, ...]:
        """The lamps on lines of the Pi."""
        return tuple(wire for wire in self.profile.lamp_wires if wire.chip == GPIO)

    @property
    def line_lamp_ma(self) -> float:
        """What a lamp takes from a line without a driver: by its own resistor, or through 330 ohm."""
        resistor = self.button.led_ma and not self.button.bare_led
        return self.choices.button_led_ma or (self.button.led_ma if resistor else LINE_LED_MA)

    @property
    def ports(self) -> dict[str, str]:
        """The port of each device that has one, by the key of the profile."""
        ports = {f"readers.{reader.name}.port": reader.port for reader in self.profile.readers}
        return ports | ({"scoreboard.port": self.profile.sign_port} if self.profile.sign_port else {})

    @property
    def lines(self) -> dict[int, tuple[str, str]]:
        """For each line that something is wired to: the key of the profile, and what it is."""
        return {line: (line_key(self.profile, line), name) for line, name in line_names(self.profile).items()}


def line_key(profile: Profile, line: int) -> str:
    """The key of a profile that has a line."""
    source = profile.direct_lines.get(line)
    if source is not None:
        return _contact_key(source)
    for bank in profile.banks:
        if bank.interrupt == line:
            return f"banks.{bank.name}.interrupt"
    for wire in profile.lamp_wires:
        if wire.chip == GPIO and wire.led == line:
            return lamp_key(profile, wire.lamp)
    return "i2c.reset"


def _contact_key(source: Source) -> str:
    if isinstance(source, Button):
        return f"buttons.{source.seat}"
    return f"calls.{source.seat}" if isinstance(source, Call) else f"slots.{source.colour.word}"


def lamp_key(profile: Profile, lamp: int) -> str:
    """The key of a profile that has a lamp, by its index in a frame."""
    kind = lamp_name(profile, lamp).split()[0]
    return f"lamps.{_LISTS.get(kind, kind)}"


def _lead_mm(plan: Plan, rail: Rail) -> tuple[int, int]:
    """The length of wire from the supply of a rail to its strip, and back; 0 without such a supply."""
    wires = [wire for wire in plan.wires if wire.start.component in (supply_name(rail), fuse_name(rail))]
    back_mm = sum(wire.length_mm for wire in wires if wire.rail is Rail.GROUND)
    return sum(wire.length_mm for wire in wires) - back_mm, back_mm


def built_of(profile: Profile, plan: Plan) -> Built:
    """The table of a profile, with the measures that its plan has."""
    data = [wire for wire in plan.wires if wire.signal == "SDA"]
    lying = {each.name: each.at_mm for each in plan.components if each.at_mm is not None}
    return Built(
        profile=profile,
        choices=profile.build,
        bus_mm={wire.end.component: wire.length_mm for wire in data},
        leads_mm={name: _lead_mm(plan, rail) for name, rail in TABLE_RAILS.items()},
        at_mm=lying,
        board_mm=plan.board_mm,
        marks=tuple(marks_of(plan, profile)),
        budgets=power_budget(plan, profile),
    )


# What is wrong with the wiring of a table, and the rules that find it.
#
# A rule is a function that yields each place where something is wrong, under a row: what it finds, why that
# is wrong, and what would be right. Reason and advice are the same at each place, so the docs are made from
# the same rows.
#
# Some rules rest on choices of `[build]`. If the profile makes none of these choices, the usual parts are
# assumed, and the table may have others. So a finding that rests on assumptions alone is never more than a
# warning.


class Strength(Enum):
    """How bad a finding is."""

    ERROR = "error"  # it would damage something, or can't work
    WARNING = "warning"  # it may not work reliably


class Trouble(NamedTuple):
    """A place where a rule is broken."""

    where: str
    """The key of the profile."""
    wrong: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectricalRule:
    """One thing that can be wrong."""

    name: str
    strength: Strength
    what: str
    """What it finds, for the docs."""
    why: str
    """The physics, in a sentence."""
    right: str
    rests_on: tuple[str, ...] = ()
    """The choices of `[build]` on which it rests; empty if the wiring alone is enough."""
    look: Callable[[Built], Iterator[Trouble]]


def rule(
    strength: Strength, *, what: str, why: str, right: str, rests_on: tuple[str, ...] = ()
) -> Callable[[Callable[[Built], Iterator[Trouble]]], ElectricalRule]:
    """Make a rule of the function below, whose name it has."""

    def made(look: Callable[[Built], Iterator[Trouble]]) -> ElectricalRule:
        name = look.__name__.replace("_", "-")
        return ElectricalRule(
            name=name, strength=strength, what=what, why=why, right=right, rests_on=rests_on, look=look
        )

    return made


error, warning = (partial(rule, strength) for strength in Strength)


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectricalFinding:
    """Something that is wrong at one place of a profile."""

    rule: ElectricalRule
    where: str
    wrong: str
    strength: Strength
    assumed: tuple[str, ...] = ()
    """The keys of the choices that the profile leaves open, if the finding rests on nothing else."""

    @property
    def lines(self) -> list[str]:
        """What is printed."""
        lines = [f"{self.strength.value}: {self.where}: {self.wrong}"]
        lines += [f"  why: {self.rule.why}", f"  right: {self.rule.right}"]
        if self.assumed:
            lines.append(f"  assumed, as the profile does not say: {', '.join(self.assumed)}")
        return lines
