"""The supplies, their fuse, and the terminal strips from which everything gets its power."""

from __future__ import annotations

from firmware_host.building.draft import PI, POWER, Draft
from firmware_host.building.pi_models import model_of
from firmware_host.building.plan import Rail, Section
from firmware_host.config.build_choices import NO_FUSE


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
    """A supply: its plus goes to the strip of its rail, through a fuse unless the profile wants none.

    The fuse is where the supply is, so that it protects the long wire to the table, too.
    """
    name, fuse = supply_name(rail), fuse_name(rail)
    part = draft.build.supply if rail is Rail.V5 else "supply-12v"
    draft.place(name, part, f"supply of {rail.value}", Section.POWER)
    ground = draft.feed(Rail.GROUND) if rail is Rail.V5 else draft.pole(Rail.GROUND)
    draft.wire(draft.pin(name, "-"), ground, cable=POWER, rail=Rail.GROUND)
    plus = draft.pin(name, "+")
    if rail is not Rail.V5 or draft.build.fuse_amps != NO_FUSE:
        draft.place(fuse, "fuse", f"fuse of {rail.value}", Section.POWER)
        draft.wire(plus, draft.pin(fuse, "in"), cable=POWER, rail=rail)
        plus = draft.pin(fuse, "out")
    draft.wire(plus, draft.feed(rail), cable=POWER, rail=rail)


def supply_name(rail: Rail) -> str:
    """The component that feeds a rail."""
    return f"supply{_suffix(rail)}"


def fuse_name(rail: Rail) -> str:
    """The fuse behind that."""
    return f"fuse{_suffix(rail)}"


def _suffix(rail: Rail) -> str:
    return "" if rail is Rail.V5 else f" {rail.value}"
