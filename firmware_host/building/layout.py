"""Where things lie on the board, in mm from its upper left corner.

The places are a grid in the middle. Seats are on the edge around it, clockwise from the lower edge on, as
many on each side as on any other. What lies at a seat lies beside its button, along the edge.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config.build_choices import BoardSize
from firmware_host.config.profile import Profile
from firmware_host.places import ALL_SLOTS, CARD_NUMBERS, PLACES_PER_ROW, Colour

Place = tuple[float, float]
"""Across and down, in mm."""

_FEW_PILES, _FEW_COLUMNS, _MANY_COLUMNS = 16, 4, 8
_SIDES = ("lower", "upper", "left", "right")
"""In the order in which they get one seat more, if seats don't divide by four."""
_SEAT_MM = 180
"""What a seat takes of its edge."""
_LAMP_BESIDE, _LAMP_BESIDE_READER = 22, 26
_SEAT_LAMP_BESIDE = 38
"""Clear of a button with a rim of 60 mm."""
_CALL_BESIDE = -70
_PAD_BESIDE = 75
_SYMBOL_BESIDE = 35
_PILE_LAMP_UP, _PILE_LAMP_STEP = 52, 6
_HEAD_BESIDE = 5
"""How much further the head of a pile's lamps is away: it may be three LEDs side by side."""


def board_places(profile: Profile) -> tuple[Place, dict[str, Place]]:
    """The size of the board, and where the middle of each thing lies, by the name of its component."""
    size = profile.build.board
    columns, rows = _grid(profile)
    per_side = _seats_per_side(profile.seats)
    inner = ((columns - 1) * size.pitch_mm, (rows - 1) * size.row_pitch_mm)
    width = max(inner[0] + 2 * size.margin_mm, _SEAT_MM * max(per_side["lower"], per_side["upper"]))
    height = max(inner[1] + 2 * size.margin_mm, _SEAT_MM * max(per_side["left"], per_side["right"]))
    corner = (width - inner[0]) / 2, (height - inner[1]) / 2
    places = dict(_places(profile, corner))
    for seat, (place, along) in enumerate(_seats(profile.seats, (width, height), size), start=1):
        own = size.places_mm.get(f"seat {seat}")
        places |= _seat_things(seat, own or place, along)
    places |= {reader.name: places[str(reader.at)] for reader in profile.readers}
    return (width, height), places


def _grid(profile: Profile) -> tuple[int, int]:
    """Columns and rows of the places."""
    if not profile.piles:
        return PLACES_PER_ROW, len(Colour)
    columns = min(profile.piles, _FEW_COLUMNS if profile.piles <= _FEW_PILES else _MANY_COLUMNS)
    return columns, -(-profile.piles // columns)


def _places(profile: Profile, corner: Place) -> Iterator[tuple[str, Place]]:
    """The places of the grid, with their lamps and readers."""
    size = profile.build.board
    columns, _ = _grid(profile)
    names = [f"pile {n}" for n in range(1, profile.piles + 1)] or list(map(str, ALL_SLOTS))
    for number, name in enumerate(names):
        row, column = divmod(number, columns)
        x, y = size.places_mm.get(
            name, (corner[0] + column * size.pitch_mm, corner[1] + row * size.row_pitch_mm)
        )
        yield name, (x, y)
        if not profile.piles:
            yield f"lamp {name}", (x, y + (_LAMP_BESIDE_READER if profile.identified else _LAMP_BESIDE))
            continue
        for lamp in range(CARD_NUMBERS + 1):
            own, aside = (f"lamp {name} number {lamp}", 0) if lamp else (f"lamp {name}", _HEAD_BESIDE)
            yield own, (x + (lamp - CARD_NUMBERS / 2) * _PILE_LAMP_STEP - aside, y - _PILE_LAMP_UP)
    for colour in Colour if not profile.piles else ():
        usual = corner[0] - _SYMBOL_BESIDE, corner[1] + colour * size.row_pitch_mm
        yield f"lamp symbol {colour.word}", size.places_mm.get(f"symbol {colour.word}", usual)


def _seats_per_side(seats: int) -> dict[str, int]:
    each, more = divmod(seats, len(_SIDES))
    return {side: each + (number < more) for number, side in enumerate(_SIDES)}


def _seats(seats: int, board: Place, size: BoardSize) -> Iterator[tuple[Place, Place]]:
    """The middle of each seat's button, and the direction along its edge, from seat 1 on."""
    width, height = board
    inset = min(size.margin_mm / 3, 50)
    per_side = _seats_per_side(seats)
    for part in _parts(per_side["lower"]):
        yield (width * (1 - part), height - inset), (-1, 0)
    for part in _parts(per_side["left"]):
        yield (inset, height * (1 - part)), (0, -1)
    for part in _parts(per_side["upper"]):
        yield (width * part, inset), (1, 0)
    for part in _parts(per_side["right"]):
        yield (width - inset, height * part), (0, 1)


def _parts(count: int) -> list[float]:
    """Where so many things are on an edge, each in the middle of its share."""
    return [(number + 0.5) / count for number in range(count)]


def _seat_things(seat: int, place: Place, along: Place) -> dict[str, Place]:
    """What lies at a seat."""
    x, y = place

    def beside(distance: float) -> Place:
        return x + along[0] * distance, y + along[1] * distance

    return {
        f"button {seat}": (x, y),
        f"lamp {seat}": beside(_SEAT_LAMP_BESIDE),
        f"call {seat}": beside(_CALL_BESIDE),
        f"pad {seat}": beside(_PAD_BESIDE),
    }
