"""Every window and waiting time of the table, with its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from firmware_host.durations import MS, US, S, format_duration, parse_duration
from firmware_host.errors import BadSettings, MalformedText

LANGUAGES = ("de", "en", "fr", "it", "nl", "es")

BRIGHTEST = 15
"""How bright LED chips can burn; 0 is the darkest that they can."""

MOST_PRESSES_A_SECOND = 30
"""More than any hands can do for two seconds: the fastest drum rolls have twenty strokes a second."""
MOST_DICE_A_SECOND = 7.5
"""More often nobody can put down a die and lift it for four seconds: it has to leave the sensor each time."""
MOST_DICE_FOR_LONG = 2.0
"""More often nobody does so for half a minute, though a magnet on the edge of its sensor may."""


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
    width_ns: int = 0  # how wide an ordinary stamp is; wider ones were found by looking again
    storms: tuple[tuple[int, int], ...] = ()  # so many changes within that time are no hand's doing

    @property
    def settle_ns(self) -> int:
        """When this long has passed since a stamp, no earlier change of these can turn up."""
        return self.delivery_ns + self.burst_ns


class Span(NamedTuple):
    """The range of a time outside of which it makes no sense."""

    least_ns: int
    most_ns: int

    def __str__(self) -> str:
        return f"from {format_duration(self.least_ns)} to {format_duration(self.most_ns)}"


def _time(usual_ns: int, least_ns: int, most_ns: int) -> int:
    """A field of the settings: its default, and the range that an operator may choose from."""
    time_ns: int = field(default=usual_ns, metadata={"span": Span(least_ns, most_ns)})
    return time_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator may tune: the default of each time, the least and the most, all in nanoseconds."""

    language: str = "en"

    # How far a driver's stamp may be from the truth, either way, unless it says otherwise.
    stamp_uncertainty_ns: int = _time(100 * US, 0, 50 * MS)

    # an edge arrives at most this long after it happened
    button_settle_ns: int = _time(20 * MS, 1 * MS, 500 * MS)
    button_quiet_ns: int = _time(3 * MS, 100 * US, 100 * MS)
    button_burst_ns: int = _time(10 * MS, 100 * US, 500 * MS)
    slot_settle_ns: int = _time(10 * MS, 1 * MS, 500 * MS)
    slot_quiet_ns: int = _time(20 * MS, 100 * US, 500 * MS)
    slot_burst_ns: int = _time(40 * MS, 100 * US, 1 * S)
    # a reader tells of a tag at most this long after it has seen it
    tag_settle_ns: int = _time(150 * MS, 10 * MS, 5 * S)
    # how much longer a table waits whose readers have to say what was placed
    identify_ns: int = _time(0, 0, 5 * S)

    claim_early_ns: int = _time(200 * MS, 0, 5 * S)  # a slap may come this long before its placement
    claim_late_ns: int = _time(3 * S, 100 * MS, 60 * S)  # ... or this long after it
    # a slap this long after a rival's counts as too late, not false
    just_lost_ns: int = _time(500 * MS, 0, 10 * S)
    # a false claim locks the seat this long, and so does a slap while locked
    lock_ns: int = _time(1 * S, 0, 60 * S)

    # a contact that chattered is trusted again when it is calm for this long
    calm_ns: int = _time(2 * S, 100 * MS, 60 * S)
    stuck_ns: int = _time(30 * S, 1 * S, 600 * S)  # a button that is down for this long is jammed

    # a slap this long after a card was taken off the pad is no false claim
    gone_ns: int = _time(1500 * MS, 0, 60 * S)

    hold_ns: int = _time(1 * S, 200 * MS, 30 * S)  # a button held this long is a call
    # a round of cards is stuck when all hold their buttons this long
    all_hold_ns: int = _time(2 * S, 200 * MS, 60 * S)
    # without a new player for this long, the match starts or the table gives up
    join_ns: int = _time(10 * S, 1 * S, 600 * S)
    count_ns: int = _time(1 * S, 200 * MS, 10 * S)  # each number of the countdown
    idle_ns: int = _time(180 * S, 1 * S, 3600 * S)  # a round without a placement for this long pauses
    paused_ns: int = _time(600 * S, 10 * S, 12 * 3600 * S)  # a pause this long ends the match
    # how long the stop call stands; late stamps come in meanwhile
    stop_ns: int = _time(2 * S, 500 * MS, 60 * S)
    # time to look at the leftover counts, and to dispute them
    leftover_ns: int = _time(8 * S, 500 * MS, 600 * S)
    # a disputed count is entered when its seat is quiet for this long
    entry_ns: int = _time(3 * S, 500 * MS, 60 * S)
    confirm_ns: int = _time(8 * S, 500 * MS, 600 * S)  # time for the others to confirm a disputed count
    scores_ns: int = _time(6 * S, 500 * MS, 600 * S)  # how long the scores of a round stand
    clear_ns: int = _time(120 * S, 5 * S, 3600 * S)  # time to clear the board and deal again
    result_ns: int = _time(15 * S, 1 * S, 3600 * S)  # how long the standings of a match stand

    @property
    def settle_ns(self) -> int:
        """When this long has passed since a stamp, no rival of any kind can turn up before it."""
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
    """So many changes within that time are a storm; every touch is two changes.

    A contact that never rests makes a change, or noise, at least every `change_ns`: where that is
    long, it is watched for longer.
    """
    changes = int(2 * most_a_second * seconds)
    return changes, max(seconds * S, changes * change_ns)


