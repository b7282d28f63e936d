"""How large each supply and each fuse of the table has to be."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.building.budget import TABLE_RAILS, power_budget
from firmware_host.building.plan import Plan
from firmware_host.building.power_wiring import fuse_name, supply_name
from firmware_host.config.profile import Profile


def ratings(plan: Plan, profile: Profile) -> dict[str, str]:
    """The rating of each supply and fuse, by the name of its component."""
    found = {}
    for budget in power_budget(plan, profile):
        if budget.fuse_amps is not None:
            rail = TABLE_RAILS[budget.name]
            found[supply_name(rail)] = f"{budget.allowed_ma / 1000:g} A"
            if budget.fuse_amps:
                found[fuse_name(rail)] = f"{budget.fuse_amps:g} A slow"
    return found


def rated(plan: Plan, profile: Profile) -> Plan:
    """The plan, with the ratings in the titles of supplies and fuses."""
    known = ratings(plan, profile)
    components = tuple(
        replace(each, title=f"{each.title}, {known[each.name]}") if each.name in known else each
        for each in plan.components
    )
    return replace(plan, components=components)
