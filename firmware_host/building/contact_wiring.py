"""Buttons and hall sensors: each from its line of the Pi, or its pin of an expander."""

from __future__ import annotations

from firmware_host.building.bus_wiring import expander_pin, rail_of
from firmware_host.building.draft import PI, Draft
from firmware_host.building.parts import BUTTON_PARTS, HALL_PARTS, PLAIN_BUTTON
from firmware_host.building.plan import Pin, Rail, Section
from firmware_host.building.tables import ohm_text
from firmware_host.config.profile import BANK_LINES, GPIO
from firmware_host.config.wires import lamp_name
from firmware_host.places import PLACES_PER_ROW, Button, Call, Colour, Slot, Source


def wire_buttons(draft: Draft) -> None:
    """The race button of each seat, and its call button if there is one."""
    lines = {source: line for line, source in draft.profile.lines.items() if not isinstance(source, Slot)}
    rail = Rail.V3_3 if draft.profile.pull == "down" else Rail.GROUND
    for source in sorted(lines, key=lambda each: (each.seat, isinstance(each, Call))):
        name = button_name(source)
        title = f"{'call' if isinstance(source, Call) else 'race'} button of seat {source.seat}"
        draft.place(name, _button_part(draft, source), title, Section.BUTTONS)
        cable = draft.cable(seat_cable(source.seat), f"seat {source.seat}", Section.BUTTONS)
        draft.wire(_line_pin(draft, lines[source]), draft.pin(name, "NO"), name, cable=cable)
        draft.wire(draft.pole(rail), draft.pin(name, "COM"), cable=cable, rail=rail)
        _pull(draft, name, draft.pin(name, "NO"), lines[source], cable)


def _button_part(draft: Draft, source: Button | Call) -> str:
    """The part of a button: the one that was chosen, or one without a lamp where nothing lights it."""
    chosen, wires = draft.build.button, draft.profile.lamp_wires
    lit = {lamp_name(draft.profile, wire.lamp) for wire in wires if wire.chip == GPIO}
    is_lit = isinstance(source, Button) and f"seat {source.seat}" in lit
    return chosen if is_lit or not BUTTON_PARTS[chosen].led_ma else PLAIN_BUTTON


def button_name(source: Button | Call) -> str:
    """The component of a race button or call button."""
    return f"{'call' if isinstance(source, Call) else 'button'} {source.seat}"


def seat_cable(seat: int) -> str:
    """The cable to the buttons of a seat."""
    return f"seat {seat}"


def wire_sensors(draft: Draft) -> None:
    """A cable for each row: supply and ground go from sensor to sensor, each output has a wire of its own."""
    if draft.profile.piles:
        return
    part = HALL_PARTS[draft.build.hall]
    rail = rail_of(draft.build.hall_volts or (5 if part.at_5v else 3.3))
    for colour in Colour:
        cable = draft.cable(f"row {colour.word}", f"hall sensors of the {colour.word} row", Section.SENSORS)
        power, ground = draft.pole(rail), draft.pole(Rail.GROUND)
        for number in range(1, PLACES_PER_ROW + 1):
            slot: Source = Slot(colour, number)
            name = str(slot)
            draft.place(name, draft.build.hall, f"hall sensor of {name}", Section.SENSORS)
            supply, minus = draft.pin(name, "VCC"), draft.pin(name, "GND")
            draft.wire(power, supply, cable=cable, rail=rail)
            draft.wire(ground, minus, cable=cable, rail=Rail.GROUND)
            line = _line_pin(draft, draft.profile.line_of(slot))
            draft.wire(line, draft.pin(name, "OUT"), name, cable=cable)
            _pull(draft, name, draft.pin(name, "OUT"), draft.profile.line_of(slot), cable)
            power, ground = supply, minus


def _pull(draft: Draft, name: str, pin: Pin, line: int, cable: str) -> None:
    """An own resistor at a contact on a line of the Pi, if the profile says that there are some."""
    ohm = draft.build.contact_pull_up_ohm
    if not ohm or line >= BANK_LINES:
        return
    rail = Rail.GROUND if draft.profile.pull == "down" else Rail.V3_3
    resistor = f"resistor of {name}"
    section = draft.section(cable)
    draft.place(resistor, "resistor-pull", f"{ohm_text(ohm)}, to {rail.value}", section, at=name)
    draft.wire(draft.pole(rail), draft.pin(resistor, "1"), cable=cable, rail=rail)
    draft.wire(draft.pin(resistor, "2"), pin, name, cable=cable)


def _line_pin(draft: Draft, line: int) -> Pin:
    """Where a contact's wire begins."""
    if line < BANK_LINES:
        return draft.pin(PI, f"GPIO {line}")
    bank, pin = divmod(line - BANK_LINES, 16)
    return expander_pin(draft, draft.profile.banks[bank].name, pin)
