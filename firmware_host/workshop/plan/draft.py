"""A plan while it is being made: components, cables and wires are added one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from firmware_host.model.places import ALL_SLOTS, CARD_NUMBERS, PLACES_PER_ROW, Colour
from firmware_host.profile.profile import BoardSize, Profile
from firmware_host.workshop.plan.parts import PARTS
from firmware_host.workshop.plan.pi_models import model_of, pi_pins
from firmware_host.workshop.plan.plan import PLUGGED, Cable, Component, Pin, Plan, Rail, Section, Wire

# Where things lie on the board, in mm from its upper left corner.
#
# The places are a grid in the middle. Seats are on the edge around it, clockwise from the lower edge on, as
# many on each side as on any other. What lies at a seat lies beside its button, along the edge.


Place = tuple[float, float]
"""Across and down, in mm."""

_FEW_PILES, _FEW_COLUMNS, _MANY_COLUMNS = 16, 4, 8
_SIDES = ("lower", "upper", "left", "right")
"""In the order in which they get one seat more, if seats don't divide by four."""
_SEAT_MM = 180
"""What a seat takes of its edge."""
_LAMP_BESIDE, _LAMP_BESIDE_READER = 22, 26
_SEAT_LAMP_BESIDE = 38
"""Clear of a button with a rim of 60 mm."""
_CALL_BESIDE = -70
_PAD_BESIDE = 75
_SYMBOL_BESIDE = 35
_PILE_LAMP_UP, _PILE_LAMP_STEP = 52, 6
_HEAD_BESIDE = 5
"""How much further the head of a pile's lamps is away: it may be three LEDs side by side."""


def board_places(profile: Profile) -> tuple[Place, dict[str, Place]]:
    """The size of the board, and where the middle of each thing lies, by the name of its component."""
    size = profile.build.board
    columns, rows = _grid(profile)
    per_side = _seats_per_side(profile.seats)
    inner = ((columns - 1) * size.pitch_mm, (rows - 1) * size.row_pitch_mm)
    width = max(inner[0] + 2 * size.margin_mm, _SEAT_MM * max(per_side["lower"], per_side["upper"]))
    height = max(inner[1] + 2 * size.margin_mm, _SEAT_MM * max(per_side["left"], per_side["right"]))
    corner = (width - inner[0]) / 2, (height - inner[1]) / 2
    places = dict(_places(profile, corner))
    for seat, (place, along) in enumerate(_seats(profile.seats, (width, height), size), start=1):
        own = size.places_mm.get(f"seat {seat}")
        places |= _seat_things(seat, own or place, along)
    places |= {reader.name: places[str(reader.at)] for reader in profile.readers}
    return (width, height), places


