"""The whole table in few boxes: components of one kind that are connected to the same ones are a group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from firmware_host.building.plan import Component, Plan, Rail, Section

PI = "pi"
_SMALL = ("resistor", "pull-up-network")
"""These are on the sheets of the cables only."""
STRIPS = ("block", "breadboard-rail")
POWER = ("supply-pi", "supply-12v", "supply-5v", "supply-5v-din", "fuse", *STRIPS)
BETWEEN: Mapping[str, str] = {
    "mcp23017": "expanders",
    "level-shifter": "level shifters",
    "ht16k33": "LED chips",
    "uln2003": "lamp drivers",
    "hub": "USB hubs",
    "usb-uart-4": "adapters for four readers",
    "usb-uart": "adapters",
    "usb-rs232": "adapters",
    "max3232": "adapters",
}
"""The kinds of parts between the Pi and the ends, with what several of them are called."""
_ENDS = {
    Section.BUTTONS: "buttons",
    Section.SENSORS: "hall sensors",
    Section.LAMPS: "LEDs",
    Section.READERS: "tag readers",
    Section.SCOREBOARD: "scoreboards",
    Section.SOUND: "speakers",
}
_MOST_CHIPS = 3
"""More chips of one part are a group."""


class Column(Enum):
    """Where a group stands."""

    POWER = 0
    PI = 1
    BETWEEN = 2
    END = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Components of one kind."""

    column: Column
    members: tuple[Component, ...]
    rails: tuple[Rail, ...]
    """What they get their power from."""

    @property
    def title(self) -> str:
        """What they are."""
        first = self.members[0]
        if len(self.members) == 1:
            return first.title
        if first.part in STRIPS:
            return f"{len(self.members)} terminal strips"
        return f"{len(self.members)} {BETWEEN.get(kind_between(first.part)) or _ENDS[first.section]}"

    @property
    def names(self) -> str:
        """Which they are: the first and the last one."""
        names = [each.name for each in self.members]
        if len(names) > 1 and self.members[0].part in STRIPS:
            return f"{names[0]}s 1 to {len(names)}"
        return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"

    @property
    def short_names(self) -> str:
        """The same without the words at the beginning that both have."""
        first, last = self.members[0].name.split(), self.members[-1].name.split()
        pairs = zip(first, last, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return f"{' '.join(first)} … {' '.join(last[same:])}"


@dataclass(frozen=True, slots=True)
class Link:
    """The wires between two groups, by their positions; each leads away from the Pi, or from a supply."""

    start: int
    end: int
    wires: int
    colour: str
    """That of power; signals are drawn grey."""


@dataclass(frozen=True, slots=True)
class Groups:
    """All groups of a table, and the links between them."""

    groups: Sequence[Group]
    links: Sequence[Link]


_Key = tuple[Column, object]


def kind_between(part: str) -> str:
    """The kind of a part between the Pi and the ends, a key of `BETWEEN`; empty for other parts."""
    return next((kind for kind in BETWEEN if part == kind or part.startswith(f"{kind}-")), "")


def group_table(plan: Plan) -> Groups:
    """The groups of a table."""
    shown = [each for each in plan.components if not each.part.startswith(_SMALL)]
    keys = _keys(plan, shown)
    order = list(dict.fromkeys(keys.values()))
    at = {name: order.index(key) for name, key in keys.items()}
    groups = []
    for key in order:
        members = tuple(each for each in shown if keys[each.name] == key)
        groups.append(Group(key[0], members, _rails(plan, key[0], {each.name for each in members})))
    return Groups(groups, _links(plan, groups, at))


def _links(plan: Plan, groups: Sequence[Group], at: Mapping[str, int]) -> list[Link]:
    """The links between groups; power is only shown where it comes from."""
    found: dict[tuple[int, int], list[str]] = {}
    for wire in plan.wires:
        ends = [at[pin.component] for pin in (wire.start, wire.end) if pin.component in at]
        is_power = all(groups[end].column.value <= Column.PI.value for end in ends)
        if len(set(ends)) == 2 and (wire.rail is None or is_power):
            first, last = sorted(ends, key=lambda end: _power_rank(groups[end], is_power))
            found.setdefault((first, last), []).append(wire.colour if is_power else "grey")
    return [Link(*pair, len(colours), colours[0]) for pair, colours in found.items()]


def _power_rank(group: Group, is_power: bool) -> int:
    """How far a group is from the Pi; a link of power keeps the direction of its wire."""
    return 0 if is_power else group.column.value


def _keys(plan: Plan, shown: Sequence[Component]) -> dict[str, _Key]:
    """What the components of a group have in common, by their names."""
    counts = Counter(each.part for each in shown)
    keys: dict[str, _Key] = {}
    ends = {}
    for each in shown:
        if each.part == PI or each.part in POWER:
            own = each.title if each.part in STRIPS else each.name
            keys[each.name] = (Column.PI if each.part == PI else Column.POWER), own
        elif kind := kind_between(each.part):
            alone = each.address is not None and counts[each.part] <= _MOST_CHIPS
            keys[each.name] = Column.BETWEEN, each.name if alone else kind
        else:
            ends[each.name] = each
    feeders = _feeders(plan, keys, ends)
    return keys | {name: (Column.END, (each.section, feeders[name])) for name, each in ends.items()}


def _feeders(
    plan: Plan, keys: Mapping[str, _Key], ends: Mapping[str, Component]
) -> dict[str, frozenset[_Key]]:
    """The groups from which each end gets its signals; from one LED of a matrix they go on to the next."""
    fed: dict[str, frozenset[_Key]] = dict.fromkeys(ends, frozenset())
    for wire in plan.wires:
        start, end = wire.start.component, wire.end.component
        if wire.rail is None and end in ends:
            before = fed[start] if start in ends else frozenset({keys[start]} if start in keys else ())
            fed[end] |= before
    return fed


def _rails(plan: Plan, column: Column, members: set[str]) -> tuple[Rail, ...]:
    """The rails that some components are on, in the order of `Rail`; only strips put others on them."""
    if column is Column.POWER:
        wired = (wire for wire in plan.wires if members & {wire.start.component, wire.end.component})
        used = {wire.rail for wire in wired}
    else:
        used = {rail for rail in Rail if members & _fed_by_strips(plan, rail)}
    return tuple(rail for rail in Rail if rail in used)


def _fed_by_strips(plan: Plan, rail: Rail) -> set[str]:
    """What the terminal strips feed with a rail, also through others; a reader may get it from USB."""
    fed = {each.name for each in plan.components if each.part in STRIPS}
    steps = [(wire.start.component, wire.end.component) for wire in plan.wires if wire.rail is rail]
    while further := {end for start, end in steps if start in fed} - fed:
        fed |= further
    return fed
