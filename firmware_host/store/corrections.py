"""What speaks against a correction of players, by what the store says; empty if nothing does."""

from __future__ import annotations

from firmware_host.store.store_reader import StoreReader


def against_merging(book: StoreReader, one: int, other: int) -> str:
    """Why two players can't be the same person."""
    numbers = {(each.session_log, each.number): each.n for each in book.matches()}
    sat = book.sittings()
    played = [{(each.session_log, each.match) for each in sat if each.player == who} for who in (one, other)]
    both = sorted(numbers[each] for each in played[0] & played[1] if each in numbers)
    if not both:
        return ""
    return f"they have played against each other in match {both[0]}, so they are two people"


def against_correcting(book: StoreReader, match: int, seat: int) -> str:
    """Why nobody can have sat there in that match of the store."""
    row = next((each for each in book.matches() if each.n == match), None)
    if row is None:
        return f"there is no match {match}; ligretto-table export --what matches lists them"
    if row.state == "running":
        return f"match {match} is not over: ligretto-table tell name {seat} ..."
    if seat not in row.seats:
        played = ", ".join(map(str, row.seats)) or "none that can be known"
        return f"nobody sat at seat {seat} in match {match}; seats that played: {played}"
    return ""
