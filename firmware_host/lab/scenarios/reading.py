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

from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, NamedTuple

from firmware_host.games.cards import cards
from firmware_host.games.dice import dice
from firmware_host.games.games import EXPERT, GAMES, VARIANTS, Game
from firmware_host.lab.scenarios.expectations import parse_expectation
from firmware_host.lab.scenarios.wording import (
    Expect,
    Input,
    Order,
    Scenario,
    Sighting,
    Statement,
    Until,
    check_seat,
)
from firmware_host.model.errors import BadSettings, MalformedText, fault_messages
from firmware_host.model.events import (
    COMMAND_WORDS,
    SPOT_WORDS,
    DeviceChanged,
    SetLeftover,
    parse_deal,
    parse_event_words,
    parse_seat,
    parse_slot,
)
from firmware_host.model.places import (
    Button,
    Call,
    Pad,
    Pile,
    Slot,
    Source,
    Spot,
    Tag,
    format_spot,
    parse_spot,
    parse_tag,
)
from firmware_host.model.plain_text import whole_number
from firmware_host.model.settings import Settings, changed, setting_fault
from firmware_host.model.times import MS, S, exactly, parse_duration, parse_seconds
from firmware_host.profile.profile import OWNERSHIPS, Profile
from firmware_host.run.table_files import load_profile
from wiring import profile_names

# The words for what hands do: which contact moves at a table, or which tag comes to which reader.
#
# Short words stand for what hands do most often: `hold 3 red 7` shows the own card of seat 3 to its
# own pad, `take 3 red 7` takes it away, and `lay 3 red 7 on 2` lays it on the reader of pile 2.


class Gesture(NamedTuple):
    """Which contact a word moves; whether that is active then; whether it comes back by itself."""

    source: Callable[[list[str], Profile], Source]
    active: bool
    tap: bool = False
    of: tuple[type[Source], ...] = (Button,)


class Glimpse(NamedTuple):
    """Which tag a word moves, and before which reader; whether it is there then."""

    tag: Callable[[list[str], Profile], tuple[Spot, Tag]]
    present: bool
    of: tuple[type[Spot], ...] = (Pad, Pile, Slot)


def input_words(profile: Profile) -> list[str]:
    """All inputs that make sense at this table."""
    moved = {type(source) for source in profile.lines.values()}
    seen = {type(reader.at) for reader in profile.readers}
    words = [word for word, gesture in GESTURES.items() if moved & set(gesture.of)]
    words += [word for word, glimpse in GLIMPSES.items() if seen & set(glimpse.of)]
    return [*words, *sorted(COMMAND_WORDS)]


def _button(words: list[str], profile: Profile) -> Source:
    return Button(check_seat(parse_seat(words), profile))


def _call(words: list[str], profile: Profile) -> Source:
    call = Call(check_seat(parse_seat(words), profile))
    if call not in profile.lines.values():
        raise MalformedText("this table has no call buttons")
    return call


def _any_button(words: list[str], profile: Profile) -> Source:
    return _call(words[1:], profile) if words[:1] == ["call"] else _button(words, profile)


def _slot(words: list[str], profile: Profile) -> Source:
    slot = parse_slot(words)
    if slot not in profile.lines.values():
        raise MalformedText("this table has no places for dice")
    return slot


def _anything(words: list[str], profile: Profile) -> tuple[Spot, Tag]:
    at = parse_spot(words[:SPOT_WORDS])
    return _reader(at, profile), parse_tag(words[SPOT_WORDS:])


def _own_card(words: list[str], profile: Profile) -> tuple[Spot, Tag]:
    seat = check_seat(parse_seat(words[:1]), profile)
    return _reader(Pad(seat), profile), parse_tag(["card", *words])


def _laid_card(words: list[str], profile: Profile) -> tuple[Spot, Tag]:
    card, on, pile = words[:-2], words[-2:-1], words[-1:]
    if on != ["on"]:
        raise MalformedText("write the seat, its card, and the number of a pile, as in 'lay 3 red 7 on 2'")
    check_seat(parse_seat(card[:1]), profile)
    return _reader(parse_spot(["pile", *pile]), profile), parse_tag(["card", *card])


def _reader(at: Spot, profile: Profile) -> Spot:
    if all(reader.at != at for reader in profile.readers):
        raise MalformedText(f"this table has no reader at {format_spot(at)}")
    return at


