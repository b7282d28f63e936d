"""The matches that are recorded: who plays at which table, and what goes wrong."""

from __future__ import annotations

from typing import Any

from firmware_host.lab.bots.skill import SKILLS, with_rates
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S
from firmware_host.run.table_files import load_profile
from tests.recordings.playing import Match

COARSE = Settings(stamp_uncertainty_ns=15 * MS)
"""Stamps so doubtful that many a race is a dead heat."""
CLUMSY = with_rates(
    SKILLS["regular"], early=0.1, twice=0.1, wrong=0.1, misplace=0.05, knock=0.05, let_go=0.2, reflex=0.5
)
WILD = with_rates(
    SKILLS["expert"],
    early=0.3,
    late=0.1,
    twice=0.2,
    wrong=0.3,
    misplace=0.2,
    knock=0.2,
    let_go=0.5,
    reflex=0.7,
)
MIXED = (CLUMSY, SKILLS["expert"], SKILLS["novice"])
EXPERTS = (SKILLS["expert"],)
SHORT = 5
"""Ligretto cards of each seat, for short rounds."""


ALL = "bounce noise late"


def _dice(about: str, players: int, seed: int, profile: str = "dice4-direct", **other: Any) -> Match:
    values: dict[str, Any] = {"rounds": 4} | other
    return Match(about=f"dice for {players}: {about}", profile=profile, players=players, seed=seed, **values)


def _tags(about: str, players: int, seed: int, owned: str, **other: Any) -> Match:
    about = f"dice read by tags, owned by {owned}, for {players}: {about}"
    values: dict[str, Any] = {"rounds": 3} | other
    return Match(about=about, profile="dice4-rfid", players=players, seed=seed, owned=owned, **values)


def _cards(about: str, players: int, seed: int, profile: str = "cards4", **other: Any) -> Match:
    values: dict[str, Any] = {"deal": _short_deal(profile, players)} | other
    return Match(about=f"cards for {players}: {about}", profile=profile, players=players, seed=seed, **values)


def _short_deal(profile: str, players: int) -> tuple[int, ...]:
    seats = load_profile(profile).seats
    return tuple(SHORT if seat <= players else 0 for seat in range(1, seats + 1))


