"""How quick and how careful a hand is."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from random import Random

from firmware_host.model.times import MS


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A random duration: skewed to the right, as people's times are."""

    median_ns: int
    spread: float

    def draw(self, chance: Random) -> int:
        return int(self.median_ns * chance.lognormvariate(0.0, self.spread))


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A kind of player. Rates are probabilities per occasion."""

    reaction: Spread  # from seeing to moving
    throw: Spread  # picking up, shaking, throwing and sorting the dice
    reach: Spread  # from the own dice to the board
    tap: Spread  # how long a finger stays on the button
    slap_offset_ns: int  # the slap comes this long after the die, on average
    slap_spread_ns: int  # ... and its spread; a wide one gives early slaps
    early_rate: float = 0.0  # slaps while reaching out, long before the die is down
    late_rate: float = 0.0  # hesitates before slapping
    twice_rate: float = 0.0  # slaps a second time
    wrong_rate: float = 0.0  # slaps without having placed anything
    let_go_rate: float = 0.0  # lets go of the button of the last die at once
    misplace_rate: float = 0.0  # puts a die on a wrong place
    knock_rate: float = 0.0  # knocks another die off on the way back
    reflex_rate: float = 0.0  # slaps although a rival's die was down first


SKILLS: dict[str, Skill] = {
    "novice": Skill(
        reaction=Spread(median_ns=420 * MS, spread=0.30),
        throw=Spread(median_ns=2100 * MS, spread=0.25),
        reach=Spread(median_ns=850 * MS, spread=0.25),
        tap=Spread(median_ns=120 * MS, spread=0.30),
        slap_offset_ns=180 * MS,
        slap_spread_ns=90 * MS,
        early_rate=0.02,
        late_rate=0.02,
        twice_rate=0.03,
        wrong_rate=0.02,
        let_go_rate=0.2,
        misplace_rate=0.03,
        knock_rate=0.01,
        reflex_rate=0.08,
    ),
    "regular": Skill(
        reaction=Spread(median_ns=300 * MS, spread=0.25),
        throw=Spread(median_ns=1500 * MS, spread=0.20),
        reach=Spread(median_ns=600 * MS, spread=0.22),
        tap=Spread(median_ns=80 * MS, spread=0.25),
        slap_offset_ns=90 * MS,
        slap_spread_ns=60 * MS,
        early_rate=0.005,
        late_rate=0.005,
        twice_rate=0.01,
        wrong_rate=0.003,
        let_go_rate=0.05,
        misplace_rate=0.01,
        knock_rate=0.005,
        reflex_rate=0.03,
    ),
    "expert": Skill(
        reaction=Spread(median_ns=210 * MS, spread=0.20),
        throw=Spread(median_ns=1100 * MS, spread=0.15),
        reach=Spread(median_ns=420 * MS, spread=0.18),
        tap=Spread(median_ns=55 * MS, spread=0.20),
        slap_offset_ns=40 * MS,
        slap_spread_ns=35 * MS,
        early_rate=0.005,
        late_rate=0.001,
        twice_rate=0.005,
        let_go_rate=0.02,
        misplace_rate=0.002,
        knock_rate=0.002,
        reflex_rate=0.01,
    ),
    "beginner": Skill(  # somebody who plays for the first time can win against these
        reaction=Spread(median_ns=1700 * MS, spread=0.30),
        throw=Spread(median_ns=7000 * MS, spread=0.25),
        reach=Spread(median_ns=2200 * MS, spread=0.25),
        tap=Spread(median_ns=130 * MS, spread=0.30),
        slap_offset_ns=350 * MS,
        slap_spread_ns=120 * MS,
        early_rate=0.002,
        late_rate=0.01,
        twice_rate=0.02,
        wrong_rate=0.003,
        let_go_rate=0.2,
        knock_rate=0.002,
        reflex_rate=0.02,
    ),
}
RATES = tuple(field.name.removesuffix("_rate") for field in fields(Skill) if field.name.endswith("_rate"))
"""The names of all rates of error."""


def with_rates(skill: Skill, **rates: float) -> Skill:
    """The same hand with other rates of error: `early`, `late`, `twice` ..."""
    return replace(skill, **{f"{name}_rate": rate for name, rate in rates.items()})  # type: ignore[arg-type]  # only rates are floats, and only they are passed
