"""The world around a real table, as a process of its own: hands, tags, and what stands on the desk.

It moves lines and bytes on serial lines, and knows the table only by what can be seen of it:
the sign and the lamps. What should come of the match it works out by itself, from the rules,
and writes down at the end. What hands do in a round each game says for itself.
"""

from __future__ import annotations

import json
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

from smbus2 import SMBus

from hw.ports import Health
from hw.sim.cable import PtyPeer
from hw.sim.pn532 import Pn532Model, SimTag
from hw.sim.pole_displays import Cd5220Model
from hw.work import OwnerThread
from tests.kernel.guest.i2c_stub import SimPulls

PATIENCE_S = 30.0
START_S = 90.0
"""As long as a program may take to start in an emulated machine that has other things to do."""
SETTLED_S = 0.35
TAP_S = 0.06
LATER_S = 0.02
RAM = 16

Led = tuple[int, int]
"""The address of an LED chip, and the number of one of its LEDs."""


class Hands(ABC):
    """Plays the plan that the test has made. `plan` holds only numbers, names and paths."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.seats: int = plan["seats"]
        self.pulls = SimPulls({int(line): Path(path) for line, path in plan["pulls"].items()})
        self.sign = Cd5220Model()
        self._bus = SMBus(plan["bus"])
        self._moves = 0
        self._readers = {name: Pn532Model(time.monotonic_ns) for name in plan["readers"]}
        self.ends = {"sign": PtyPeer(self.sign, Path(plan["sign"]), "sign")}
        for name, model in self._readers.items():
            self.ends[name] = PtyPeer(model, Path(plan["readers"][name]), name)
        self._owners = [OwnerThread(end, _complain) for end in self.ends.values()]

    # -- what each game says

    deal_words: ClassVar[str]
    """What the sign says when everybody has to deal."""

    @abstractmethod
    def round(self, plan: Any) -> list[int]:
        """What hands do in one round; the points that it should bring."""

    @abstractmethod
    def deal(self, plan: Any, last: bool) -> None:
        """What hands do after that round, until they are ready for the next if it was not the last."""

    # -- what is the same for all

    def play(self) -> dict[str, Any]:
        """The match; what should come of it."""
        Path(self.plan["ready"]).touch()
        totals = [0] * self.seats
        self.read_sign("Press to play")
        self.tap_all()
        self.read_sign(self.deal_words)
        self.ready()
        rounds = self.plan["rounds"]
        for number, plan in enumerate(rounds, start=1):
            self.read_sign("Start Ligretto")
            totals = [total + points for total, points in zip(totals, self.round(plan), strict=True)]
            self.deal(plan, last=number == len(rounds))
        self.wait("the winner", lambda: self.sign.lines[0].startswith("Winner"))
        return {"totals": totals, "shown": self.sign.lines}

    def leave(self) -> None:
        """When the table is switched off: what the sign shows then."""
        self.wait("the table to go dark", lambda: not any(self.sign.lines))
        for owner in self._owners:
            owner.close()

    def press(self, *seats: int) -> None:
        """Slaps, each a little later than the one before."""
        lines = [self.plan["buttons"][seat - 1] for seat in seats]
        for line in lines:
            self.pulls.drive(line, False)
            time.sleep(LATER_S)
        time.sleep(TAP_S)
        for line in lines:
            self.pulls.drive(line, True)

    def tap_all(self) -> None:
        """Everybody presses."""
        self.press(*range(1, self.seats + 1))

    def ready(self) -> None:
        """All have dealt; the question whether they are ready has stood for a while."""
        time.sleep(SETTLED_S)
        self.tap_all()

    def put(self, reader: str, uid: str) -> None:
        """Bring a tag before a reader."""
        self._readers[reader].put(SimTag(bytes.fromhex(uid)))

    def take(self, reader: str, uid: str) -> None:
        """Take it away again."""
        self._readers[reader].take(bytes.fromhex(uid))

    def moved(self) -> None:
        """A move is over; after some of them the table is to be switched off and on again."""
        self._moves += 1
        outage = Path(self.plan.get("outage", ""))
        if self._moves in self.plan.get("outages", ()):
            outage.touch()
            self.wait("the table to be back", lambda: not outage.exists(), START_S)

    def burning(self, leds: Iterable[Led]) -> list[bool]:
        """Which of these LEDs burn, by the memory of their chips."""
        asked = list(leds)
        chips = {address for address, _ in asked}
        ram = {address: self._bus.read_i2c_block_data(address, 0, RAM) for address in chips}
        return [bool(ram[address][led // 8] >> led % 8 & 1) for address, led in asked]

    def read_sign(self, words: str) -> None:
        """Wait until the sign says this."""
        self.wait(f"'{words}' on the sign", lambda: self.sign.lines[0] == words)

    def wait(self, what: str, happens: Callable[[], bool], within_s: float = PATIENCE_S) -> None:
        """Look again and again until it happens."""
        deadline = time.monotonic() + within_s
        while not happens():
            if time.monotonic() > deadline:
                raise TimeoutError(f"waiting for {what}; the sign says {self.sign.lines}")
            time.sleep(0.01)


def attend(kind: type[Hands]) -> None:
    """Play the plan in the file that comes first on the command line; the result goes into the second."""
    plan_file, result_file = sys.argv[1:]
    hands = kind(json.loads(Path(plan_file).read_text()))
    result = hands.play()
    partial = Path(result_file).with_suffix(".part")
    partial.write_text(json.dumps(result))
    partial.rename(result_file)
    hands.leave()


def _complain(health: Health) -> None:
    sys.stderr.write(f"{health}\n")
