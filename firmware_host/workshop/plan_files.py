"""All that is made of a profile for its builder, as files."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.profile.profile import Profile
from firmware_host.workshop.drawing.sheets import sheets
from firmware_host.workshop.plan.budget import power_table
from firmware_host.workshop.plan.chip_tables import address_table, chip_tables, header_lines
from firmware_host.workshop.plan.parts_list import by_cable, checklist, parts_list
from firmware_host.workshop.plan.plan import Plan
from firmware_host.workshop.plan.tables import TextTable, as_csv, as_lines

WIDTH = 140
"""How wide tables in files are."""


def views(plan: Plan, profile: Profile) -> Mapping[str, tuple[TextTable, ...]]:
    """The tables of each view but the header, by its name."""
    return {
        "addresses": (address_table(profile),),
        "chips": chip_tables(plan, profile),
        "checklist": by_cable(plan),
        "parts": (parts_list(plan, profile),),
        "power": (power_table(plan, profile),),
    }


VIEWS = ("header", "addresses", "chips", "checklist", "parts", "power")
"""All views, in the order in which they are printed."""


def view_lines(view: str, plan: Plan, profile: Profile, width: int = WIDTH) -> list[str]:
    """A view in lines."""
    if view == "header":
        return header_lines(plan, profile)
    lines: list[str] = []
    for table in views(plan, profile)[view]:
        lines += [*as_lines(table, width), ""] if table.rows else []
    return lines[:-1] or [f"no {view}"]


def view_csv(view: str, plan: Plan, profile: Profile) -> str:
    """A view that is one table as CSV."""
    return as_csv(checklist(plan) if view == "checklist" else views(plan, profile)[view][0])


CSV_VIEWS = ("addresses", "checklist", "parts", "power")
"""The views that there are as CSV."""


def files(plan: Plan, profile: Profile) -> dict[str, str]:
    """Name and text of each file."""
    texts = {f"{view}.txt": view_lines(view, plan, profile) for view in VIEWS}
    made = {name: "".join(f"{line}\n" for line in lines) for name, lines in texts.items()}
    made |= {f"{view}.csv": view_csv(view, plan, profile) for view in CSV_VIEWS}
    return made | sheets(plan, profile)
