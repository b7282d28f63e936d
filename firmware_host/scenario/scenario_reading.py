"""Reads a scenario file; every fault is reported with its line.

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

What a deal, a position or a seat may be depends on the table, and the header that names it may
come after the others. So those are looked at when the first line that is no header is read.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from typing import Any

from firmware_host.config.profile import Profile
from firmware_host.durations import MS, S, parse_duration, parse_seconds
from firmware_host.errors import BadSettings, MalformedText, fault_messages
from firmware_host.event_text import COMMAND_WORDS, parse_event_words
from firmware_host.events import DeviceChanged, SetLeftover
from firmware_host.places import Source
from firmware_host.runtime.assembly.shipped_profiles import load_profile
from firmware_host.scenario.expectations import parse_expectation
from firmware_host.scenario.headers import (
    HEADERS,
    checked_position,
    deal_text,
    game_of,
    likely_profile,
    one,
    owned,
    whole_deal,
)
from firmware_host.scenario.inputs import GESTURES, GLIMPSES, Gesture, input_words
from firmware_host.scenario.statements import Expect, Input, Order, Scenario, Sighting, Statement, Until
from firmware_host.scenario.wording import check_seat
from firmware_host.settings import Settings, changed
from firmware_host.stamps import exactly

TAP_NS = 60 * MS
"""How long the finger stays on the button in `slap` and `stop`."""
LONGEST_NS = 24 * 3600 * S


def parse_scenario(text: str, name: str) -> Scenario:
    """The scenario in a text; BadSettings names every line that is wrong."""
    reader = _Reader(name)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.line(number, line)
    return reader.scenario()


class _Reader:
    """Reads on after a fault, so that all of them are reported at once."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._faults: list[tuple[int, str]] = []
        self._values: dict[str, Any] = {"profile": "dice4"}
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
        self._check_ownership()
        self._check_deal()
        if self._faults:
            raise BadSettings(fault_messages(self._name, self._faults))
        if not any(isinstance(statement, Expect) for statement in self._statements):
            raise BadSettings([f"{self._name}: nothing is expected; add a line such as 'expect phase PLAY'"])
        return Scenario(name=self._name, statements=tuple(self._statements), **self._values)

    def _fault(self, number: int, text: str) -> None:
        self._faults += [(number, fault) for fault in text.splitlines()]

    @cached_property
    def _profile(self) -> Profile:
        """The table, once its header has been read or can't come any more."""
        return load_profile(self._values["profile"])

    def _words(self, number: int, words: list[str]) -> None:
        word, rest = words[0], words[1:]
        if word in HEADERS:
            self._header(number, word, rest)
        elif word == "expect":
            subject, argument, wanted = parse_expectation(rest, self._profile)
            self._statements.append(Expect(number, subject, argument, wanted))
        elif word == "until":
            self._arrival_ns = self._time(one(rest))
            self._statements.append(Until(number, self._arrival_ns))
        elif word[0] in "0123456789":
            self._happening(number, _moment(word), rest)
        else:
            known = [*sorted(HEADERS), "until", "expect"]
            raise MalformedText(f"'{word[:60]}' can't begin a line and is not a time; {_near(word, known)}")

    # -- headers

    def _header(self, number: int, word: str, rest: list[str]) -> None:
        if self._statements:
            raise MalformedText(f"'{word}' must stand before the first input and expectation")
        try:
            key, value = HEADERS[word](rest)
        except (MalformedText, BadSettings):
            if word in ("game", "profile"):
                self._values["profile"] = likely_profile(word, rest)
            raise
        name = value[0] if key == "setting" else key
        if name in self._lines:
            what = "the table" if key == "profile" else f"'{name}'"
            raise MalformedText(f"{what} is given twice, here and in line {self._lines[name]}")
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

    def _check_ownership(self) -> None:
        """Dice can be owned by tag only at a table that reads their tags."""
        try:
            owned(self._profile, self._values.get("ownership", ""))
        except MalformedText as error:
            self._fault(self._lines["ownership"], str(error))

    def _check_deal(self) -> None:
        """Deal and position must be possible at this table, and fit each other."""
        deal, dealt = self._deal(), self._dealt_in_position()
        if deal is not None and dealt is not None and deal != dealt:
            text = f"the position deals {deal_text(dealt)}, the deal says {deal_text(deal)}"
            self._fault(self._lines["position"], text)
        usual = game_of(self._profile).standard_deal([True] * self._profile.seats)
        self._values["deal"] = deal or dealt or usual

    def _deal(self) -> tuple[int, ...] | None:
        if "deal" not in self._values:
            return None
        try:
            return whole_deal(self._values["deal"], self._profile)
        except BadSettings as error:
            self._fault(self._lines["deal"], str(error))
            return None

    def _dealt_in_position(self) -> tuple[int, ...] | None:
        if "position" not in self._values:
            return None
        try:
            self._values["position"], dealt = checked_position(self._values["position"], self._profile)
            return whole_deal(dealt, self._profile)
        except (MalformedText, BadSettings) as error:
            self._fault(self._lines["position"], str(error))
            return None

    # -- what happens

    def _time(self, text: str) -> int:
        t_ns = _moment(text)
        if t_ns < self._arrival_ns:
            raise MalformedText(f"{text} is in the past: something has already arrived later than that")
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
        gesture = GESTURES.get(word)
        wide_ns = 0
        if len(rest) > 1 and rest[-2] == "wide" and (word in GLIMPSES or (gesture and not gesture.tap)):
            wide_ns = parse_duration(rest[-1])
            rest = rest[:-2]
        if word in COMMAND_WORDS:
            command = parse_event_words(word, rest, exactly(t_ns))
            if isinstance(command, SetLeftover | DeviceChanged):
                check_seat(command.seat, self._profile)
            self._statements.append(Order(number, arrival_ns, command))  # type: ignore[arg-type]  # by its word
        elif gesture is not None:
            self._contact(number, t_ns, arrival_ns, gesture, gesture.source(rest, self._profile), wide_ns)
        elif word in GLIMPSES:
            at, tag = GLIMPSES[word].tag(rest, self._profile)
            present = GLIMPSES[word].present
            seen = Sighting(number, t_ns, arrival_ns, at, tag, present, wide_ns=wide_ns)
            self._statements.append(seen)
        else:
            raise MalformedText(f"'{word}' is not an input; {_near(word, input_words(self._profile))}")
        self._arrival_ns = arrival_ns

    def _contact(
        self, number: int, t_ns: int, arrival_ns: int, gesture: Gesture, source: Source, wide_ns: int
    ) -> None:
        if self._up_ns.get(source, -1) >= t_ns:
            raise MalformedText(f"{source} is still down from its slap; it lasts {TAP_NS // MS} ms")
        self._statements.append(Input(number, t_ns, arrival_ns, source, gesture.active, wide_ns=wide_ns))
        if gesture.tap:
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
