"""What a visitor's hands can do at any table: the button of the seat, and being refused the impossible.

The referee judges what follows. Here only what no hand can do is refused: taking what is not there, or
putting two things onto one place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.durations import MS
from firmware_host.errors import TableError
from firmware_host.players.fingers import Actions
from firmware_host.players.page_reading import Wish
from firmware_host.players.person import Person
from firmware_host.players.world import PlayersWorld

TAP_NS = 80 * MS
CALL_NS = 150 * MS
LONG_PRESS_NS = 1300 * MS

Asked = Mapping[str, Any]
"""What a visitor wants done: `{"do": "put", "die": 3, "on": "red 2"}`."""
Seen = dict[str, Any]


class NotPossible(TableError):
    """No hand can do that: why. `code` is for programs, where they do something about it."""

    def __init__(self, why: str, code: str = "") -> None:
        super().__init__(why)
        self.code = code


class Hand(ABC):
    """The hands of a visitor at one seat; `person` has stepped aside."""

    def __init__(self, person: Person, world: PlayersWorld, call_button: bool = False) -> None:
        self._person = person
        self._world = world
        self._call_button = call_button
        self._pressed = False
        self._deeds: dict[str, Callable[[Asked], None]] = {
            "press": self._press,
            "release": self._release,
            "slap": self._slap,
            "stop": self._stop,
        }

    @property
    def seat(self) -> int:
        return self._person.seat

    @property
    def words(self) -> list[str]:
        """All that can be done."""
        return sorted(self._deeds)

    def do(self, asked: Asked) -> None:
        """Do it now; NotPossible says why not."""
        word = asked.get("do")
        deed = self._deeds.get(word) if isinstance(word, str) else None
        if deed is None:
            raise NotPossible(f"hands can't do that; they can: {', '.join(self.words)}")
        deed(asked)

    @abstractmethod
    def seen(self) -> Seen:
        """What the visitor has, and nobody else sees."""

    @property
    def at_rest(self) -> bool:
        """Whether nothing is under way that hands have to see through."""
        return True

    def look(self, wish: Wish) -> None:
        """Do by oneself what the table asks all hands for."""

    def leave(self) -> None:
        """Take the hands off the table."""
        self._release({})

    # -- the button

    def _press(self, asked: Asked) -> None:
        self._pressed = True
        self._world.press(self.seat)

    def _release(self, asked: Asked) -> None:
        if self._pressed:
            self._pressed = False
            self._world.release(self.seat)

    def _slap(self, asked: Asked) -> None:
        self._press(asked)
        self._world.after(TAP_NS, lambda: self._release({}))

    def _stop(self, asked: Asked) -> None:
        """Call stop: at the call button, or with a long press where there is none."""
        if self._call_button:
            self._world.press_call(self.seat)
            self._world.after(CALL_NS, lambda: self._world.release_call(self.seat))
        else:
            self._press(asked)
            self._world.after(LONG_PRESS_NS, lambda: self._release({}))

    # -- for what takes a while

    def _live(self, actions: Actions) -> None:
        """Do one action after the other."""
        delay_ns = next(actions, None)
        if delay_ns is not None:
            self._world.after(delay_ns, lambda: self._live(actions))


def text_of(asked: Asked, name: str) -> str:
    """A field that is a text; NotPossible if it is none."""
    value = asked.get(name)
    if not isinstance(value, str):
        raise NotPossible(f"'{name}' is missing, or is not a text")
    return value


def number_of(asked: Asked, name: str) -> int:
    """A field that is a whole number; NotPossible if it is none."""
    value = asked.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotPossible(f"'{name}' is missing, or is not a whole number")
    return value
