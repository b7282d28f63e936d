"""What the guides for makers show: each quote is printed anew by the commands, on a machine with a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.lab.chips_table import sign_model
from firmware_host.model.places import Button, Colour, Slot
from firmware_host.run.table_files import load_profile
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.mcp23017 import Mcp23017Model
from tests.guides.machines import (
    CARDS,
    DICE,
    SIGN_ID,
    SOCKETS,
    about,
    areas,
    beginning,
    card_table,
    dice_bench,
    dice_table,
    doctor,
    nothing,
    wiring,
)
from tests.workshop.doctor.tables import Bench
from tests.workshop.doctor.tree import Tree, reader

UNNAMED = CARDS.partition("[ports]")[0] + '[store]\nfile = "/var/lib/table/table.db"\n'


def _weak(tree: Tree) -> None:
    tree.throttled = "throttled=0x50005\n"


def _expanders(*addresses: int) -> Callable[[Tree], None]:
    def put(tree: Tree) -> None:
        tree.i2c({address: Mcp23017Model() for address in addresses})

    return put


def _dead_bus(tree: Tree) -> None:
    tree.i2c({})


def _data_line_low(tree: Tree) -> None:
    tree.i2c({address: Mcp23017Model() for address in range(128)})


def _chips(tree: Tree) -> None:
    tree.i2c({0x20: Mcp23017Model(), 0x21: Mcp23017Model(), 0x70: Ht16k33Model()})


def _held_button(tree: Tree) -> None:
    _chips(tree)
    tree.low = {6}


def _silent_reader(tree: Tree) -> None:
    tree.plug("/dev/ttyUSB0", reader(), by_path=SOCKETS[0])
    tree.plug("/dev/ttyUSB1", reader(silent=True), by_path=SOCKETS[1])


def _one_reader(tree: Tree) -> None:
    tree.plug("/dev/ttyUSB0", reader(), by_path=SOCKETS[0])


def _sign(tree: Tree) -> None:
    tree.plug("/dev/ttyUSB0", sign_model("cd5220", 20), SIGN_ID)


def _no_player(tree: Tree) -> None:
    tree.sound_card()
    tree.player_says = None


def _sensors() -> str:
    bench = dice_bench()
    bench.touch(Slot(Colour.RED, 1), Slot(Colour.RED, 3))
    said = doctor(DICE, "--walk", "slots", "--seconds", "3", machine=dice_table, bench=bench)
    came = [line for line in said.splitlines() if " came (" in line]
    return "\n".join([*came, about(said, *(f"slots: red {number}" for number in (2, 3)))])


def _no_interrupt() -> str:
    bench = dice_bench()
    bench.table.site.interrupt_ends["left"].hold(True)
    bench.touch(Slot(Colour.RED, 1))
    said = doctor(DICE, "--walk", "slots", "--seconds", "3", machine=dice_table, bench=bench)
    return about(said, "slots: red 1")


def _swapped_buttons() -> str:
    bench = dice_bench()
    bench.touch(Button(1), Button(3), Button(2))
    said = doctor(DICE, "--walk", "buttons", "--seconds", "3", machine=dice_table, bench=bench)
    return about(said, "buttons: seat 3", "buttons: seat 4")


def _lamps() -> str:
    said = doctor(DICE, "--walk", "leds", "--step", "0.1", machine=dice_table, bench=dice_bench())
    lines = said.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("walk: leds"))
    return "\n".join([*lines[first : first + 8], "..."])


def _breadboard_buttons() -> str:
    bench = Bench(load_profile("cards2"))
    bench.touch(Button(1), Button(2))
    said = doctor(CARDS, "--walk", "buttons", machine=card_table, bench=bench)
    return said[said.index("walk: buttons") :].partition("\n\n")[0]


QUOTES: Mapping[str, Callable[[], str]] = {
    "weak supply": lambda: about(doctor(DICE, machine=_weak), "supply"),
    "no bus": lambda: areas(doctor(DICE, machine=nothing), "i2c"),
    "no chip": lambda: areas(doctor(DICE, machine=_dead_bus), "i2c"),
    "data line low": lambda: areas(doctor(DICE, machine=_data_line_low), "i2c"),
    "one expander": lambda: areas(doctor(DICE, machine=_expanders(0x20)), "i2c"),
    "wrong address": lambda: areas(doctor(DICE, machine=_expanders(0x20, 0x23)), "i2c"),
    "all chips": lambda: areas(doctor(DICE, machine=_chips), "i2c"),
    "sensors": _sensors,
    "no interrupt": _no_interrupt,
    "lamps": _lamps,
    "held button": lambda: about(doctor(DICE, machine=_held_button), "contacts"),
    "swapped buttons": _swapped_buttons,
    "silent reader": lambda: areas(doctor(CARDS, machine=_silent_reader), "readers"),
    "missing reader": lambda: areas(doctor(CARDS, machine=_one_reader), "readers"),
    "ports by number": lambda: areas(doctor(UNNAMED, machine=card_table), "ports"),
    "sign": lambda: areas(doctor(DICE, machine=_sign), "scoreboard"),
    "no player": lambda: areas(doctor(DICE, machine=_no_player), "sound"),
    "sound": lambda: areas(doctor(DICE, machine=dice_table), "sound"),
    "addresses of dice4": lambda: wiring("dice4", "addresses"),
    "checklist of dice4": lambda: beginning(wiring("dice4", "checklist"), 24),
    "parts of dice4": lambda: beginning(wiring("dice4", "parts"), 12),
    "power of dice4": lambda: wiring("dice4", "power"),
    "header of cards2": lambda: wiring("cards2", "header"),
    "checklist of cards2": lambda: wiring("cards2", "checklist"),
    "breadboard": lambda: areas(doctor(CARDS, machine=card_table), "gpio", "ports", "readers"),
    "breadboard buttons": _breadboard_buttons,
}
"""By the name that a comment in a guide has: `<!-- shown: weak supply -->`."""
