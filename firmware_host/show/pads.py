"""What the lamps show of the cards on the pads while a round runs."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.places import Colour, Pad
from firmware_host.show.lamps import CUE_LAMP, Beat, Lamp, Tint
from firmware_host.table.card_round import CardRound
from firmware_host.table.session import Session

FITS = Lamp(Tint.WHITE, Beat.STEADY)
"""The card on the pad fits onto a pile: a slap plays it."""
FITS_NOWHERE = Lamp(Tint.WHITE, Beat.SLOW)
"""The card on the pad was read, and fits onto no pile now."""


class OnPads(NamedTuple):
    """The panel lamps of the seats with something on their pads, and the colours that fit each place."""

    panels: dict[int, Lamp]
    awaited: dict[int, set[Colour]]


def on_pads(session: Session, round_: CardRound) -> OnPads:
    """What is on the pads of the seats that play, and where it fits."""
    panels: dict[int, Lamp] = {}
    awaited: dict[int, set[Colour]] = {}
    for seat in session.seated:
        if not session.tags.lying(Pad(seat)):
            continue
        card, cue, place = round_.on_pad(seat)
        if cue is not None:
            panels[seat] = CUE_LAMP[cue]
        elif place is None:
            panels[seat] = FITS_NOWHERE
        else:
            assert card is not None
            panels[seat] = FITS
            awaited.setdefault(place, set()).add(card.colour)
    return OnPads(panels, awaited)
