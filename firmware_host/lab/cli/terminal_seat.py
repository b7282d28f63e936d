"""A seat of one's own in the terminal: keys for what hands do, and one line with what one has."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from firmware_host.cli.table_view import SeenTable
from firmware_host.cli.terminal import Keyboard

SIT_DOWN = "keys: 1 to 9 sit down at that seat"
READ_AT_ONCE = 65536
_MOST_SEATS = 9
_STACKS = 5


class TerminalSeat:
    """Takes keys while it is open, and moves hands at the socket of a simulated table."""

    def __init__(self, hands: Path) -> None:
        self._hands = hands
        self._keys = Keyboard()
        self._connection: socket.socket | None = None
        self._rest = b""
        self._hand: dict[str, Any] | None = None
        self._trouble = ""

    def __enter__(self) -> TerminalSeat:
        self._keys.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._get_up("")
        self._keys.__exit__(kind, error, trace)

    def look(self, seen: SeenTable | None) -> None:
        """Do what keys ask for, and take what the table says."""
        for key in self._keys.read():
            asked = None if self._hand is None else wanted(key, self._hand, seen)
            if self._connection is None:
                self._sit(key)
            elif key == "g":
                self._say({"do": "leave"})
            elif asked is not None:
                self._trouble = ""
                self._say(asked)
        self._listen()

    @property
    def line(self) -> str:
        """What one has, and the keys for it; empty while one only watches."""
        if self._connection is None:
            return self._trouble
        said = f"{self._trouble}   " if self._trouble else ""
        return said + (own_line(self._hand) if self._hand else "a moment ...")

    @property
    def has_keys(self) -> bool:
        """Whether there is a keyboard."""
        return bool(self._keys.descriptors)

    # -- the socket

    def _sit(self, key: str) -> None:
        if not key.isdigit() or not 1 <= int(key) <= _MOST_SEATS:
            return
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            connection.connect(str(self._hands))
        except OSError:
            connection.close()
            self._trouble = "nobody can sit down now"
            return
        connection.setblocking(False)
        self._connection, self._rest, self._trouble = connection, b"", ""
        self._say({"do": "sit", "seat": int(key)})

    def _say(self, asked: dict[str, Any]) -> None:
        assert self._connection is not None
        with suppress(OSError):
            self._connection.sendall(json.dumps(asked).encode() + b"\n")

    def _listen(self) -> None:
        if self._connection is None:
            return
        try:
            received = self._connection.recv(READ_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            self._get_up("your seat is lost")
            return
        *lines, self._rest = (self._rest + received).split(b"\n")
        for line in lines:
            self._hear(json.loads(line))

    def _hear(self, told: dict[str, Any]) -> None:
        if told["is"] == "hand":
            self._hand = told if told["yours"] else None
        elif told["is"] == "left":
            self._get_up(told["why"])
        elif told["is"] == "refused":
            self._trouble = told["why"]
            if "code" in told:
                self._get_up(told["why"])

    def _get_up(self, why: str) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = self._hand = None
        self._trouble = why


# -- keys


def wanted(key: str, hand: dict[str, Any], seen: SeenTable | None) -> dict[str, Any] | None:
    """What a key asks hands to do; None if it means nothing."""
    if key == " ":
        return {"do": "slap"}
    return _wanted_with_dice(key, hand) if hand["game"] == "dice" else _wanted_with_cards(key, hand, seen)


def _wanted_with_dice(key: str, hand: dict[str, Any]) -> dict[str, Any] | None:
    if key == "t":
        return {"do": "throw"}
    if key == "b" and hand["own"]:
        return {"do": "back", "from": hand["own"][-1]}
    if key.isdigit() and 1 <= int(key) <= len(hand["dice"]):
        die = hand["dice"][int(key) - 1]
        return {"do": "put", "die": die["die"], "on": f"{die['colour']} {die['face']}"}
    return None


def _wanted_with_cards(key: str, hand: dict[str, Any], seen: SeenTable | None) -> dict[str, Any] | None:
    fixed: dict[str, dict[str, Any]] = {
        "h": {"do": "turn"},
        "l": {"do": "take", "from": "ligretto"},
        "d": {"do": "take", "from": "discard"},
        "b": {"do": "back"},
        "s": {"do": "stop"},
    }
    if key in fixed:
        return fixed[key]
    gaps = [number for number, stack in enumerate(hand["row"], start=1) if not stack]
    if key == "f" and gaps:
        return {"do": "fill", "stack": gaps[0]}
    if key == "p" and seen is not None and "held" in hand:
        return {"do": "lay", "on": _pile_for(hand["held"], seen)}
    if key.isdigit() and 1 <= int(key) <= min(_STACKS, len(hand["row"])):
        return {"do": "take", "from": f"row{key}"}
    return None


def _pile_for(card: dict[str, Any], seen: SeenTable) -> int:
    piles = seen.state.get("piles", {})
    for place in range(1, seen.table["piles"] + 1):
        pile = piles.get(str(place))
        below = pile is not None and (pile["colour"], pile["height"]) == (card["colour"], card["number"] - 1)
        if below or (card["number"] == 1 and pile is None):
            return place
    return 1


def own_line(hand: dict[str, Any]) -> str:
    """What a visitor has, in one line, and the keys for it."""
    if hand["game"] == "dice":
        dice = " ".join(
            f"{number}:{die['colour']} {die['face']}" for number, die in enumerate(hand["dice"], start=1)
        )
        cup = f"{hand['cup']} in the cup" if hand["cup"] else dice or "no dice"
        return f"seat {hand['seat']}  {cup}   T throw, number: put, space: slap, B back, G up"
    row = " ".join(
        f"{number}:{_card(stack[-1]) if stack else '-'}" for number, stack in enumerate(hand["row"], start=1)
    )
    piles = "  ".join(
        f"{name[0].upper()}:{_card(hand[name]['top'])}" for name in ("ligretto", "discard") if name in hand
    )
    held = f"  at your pad: {_card(hand['held'])}" if "held" in hand else ""
    return f"seat {hand['seat']}  {row}  {piles}{held}   H turn, F fill, space: slap, S stop, B back, G up"


def _card(card: dict[str, Any] | None) -> str:
    return "-" if card is None else f"{card['colour'][0]}{card['number']}"
