"""The header lines of a scenario: how the table is built, and what was agreed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from firmware_host.config.profile import OWNERSHIPS, Profile
from firmware_host.engine import cards, dice
from firmware_host.engine.games import EXPERT, GAMES, VARIANTS, Game
from firmware_host.errors import BadSettings, MalformedText
from firmware_host.event_text import parse_deal
from firmware_host.numerals import whole_number
from firmware_host.runtime.assembly.shipped_profiles import load_profile
from firmware_host.settings import setting_fault
from wiring import profile_names

PROFILE_OF = {"dice": "dice4", "cards": "cards4"}
"""The table on which each game is played if nothing else is said."""


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


def _begin(words: list[str]) -> tuple[str, Any]:
    if one(words) not in ("play", "attract"):
        raise MalformedText(f"'{words[0]}' is not a beginning; allowed: play, attract")
    return "playing", words[0] == "play"


def _game(words: list[str]) -> tuple[str, Any]:
    if one(words) not in PROFILE_OF:
        raise MalformedText(f"'{words[0]}' is not a game; allowed: {', '.join(PROFILE_OF)}")
    return "profile", PROFILE_OF[words[0]]


def _profile(words: list[str]) -> tuple[str, Any]:
    load_profile(one(words))
    return "profile", words[0]


def _variant(words: list[str]) -> tuple[str, Any]:
    if one(words) not in VARIANTS:
        raise MalformedText(f"'{words[0]}' is not a variant; allowed: {', '.join(VARIANTS)}")
    return "expert", words[0] == EXPERT


def _ownership(words: list[str]) -> tuple[str, Any]:
    if one(words) not in OWNERSHIPS:
        raise MalformedText(f"'{words[0]}' is not an ownership; allowed: {', '.join(OWNERSHIPS)}")
    return "ownership", words[0]


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


HEADERS: dict[str, Callable[[list[str]], tuple[str, Any]]] = {
    "game": _game,
    "profile": _profile,
    "ownership": _ownership,
    "deal": lambda words: ("deal", parse_deal(words)),
    "rounds": lambda words: ("rounds", _number(words, least=1)),
    "variant": _variant,
    "seed": lambda words: ("seed", _number(words, least=0)),
    "language": lambda words: _setting("language", one(words)),
    "set": _set,
    "begin": _begin,
    "from": lambda words: ("position", " ".join(words)),
}
