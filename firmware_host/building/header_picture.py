"""The header of the Pi as a picture in the terminal: what sits on each pin."""

from __future__ import annotations

from firmware_host.building.draft import PI
from firmware_host.building.header import GROUND, HEADER, SPECIAL, V3_3, V5, header_pin
from firmware_host.building.pi_models import model_of
from firmware_host.building.plan import Plan
from firmware_host.config.boards import lines_of
from firmware_host.config.profile import Profile

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
