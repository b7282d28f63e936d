"""The cards of a seat read from one line of text; the text of an area parses back."""

from __future__ import annotations

import re
from itertools import pairwise

from firmware_host.errors import MalformedText
from firmware_host.places import Card, Colour
from firmware_host.players.cards.area import DISCARD, LIGRETTO, CardArea, Heap, Origin, card_text, descends
from firmware_host.players.cards.deal import LIGRETTO_CARDS, LONGEST_ROW, MOST_PLAYERS

_CARD = re.compile(r"([rygb])(10|[1-9])")
_CARDS = r"((?:[rygb](?:10|[1-9]))+)"
_TEXT = re.compile(
    rf"([0-9]{{1,2}}) (\S+)(?: ligretto={_CARDS})?(?: hand={_CARDS})?(?: discard={_CARDS})?"
    rf"(?: held=([rygb](?:10|[1-9]))@(ligretto|discard|row[1-9]))?(?: played={_CARDS})?( expert)?"
)
_STACKS = re.compile(rf"(?:-|{_CARDS})(?:,(?:-|{_CARDS}))*")
_COLOURS = {colour.word[0]: colour for colour in Colour}


def parse_area(text: str) -> CardArea:
    """The cards of a one-line text; MalformedText says what is wrong with it."""
    match = _TEXT.fullmatch(text.strip())
    if match is None or not _STACKS.fullmatch(match[2]):
        wanted = "it looks like '2 r9y3,-,b10 ligretto=r1y4 hand=g2b7 discard=y1', with ' expert' at its end"
        raise MalformedText(f"'{text[:80]}' is no area of cards; {wanted}")
    seat = int(match[1])
    area = CardArea(seat, [_cards(seat, stack) for stack in match[2].split(",")], expert=match[9] is not None)
    area.ligretto, area.hand, area.discard = (_cards(seat, match[group]) for group in (3, 4, 5))
    area.played = _cards(seat, match[8])
    if match[6]:
        (area.held,) = _cards(seat, match[6])
        area.held_from = _origin(match[7])
    fault = _fault(area)
    if fault:
        raise MalformedText(f"'{text}': {fault}")
    return area


def _cards(seat: int, text: str | None) -> list[Card]:
    return [Card(seat, _COLOURS[colour], int(number)) for colour, number in _CARD.findall(text or "")]


def _origin(text: str) -> Origin:
    fixed = {"ligretto": LIGRETTO, "discard": DISCARD}
    return fixed[text] if text in fixed else Origin(Heap.ROW, int(text.removeprefix("row")) - 1)


def _fault(area: CardArea) -> str | None:
    if not 1 <= area.seat <= MOST_PLAYERS:
        return f"seats are numbered from 1 to {MOST_PLAYERS}"
    if len(area.row) > LONGEST_ROW:
        return f"a row has at most {LONGEST_ROW} stacks"
    if area.leftovers > LIGRETTO_CARDS:
        return f"a Ligretto pile has at most {LIGRETTO_CARDS} cards"
    return _fault_of_cards(area) or _fault_of_row(area)


def _fault_of_cards(area: CardArea) -> str | None:
    piles = (*area.row, area.ligretto, area.hand, area.discard, area.played)
    cards = [card for pile in piles for card in pile]
    if area.held is not None:
        cards.append(area.held)
    doubled = [card for card in cards if cards.count(card) > 1]
    return f"{doubled[0]} is there twice" if doubled else None


def _fault_of_row(area: CardArea) -> str | None:
    row = [list(stack) for stack in area.row]
    if area.held is not None and area.held_from is not None and area.held_from.heap is Heap.ROW:
        if area.held_from.stack >= len(row):
            return f"the row has {len(row)} stacks, and nothing can come from {area.held_from}"
        row[area.held_from.stack].append(area.held)
    for stack in row:
        if len(stack) > 1 and not area.expert:
            return f"only experts have a stack such as {card_text(stack)}"
        if not all(descends(card, top) for top, card in pairwise(stack)):
            return f"{card_text(stack)} doesn't descend in changing colours"
    return None
