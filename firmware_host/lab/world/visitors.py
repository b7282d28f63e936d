"""The socket at which visitors take seats of a simulated table, and use their hands.

One connection is one visitor. Its first line is `{"do":"sit","seat":2}`; then it does what hands can do, such
as `{"do":"throw","id":1}`. Each line with an `id` is answered with `done` or `refused`; and what the visitor
has is sent as `hand` whenever it changes. Whoever hangs up can have the seat back for a few seconds with the
`ticket` of the last `hand`; after that the simulated person of the seat plays on.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.lab.bots.belongings import Decks, Dice
from firmware_host.lab.bots.card_person import CardPerson
from firmware_host.lab.bots.dice_person import DicePerson
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.bots.person import Crowd, Person, PlayersWorld
from firmware_host.lab.world.visitor_hands import CardHand, DiceHand, Hand, NotPossible
from firmware_host.model.places import Call
from firmware_host.model.times import MS
from firmware_host.profile.profile import Profile
from firmware_host.run.line_server import LineServer, Peer

OWN_USER = 0o600
GRACE_S = 8.0
"""So long a seat is kept for a visitor that was cut off."""
IDLE_S = 300.0
"""So long a visitor may do nothing."""
WATCH_NS = 50 * MS
"""So often it is looked whether anything has changed, while there are visitors."""


@dataclass(slots=True)
class Visitor:
    """Somebody outside who has a seat, or is about to get it."""

    seat: int
    peer: Peer
    hand: Hand | None = None
    ticket: str = field(default_factory=lambda: secrets.token_hex(12))
    gone_s: float | None = None
    """Since when the connection is cut."""
    active_s: float = field(default_factory=time.monotonic)
    gets_up: bool = False
    told: str = ""


class VisitorSocket:
    """Lets visitors sit down at a table of simulated people, and moves its things for them."""

    def __init__(
        self,
        crowd: Crowd,
        hand_of: Callable[[Person], Hand],
        world: PlayersWorld,
        reader: PageReader,
        come_up: Callable[[], None],
        path: Path,
        grace_s: float = GRACE_S,
        idle_s: float = IDLE_S,
    ) -> None:
        """`come_up` lets the world come up to the present. Raises SocketUnusable."""
        self._crowd = crowd
        self._hand_of = hand_of
        self._world = world
        self._reader = reader
        self._come_up = come_up
        self._grace_s = grace_s
        self._idle_s = idle_s
        self._visitors: dict[int, Visitor] = {}
        self._watching = False
        self._server = LineServer(path, OWN_USER, self._take)

    @property
    def descriptors(self) -> list[int]:
        """Readable while a visitor wants something."""
        return [self._server.fileno()]

    def close(self) -> None:
        """Hang up on all visitors."""
        self._server.close()

    def look(self) -> None:
        """Do what visitors want, and tell them what has changed; called at least once a second."""
        self._server.look()
        wish = self._reader.read(self._world.lines).wish
        for visitor in list(self._visitors.values()):
            person = self._crowd.at(visitor.seat)
            if visitor.hand is None and person.aside:
                visitor.hand = self._hand_of(person)
            if visitor.hand is not None:
                visitor.hand.look(wish)
            self._see_off(visitor)
            self._tell(visitor)
        if self._visitors and not self._watching:
            self._watching = True
            self._world.after(WATCH_NS, self._watch)

    def _watch(self) -> None:
        self._watching = False  # the world stops here, and so its sockets are looked at again

    # -- who comes and goes

    def _see_off(self, visitor: Visitor) -> None:
        """The simulated person plays on for a visitor that has gone."""
        now_s = time.monotonic()
        if visitor.peer.gone or visitor.peer.leaving:
            visitor.gone_s = visitor.gone_s or now_s
        idle = now_s - visitor.active_s > self._idle_s
        cut_off = visitor.gone_s is not None and now_s - visitor.gone_s > self._grace_s
        if not (idle or cut_off or visitor.gets_up):
            return
        if visitor.hand is not None:
            visitor.hand.leave()
            if not visitor.hand.at_rest:
                return
        del self._visitors[visitor.seat]
        self._crowd.sit_again(visitor.seat)
        code, why = ("up", "you got up") if visitor.gets_up else ("idle", "you did nothing for a long time")
        visitor.peer.leave(_line("left", seat=visitor.seat, code=code, why=why))

    def _sit(self, peer: Peer, asked: dict[str, Any]) -> None:
        seat, ticket = asked.get("seat"), asked.get("ticket")
        playing = [person.seat for person in self._crowd.people]
        if not isinstance(seat, int) or seat not in playing:
            raise NotPossible(f"'seat' is one of {', '.join(map(str, playing))}", "nobody")
        visitor = self._visitors.get(seat)
        if visitor is not None:
            if not isinstance(ticket, str) or not secrets.compare_digest(
                ticket.encode(), visitor.ticket.encode()
            ):
                free = [str(each) for each in playing if each not in self._visitors]
                others = f"free: seat {', '.join(free)}" if free else "no other seat is free"
                raise NotPossible(f"somebody sits at seat {seat}; {others}", "taken")
            visitor.peer.leave(
                _line("left", seat=seat, code="elsewhere", why="you sit here in another window now")
            )
            visitor.peer, visitor.gone_s, visitor.told = peer, None, ""
            visitor.active_s = time.monotonic()
        else:
            self._visitors[seat] = Visitor(seat, peer)
            self._crowd.make_room(seat)

    # -- what they say

    def _take(self, peer: Peer, line: bytes) -> None:
        self._come_up()
        number: Any = None
        try:
            asked = json.loads(line)
            if not isinstance(asked, dict):
                raise NotPossible('a line looks like {"do":"sit","seat":2}')
            number = asked.get("id")
            self._do(peer, asked)
        except (ValueError, RecursionError):
            self._answer(peer, number, why="this is not JSON")
        except NotPossible as error:
            self._answer(peer, number, error.code, str(error))
        else:
            if number is not None:
                self._answer(peer, number)

    def _do(self, peer: Peer, asked: dict[str, Any]) -> None:
        visitor = next((each for each in self._visitors.values() if each.peer is peer), None)
        if visitor is None:
            if asked.get("do") != "sit":
                raise NotPossible('sit down first: {"do":"sit","seat":2}')
            self._sit(peer, asked)
            return
        visitor.active_s = time.monotonic()
        if asked.get("do") == "leave":
            visitor.gets_up = True
        elif visitor.hand is None:
            raise NotPossible("the one who sits here puts the dice or cards down first; a moment")
        else:
            visitor.hand.do(asked)

    def _answer(self, peer: Peer, number: Any, code: str = "", why: str = "") -> None:
        fields: dict[str, Any] = {"id": number} if isinstance(number, int | str) else {}
        if code:
            fields["code"] = code
        if why:
            peer.send(_line("refused", why=why, **fields))
        else:
            peer.send(_line("done", t_ns=self._world.now_ns, **fields))

    def _tell(self, visitor: Visitor) -> None:
        """Tell a visitor what it has, if that has changed."""
        if visitor.peer.gone or visitor.peer.leaving:
            return
        seen: dict[str, Any] = {
            "seat": visitor.seat,
            "ticket": visitor.ticket,
            "yours": visitor.hand is not None,
        }
        if visitor.hand is not None:
            seen |= visitor.hand.seen()
        text = json.dumps(seen, sort_keys=True)
        if text != visitor.told:
            visitor.told = text
            visitor.peer.send(_line("hand", **seen))


def _line(kind: str, **fields: Any) -> bytes:
    text = json.dumps({"is": kind, **fields}, separators=(",", ":"), ensure_ascii=False)
    return text.encode(errors="backslashreplace") + b"\n"  # half a character may have been sent


def hands_at(
    profile: Profile, things: Dice | Decks, world: PlayersWorld, chance: Random
) -> Callable[[Person], Hand]:
    """Makes the hands of a visitor in place of a person at this table."""
    call_button = any(isinstance(source, Call) for source in profile.lines.values())

    def hand_of(person: Person) -> Hand:
        if isinstance(things, Dice):
            assert isinstance(person, DicePerson)
            return DiceHand(person, things, world)
        assert isinstance(person, CardPerson)
        return CardHand(person, things, world, chance, pads=bool(profile.pads), call_button=call_button)

    return hand_of
