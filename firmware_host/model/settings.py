"""The settings of the table: each time with its default, its range and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from firmware_host.model.errors import BadSettings, MalformedText
from firmware_host.model.phrases import LANGUAGES as LANGUAGES
from firmware_host.model.times import MS, US, S, format_duration, parse_duration

BRIGHTEST = 15
"""The highest brightness of LED chips; 0 is the lowest."""
LOUDEST = 10
"""The highest volume of the speaker; 0 is silent."""

MOST_PRESSES_A_SECOND = 30
"""More than hands can do for two seconds: the fastest drum rolls have twenty strokes a second."""
MOST_DICE_A_SECOND = 7.5
"""Nobody can put down and lift a die more often for four seconds: it has to leave the sensor each time."""
MOST_DICE_FOR_LONG = 2.0
"""Nobody does so more often for half a minute, but a magnet on the edge of its sensor may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """How one kind of source behaves in time.

    An edge reaches the arbiter less than `delivery_ns` after its earliest stamp: the settle
    time of the source, and the width of the stamp. Edges less than `quiet_ns` apart are
    one burst of bounce, and a burst is cut after `burst_ns`.
    """

    delivery_ns: int
    quiet_ns: int
    burst_ns: int
    width_ns: int = 0  # the width of an ordinary stamp; wider ones were found by reading the level again
    storms: tuple[tuple[int, int], ...] = ()  # this many changes within that time were not made by a hand

    @property
    def settle_ns(self) -> int:
        """How long after a stamp an earlier change of this kind can still arrive."""
        return self.delivery_ns + self.burst_ns


class TimeOrder(NamedTuple):
    """Two times, of which one must be shorter than the other (or at least not longer)."""

    longer: str
    may_be_equal: bool
    why: str
    shorter: str = ""  # the one that has the order in its row

    def __str__(self) -> str:
        if self.may_be_equal:
            return f"{self.shorter} is longer than {self.longer}: {self.why}"
        return f"{self.longer} must be longer than {self.shorter}: {self.why}"

    def excess_ns(self, settings: Settings) -> int:
        """How much longer the time that should be shorter is."""
        return time_of(settings, self.shorter) - time_of(settings, self.longer)

    def broken(self, settings: Settings) -> bool:
        """Whether the settings contradict it."""
        excess_ns = self.excess_ns(settings)
        return excess_ns > 0 or (excess_ns == 0 and not self.may_be_equal)


class Timing(NamedTuple):
    """The description of a time: all but its default."""

    least_ns: int
    most_ns: int
    meaning: str
    order: TimeOrder | None

    @property
    def span(self) -> str:
        """The range that makes sense, in words."""
        return f"from {format_duration(self.least_ns)} to {format_duration(self.most_ns)}"


def _time(usual_ns: int, least_ns: int, most_ns: int, meaning: str, order: TimeOrder | None = None) -> int:
    """A field of the settings: its default, its range, and its meaning."""
    time_ns: int = field(default=usual_ns, metadata={"timing": Timing(least_ns, most_ns, meaning, order)})
    return time_ns


