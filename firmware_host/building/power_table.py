"""The power budget as a table."""

from __future__ import annotations

from firmware_host.building.budget import RailBudget, power_budget
from firmware_host.building.plan import Plan
from firmware_host.building.tables import TextTable
from firmware_host.config.profile import Profile

COLUMNS = ("rail", "on it", "at rest mA", "with all lights mA", "can give mA", "fits", "by")


def power_table(plan: Plan, profile: Profile) -> TextTable:
    """Each rail and limit: what is on it, its sums, what it can give, and whether that is enough."""
    rows: list[tuple[str, ...]] = []
    for budget in power_budget(plan, profile):
        sums = _ma(budget.rest_ma), _ma(budget.most_ma), _ma(budget.allowed_ma)
        rows.append((budget.name, "", *sums, _verdict(budget), budget.source + _fuse(budget)))
        for load in budget.loads:
            things = f"{load.count} x {load.title}"
            rows.append(("", things, _ma(load.rest_ma), _ma(load.most_ma), "", "", ""))
    title = f"{plan.title}: power, estimated from datasheets and not yet measured on a built table"
    return TextTable(title, COLUMNS, tuple(rows))


def _fuse(budget: RailBudget) -> str:
    """The fuse of a rail of the table, in words; empty if there is none."""
    return f"; fuse of {budget.fuse_amps:g} A" if budget.fuse_amps else ""


def _ma(current: float) -> str:
    return f"{current:.0f}"


def _verdict(budget: RailBudget) -> str:
    if budget.asked:
        return "buy"
    return "ok" if budget.fits else "TOO MUCH"