MATCHES: dict[str, Match] = {
    # Dice without tags.
    "dice-2": _dice("nothing wrong", 2, 101, rounds=6),
    "dice-2-german": _dice(
        "German, locks as for children; one has half as many dice",
        2,
        103,
        deal=(12, 6, 0, 0),
        skills=(WILD,),
        settings=Settings(language="de", locks="children"),
    ),
    "dice-3-experts": _dice("quick ones", 3, 104, skills=EXPERTS, rounds=9),
    "dice-3-wild": _dice("wild ones on bouncing contacts", 3, 105, skills=(WILD,), wrong="bounce", rounds=6),
    "dice-4": _dice("a whole match", 4, 106, rounds=12),
    "dice-4-strict": _dice(
        "wild, strict locks", 4, 108, skills=(WILD,), settings=Settings(locks="strict"), rounds=6
    ),
    "dice-4-noisy": _dice("contacts bounce, are noisy and late", 4, 109, skills=MIXED, wrong=ALL, rounds=3),
    "dice-4-belated": _dice(
        "edges that come too late",
        4,
        110,
        skills=MIXED,
        happenings={"PLAY 1": "3s belated seat 2 6s; 3s belated red 2 9s", "PLAY 3": "2s belated seat 1 5s"},
    ),
    "dice-4-dead-heats": _dice("doubtful stamps", 4, 111, skills=(CLUMSY,), settings=COARSE, rounds=6),
    "dice-4-dead-heats-late": _dice(
        "doubtful stamps, wild, late and bouncing",
        4,
        112,
        skills=(WILD,),
        settings=COARSE,
        wrong="bounce late",
    ),
    "dice-4-rival": _dice("slaps in the same microsecond", 4, 113, rival=True, rounds=8),
    "dice-4-power-cut": _dice(
        "power cuts in the countdown, in play and at the check",
        4,
        114,
        skills=MIXED,
        happenings={
            "COUNTDOWN 1": "1s away power 3s",
            "PLAY 2": "6s away power 5s",
            "SETTLE 2": "2s away power 2s",
            "CLEAR 1": "3s away power 20s",
        },
    ),
    "dice-4-service": _dice(
        "somebody in service mode, once after a power cut",
        4,
        115,
        wrong="bounce",
        happenings={"PLAY 1": "4s away service 30s", "PLAY 3": "5s away power 2s; 5.1s away service 2s"},
    ),
    "dice-4-operator": _dice(
        "pauses, a voided round, counts entered, refused commands",
        4,
        116,
        skills=MIXED,
        happenings={
            "START": "100ms pause",
            "PLAY 1": "4s pause; 6s void; 9s resume; 10s leftover 1 3",
            "PLAY 2": "7s void",
            "SETTLE 1": "3s leftover 2 4",
            "SETTLE 2": "2.5s leftover 1 2; 3s pause",
            "SCORES 1": "1s resume",
        },
    ),
    "dice-4-begun-by-hand": _dice(
        "the operator starts matches, and ends one",
        4,
        118,
        afterwards_ns=60 * S,
        happenings={
            "START": "10ms start 6,6,6,6",
            "PLAY 2": "8s pause; 9s end",
            "JOIN 1": "1s start 9,9,9,9; 2s start 6,6,6,6 dealt",
            "PLAY 4": "3s end",
        },
    ),
    "dice-4-sensors-lost": _dice(
        "a row of sensors is unplugged, later the other; a chip is reset",
        4,
        119,
        "dice4",
        chips=True,
        wrong="bounce",
        rounds=3,
        happenings={
            "PLAY 1": "5s unplug left 6s",
            "PLAY 3": "4s garbage right 3s",
            "COUNTDOWN 4": "1s reset left 1s; 2s silence right 5s",
        },
    ),
    "dice-4-contacts-fail": _dice(
        "buttons jam, contacts chatter, presses get lost",
        4,
        120,
        "dice4",
        chips=True,
        rounds=3,
        happenings={
            "PLAY 1": "2s storm seat 2 4s; 3s storm red 3 6s; 4s stuck seat 1 40s",
            "PLAY 2": "3s lost-presses seat 1 5s",
            "SCORES 2": "1s stuck seat 3 45s",
        },
    ),
    "dice-4-bus-fails": _dice(
        "the bus hangs, is disturbed, and the sign is unplugged",
        4,
        121,
        "dice4",
        chips=True,
        rounds=3,
        happenings={
            "PLAY 1": "4s hang i2c 3s",
            "PLAY 2": "4s nack i2c 8s",
            "PLAY 3": "2s unplug scoreboard 5s; 3s unplug rows 5s; 6s stuck-interrupt left 4s",
        },
    ),
    "dice-4-walk-away": _dice("all walk away in the middle", 4, 11, "dice4", moody=True, rounds=2),
    "dice-4-alone": _dice(
        "only one sits down, and nobody comes", 4, 25, "dice4", moody=True, rounds=1, wrong="bounce"
    ),
    "dice-4-left-lying": _dice(
        "dice lie about after the last round", 4, 14, "dice4", moody=True, rounds=1, afterwards_ns=170 * S
    ),
    # Dice with tags.
    "slap-2": _tags("wild", 2, 201, "slap", skills=(WILD,)),
    "slap-4-noisy": _tags(
        "contacts bounce, are noisy and late", 4, 202, "slap", skills=MIXED, wrong=ALL, rounds=2
    ),
    "slap-4-dead-heats": _tags("doubtful stamps", 4, 203, "slap", skills=(CLUMSY,), settings=COARSE),
    "slap-3-readers-lost": _tags(
        "readers fail",
        3,
        204,
        "slap",
        chips=True,
        rounds=2,
        happenings={"PLAY 1": "3s unplug red-1 5s; 4s silence blue-1 6s", "PLAY 2": "5s garbage pad-1 4s"},
    ),
    "tag-3": _tags(
        "wild, with tags that don't belong there",
        3,
        205,
        "tag",
        rounds=4,
        skills=(WILD,),
        happenings={
            "CLEAR 1": (
                "2s show pad 1 unknown 04a1b2c3; 4s withdraw pad 1 unknown 04a1b2c3; "
                "5s show pad 2 card 1 red 3; 6s withdraw pad 2 card 1 red 3"
            ),
            "PLAY 1": (
                "2s show red 5 unknown 04a1b2c3; 4s withdraw red 5 unknown 04a1b2c3; "
                "5s show pad 3 die 3 face 2; 7s withdraw pad 3 die 3 face 2"
            ),
            "PLAY 3": "2s belated red 1 8s",
        },
    ),
    "tag-4-noisy": _tags(
        "contacts bounce, are noisy and late", 4, 206, "tag", skills=MIXED, wrong=ALL, rounds=2
    ),
    "tag-4-interrupted": _tags(
        "power cuts, a pause and a voided round",
        4,
        207,
        "tag",
        skills=MIXED,
        wrong="bounce",
        happenings={
            "PLAY 1": "6s away power 4s",
            "PLAY 2": "2s away service 9s",
            "PLAY 3": "5s pause; 8s resume",
        },
    ),
    # Cards.
    "cards-2": _cards("nothing wrong, whole Ligretto piles", 2, 301, "cards2", deal=None, rounds=2),
    "cards-2-piles": _cards(
        "readers at the piles, noisy contacts", 2, 302, "cards2-piles", skills=(WILD,), wrong=ALL, rounds=2
    ),
    "cards-3-experts": _cards(
        "the variant for experts", 3, 303, skills=EXPERTS, expert=True, deal=None, rounds=4
    ),
    "cards-4-dead-heats": _cards(
        "doubtful stamps, bouncing and late",
        4,
        304,
        skills=(WILD,),
        settings=COARSE,
        wrong="bounce late",
        rounds=3,
    ),
    "cards-4-interrupted": _cards(
        "power cuts, pauses, a voided round, counts entered",
        4,
        305,
        rounds=3,
        skills=MIXED,
        happenings={
            "PLAY 1": "5s away power 4s",
            "PLAY 2": "3s pause; 5s resume",
            "PLAY 4": "4s void",
            "SETTLE 1": "3s leftover 2 4",
            "SCORES 1": "2s away service 20s",
        },
    ),
    "cards-4-devices-fail": _cards(
        "a pad, a call button and lamps fail",
        4,
        306,
        rounds=2,
        chips=True,
        happenings={
            "PLAY 1": "4s unplug pad-1 5s",
            "PLAY 2": "3s storm call 2 4s; 4s unplug piles-1 3s; 5s hang i2c 2s",
            "PLAY 3": "2s garbage pad-3 4s",
        },
    ),
    "cards-4-not-ready": _cards("only one is ready", 4, 4, moody=True, deal=None),
    "cards-4-nobody-confirms": _cards("nobody confirms the counts", 4, 9, moody=True, deal=None),
    "cards-5": _cards(
        "wild, with tags that don't belong there",
        5,
        307,
        "cards12",
        rounds=2,
        skills=(WILD,),
        happenings={
            "PLAY 1": (
                "2s show pad 1 unknown 04a1b2c3; 3s show pad 2 die 3 face 2; "
                "4s withdraw pad 1 unknown 04a1b2c3; 5s withdraw pad 2 die 3 face 2"
            ),
            "PLAY 2": "2s belated seat 3 6s; 3s show pad 1 card 2 red 1; 4s withdraw pad 1 card 2 red 1",
            "SETTLE 1": "2s show pad 1 card 1 red 1; 3s withdraw pad 1 card 1 red 1",
        },
    ),
    "cards-8-noisy": _cards(
        "contacts bounce and are noisy", 8, 308, "cards12", skills=MIXED, wrong="bounce noise"
    ),
    "cards-10-late": _cards(
        "everything is late", 10, 309, "cards12", skills=MIXED, wrong="late", settings=COARSE
    ),
    "cards-12": _cards(
        "a pause, a power cut",
        12,
        310,
        "cards12",
        happenings={"PLAY 1": "4s pause; 6s resume", "PLAY 2": "5s away power 3s"},
    ),
}
"""By the names of their files. A row is never changed without a reason: its recording changes with it."""
