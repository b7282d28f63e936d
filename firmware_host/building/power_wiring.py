"""The supplies, their fuse, and the terminal strips from which everything gets its power."""

from __future__ import annotations

from firmware_host.building.draft import PI, POWER, Draft
from firmware_host.building.pi_models import model_of
from firmware_host.building.plan import Rail, Section

_PARTS = {Rail.V5: "supply-5v", Rail.V12: "supply-12v"}


def wire_power(draft: Draft) -> None:
    """Feed all rails that something is connected to: this comes last."""
    draft.place("supply pi", "supply-pi", "power supply of the Pi", Section.SWITCHING_ON)
    cable = draft.cable("supply pi", "plug of the Pi, when all else was checked", Section.SWITCHING_ON)
    plug = draft.pin("supply pi", "plug")
    socket = draft.pin(PI, model_of(draft.profile.board).plug)
    draft.wire(plug, socket, "power of the Pi", cable=cable, colour="its own cable")
    draft.wire(draft.pin(PI, "ground"), draft.pole(Rail.GROUND), cable=POWER, rail=Rail.GROUND)
    for rail in draft.rails:
        if rail is Rail.V3_3 or (rail is Rail.V5 and draft.build.supply == PI):
            draft.wire(draft.pin(PI, rail.value), draft.feed(rail), cable=POWER, rail=rail)
        elif rail is not Rail.GROUND:
            _supply(draft, rail)


def _supply(draft: Draft, rail: Rail) -> None:
    """A supply: its plus goes through a fuse to the strip of its rail."""
    more = "" if rail is Rail.V5 else f" {rail.value}"
    name, fuse = f"supply{more}", f"fuse{more}"
    draft.place(name, _PARTS[rail], f"supply of the table, {rail.value}", Section.POWER)
    draft.place(fuse, "fuse", f"fuse of {rail.value}", Section.POWER)
    ground = draft.feed(Rail.GROUND) if rail is Rail.V5 else draft.pole(Rail.GROUND)
    draft.wire(draft.pin(name, "-"), ground, cable=POWER, rail=Rail.GROUND)
    draft.wire(draft.pin(name, "+"), draft.pin(fuse, "in"), cable=POWER, rail=rail)
    draft.wire(draft.pin(fuse, "out"), draft.feed(rail), cable=POWER, rail=rail)
