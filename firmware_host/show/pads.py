"""What the lamps tell of the cards on the pads while a round runs."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.places import Colour, Pad
from firmware_host.show.lamps import CUE_LAMP, Beat, Lamp, Tint
from firmware_host.table.card_round import CardRound
from firmware_host.table.session import Session

FITS = Lamp(Tint.WHITE, Beat.STEADY)
"""The card on the pad is known, and a pile wants it: a slap plays it."""
FITS_NOWHERE = Lamp(Tint.WHITE, Beat.SLOW)
"""The card on the pad is known, and no pile wants it now."""


class OnPads(NamedTuple):
    """The panels of the seats with something on their pads, and the colours that go to each place."""

    panels: dict[int, Lamp]
    awaited: dict[int, set[Colour]]


def on_pads(session: Session, round_: CardRound) -> OnPads:
    """What lies on the pads of the seats that play, and what a slap would do with it."""
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