_ENDLESS = "no burst could ever end"
_BUTTON_BURST = TimeOrder("button-burst", may_be_equal=True, why=_ENDLESS)
_SLOT_BURST = TimeOrder("slot-burst", may_be_equal=True, why=_ENDLESS)
_NOT_JAMMED = TimeOrder("stuck", may_be_equal=False, why="a button that is held would be taken for jammed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The times that an operator may tune. Docs, examples and checks are made from these rows."""

    language: str = "en"
    locks: str = "usual"

    stamp_uncertainty_ns: int = _time(
        100 * US, 0, 50 * MS, "how far a stamp may be from the truth, either way"
    )
    button_settle_ns: int = _time(
        5 * MS, 1 * MS, 500 * MS, "an edge of a button arrives at most this long after it happened"
    )
    button_quiet_ns: int = _time(
        2500 * US, 100 * US, 100 * MS, "edges less than this apart are one burst of bounce", _BUTTON_BURST
    )
    button_burst_ns: int = _time(10 * MS, 100 * US, 500 * MS, "a burst is cut after this time")
    slot_settle_ns: int = _time(
        8 * MS, 1 * MS, 500 * MS, "the same for the hall sensors: how late an edge may arrive"
    )
    slot_quiet_ns: int = _time(
        20 * MS, 100 * US, 500 * MS, "edges less than this apart are one burst", _SLOT_BURST
    )
    slot_burst_ns: int = _time(40 * MS, 100 * US, 1 * S, "a burst is cut after this time")
    tag_settle_ns: int = _time(
        150 * MS, 10 * MS, 5 * S, "a reader reports a tag at most this long after it saw it"
    )
    identify_ns: int = _time(0, 0, 5 * S, "time for readers at the places to say what was placed")

    claim_early_ns: int = _time(200 * MS, 0, 5 * S, "a slap may come this long before its die is placed")
    claim_late_ns: int = _time(3 * S, 100 * MS, 60 * S, "... or this long after it")
    early_wait_ns: int = _time(
        120 * MS, 0, 2 * S, "an early slap counts this long after its die was placed, if nobody slapped"
    )
    lost_wait_ns: int = _time(
        60 * MS, 0, 500 * MS, "a slap that was too late waits this long for another die to come down"
    )
    second_slap_ns: int = _time(
        250 * MS, 0, 2 * S, "a slap this soon after another one of its seat is the same slap"
    )
    fresh_ns: int = _time(
        600 * MS, 0, 5 * S, "a die that has waited longer for its slap comes after those that have not"
    )
    reclaim_ns: int = _time(
        6 * S, 0, 30 * S, "so long after a slap that got nothing its seat can reclaim a die"
    )
    sign_late_ns: int = _time(
        2 * S, 0, 10 * S, "a die that lay there before the stop can still be signed this long after it"
    )
    just_lost_ns: int = _time(
        500 * MS, 0, 10 * S, "a slap this long after a rival's counts as too late, not as false"
    )
    lock_ns: int = _time(
        1 * S, 0, 60 * S, "a false claim locks the seat this long, and so does a slap while locked"
    )

    calm_ns: int = _time(
        2 * S, 100 * MS, 60 * S, "a contact that chattered is trusted again when it is calm for this long"
    )
    stuck_ns: int = _time(30 * S, 1 * S, 600 * S, "a button that is down for this long is jammed")

    gone_ns: int = _time(
        1500 * MS, 0, 60 * S, "a slap this long after a card was taken off the pad is not a false claim"
    )

    card_late_ns: int = _time(
        200 * MS, 0, 5 * S, "a card that its pad reads this long after a slap is the one that was slapped"
    )

    hold_ns: int = _time(1 * S, 200 * MS, 30 * S, "a button held this long is a call", _NOT_JAMMED)
    all_hold_ns: int = _time(
        2 * S,
        200 * MS,
        60 * S,
        "a round of cards is stuck when all hold their buttons this long",
        _NOT_JAMMED,
    )
    join_ns: int = _time(
        10 * S, 1 * S, 600 * S, "without a new player for this long the match starts, or the table gives up"
    )
    count_ns: int = _time(1 * S, 200 * MS, 10 * S, "each number of the countdown")
    idle_ns: int = _time(180 * S, 1 * S, 3600 * S, "a round without a placement for this long pauses")
    paused_ns: int = _time(600 * S, 10 * S, 12 * 3600 * S, "a pause this long ends the match")
    stop_ns: int = _time(
        1500 * MS, 500 * MS, 60 * S, "how long the stop call stands; late stamps come in meanwhile"
    )
    leftover_ns: int = _time(
        8 * S, 500 * MS, 600 * S, "time to look at the leftover counts, and to dispute them"
    )
    ask_ns: int = _time(
        5 * S, 500 * MS, 60 * S, "time to say whose a die is that lies there without an owner"
    )
    entry_ns: int = _time(
        3 * S, 500 * MS, 60 * S, "a disputed count is entered when its seat is quiet for this long"
    )
    confirm_ns: int = _time(8 * S, 500 * MS, 600 * S, "time for the others to confirm a disputed count")
    scores_ns: int = _time(6 * S, 500 * MS, 600 * S, "how long the scores of a round stand")
    clear_ns: int = _time(
        120 * S, 5 * S, 3600 * S, "time to clear the board and deal; each tag that comes or goes restarts it"
    )
    result_ns: int = _time(15 * S, 1 * S, 3600 * S, "how long the standings of a match stand")

    @property
    def settle_ns(self) -> int:
        """How long after a stamp an earlier rival of any kind can still arrive."""
        return max(self.buttons.settle_ns, self.slots.settle_ns) + self.identify_ns

    @property
    def buttons(self) -> Lane:
        return Lane(
            delivery_ns=self.button_settle_ns + 2 * self.stamp_uncertainty_ns + 1,
            width_ns=2 * self.stamp_uncertainty_ns,
            quiet_ns=self.button_quiet_ns,
            burst_ns=self.button_burst_ns,
            storms=(_storm(MOST_PRESSES_A_SECOND, 2, self.button_quiet_ns + self.button_burst_ns),),
        )

    @property
    def slots(self) -> Lane:
        return Lane(
            delivery_ns=self.slot_settle_ns + 2 * self.stamp_uncertainty_ns + 1,
            width_ns=2 * self.stamp_uncertainty_ns,
            quiet_ns=self.slot_quiet_ns,
            burst_ns=self.slot_burst_ns,
            storms=(
                _storm(MOST_DICE_A_SECOND, 4, self.slot_quiet_ns + self.slot_burst_ns),
                _storm(MOST_DICE_FOR_LONG, 30, 0),
            ),
        )


def _storm(most_a_second: float, seconds: int, change_ns: int) -> tuple[int, int]:
    """How many changes within which time are a storm; every touch is two changes.

    A contact that never rests makes a change, or noise, at least every `change_ns`. Where that is
    long, the storm may last longer.
    """
    changes = int(2 * most_a_second * seconds)
    return changes, max(seconds * S, changes * change_ns)


TIMINGS: dict[str, Timing] = {
    each.name.removesuffix("_ns").replace("_", "-"): each.metadata["timing"]
    for each in fields(Settings)
    if each.metadata
}
"""Every time by its name, such as `claim-late`."""

CHOICES = {"language": LANGUAGES, "locks": ("children", "usual", "strict")}
"""The settings that are a choice, and what each can be."""

SETTING_NAMES = (*CHOICES, *TIMINGS)

TIME_ORDERS = tuple(timing.order._replace(shorter=name) for name, timing in TIMINGS.items() if timing.order)


def time_of(settings: Settings, name: str) -> int:
    """The nanoseconds of a setting by its name, such as `claim-late`."""
    time_ns: int = getattr(settings, f"{name.replace('-', '_')}_ns")
    return time_ns


def changed(settings: Settings, values: Mapping[str, str]) -> Settings:
    """The settings changed by texts such as {"claim-late": "2s"}; BadSettings names every fault."""
    faults = [fault for name, text in values.items() if (fault := setting_fault(name, text))]
    if faults:
        raise BadSettings(faults)
    new: dict[str, Any] = {
        name if name in CHOICES else f"{name.replace('-', '_')}_ns": (
            text if name in CHOICES else parse_duration(text)
        )
        for name, text in values.items()
    }
    result = replace(settings, **new)
    if broken := contradictions(result):
        raise BadSettings([*map(str, broken)])
    return result


def setting_fault(name: str, text: str) -> str | None:
    """What is wrong with a setting by itself; None if nothing is."""
    if name not in SETTING_NAMES:
        return _unknown(name)
    if name in CHOICES:
        allowed = f"allowed: {', '.join(CHOICES[name])}"
        return None if text in CHOICES[name] else f"{name} '{text}' is unknown; {allowed}"
    try:
        time_ns = parse_duration(text)
    except MalformedText as error:
        return f"{name}: {error}"
    timing = TIMINGS[name]
    good = timing.least_ns <= time_ns <= timing.most_ns
    return None if good else f"{name} is {text}; allowed: {timing.span}"


def _unknown(name: str) -> str:
    near = get_close_matches(name, SETTING_NAMES, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else f"; known: {', '.join(SETTING_NAMES)}"
    return f"setting '{name}' is unknown{hint}"


def contradictions(settings: Settings) -> list[TimeOrder]:
    """The orders that settings break although each is valid by itself."""
    return [order for order in TIME_ORDERS if order.broken(settings)]
