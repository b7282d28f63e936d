"""Hands that play dice: they put magnets on places and slap, and show a tag to a pad meanwhile."""

from __future__ import annotations

import time
from typing import Any

from tests.kernel.guest.hands import SETTLED_S, TAP_S, Hands, attend
from tests.kernel.guest.i2c_stub import PlayedBank


class DiceHands(Hands):
    """A move of the plan is a seat, the place of its die, and whose slap comes too late for it, if any."""

    deal_words = "Deal, then press"

    def __init__(self, plan: dict[str, Any]) -> None:
        super().__init__(plan)
        self._banks = {
            name: PlayedBank(plan["bus"], address, self.pulls, interrupt)
            for name, (address, interrupt) in plan["banks"].items()
        }

    def round(self, plan: list[list[Any]]) -> list[int]:
        left = [self.plan["dice"]] * self.seats
        pad, uid = self.plan["tag"]
        self.put(pad, uid)
        for seat, slot, rival in plan:
            self.wait(f"the lamp of {slot}", lambda slot=slot: self._burns(slot))  # type: ignore[misc]
            self._place(slot, True)
            self.press(seat, *[rival] * bool(rival))
            left[seat - 1] -= 1
            time.sleep(SETTLED_S)
            self.moved()
        self.take(pad, uid)
        finisher = left.index(0)
        return [sum(left) if seat == finisher else -dice for seat, dice in enumerate(left)]

    def deal(self, plan: list[list[Any]], last: bool) -> None:
        self.read_sign("Take all dice off")
        for _, slot, _ in plan:
            self._place(slot, False)
        if not last:
            self.read_sign(self.deal_words)
            self.ready()

    def _place(self, slot: str, down: bool) -> None:
        bank, pin = self.plan["slots"][slot]
        self._banks[bank].set_pin(pin, not down, for_s=TAP_S)

    def _burns(self, slot: str) -> bool:
        return any(self.burning(self.plan["leds"][slot]))


if __name__ == "__main__":
    attend(DiceHands)
