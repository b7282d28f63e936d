"""Tag readers that are too near to each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import dist

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble

NEAR_MM = 80


def _near(built: Built) -> Iterator[Trouble]:
    """For each two groups, the two readers that are nearest to each other."""
    nearest: dict[tuple[int, int], tuple[float, str, str]] = {}
    for one, other in combinations(built.profile.readers, 2):
        if one.group == other.group or one.name not in built.at_mm or other.name not in built.at_mm:
            continue
        groups = (min(one.group, other.group), max(one.group, other.group))
        found = (dist(built.at_mm[one.name], built.at_mm[other.name]), one.name, other.name)
        nearest[groups] = min(found, nearest.get(groups, found))
    for (first, second), (far, one_name, other_name) in sorted(nearest.items()):
        if far < NEAR_MM:
            words = (
                f"{one_name} is {far:.0f} mm from {other_name}, but they are in groups {first} and {second}"
            )
            yield Trouble(f"readers.{other_name}.group", words)


READER_SPACING = (
    Rule(
        name="readers-too-near",
        strength=Strength.WARNING,
        what="tag readers nearer than 80 mm to each other in different groups",
        why="two fields that are on together within 80 mm garble each other; only readers of one group take "
        "turns",
        right="one group for both, or more than 80 mm between them",
        rests_on=("board",),
        look=_near,
    ),
)