def _grid(profile: Profile) -> tuple[int, int]:
    """Columns and rows of the places."""
    if not profile.piles:
        return PLACES_PER_ROW, len(Colour)
    columns = min(profile.piles, _FEW_COLUMNS if profile.piles <= _FEW_PILES else _MANY_COLUMNS)
    return columns, -(-profile.piles // columns)


def _places(profile: Profile, corner: Place) -> Iterator[tuple[str, Place]]:
    """The places of the grid, with their lamps and readers."""
    size = profile.build.board
    columns, _ = _grid(profile)
    names = [f"pile {n}" for n in range(1, profile.piles + 1)] or list(map(str, ALL_SLOTS))
    for number, name in enumerate(names):
        row, column = divmod(number, columns)
        x, y = size.places_mm.get(
            name, (corner[0] + column * size.pitch_mm, corner[1] + row * size.row_pitch_mm)
        )
        yield name, (x, y)
        if not profile.piles:
            yield f"lamp {name}", (x, y + (_LAMP_BESIDE_READER if profile.identified else _LAMP_BESIDE))
            continue
        for lamp in range(CARD_NUMBERS + 1):
            own, aside = (f"lamp {name} number {lamp}", 0) if lamp else (f"lamp {name}", _HEAD_BESIDE)
            yield own, (x + (lamp - CARD_NUMBERS / 2) * _PILE_LAMP_STEP - aside, y - _PILE_LAMP_UP)
    for colour in Colour if not profile.piles else ():
        usual = corner[0] - _SYMBOL_BESIDE, corner[1] + colour * size.row_pitch_mm
        yield f"lamp symbol {colour.word}", size.places_mm.get(f"symbol {colour.word}", usual)


def _seats_per_side(seats: int) -> dict[str, int]:
    each, more = divmod(seats, len(_SIDES))
    return {side: each + (number < more) for number, side in enumerate(_SIDES)}


def _seats(seats: int, board: Place, size: BoardSize) -> Iterator[tuple[Place, Place]]:
    """The middle of each seat's button, and the direction along its edge, from seat 1 on."""
    width, height = board
    inset = min(size.margin_mm / 3, 50)
    per_side = _seats_per_side(seats)
    for part in _parts(per_side["lower"]):
        yield (width * (1 - part), height - inset), (-1, 0)
    for part in _parts(per_side["left"]):
        yield (inset, height * (1 - part)), (0, -1)
    for part in _parts(per_side["upper"]):
        yield (width * part, inset), (1, 0)
    for part in _parts(per_side["right"]):
        yield (width - inset, height * part), (0, 1)


def _parts(count: int) -> list[float]:
    """Where so many things are on an edge, each in the middle of its share."""
    return [(number + 0.5) / count for number in range(count)]


def _seat_things(seat: int, place: Place, along: Place) -> dict[str, Place]:
    """What lies at a seat."""
    x, y = place

    def beside(distance: float) -> Place:
        return x + along[0] * distance, y + along[1] * distance

    return {
        f"button {seat}": (x, y),
        f"lamp {seat}": beside(_SEAT_LAMP_BESIDE),
        f"call {seat}": beside(_CALL_BESIDE),
        f"pad {seat}": beside(_PAD_BESIDE),
    }


PI = "pi"
POWER = "power"
_SPARE_MM = 150
"""What a wire needs besides its way: to get to its ends, and to be stripped twice."""
_ROUND_MM = 50
_AT_THE_SUPPLY = frozenset({"supply-5v", "supply-5v-din", "supply-12v", "fuse"})
_FAR_PARTS = _AT_THE_SUPPLY | {"sign"}
"""What stands or ends beside the table, not below its middle."""
_FAR_MM = 1500
_RAIL_COLOURS = {Rail.GROUND: "black", Rail.V5: "red", Rail.V3_3: "orange", Rail.V12: "yellow-red"}
_SIGNAL_COLOURS = ("green", "brown", "grey", "violet", "pink", "turquoise")
"""Taken in turn within a cable."""


class PlanDraft:
    """What is planned so far. Pins are looked up in the catalogue, so no wire can end where there is none."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.build = profile.build
        self._components: dict[str, Component] = {}
        self._wires: list[Wire] = []
        self._cables: dict[str, tuple[str, Section]] = {}
        self._board_mm, self._places = board_places(profile)
        self._pi_pins = pi_pins(profile.board)
        self._used: Counter[str] = Counter()
        self._blocks: Counter[Rail] = Counter()
        self.place(PI, PI, model_of(profile.board).name, Section.POWER)
        self.cable(POWER, "power", Section.POWER)

    def place(
        self,
        name: str,
        part: str,
        title: str,
        section: Section,
        *,
        address: int | None = None,
        at: str | None = None,
        aside_mm: float = 0,
    ) -> None:
        """Add a component; `at` is the name of its place on the board, if that is not its own.

        It lies to the right of there, or to the left if `aside_mm` is negative.
        """
        at_mm = self._places.get(at or name)
        if at_mm:
            at_mm = at_mm[0] + aside_mm, at_mm[1]
        self._components[name] = Component(
            name=name, part=part, title=title, section=section, address=address, at_mm=at_mm
        )

    def has(self, name: str) -> bool:
        """Whether there is a component of that name."""
        return name in self._components

    def cable(self, name: str, title: str, section: Section) -> str:
        """Begin a cable; gives its name."""
        self._cables.setdefault(name, (title, section))
        return name

    def section(self, cable: str) -> Section:
        """The section of a cable."""
        return self._cables[cable][1]

    def count(self, things: str) -> int:
        """How many of these there were before this one."""
        self._used[things] += 1
        return self._used[things] - 1

    def pin(self, component: str, name: str) -> Pin:
        """A pin of a component; KeyError if it has none of that name."""
        part = self._components[component].part
        pins = self._pi_pins if part == PI else PARTS[part].pins
        return Pin(component, name, pins[name])

    @property
    def rails(self) -> tuple[Rail, ...]:
        """The rails that something is connected to so far."""
        return tuple(self._blocks)

    def feed(self, rail: Rail) -> Pin:
        """The pole through which a rail gets its power: the first one of its first terminal strip."""
        return self.pin(_strip(rail, 1), "pole 1")

    def pole(self, rail: Rail) -> Pin:
        """A free pole of the terminal strip of a rail. The last pole of a full strip leads to the next."""
        if rail not in self._blocks:
            self._new_strip(rail)
        poles = len(PARTS[self.build.strips].pins)
        if self._used[_strip(rail, self._blocks[rail])] == poles - 1:
            last = self.pin(_strip(rail, self._blocks[rail]), f"pole {poles}")
            self.wire(last, self._new_strip(rail), cable=POWER, rail=rail)
        name = _strip(rail, self._blocks[rail])
        self._used[name] += 1
        return self.pin(name, f"pole {self._used[name]}")

    def wire(
        self,
        start: Pin,
        end: Pin,
        signal: str = "",
        *,
        cable: str,
        rail: Rail | None = None,
        colour: str = "",
    ) -> None:
        """Add a wire; that of a rail has the rail's name and colour."""
        section = self.section(cable)
        if rail:
            signal, colour = rail.value, _RAIL_COLOURS[rail]
        if not colour:
            colour = _SIGNAL_COLOURS[self._used[cable] % len(_SIGNAL_COLOURS)]
            self._used[cable] += 1
        self._wires.append(
            Wire(
                start=start,
                end=end,
                signal=signal,
                colour=colour,
                length_mm=0 if colour in PLUGGED else self._length(start, end, cable),
                cable=cable,
                section=section,
                rail=rail,
            )
        )

    def finished(self, title: str) -> Plan:
        """The plan, in the order of sections and of their cables."""
        order = list(Section)
        used = {wire.cable for wire in self._wires}
        names = [name for name in self._cables if name in used]
        names.sort(key=lambda name: order.index(self._cables[name][1]))
        wires = sorted(self._wires, key=lambda wire: names.index(wire.cable))
        components = sorted(self._components.values(), key=lambda each: order.index(each.section))
        cables = []
        for name in names:
            words, section = self._cables[name]
            longest = max(wire.length_mm for wire in wires if wire.cable == name)
            cables.append(Cable(name=name, title=words, section=section, length_mm=longest))
        return Plan(
            title=title,
            components=tuple(components),
            wires=tuple(wires),
            cables=tuple(cables),
            board_mm=self._board_mm,
        )

    # -- inside

    def _new_strip(self, rail: Rail) -> Pin:
        """A further terminal strip of a rail; gives its first pole, which is for what feeds it."""
        self._blocks[rail] += 1
        name = _strip(rail, self._blocks[rail])
        self.place(name, self.build.strips, f"terminal strip of {rail.value}", Section.POWER)
        self._used[name] = 1
        return self.pin(name, "pole 1")

    def _length(self, start: Pin, end: Pin, cable: str) -> int:
        """The length of a wire; the electronics are below the middle of the board."""
        ends = [self._components[pin.component].at_mm for pin in (start, end)]
        parts = {self._components[pin.component].part for pin in (start, end)}
        if parts <= _AT_THE_SUPPLY:
            return _SPARE_MM
        is_far = bool(parts & _FAR_PARTS)
        if cable in self.build.cables_mm and None in ends and (is_far or cable != POWER):
            return self.build.cables_mm[cable]
        if is_far:
            return _FAR_MM
        middle: Place = (self._board_mm[0] / 2, self._board_mm[1] / 2)
        (x1, y1), (x2, y2) = (place or middle for place in ends)
        way = abs(x1 - x2) + abs(y1 - y2) + _SPARE_MM
        return -(-round(way) // _ROUND_MM) * _ROUND_MM


def _strip(rail: Rail, number: int) -> str:
    """The name of a terminal strip."""
    return f"{rail.value} strip {number}" if number > 1 else f"{rail.value} strip"
