"""What a profile means for the table: its game and seats, its settings, and the tags of a simulated one."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.config.profile import Profile
from firmware_host.config.tags import Registry
from firmware_host.durations import MS
from firmware_host.engine.games import GAMES
from firmware_host.places import Call
from firmware_host.settings import Settings
from firmware_host.table.session import Table

LOOK_NS = 40 * MS
"""From one look of a reader to the next; neighbours take turns."""
NEIGHBOURS = 2
"""So many neighbours may find a tag of their own at the same time."""


def table_of(
    profile: Profile,
    rounds: int | None = None,
    deal: tuple[int, ...] | None = None,
    *,
    expert: bool = False,
) -> Table:
    """The table that a profile describes, and what was agreed for its matches."""
    return Table(
        game=GAMES[profile.game],
        seats=profile.seats,
        rounds=rounds,
        deal=deal,
        expert=expert,
        call_buttons=any(isinstance(source, Call) for source in profile.lines.values()),
        pads=bool(profile.pads),
        identified=profile.identified,
        owned_by_tag=profile.ownership == "tag",
    )


def settings_for(profile: Profile, settings: Settings) -> Settings:
    """The settings with enough time for the readers of this table.

    A reader that has found a tag looks again at once, and then reports it. The stamp of a tag is as wide as
    the time between two looks, and where cards are laid on piles, all of that has to be waited for. Where the
    readers at the slots have to say which die it is, a die waits until its own reader has had the time to
    find it, although some neighbours may have looked once more.
    """
    cycle_ns = LOOK_NS * profile.crowd
    wide_ns = cycle_ns if profile.piles and not profile.pads else LOOK_NS
    tag_settle_ns = max(settings.tag_settle_ns, wide_ns + LOOK_NS)
    longest_ns = cycle_ns + NEIGHBOURS * LOOK_NS + tag_settle_ns
    identify_ns = max(settings.identify_ns, longest_ns) if profile.identified else 0
    return replace(settings, tag_settle_ns=tag_settle_ns, identify_ns=identify_ns)


def simulated_registry(profile: Profile) -> Registry:
    """The tags of a simulated table."""
    if not profile.readers:
        return Registry({})
    return Registry.for_cards(profile.seats) if profile.game == "cards" else Registry.for_dice()
