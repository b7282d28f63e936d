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
from difflib import get_close_matches
from typing import Any

from firmware_host.durations import MS, S, parse_duration, parse_seconds
from firmware_host.engine.deal import deal_faults
from firmware_host.engine.dice import parse_position
from firmware_host.errors import BadSettings, MalformedText
from firmware_host.event_text import COMMAND_WORDS, parse_deal, parse_happening, parse_seat, parse_slot
from firmware_host.numerals import whole_number
from firmware_host.places import Button, Source
from firmware_host.scenario.expectations import check_seat, parse_expectation
from firmware_host.scenario.statements import SEATS, Expect, Input, Order, Scenario, Statement, Until
from firmware_host.settings import Settings, changed, setting_fault
from firmware_host.stamps import exactly

TAP_NS = 60 * MS
"""How long the finger stays on the button in `slap`."""
LONGEST_NS = 24 * 3600 * S


def parse_scenario(text: str, name: str) -> Scenario:
    """The scenario in a text; BadSettings names every line that is wrong."""
    reader = _Reader(name)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.line(number, line)
    return reader.scenario()


class _Reader:
    """Reads on after a fault, so that all of them are told at once."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._faults: list[str] = []
        self._values: dict[str, Any] = {}
        self._settings: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._statements: list[Statement] = []
        self._arrival_ns = 0
        self._up_ns: dict[Source, int] = {}

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
            self._fault(number, str(error))

    def scenario(self) -> Scenario:
        """All that was read, or every fault in it."""
        self._check_settings()
        self._check_position()
        if not any(isinstance(statement, Expect) for statement in self._statements) and not self._faults:
            self._faults.append(f"{self._name}: nothing is expected; add a line such as 'expect phase PLAY'")
        if self._faults:
            raise BadSettings(self._faults)
        return Scenario(name=self._name, statements=tuple(self._statements), **self._values)

    def _fault(self, number: int, text: str) -> None:
        self._faults += [f"{self._name}:{number}: {fault}" for fault in text.splitlines()]

    def _words(self, number: int, words: list[str]) -> None:
        word, rest = words[0], words[1:]
        if word in _HEADERS:
            self._header(number, word, rest)
        elif word == "expect":
            subject, argument, wanted = parse_expectation(rest)
            self._statements.append(Expect(number, subject, argument, wanted))
        elif word == "until":
            self._arrival_ns = self._time(_one(rest))
            self._statements.append(Until(number, self._arrival_ns))
        elif word[0] in "0123456789":
            self._happening(number, _moment(word), rest)
        else:
            known = [*sorted(_HEADERS), "until", "expect"]
            raise MalformedText(f"'{word[:60]}' begins no line, and is no time; {_near(word, known)}")

    def _header(self, number: int, word: str, rest: list[str]) -> None:
        if self._statements:
            raise MalformedText(f"'{word}' must stand before the first input and expectation")
        key, value = _HEADERS[word](rest)
        name = value[0] if key == "setting" else key
        if name in self._lines:
            raise MalformedText(f"'{name}' is given twice, here and in line {self._lines[name]}")
        self._lines[name] = number
        if key == "setting":
            self._settings[name] = value[1]
        else:
            self._values[key] = value

    def _check_settings(self) -> None:
        """What contradicts what is known when all are read."""
        try:
            self._values["settings"] = changed(Settings(), self._settings)
        except BadSettings as error:
            self._fault(max(self._lines[name] for name in self._settings), str(error))

    def _check_position(self) -> None:
        """A position to begin with must be one that a round can go on from, and fit the deal."""
        if "position" not in self._values:
            return
        position = parse_position(self._values["position"])
        deal = self._values.setdefault("deal", position.dealt)
        number = self._lines["position"]
        if position.finisher is not None:
            self._fault(number, "the round is over in this position; each seat needs a die left")
        elif position.unclaimed:
            self._fault(number, f"nobody has claimed {position.unclaimed} of the dice on the board")
        elif _padded(deal) != _padded(position.dealt):
            self._fault(number, f"the position deals {_text(position.dealt)}, the deal says {_text(deal)}")

    def _time(self, text: str) -> int:
        t_ns = _moment(text)
        if t_ns < self._arrival_ns:
            raise MalformedText(f"{text} is in the past: something has arrived later than that already")
        return t_ns

    def _happening(self, number: int, t_ns: int, words: list[str]) -> None:
        arrival_ns = max(t_ns, self._arrival_ns)
        if words and words[-1].startswith("@"):
            arrival_ns = self._time(words.pop()[1:])
            if arrival_ns < t_ns:
                raise MalformedText("an edge can't arrive before it happens")
        if not words:
            raise MalformedText("what happens? write for instance 'press 3', 'slap 3' or 'fill red 3'")
        word, rest = words[0], words[1:]
        wide_ns = 0
        if word in _CONTACTS and word != "slap" and len(rest) > 1 and rest[-2] == "wide":
            wide_ns = parse_duration(rest[-1])
            rest = rest[:-2]
        if word in COMMAND_WORDS:
            command = parse_happening(word, rest, exactly(t_ns))
            self._statements.append(Order(number, arrival_ns, command))  # type: ignore[arg-type]  # by its word
        elif word in _CONTACTS:
            self._contact(number, t_ns, arrival_ns, word, _CONTACTS[word](rest), wide_ns)
        else:
            raise MalformedText(f"'{word}' is no input; {_near(word, [*_CONTACTS, *sorted(COMMAND_WORDS)])}")
        self._arrival_ns = arrival_ns

    def _contact(
        self, number: int, t_ns: int, arrival_ns: int, word: str, source: Source, wide_ns: int
    ) -> None:
        if self._up_ns.get(source, -1) >= t_ns:
            raise MalformedText(f"{source} is still down from its slap; it lasts {TAP_NS // MS} ms")
        active = word in ("press", "slap", "fill")
        self._statements.append(Input(number, t_ns, arrival_ns, source, active, wide_ns=wide_ns))
        if word == "slap":
            self._up_ns[source] = t_ns + TAP_NS
            up = Input(number, t_ns + TAP_NS, arrival_ns + TAP_NS, source, False, background=True)
            self._statements.append(up)


def _moment(text: str) -> int:
    t_ns = parse_seconds(text)
    if t_ns > LONGEST_NS:
        raise MalformedText(f"{text} is more than a day; a scenario ends before that")
    return t_ns


def _near(word: str, known: list[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"


def _padded(deal: tuple[int, ...]) -> tuple[int, ...]:
    return deal + (0,) * (SEATS - len(deal))


def _text(deal: tuple[int, ...]) -> str:
    return ",".join(map(str, deal))


def _one(words: list[str]) -> str:
    if not words:
        raise MalformedText("a word is missing at the end of this line")
    if len(words) > 1:
        raise MalformedText(f"'{' '.join(words[1:])}' is too much here")
    return words[0]


def _number(words: list[str], least: int) -> int:
    word = _one(words)
    number = whole_number(word)
    if number is None or number < least:
        raise MalformedText(f"'{word[:60]}' is no number from {least} up")
    return number


def _deal(words: list[str]) -> tuple[str, Any]:
    deal = parse_deal(words)
    faults = deal_faults(deal)
    if len(deal) > SEATS and not faults:
        faults.append(f"deal {_text(deal)}: this table has {SEATS} seats")
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


def _setting(name: str, text: str) -> tuple[str, Any]:
    fault = setting_fault(name, text)
    if fault:
        raise MalformedText(fault)
    return "setting", (name, text)


def _set(words: list[str]) -> tuple[str, Any]:
    if len(words) != 2:
        raise MalformedText("write 'set' with a setting and its value, as in 'set claim-late 2s'")
    return _setting(words[0], words[1])


_HEADERS: dict[str, Callable[[list[str]], tuple[str, Any]]] = {
    "game": _game,
    "deal": _deal,
    "rounds": lambda words: ("rounds", _number(words, least=1)),
    "seed": lambda words: ("seed", _number(words, least=0)),
    "language": lambda words: _setting("language", _one(words)),
    "set": _set,
    "begin": _begin,
    "from": lambda words: ("position", str(parse_position(" ".join(words)))),
}


def _button(words: list[str]) -> Source:
    return Button(check_seat(parse_seat(words)))


_CONTACTS: dict[str, Callable[[list[str]], Source]] = {
    "press": _button,
    "release": _button,
    "slap": _button,
    "fill": parse_slot,
    "empty": parse_slot,
}
