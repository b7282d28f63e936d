"""Judges what the operator wrote: the configuration, and the registry of tags."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from firmware_host.config.profile import Profile
from firmware_host.config.tags import Registry
from firmware_host.doctor.findings import Area, Finding, State, named
from firmware_host.places import CARD_NUMBERS, DICE, Card, Colour, DieFace
from firmware_host.tag_text import FACES

MOST_NAMED = 5


def judge_config(name: str, faults: Sequence[str]) -> Iterator[Finding]:
    """Each fault of the configuration, or that there is none."""
    for fault in faults:
        yield Finding(Area.CONFIG, name, State.FAIL, fault, "fix it, then: ligretto-table check")
    if not faults:
        yield Finding(Area.CONFIG, name, State.OK, "has no fault")


def judge_tags(
    registry: Registry, profiles: Iterable[Profile], open_seats: Collection[int] = ()
) -> Iterator[Finding]:
    """Whether everything that is played with has its tag; without `open_seats` all seats may be played at."""
    read = [profile for profile in profiles if profile.readers]
    if not read:
        yield Finding(Area.TAGS, "registry", State.OK, "the profile has no readers, so none are needed")
        return
    if not registry:
        advice = "enrol them: ligretto-table tags enrol"
        yield Finding(Area.TAGS, "registry", State.FAIL, "no tag is enrolled", advice)
        return
    known = set(registry.values())
    missing = [each for profile in read for each in _missing(known, profile, open_seats)]
    for subject, things in missing:
        if things:
            seen = f"{len(things)} have no tag: {named(things, MOST_NAMED)}"
            advice = "enrol them: ligretto-table tags enrol"
            yield Finding(Area.TAGS, subject, State.FAIL, seen, advice)
    if not any(things for _, things in missing):
        yield Finding(Area.TAGS, "registry", State.OK, f"{len(registry)} tags, and none is missing")


def _missing(
    known: Collection[object], profile: Profile, open_seats: Collection[int]
) -> list[tuple[str, list[str]]]:
    """What a game is played with, and what of it has no tag."""
    if profile.game != "cards":
        return [(f"{colour.word} dice", _missing_faces(known, colour)) for colour in Colour]
    every = range(1, profile.seats + 1)
    seats = [seat for seat in every if seat in open_seats] or every
    return [(f"cards of seat {seat}", _missing_cards(known, seat)) for seat in seats]


def _missing_cards(known: Collection[object], seat: int) -> list[str]:
    cards = [Card(seat, colour, number) for colour in Colour for number in range(1, CARD_NUMBERS + 1)]
    return [str(card) for card in cards if card not in known]


def _missing_faces(known: Collection[object], colour: Colour) -> list[str]:
    faces = [DieFace(die, face) for die in range(1, DICE + 1) for face in range(1, FACES + 1)]
    return [str(face) for face in faces if face.colour is colour and face not in known]
