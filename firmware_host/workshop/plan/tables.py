"""The tables of a plan: what to buy, what to wire, and what is on each pin of the Pi and of each chip."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil

from firmware_host.model.places import CARD_NUMBERS, DICE, FACES, Colour, Slot
from firmware_host.profile.pins import lines_of
from firmware_host.profile.profile import BUS_LINES, BuildChoices, LampWire, Profile, chip_kinds, chip_names
from firmware_host.profile.wiring_reading import ANY, BLUE, GREEN, RED
from firmware_host.workshop.plan.budget import TABLE_RAILS, RailBudget, power_budget
from firmware_host.workshop.plan.draft import PI
from firmware_host.workshop.plan.parts import HALL_PARTS, HT16K33_PINS, PARTS, wire_mm2
from firmware_host.workshop.plan.pi_models import GROUND, HEADER, SPECIAL, V3_3, V5, header_pin, model_of
from firmware_host.workshop.plan.plan import Pin, Plan, Rail, TextTable, Wire, metres, ohm_text, pin_text
from firmware_host.workshop.plan.planning import ratings
from firmware_host.workshop.plan.wiring import lamp_component, led_pins

COLUMNS = ("count", "spare", "euros each", "part", "for", "watch")
_SPARE_HALLS = 10
"""Sensors are tested before they are soldered, and some fail."""
_SPARE_SHARES = dict.fromkeys(("tag", "magnet", "heat-shrink", "led", "rgb-cc", "rgb-ca"), 0.1)
_MOST_NAMED = 4
_WIRE_EUROS, _JUMPER_EUROS = "0.1-0.5", "0.05-0.15"
_SPARE_WIRE = 1.15
_LEAST_MM2 = 0.25
"""The thinnest wire for power: thinner ones break at their ends."""
_RAILS_OF = {"red": {Rail.V5}, "yellow-red": {Rail.V12}, "black": {Rail.V5, Rail.V12}}
"""The rails of the table whose current flows in a wire of that colour."""


def part_counts(plan: Plan, profile: Profile) -> dict[str, int]:
    """How many of each part there have to be: one for each component, and what these and the game need."""
    counts = Counter(component.part for component in plan.components)
    for part, count in dict(counts).items():
        for small, each in PARTS[part].also.items() if part != PI else ():
            counts[small] += count * each
    counts.update(model_of(profile.board).also)
    counts["sd-card"] += 1
    counts += Counter(dict(_game_parts(profile)))
    return dict(counts)


def _game_parts(profile: Profile) -> Iterator[tuple[str, int]]:
    """Dice with their magnets, and tags: those of dice are behind each face, those of cards in each card."""
    if profile.piles:
        cards = profile.seats * len(Colour) * CARD_NUMBERS
        yield "tag", cards
        return
    yield "die", DICE
    yield "magnet", DICE * FACES
    if any(isinstance(reader.at, Slot) for reader in profile.readers):
        yield "tag", DICE * FACES


def spare_count(part: str, count: int) -> int:
    """How many more to buy than are needed: what is small, fails, or gets lost."""
    return _SPARE_HALLS if part in HALL_PARTS else ceil(count * _SPARE_SHARES.get(part, 0))


def wire_lengths(plan: Plan) -> dict[str, int]:
    """How many mm of wire of each colour there have to be, without ready-made cables."""
    lengths: dict[str, int] = defaultdict(int)
    for wire in plan.wires:
        if not wire.colour.endswith("cable"):
            lengths[wire.colour] += wire.length_mm
    return dict(lengths)


def parts_list(plan: Plan, profile: Profile) -> TextTable:
    """The list, with wire by colour at its end and the sum of the estimates in its title."""
    counts = part_counts(plan, profile)
    model = model_of(profile.board)
    names = defaultdict(list)
    for component in plan.components:
        names[component.part].append(component.name)
    sizes, ohms = ratings(plan, profile), _ohms(profile)
    rows: list[tuple[str, ...]] = [("1", "", _euros(model.euros), model.name, PI, "")]
    for key, count in counts.items():
        if key in ohms:
            spare = str(spare_count(key, count) or "")
            part = PARTS[key]
            title = f"{part.name}, {ohms[key]}"
            rows.append((str(count), spare, _euros(part.euros), title, _named(names[key]), part.watch))
        elif key != PI:
            rows += _part_rows(key, count, names[key], sizes)
    rows += _wire_rows(plan, profile)
    return TextTable(f"{plan.title}: parts, {_sum(counts, model.euros)}", COLUMNS, tuple(rows), notes=2)


def _part_rows(
    key: str, count: int, names: Sequence[str], sizes: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    """A row for a part, or one for each size of it."""
    part = PARTS[key]
    of_size = defaultdict(list)
    for name in names:
        of_size[sizes.get(name, "")].append(name)
    for size, sized in (of_size or {"": names}).items():
        title = f"{part.name}, {size}" if size else part.name
        many = len(sized) if size else count
        spare = str(spare_count(key, many) or "")
        yield str(many), spare, _euros(part.euros), title, _named(sized), part.watch


def _ohms(profile: Profile) -> dict[str, str]:
    """The ohms of resistors at sensors and contacts, by their parts."""
    return {
        "pull-up-network": ohm_text(profile.build.hall_pull_up_ohm),
        "resistor-pull": ohm_text(profile.build.contact_pull_up_ohm),
    }


def _wire_rows(plan: Plan, profile: Profile) -> Iterator[tuple[str, ...]]:
    """Wire by colour: by length, or by the piece for a breadboard."""
    if profile.build.strips == "breadboard-rail":
        for colour in wire_lengths(plan):
            count = sum(wire.colour == colour for wire in plan.wires)
            yield (
                str(count),
                "",
                _JUMPER_EUROS,
                f"jumper wire, {colour}",
                "",
                "pins or sockets as its ends need",
            )
        return
    budgets = power_budget(plan, profile)
    for colour, length in wire_lengths(plan).items():
        watch = _wire_watch(colour, budgets, profile.build)
        metres = f"{length * _SPARE_WIRE / 1000:.1f} m"
        yield metres, "", _WIRE_EUROS, f"stranded wire, {colour}", "", watch


def _wire_watch(colour: str, budgets: Iterable[RailBudget], build: BuildChoices) -> str:
    """How thick the wire has to be: behind a fuse each carries what the fuse lets through."""
    if colour not in _RAILS_OF:
        return "0.14 mm2 or more"
    through = (budget.flows_amps for budget in budgets if TABLE_RAILS.get(budget.name) in _RAILS_OF[colour])
    mm2 = build.branch_wire_mm2 or max(_LEAST_MM2, wire_mm2(max(through, default=0)))
    return f"{mm2:g} mm2 or more; {max(mm2, build.power_wire_mm2):g} mm2 from the supply to the strips"


def _named(names: Sequence[str]) -> str:
    """What a part is for: the first few of its components."""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _euros(span: tuple[float, float]) -> str:
    return f"{span[0]:g}-{span[1]:g}"


def _sum(counts: dict[str, int], pi: tuple[float, float]) -> str:
    """What all of it costs, roughly, spares included; wire is not in it."""

    def bought(part: str) -> int:
        return counts[part] + spare_count(part, counts[part])

    least, most = (
        pi[end] + sum(bought(part) * PARTS[part].euros[end] for part in counts if part != PI)
        for end in (0, 1)
    )
    return f"about {least:.0f} to {most:.0f} euros by estimate, without wire, wood and tools"


WIRE_COLUMNS = ("done", "no.", "step", "cable", "from", "to", "signal", "colour", "length")


def checklist(plan: Plan) -> TextTable:
    """All wires as one table."""
    rows = [
        (
            "[ ]",
            str(number),
            wire.section.value,
            wire.cable,
            pin_text(wire.start),
            pin_text(wire.end),
            wire.signal,
            wire.colour,
            metres(wire.length_mm),
        )
        for number, wire in enumerate(plan.wires, start=1)
    ]
    return TextTable(f"{plan.title}: all wires, in the order in which one wires", WIRE_COLUMNS, tuple(rows))


def by_cable(plan: Plan) -> tuple[TextTable, ...]:
    """The same with a table for each cable, without the columns that are in its title."""
    numbered = list(zip(plan.wires, checklist(plan).rows, strict=True))
    columns = ("", *WIRE_COLUMNS[1:2], *WIRE_COLUMNS[4:])
    tables = []
    for cable in plan.cables:
        rows = tuple((row[0], row[1], *row[4:]) for wire, row in numbered if wire.cable == cable.name)
        length = f", up to {metres(cable.length_mm)}" if cable.length_mm else ""
        title = f"{cable.section.value}: {cable.title}{length}"
        tables.append(TextTable(title, columns, rows))
    return tuple(tables)


_SUPPLY = (V3_3, V5, GROUND)


_FREE = "-"


def pin_uses(plan: Plan) -> dict[str, str]:
    """What each pin of the Pi that has a wire is for, by its name."""
    uses = {}
    for wire in plan.wires:
        for pin in (wire.start, wire.end):
            if pin.component == PI:
                uses[pin.name] = wire.signal
    return uses


def header_lines(plan: Plan, profile: Profile) -> list[str]:
    """The picture; for a board without a header the list of its GPIO lines."""
    model = model_of(profile.board)
    uses = pin_uses(plan)
    if not model.header:
        return [f"{model.name}: its GPIO lines", "", *_module_lines(profile, uses)]
    return [
        f"{model.name}: its header, with pin 1 at the corner of the board and pin 2 at its edge",
        "",
        *_picture(plan, uses),
    ]


def _picture(plan: Plan, uses: dict[str, str]) -> list[str]:
    """Two rows of pins, side by side as they are on the board."""
    used = _used_pins(plan)
    texts = [_use(number, name, uses, used) for number, name in enumerate(HEADER, start=1)]
    left = max(map(len, texts[::2]))
    lines = []
    for number in range(0, len(HEADER), 2):
        names = HEADER[number], HEADER[number + 1]
        pins = f"{names[0]:>7} {number + 1:>2} o o {number + 2:<2} {names[1]:<7}"
        lines.append(f"{texts[number]:>{left}}  {pins}  {texts[number + 1]}".rstrip())
    return lines


def _used_pins(plan: Plan) -> set[str]:
    """The numbers of the pins that have a wire."""
    return {pin.number for wire in plan.wires for pin in (wire.start, wire.end) if pin.component == PI}


def _use(number: int, name: str, uses: dict[str, str], used: set[str]) -> str:
    """What a pin is for. A supply has several pins; the plan takes the first of each."""
    if name in _SUPPLY:
        return f"to the {name} strip" if str(number) in used else ""
    line = int(name.split()[-1])
    return uses.get(name) or (SPECIAL[line] if line in (0, 1) else _FREE)


def _module_lines(profile: Profile, uses: dict[str, str]) -> list[str]:
    first, last, _ = lines_of(profile.board)
    return [f"{f'GPIO {line}':>7}  {uses.get(f'GPIO {line}', _FREE)}" for line in range(first, last + 1)]


def line_text(profile: Profile, line: int) -> str:
    """A GPIO line with its pin, if the board has a header: `GPIO 17 (pin 11)`."""
    pin = header_pin(line) if model_of(profile.board).header else None
    return f"GPIO {line} (pin {pin})" if pin else f"GPIO {line}"


_SHADES = {ANY: "", RED: "red", GREEN: "green", BLUE: "blue"}


_PIN_COLUMNS = ("pin", "name", "signal", "colour", "to")


_LED_COLUMNS = (
    "LED",
    "lamp",
    "colour",
    "plus",
    "pin",
    "minus",
    "pin",
    "printed",
    "cable",
    "wire",
)


_CHIPS = ("mcp23017", "uln2003", "level-shifter", "usb-uart-4")


def address_table(profile: Profile) -> TextTable:
    """The chips of the bus by address, and how each address is set."""
    lines = " and ".join(line_text(profile, line) for line in BUS_LINES.get(profile.i2c_bus, ()))
    title = f"I2C bus {profile.i2c_bus}: {lines or 'lines of an overlay'}"
    kinds = chip_kinds(profile)
    rows = [
        (f"0x{address:02x}", name, kinds[address].title, kinds[address].addresses[address])
        for address, name in sorted(chip_names(profile).items())
    ]
    return TextTable(title, ("address", "name", "chip", "how to set it"), tuple(rows))


def chip_tables(plan: Plan, profile: Profile) -> tuple[TextTable, ...]:
    """The pins of each chip, and each LED of an LED chip."""
    found = [_pin_table(plan, each.name, each.title) for each in plan.components if each.part in _CHIPS]
    return (*found, *(_led_table(plan, profile, chip.name) for chip in profile.led_chips))


def _pin_table(plan: Plan, name: str, title: str) -> TextTable:
    """The pins of a chip in the order of its package; those without a wire stay free."""
    pins = PARTS[plan.component(name).part].pins
    at = {pin: list(_wires_at(plan, name, pin)) for pin in pins}
    order = sorted(pins, key=lambda pin: int(pins[pin] or 0))
    rows = []
    for pin in order:
        free = [(pins[pin], pin, "-", "", "")]
        rows += [(pins[pin], pin, wire.signal, wire.colour, pin_text(end)) for wire, end in at[pin]] or free
    return TextTable(f"{name}: {title}", _PIN_COLUMNS, tuple(rows))


def _wires_at(plan: Plan, name: str, pin: str) -> Iterator[tuple[Wire, Pin]]:
    """The wires at a pin, each with its other end."""
    for wire in plan.wires:
        for here, there in ((wire.start, wire.end), (wire.end, wire.start)):
            if (here.component, here.name) == (name, pin):
                yield wire, there


def _led_table(plan: Plan, profile: Profile, chip: str) -> TextTable:
    """Every LED of an LED chip, down to the pins it is between and the wire to its own leg."""
    leds = sorted((wire for wire in profile.lamp_wires if wire.chip == chip), key=lambda wire: wire.led)
    rows = tuple(_led_row(plan, profile, wire) for wire in leds)
    return TextTable(f"{chip}: LEDs by number", _LED_COLUMNS, rows)


def _led_row(plan: Plan, profile: Profile, led: LampWire) -> tuple[str, ...]:
    row, common = led_pins(led.led)
    pins = HT16K33_PINS
    printed = f"A{row.split()[1]}, C{common.split()[1]}"
    mark = f"(LED {led.led}, "
    cable = f"{led.chip} {common}"
    colour = next(wire.colour for wire in plan.of_cable(cable) if mark in wire.signal)
    lamp = lamp_component(profile, led.lamp)
    shade = _SHADES[led.mask]
    return (str(led.led), lamp, shade, row, pins[row], common, pins[common], printed, cable, colour)
