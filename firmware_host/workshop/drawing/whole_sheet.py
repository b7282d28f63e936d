"""The sheet of the whole table: from the supplies on the left over the Pi to what players see and touch.

Each box is one component or a group of them, and says which rails it is on; wires of power are drawn only
where power comes from. The tag at a line says how many wires it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from firmware_host.workshop.drawing.shapes import (
    INK,
    LANDSCAPE,
    MUTED,
    PALE,
    SMALLEST,
    Area,
    Box,
    Drawing,
    Heading,
    Label,
    Shape,
    Strand,
    drawing_area,
    sheet,
    shortened,
    text_lines,
    text_width,
)
from firmware_host.workshop.plan.plan import Component, Plan, Rail, Section

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


_LANES, _TAG, _GUTTER = 9.0, 19.0, 13.0
_WIDTHS = {Column.POWER: 45.0, Column.PI: 30.0, Column.BETWEEN: 52.0, Column.END: 57.0}
_BOX, _PASS = 13.4, 6.0
_NAME = 3.4
_MOST_GAP, _LINE = 7.0, 4.0
_RAIL_ORDER: tuple[tuple[Rail, ...], ...] = ((), (Rail.V12,), (Rail.V5,), (Rail.V3_3,), (Rail.GROUND,))
_WATCH = (
    "A tag says how many wires a line stands for; each cable has a sheet of its own. Resistors are on those.",
    "'On 5 V, ground' means: wired to the terminal strips of these rails. Never wire other boxes to these: "
    "they get their power through their own cables, most over USB.",
)


def whole_sheet(plan: Plan) -> Drawing:
    """The sheet of the whole table."""
    heading = Heading("The whole table", plan.title, _WATCH)
    area = drawing_area(LANDSCAPE, heading)
    return sheet(LANDSCAPE, heading, _Whole(group_table(plan), area).shapes())


def _rank(group: Group) -> tuple[int, int]:
    """The order of groups in their column: what feeds comes before what it feeds."""
    part = group.members[0].part
    if group.column is Column.POWER:
        return _RAIL_ORDER.index(group.rails[:1]), POWER.index(part)
    if group.column is Column.BETWEEN:
        return list(BETWEEN).index(kind_between(part)), 0
    return 0, 0


def _stacked(wished: Sequence[float], heights: Sequence[float], gap: float, area: Area) -> list[float]:
    """The tops of boxes in one column: near where they are wished, in order, and inside the area."""
    tops: list[float] = []
    for wish, height in zip(wished, heights, strict=True):
        tops.append(max(wish - height / 2, tops[-1] + heights[len(tops) - 1] + gap if tops else area.top))
    limit = area.bottom
    for n in reversed(range(len(tops))):
        tops[n] = min(tops[n], limit - heights[n])
        limit = tops[n] - gap
    return tops


class _Whole:
    """The sheet while it is being drawn."""

    def __init__(self, table: Groups, area: Area) -> None:
        self._groups = table.groups
        self._links = table.links
        self._left: dict[Column, float] = {}
        x = area.left + _LANES
        for column, room in zip(Column, (_GUTTER, _GUTTER + _TAG, _GUTTER + _TAG, 0.0), strict=True):
            self._left[column] = x
            x += _WIDTHS[column] + room
        self._area = area
        self._passes: dict[int, float] = {}
        self._boxes = self._place()

    def shapes(self) -> list[Shape]:
        """All lines, boxes and tags."""
        lines: list[Shape] = []
        tags: list[Shape] = []
        for n, link in enumerate(self._links):
            drawn, tagged = self._link(n, link)
            lines += drawn
            tags += tagged
        boxes = [shape for n in self._boxes for shape in self._box(n)]
        return [*lines, *boxes, *tags]

    # -- where things stand

    def _of(self, column: Column) -> list[int]:
        """The groups of a column, from above."""
        return sorted(
            (n for n, group in enumerate(self._groups) if group.column is column),
            key=lambda n: _rank(self._groups[n]),
        )

    def _place(self) -> Mapping[int, Area]:
        tops = self._place_between()
        middles = {n: top + _BOX / 2 for n, top in tops.items()} | self._passes
        ends = sorted(self._of(Column.END), key=lambda n: self._wish(n, middles))
        wished = [self._wish(n, middles) for n in ends]
        tops |= dict(zip(ends, _stacked(wished, [_BOX] * len(ends), 2.0, self._area), strict=True))
        power = self._of(Column.POWER)
        gap = min(_MOST_GAP + 4, self._area.height / len(power) - _BOX)
        tops |= {n: self._area.top + (_BOX + gap) * row for row, n in enumerate(power)}
        boxes = {n: self._around(n, top, top + _BOX) for n, top in tops.items()}
        bottom = max(area.bottom for area in boxes.values())
        return boxes | {n: self._around(n, self._area.top, bottom) for n in self._of(Column.PI)}

    def _place_between(self) -> dict[int, float]:
        """The tops of the boxes between; where a line from the Pi passes them it has a slot of its own."""
        slots: list[tuple[int, bool]] = [(n, False) for n in self._of(Column.BETWEEN)]
        for end in self._of(Column.END):
            feeders = [link.start for link in self._links if link.end == end]
            if any(self._groups[n].column is Column.PI for n in feeders):
                first = next((at for at, (n, _) in enumerate(slots) if n in feeders), len(slots))
                slots.insert(first, (end, True))
        heights = [_PASS if passes else _BOX for _, passes in slots]
        gap = min(_MOST_GAP, (self._area.height - sum(heights)) / len(slots))
        tops: dict[int, float] = {}
        y = self._area.top
        for (n, passes), height in zip(slots, heights, strict=True):
            if passes:
                self._passes[n] = y + height / 2
            else:
                tops[n] = y
            y += height + gap
        return tops

    def _wish(self, end: int, middles: Mapping[int, float]) -> float:
        """Where an end would stand best: beside what feeds it."""
        found = [middles[link.start] for link in self._links if link.end == end and link.start in middles]
        found += [self._passes[end]] if end in self._passes else []
        return sum(found) / len(found) if found else self._area.top

    def _around(self, n: int, top: float, bottom: float) -> Area:
        column = self._groups[n].column
        return Area(self._left[column], top, self._left[column] + _WIDTHS[column], bottom)

    # -- what is drawn

    def _box(self, n: int) -> Iterator[Shape]:
        group, area = self._groups[n], self._boxes[n]
        yield Box(area=area, fill=PALE if group.column is Column.POWER else "#ffffff", round=1.5, width=0.4)
        names = group.names
        if text_width(names, _NAME, bold=True) > area.width - 3:
            names = group.short_names
        lines = [(names, True, INK)]
        lines += [(line, False, INK) for line in _title_lines(group, area.width - 3)]
        if group.rails and group.column in (Column.BETWEEN, Column.END):
            lines.append((f"on {', '.join(rail.value for rail in group.rails)}", False, MUTED))
        for row, (text, bold, ink) in enumerate(lines):
            size = _NAME if bold else SMALLEST
            words = shortened(text, area.width - 3, size, bold=bold)
            yield Label(area.left + 1.5, area.top + 4 + row * _LINE, words, size, bold=bold, ink=ink)

    def _link(self, n: int, link: Link) -> tuple[list[Shape], list[Shape]]:
        start, end = (self._groups[at].column for at in (link.start, link.end))
        if start is end:
            return self._within(link), []
        if Column.POWER in (start, end):
            return self._to_the_pi(link), []
        y = self._spread(n, link.end, [m for m, each in enumerate(self._links) if each.end == link.end])
        x = self._boxes[link.end].left
        tag = Area(x - _TAG, y - 2.2, x, y + 2.2)
        words = f"{link.wires} wire{'s' * (link.wires > 1)}"
        tags: list[Shape] = [
            Box(area=tag, round=1, width=0.25),
            Label(tag.middle[0], y + 1.15, words, SMALLEST, anchor="middle"),
        ]
        first = self._boxes[link.start].right
        if start is Column.PI and end is Column.END:
            slot = self._passes[link.end]
            turn = self._left[Column.BETWEEN] + _WIDTHS[Column.BETWEEN]
            return [_line((first, slot), (turn, slot), link), _line((turn, slot), (tag.left, y), link)], tags
        own = y
        if start is Column.BETWEEN:
            leaving = [m for m, each in enumerate(self._links) if each.start == link.start]
            own = self._spread(n, link.start, [m for m in leaving if self._is_end(m)])
        return [_line((first, own), (tag.left, y), link)], tags

    def _is_end(self, n: int) -> bool:
        return self._groups[self._links[n].end].column is Column.END

    def _spread(self, n: int, box: int, links: Sequence[int]) -> float:
        """The height at which a link meets a box: the links of one side side by side."""
        tagged = [m for m in links if self._groups[self._links[m].start].column is not Column.POWER]
        tagged = [m for m in tagged if not self._is_within(m)]
        tagged.sort(key=lambda m: self._source_height(m))
        return self._boxes[box].middle[1] + (tagged.index(n) - (len(tagged) - 1) / 2) * 4.6

    def _source_height(self, n: int) -> float:
        link = self._links[n]
        is_passing = self._groups[link.start].column is Column.PI and link.end in self._passes
        return self._passes[link.end] if is_passing else self._boxes[link.start].middle[1]

    def _is_within(self, n: int) -> bool:
        link = self._links[n]
        return self._groups[link.start].column is self._groups[link.end].column

    def _within(self, link: Link) -> list[Shape]:
        """A line between two boxes of a column: straight down to the next one, else around those between."""
        upper, lower = sorted((self._boxes[link.start], self._boxes[link.end]), key=lambda area: area.top)
        is_power = self._groups[link.start].column is Column.POWER
        if not any(
            upper.bottom < each.top < lower.top and each.left == upper.left for each in self._boxes.values()
        ):
            x = upper.left + 6
            return [_bracket((x, upper.bottom), (x, lower.top), x, link)]
        lane = 2.5 + 2.5 * (self._links.index(link) % 3)
        edge, x = (upper.left, upper.left - lane) if is_power else (upper.right, upper.right + 4)
        return [_bracket((edge, upper.middle[1] + 3), (edge, lower.middle[1] - 3), x, link)]

    def _to_the_pi(self, link: Link) -> list[Shape]:
        """A level line between a box of the power and the Pi."""
        power = link.start if self._groups[link.start].column is Column.POWER else link.end
        area = self._boxes[power]
        y = area.middle[1]
        return [_line((area.right, y), (self._left[Column.PI], y), link)]


def _title_lines(group: Group, width: float) -> list[str]:
    """What a group is; only the tall box of the Pi has room for several lines."""
    if group.column is Column.PI:
        return text_lines(group.title, width, SMALLEST)
    is_wide = text_width(group.title, SMALLEST) > width
    return [group.title.split(":")[0] if is_wide else group.title]


def _line(start: tuple[float, float], end: tuple[float, float], link: Link) -> Strand:
    bends = (start[0] + 1, end[0] - 1)
    return Strand(start=start, end=end, bends=bends, colour=link.colour, tip=f"{link.wires} wires")


def _bracket(start: tuple[float, float], end: tuple[float, float], x: float, link: Link) -> Strand:
    return Strand(start=start, end=end, bends=(x, x), colour=link.colour, tip=f"{link.wires} wires")
