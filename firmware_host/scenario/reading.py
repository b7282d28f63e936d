"""Reads a scenario file; every fault is told with its line.

    # A slap that is delivered late still wins.        (first comment: the title)
    deal 6,6,6,6                                        (header: one setting a line)
    set claim-late 2s

    1.000000 fill red 1                                 (stamp, then what happened)
    1.100200 press 2
    1.100000 press 1 @1.103                             (happened before, seen after)
    until 2
    expect verdict 1 accepted red 1

Times are seconds since the start call (with `begin attract`: since power-on). The order
of the lines is the order of arrival; `@` gives the moment of arrival where it is later
than the line before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_host.durations import MS, parse_seconds
from firmware_host.engine.deal import deal_faults
from firmware_host.engine.dice import parse_position
from firmware_host.errors import BadSettings, MalformedText
from firmware_host.event_text import COMMAND_WORDS, parse_deal, parse_happening, parse_seat, parse_slot
from firmware_host.places import Button, Source
from firmware_host.scenario.expectations import parse_expectation
from firmware_host.scenario.statements import Expect, Input, Order, Scenario, Statement, Until
from firmware_host.settings import changed
from firmware_host.stamps import exactly

TAP_NS = 60 * MS
"""How long the finger stays on the button in `slap`."""


def parse_scenario(text: str, name: str) -> Scenario:
    """The scenario in a text; BadSettings names every line that is wrong."""
    reader = _Reader(name)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.line(number, line)
    return reader.scenario()


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._faults: list[str] = []
        self._values: dict[str, Any] = {}
        self._settings: dict[str, str] = {}
        self._statements: list[Statement] = []
        self._arrival_ns = 0

    def line(self, number: int, line: str) -> None:
        """Read one line; remember what is wrong with it."""
        text, hash_, comment = line.partition("#")
        if hash_ and not text.strip() and not self._statements:
            self._values.setdefault("title", comment.strip())
        words = text.split()
        if not words:
            return
        try:
            self._words(number, words)
        except (MalformedText, BadSettings) as error:
            self._faults += [f"{self._name}:{number}: {fault}" for fault in str(error).splitlines()]

    def scenario(self) -> Scenario:
        """All that was read, or every fault in it."""
        if "position" in self._values and "deal" not in self._values:
            self._values["deal"] = parse_position(self._values["position"]).dealt
        if not any(isinstance(statement, Expect) for statement in self._statements) and not self._faults:
            self._faults.append(f"{self._name}: nothing is expected; add a line such as 'expect phase PLAY'")
        if self._faults:
            raise BadSettings(self._faults)
        return Scenario(name=self._name, statements=tuple(self._statements), **self._values)

    def _words(self, number: int, words: list[str]) -> None:
        word, rest = words[0], words[1:]
        if word in _HEADERS:
            if self._statements:
                raise MalformedText(f"'{word}' must stand before the first input and expectation")
            key, value = _HEADERS[word](rest)
            if key in self._values and key != "settings":
                raise MalformedText(f"'{word}' is given twice")
            self._header(key, value)
        elif word == "expect":
            subject, argument, wanted = parse_expectation(rest)
            self._statements.append(Expect(number, subject, argument, wanted))
        elif word == "until":
            self._arrival_ns = self._time(_one(rest))
            self._statements.append(Until(number, self._arrival_ns))
        elif word[0].isdecimal():
            self._happening(number, parse_seconds(word), rest)
        else:
            known = ", ".join([*sorted(_HEADERS), "until", "expect"])
            raise MalformedText(f"'{word}' is unknown; a line begins with a time in seconds or with: {known}")

    def _header(self, key: str, value: Any) -> None:
        if key == "settings":
            self._settings.update(value)
            value = changed(Scenario(name="").settings, self._settings)
        self._values[key] = value

    def _time(self, text: str) -> int:
        t_ns = parse_seconds(text)
        if t_ns < self._arrival_ns:
            raise MalformedText(f"{text} is in the past: something has arrived later than that already")
        return t_ns

    def _happening(self, number: int, t_ns: int, words: list[str]) -> None:
        if not words:
            raise MalformedText("what happens? write for instance 'press 3', 'slap 3' or 'fill red 3'")
        if words[-1].startswith("@"):
            arrival_ns = self._time(words.pop()[1:])
            if arrival_ns < t_ns:
                raise MalformedText("an edge can't arrive before it happens")
        else:
            arrival_ns = max(t_ns, self._arrival_ns)
        word, rest = (words[0], words[1:]) if words else ("", [])
        if word in COMMAND_WORDS:
            command = parse_happening(word, rest, exactly(t_ns))
            self._statements.append(Order(number, arrival_ns, command))  # type: ignore[arg-type]  # by its word
        elif word in _CONTACTS:
            source = _CONTACTS[word](rest)
            active = word in ("press", "slap", "fill")
            self._statements.append(Input(number, t_ns, arrival_ns, source, active))
            if word == "slap":
                up = Input(number, t_ns + TAP_NS, arrival_ns + TAP_NS, source, False, background=True)
                self._statements.append(up)
        else:
            known = ", ".join([*_CONTACTS, *sorted(COMMAND_WORDS)])
            raise MalformedText(f"'{word}' is no input; known: {known}")
        self._arrival_ns = arrival_ns


def _one(words: list[str]) -> str:
    if len(words) != 1:
        raise MalformedText(f"one word is needed here, not '{' '.join(words)}'")
    return words[0]


def _number(words: list[str]) -> int:
    if not _one(words).isdecimal():
        raise MalformedText(f"'{words[0]}' is no number")
    return int(words[0])


def _deal(words: list[str]) -> tuple[str, Any]:
    deal = parse_deal(words)
    faults = deal_faults(deal)
    if faults:
        raise BadSettings(faults)
    return "deal", deal


def _begin(words: list[str]) -> tuple[str, Any]:
    if _one(words) not in ("play", "attract"):
        raise MalformedText(f"'{words[0]}' is no beginning; allowed: play, attract")
    return "playing", words[0] == "play"


def _game(words: list[str]) -> tuple[str, Any]:
    if _one(words) != "dice":
        raise MalformedText(f"'{words[0]}' is no game of this table; allowed: dice")
    return "profile", "dice4"


def _set(words: list[str]) -> tuple[str, Any]:
    if len(words) != 2:
        raise MalformedText("write 'set' with a setting and its value, as in 'set claim-late 2s'")
    return "settings", {words[0]: words[1]}


_HEADERS: dict[str, Callable[[list[str]], tuple[str, Any]]] = {
    "game": _game,
    "deal": _deal,
    "rounds": lambda words: ("rounds", _number(words)),
    "seed": lambda words: ("seed", _number(words)),
    "language": lambda words: ("settings", {"language": _one(words)}),
    "set": _set,
    "begin": _begin,
    "from": lambda words: ("position", str(parse_position(" ".join(words)))),
}

_CONTACTS: dict[str, Callable[[list[str]], Source]] = {
    "press": lambda words: Button(parse_seat(words)),
    "release": lambda words: Button(parse_seat(words)),
    "slap": lambda words: Button(parse_seat(words)),
    "fill": parse_slot,
    "empty": parse_slot,
}
