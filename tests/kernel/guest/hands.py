"""The world around a real table, as a process of its own: hands, magnets, tags, and what stands on the desk.

It moves lines, chips' registers and bytes on serial lines, and knows the table only by what
can be seen of it: the sign and the lamps. What should come of the match it works out by
itself, from the rules, and writes down at the end.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hw.ports import Health
from hw.sim.rfid.pn532 import Pn532Model, SimTag
from hw.sim.signs.cd5220 import Cd5220Model
from hw.sim.uart.pty import PtyPeer
from hw.work import OwnerThread
from tests.kernel.guest.i2c_stub import PlayedBank, SimPulls

PATIENCE_S = 30.0
SETTLED_S = 0.35
TAP_S = 0.06
LATER_S = 0.02
LED_CHIP = 0x70


class Hands:
    """Plays the plan that the test has made. `plan` holds only numbers, names and paths."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._plan = plan
        self._pulls = SimPulls({int(line): Path(path) for line, path in plan["pulls"].items()})
        self._banks = {
            name: PlayedBank(plan["bus"], address, self._pulls, interrupt)
            for name, (address, interrupt) in plan["banks"].items()
        }
        self._sign = Cd5220Model()
        self._readers = {name: Pn532Model(time.monotonic_ns) for name in plan["readers"]}
        ends = {"sign": (self._sign, plan["sign"])}
        ends |= {name: (model, plan["readers"][name]) for name, model in self._readers.items()}
        self._owners = [
            OwnerThread(PtyPeer(end, Path(path), name), _complain) for name, (end, path) in ends.items()
        ]

    def play(self) -> dict[str, Any]:
        """The match; what should come of it."""
        Path(self._plan["ready"]).touch()
        seats = self._plan["seats"]
        totals = [0] * seats
        self._wait("the invitation", lambda: self._sign.lines[0] == "Press to play")
        for seat in range(1, seats + 1):
            self._tap(seat)
        name, uid = self._plan["tag"]
        for number, moves in enumerate(self._plan["rounds"], start=1):
            self._wait("the start call", lambda: self._sign.lines[0] == "Start Ligretto")
            self._readers[name].put(SimTag(bytes.fromhex(uid)))
            left = self._round(moves)
            self._readers[name].take(bytes.fromhex(uid))
            finisher = left.index(0)
            for seat, dice in enumerate(left):
                totals[seat] += sum(left) if seat == finisher else -dice
            self._clear(moves, last=number == len(self._plan["rounds"]))
        self._wait("the winner", lambda: self._sign.lines[0].startswith("Winner"))
        return {"totals": totals, "shown": self._sign.lines}

    def leave(self) -> None:
        """When the table is switched off: what the sign shows then."""
        self._wait("the table to go dark", lambda: not any(self._sign.lines))
        for owner in self._owners:
            owner.close()

    def _round(self, moves: list[list[Any]]) -> list[int]:
        """Dice and slaps; how many each seat has left."""
        left = [self._plan["dice"]] * self._plan["seats"]
        for seat, slot, rival in moves:
            self._wait(f"the lamp of {slot}", lambda slot=slot: self._burns(slot))  # type: ignore[misc]
            self._place(slot, True)
            self._press(seat, rival)
            left[seat - 1] -= 1
            time.sleep(SETTLED_S)
        return left

    def _clear(self, moves: list[list[Any]], last: bool) -> None:
        self._wait("the call to clear", lambda: self._sign.lines[0] == "Take all dice off")
        for _, slot, _ in moves:
            self._place(slot, False)
        if not last:
            self._wait("the call to deal", lambda: self._sign.lines[0] == "Deal, then press")
            time.sleep(SETTLED_S)
            for seat in range(1, self._plan["seats"] + 1):
                self._tap(seat)

    def _place(self, slot: str, down: bool) -> None:
        bank, pin = self._plan["slots"][slot]
        self._banks[bank].set_pin(pin, not down, for_s=TAP_S)

    def _press(self, seat: int, rival: int) -> None:
        """A slap, and perhaps one of a rival a little later."""
        lines = [self._plan["buttons"][each - 1] for each in (seat, rival) if each]
        for line in lines:
            self._pulls.drive(line, False)
            time.sleep(LATER_S)
        time.sleep(TAP_S)
        for line in lines:
            self._pulls.drive(line, True)

    def _tap(self, seat: int) -> None:
        self._press(seat, 0)
        time.sleep(0.1)

    def _burns(self, slot: str) -> bool:
        """Whether any LED of a place burns, by the memory of the LED chip."""
        leds = self._plan["leds"][slot]
        bus = self._banks[self._plan["slots"][slot][0]].bus
        ram = bus.read_i2c_block_data(LED_CHIP, 0, 16)
        return any(ram[led // 8] >> led % 8 & 1 for led in leds)

    def _wait(self, what: str, happens: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not happens():
            if time.monotonic() > deadline:
                raise TimeoutError(f"waiting for {what}; the sign says {self._sign.lines}")
            time.sleep(0.01)


def _complain(health: Health) -> None:
    sys.stderr.write(f"{health}\n")


if __name__ == "__main__":
    plan_file, result_file = sys.argv[1:]
    hands = Hands(json.loads(Path(plan_file).read_text()))
    result = hands.play()
    partial = Path(result_file).with_suffix(".part")
    partial.write_text(json.dumps(result))
    partial.rename(result_file)
    hands.leave()