GESTURES: dict[str, Gesture] = {
    "press": Gesture(_any_button, True),
    "release": Gesture(_any_button, False),
    "slap": Gesture(_button, True, tap=True),
    "stop": Gesture(_call, True, tap=True, of=(Call,)),
    "fill": Gesture(_slot, True, of=(Slot,)),
    "empty": Gesture(_slot, False, of=(Slot,)),
}
GLIMPSES: dict[str, Glimpse] = {
    "show": Glimpse(_anything, True),
    "withdraw": Glimpse(_anything, False),
    "hold": Glimpse(_own_card, True, of=(Pad,)),
    "take": Glimpse(_own_card, False, of=(Pad,)),
    "lay": Glimpse(_laid_card, True, of=(Pile,)),
}
PROFILE_OF = {"dice": "dice4", "cards": "cards4"}
"""The table on which each game is played if nothing else is said."""
Header = Callable[[list[str]], tuple[str, Any]]
"""Reads the words after the first one: which value of the scenario they give."""


def one(words: list[str]) -> str:
    """The one word that should be there."""
    if not words:
        raise MalformedText("a word is missing at the end of this line")
    if len(words) > 1:
        raise MalformedText(f"'{' '.join(words[1:])}' is unexpected here")
    return words[0]


def likely_profile(word: str, words: list[str]) -> str:
    """The profile that was meant by a header with a slip in it: all that follows depends on it."""
    known = list(PROFILE_OF) if word == "game" else profile_names()
    near = get_close_matches(" ".join(words), known, n=1, cutoff=0.0)[0]
    return PROFILE_OF.get(near, near)


def deal_text(deal: tuple[int, ...]) -> str:
    """`6,6,6,6`."""
    return ",".join(map(str, deal))


def whole_deal(deal: tuple[int, ...], profile: Profile) -> tuple[int, ...]:
    """The deal with an entry for each seat of the table; BadSettings if it can't be dealt there."""
    faults = game_of(profile).deal_faults(deal)
    if len(deal) > profile.seats and not faults:
        faults.append(f"deal {deal_text(deal)}: this table has {profile.seats} seats")
    if faults:
        raise BadSettings(faults)
    return deal + (0,) * (profile.seats - len(deal))


def game_of(profile: Profile) -> Game:
    """What is played at that table."""
    return GAMES[profile.game]


def checked_position(text: str, profile: Profile) -> tuple[str, tuple[int, ...]]:
    """A position that a round can go on from, in its usual form, and what it deals."""
    position: dice.DicePosition | cards.CardsPosition
    if profile.piles:
        position = cards.parse_position(text)
        if position.over:
            raise MalformedText("the round is over in this position; leave out who called stop, or 'stuck'")
    else:
        position = dice.parse_position(text)
        if position.finisher is not None:
            raise MalformedText("the round is over in this position; each seat needs a die left")
        if position.unclaimed:
            raise MalformedText(f"nobody has claimed {position.unclaimed} of the dice on the board")
    return str(position), position.dealt


def _number(words: list[str], least: int) -> int:
    word = one(words)
    number = whole_number(word)
    if number is None or number < least:
        raise MalformedText(f"'{word[:60]}' is not a number from {least} up")
    return number


def _choice(key: str, known: Mapping[str, Any], what: str) -> Header:
    """A header of one word, by what each known word stands for."""

    def read(words: list[str]) -> tuple[str, Any]:
        if one(words) not in known:
            raise MalformedText(f"'{words[0]}' is not {what}; allowed: {', '.join(known)}")
        return key, known[words[0]]

    return read


def _profile(words: list[str]) -> tuple[str, Any]:
    load_profile(one(words))
    return "profile", words[0]


def owned(profile: Profile, ownership: str) -> Profile:
    """The table with dice owned that way; MalformedText if it lacks the readers for it."""
    if ownership == "tag" and not (profile.identified and profile.pads):
        raise MalformedText("dice are owned by tag only where each place and each seat has a reader")
    return replace(profile, ownership=ownership) if ownership else profile


def _setting(name: str, text: str) -> tuple[str, Any]:
    fault = setting_fault(name, text)
    if fault:
        raise MalformedText(fault)
    return "setting", (name, text)


def _set(words: list[str]) -> tuple[str, Any]:
    if len(words) != 2:
        raise MalformedText("write 'set' with a setting and its value, as in 'set claim-late 2s'")
    return _setting(words[0], words[1])


HEADERS: dict[str, Header] = {
    "game": _choice("profile", PROFILE_OF, "a game"),
    "profile": _profile,
    "ownership": _choice("ownership", {name: name for name in OWNERSHIPS}, "an ownership"),
    "deal": lambda words: ("deal", parse_deal(words)),
    "rounds": lambda words: ("rounds", _number(words, least=1)),
    "variant": _choice("expert", {name: name == EXPERT for name in VARIANTS}, "a variant"),
    "seed": lambda words: ("seed", _number(words, least=0)),
    "language": lambda words: _setting("language", one(words)),
    "set": _set,
    "begin": _choice("playing", {"play": True, "attract": False}, "a beginning"),
    "from": lambda words: ("position", " ".join(words)),
}
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
