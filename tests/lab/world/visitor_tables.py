"""A simulated table in virtual time at which somebody sits down, for tests of hands and of their desk."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.games.phase_states import Clear
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.skill import SKILLS
from firmware_host.lab.party import Invitation, even_deal, hold_party
from firmware_host.lab.world.visitor_hands import Hand, NotPossible
from firmware_host.lab.world.visitors import VisitorSocket, hands_at
from firmware_host.model.effects import Effect
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile

LONGEST_NS = 600 * S


class VisitorTable:
    """A party with hands for visitors."""

    def __init__(
        self, profile: str = "dice4", players: int = 4, seed: int = 1, skill: str = "beginner"
    ) -> None:
        wiring = load_profile(profile)
        asked = Invitation(profile=wiring, deal=even_deal(wiring, players), skills=[SKILLS["beginner"]])
        self.effects: list[Effect] = []
        self.party = hold_party(asked, seed, onlookers=[self._see])
        self.world, self.crowd = self.party.world, self.party.crowd
        self.things: Any = self.party.things
        self.reader = PageReader("en", lambda text: self.party.table.spell(text, language="en"))
        self.hand_of = hands_at(wiring, self.things, self.world, Random(seed))

    def _see(self, step: Step) -> None:
        self.effects += step.effects

    @property
    def phase(self) -> Phase:
        return self.party.table.shell.referee.session.phase

    def pass_time(self, length_ns: int = 100 * MS) -> None:
        self.party.table.loop.run(self.world.now_ns + length_ns)

    def until(self, so: Callable[[], object], each: Callable[[], object] = lambda: None) -> None:
        """Let time pass until it is so."""
        end_ns = self.world.now_ns + LONGEST_NS
        while not so():
            assert self.world.now_ns < end_ns, self.world.lines
            each()
            self.pass_time()

    def visitor(self, seat: int) -> Hand:
        """Somebody has sat down there."""
        self.crowd.make_room(seat)
        self.until(lambda: self.crowd.at(seat).aside)
        return self.hand_of(self.crowd.at(seat))

    def act(self, hand: Hand, **asked: Any) -> None:
        """Have hands do something now, as the world's process does; NotPossible if they can't."""
        refused: list[NotPossible] = []

        def do() -> None:
            try:
                hand.do(asked)
            except NotPossible as error:
                refused.append(error)

        self.world.after(1 * MS, do)
        self.pass_time(2 * MS)
        if refused:
            raise refused[0]

    def until_play(self, *hands: Hand) -> None:
        """Be ready as soon as the dice or cards are there."""

        def be_ready() -> None:
            room = self.party.table.shell.referee.session.state
            for hand in hands:
                if isinstance(room, Clear) and self.things.dealt and hand.seat not in room.agreed:
                    self.act(hand, do="slap")

        self.until(lambda: self.phase is Phase.PLAY, be_ready)

    def close(self) -> None:
        self.party.close()


class DeskTable(VisitorTable):
    """The same with the socket."""

    def __init__(self, path: Path, grace_s: float = 0.0, idle_s: float = 3600.0) -> None:
        super().__init__()
        self.path = path
        self.come_ups = 0
        self.desk = VisitorSocket(
            self.crowd,
            self.hand_of,
            self.world,
            self.reader,
            self._come_up,
            path,
            grace_s=grace_s,
            idle_s=idle_s,
        )
        self._callers: list[Caller] = []

    def _come_up(self) -> None:
        self.come_ups += 1

    def call(self) -> Caller:
        """Somebody connects."""
        self._callers.append(Caller(self))
        return self._callers[-1]

    def close(self) -> None:
        for each in self._callers:
            each.hang_up()
        self.desk.close()
        super().close()


class Caller:
    """Somebody at the other end of the socket."""

    def __init__(self, table: DeskTable) -> None:
        self._table = table
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(table.path))
        self._socket.setblocking(False)
        self._rest = b""
        self.heard: list[dict[str, Any]] = []

    def say(self, **line: Any) -> None:
        self.send(json.dumps(line).encode() + b"\n")

    def send(self, received: bytes) -> None:
        self._socket.sendall(received)

    def listen(self) -> None:
        """Let a moment pass, and take what the desk says."""
        self._table.desk.look()
        self._table.pass_time()
        self._table.desk.look()
        try:
            received = self._socket.recv(1 << 16)
        except (BlockingIOError, ConnectionResetError):
            return
        *lines, self._rest = (self._rest + received).split(b"\n")
        self.heard += map(json.loads, lines)

    def until(self, so: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """What it hears that is so."""
        for _ in range(3000):
            found = next((each for each in self.heard if so(each)), None)
            if found is not None:
                return found
            self.listen()
        raise AssertionError(self.heard)

    def hang_up(self) -> None:
        self._socket.close()
