"""What happens while tags are enrolled, line by line for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.config.profile import TagSpot
from firmware_host.config.tags import Enrolled
from firmware_host.enrolment.news import (
    Asked,
    AtFirst,
    Blinded,
    Chosen,
    Crowded,
    Elsewhere,
    GoneSoon,
    Kept,
    Known,
    LiesThere,
    News,
    Skipped,
    Stayed,
)
from firmware_host.places import DieFace, Pad
from firmware_host.tag_text import format_tag
from hw.ports import Condition, Health

NEWS = "    {}"


def tell_news(news: News, spots: Sequence[TagSpot]) -> str:
    """The line for it."""
    if isinstance(news, Asked):
        return _tell_asked(news, spots)
    return NEWS.format(_words(news, spots))


def tell_health(health: Health) -> str:
    """The line for the health of a device."""
    if health.condition is Condition.OK:
        return NEWS.format(f"{health.device} is ok")
    advice = f"; {health.advice}" if health.advice else ""
    return NEWS.format(f"{health.device} is {health.condition.value}: {health.seen}{advice}")


def _tell_asked(asked: Asked, spots: Sequence[TagSpot]) -> str:
    item = asked.item
    if asked.reader is not None:
        where = spots[asked.reader].name
    else:
        where = "any pad" if any(isinstance(spot.at, Pad) for spot in spots) else "any reader"
    how = f"lay it on {where}, {item.face} up" if isinstance(item, DieFace) else f"hold it to {where}"
    return f"{format_tag(item)}  ({asked.number} of {asked.of}): {how}"


def _words(news: News, spots: Sequence[TagSpot]) -> str:
    match news:
        case Kept(item, uid, before, instead_of):
            return f"{uid} is {format_tag(item)} now{_instead(before, instead_of)}; take it off"
        case Stayed(item, uid):
            return f"{uid} is {format_tag(item)}, as before; take it off"
        case Known(uid, item, offered):
            known = f"{uid} is {format_tag(item)} already"
            return (
                f"{known}; leave it there for 3 s to change that, or take it off"
                if offered
                else (f"{known}; take it off (to change what is enrolled, start with --again, or press b)")
            )
        case Crowded(uids):
            return f"more than one at once ({', '.join(uids)}); leave only one"
        case GoneSoon():
            return "that was gone too soon; hold it there until it is read"
        case LiesThere(reader):
            return f"something lies on {spots[reader].name}; take it off first"
        case Chosen(reader):
            return f"{spots[reader].name} is the one: hold the others to it too"
        case Elsewhere(reader, uid):
            return f"{spots[reader].name} has read {uid}, which does not count there (see --reader)"
        case Skipped(item):
            return f"{format_tag(item)} is left out"
        case Blinded(reader):
            return f"it goes on when {spots[reader].name} is back, or with another --reader"
        case AtFirst():
            return "there is none before this one"
    raise AssertionError(f"nobody knows how to tell {news}")


def _instead(before: Enrolled | None, instead_of: str | None) -> str:
    words = f", and no longer {format_tag(before)}" if before is not None else ""
    return words + (f", instead of {instead_of}" if instead_of is not None else "")