class Order(NamedTuple):
    """Two times of which one has to be shorter than the other, or at least no longer."""

    shorter: str
    longer: str
    may_be_equal: bool
    why: str


_JAMMED = "a button that is held would be taken for jammed"
ORDERS = (
    Order("button-quiet", "button-burst", True, "no burst could ever end"),
    Order("slot-quiet", "slot-burst", True, "no burst could ever end"),
    Order("hold", "stuck", False, _JAMMED),
    Order("all-hold", "stuck", False, _JAMMED),
)

_FIELDS = {each.name.removesuffix("_ns").replace("_", "-"): each for each in fields(Settings)}
SETTING_NAMES = tuple(_FIELDS)
SPANS: dict[str, Span] = {name: each.metadata["span"] for name, each in _FIELDS.items() if each.metadata}
"""The range of each time, by its name."""


def time_of(settings: Settings, name: str) -> int:
    """The nanoseconds of a setting by its name, such as `claim-late`."""
    time_ns: int = getattr(settings, f"{name.replace('-', '_')}_ns")
    return time_ns


def changed(settings: Settings, values: Mapping[str, str]) -> Settings:
    """The settings with texts such as {"claim-late": "2s"} put in; BadSettings names every fault."""
    faults = [fault for name, text in values.items() if (fault := setting_fault(name, text))]
    if faults:
        raise BadSettings(faults)
    new: dict[str, Any] = {
        name if name == "language" else f"{name.replace('-', '_')}_ns": (
            text if name == "language" else parse_duration(text)
        )
        for name, text in values.items()
    }
    result = replace(settings, **new)
    faults = contradictions(result)
    if faults:
        raise BadSettings(faults)
    return result


def setting_fault(name: str, text: str) -> str | None:
    """What is wrong with one setting by itself; None if nothing is."""
    if name not in SETTING_NAMES:
        return _unknown(name)
    if name == "language":
        allowed = f"allowed: {', '.join(LANGUAGES)}"
        return None if text in LANGUAGES else f"language '{text}' is unknown; {allowed}"
    try:
        time_ns = parse_duration(text)
    except MalformedText as error:
        return f"{name}: {error}"
    span = SPANS[name]
    return None if span.least_ns <= time_ns <= span.most_ns else f"{name} is {text}; allowed: {span}"


def _unknown(name: str) -> str:
    near = get_close_matches(name, SETTING_NAMES, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else f"; known: {', '.join(SETTING_NAMES)}"
    return f"setting '{name}' is unknown{hint}"


def contradictions(settings: Settings) -> list[str]:
    """What is wrong with settings that are each right by themselves, in words."""
    faults = []
    for shorter, longer, may_be_equal, why in ORDERS:
        excess_ns = time_of(settings, shorter) - time_of(settings, longer)
        if may_be_equal and excess_ns > 0:
            faults.append(f"{shorter} is longer than {longer}: {why}")
        elif not may_be_equal and excess_ns >= 0:
            faults.append(f"{longer} must be longer than {shorter}: {why}")
    return faults
