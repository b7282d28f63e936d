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


def table_of(profile: Profile, rounds: int | None = None, deal: tuple[int, ...] | None = None) -> Table:
    """The table that a profile describes, and what was agreed for its matches."""
    return Table(
        game=GAMES[profile.game],
        seats=profile.seats,
        rounds=rounds,
        deal=deal,
        call_buttons=any(isinstance(source, Call) for source in profile.lines.values()),
        pads=bool(profile.pads),
        identified=profile.identified,
        owned_by_tag=profile.ownership == "tag",
    )


def settings_for(profile: Profile, settings: Settings) -> Settings:
    """The settings with enough time for the readers of this table.

    A reader reports a tag one look after it has found it. Where the readers at the slots have to say
    which die it is, everything has to wait until they have found and reported it.
    """
    cycle_ns = LOOK_NS * profile.crowd
    tag_settle_ns = max(settings.tag_settle_ns, cycle_ns + LOOK_NS)
    identify_ns = max(settings.identify_ns, cycle_ns + tag_settle_ns) if profile.identified else 0
    return replace(settings, tag_settle_ns=tag_settle_ns, identify_ns=identify_ns)


def simulated_registry(profile: Profile) -> Registry:
    """The tags of a simulated table."""
    if not profile.readers:
        return Registry({})
    return Registry.for_cards(profile.seats) if profile.game == "cards" else Registry.for_dice()
