"""All that hands, operators and bad wires may do to a table, as texts drawn by chance.

A story is a list of deeds that hypothesis can make up, shorten and print; `perform` does
one of them to a driver. Stories lean towards short rounds, so that they get far.
"""

from __future__ import annotations

from itertools import chain

from hypothesis import strategies as st

from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.model.events import (
    Contact,
    Emptied,
    EndMatch,
    Filled,
    Pause,
    Pressed,
    Released,
    Resume,
    SetLeftover,
    StartMatch,
    VoidRound,
)
from firmware_host.model.places import ALL_SLOTS, Button, Colour, Slot
from firmware_host.model.states import AwayReason, Condition
from firmware_host.model.times import MS, Stamp
from tests.games.driver import Driver

Deed = tuple[object, ...]

SEATS = 4
DEALS = ((1, 1), (2, 1, 1), (3, 0, 2), (1, 2, 1, 2), (6, 6, 6, 6), (24,))
WAITS_MS = (0, 1, 15, 66, 300, 1100, 3000, 8000)
DEVICES = ("left", "right", "leds")

_seats = st.integers(1, SEATS)
_slots = st.sampled_from(ALL_SLOTS)
_contacts = st.one_of(
    st.tuples(st.sampled_from(("press", "release")), _seats),
    st.tuples(st.sampled_from(("fill", "empty")), _slots),
)
_deeds = st.one_of(
    _contacts,
    st.tuples(st.just("place"), _seats, st.sampled_from(Colour), st.integers(-250, 600)),
    st.tuples(st.just("place"), _seats, st.sampled_from(Colour), st.integers(0, 60)),
    st.tuples(st.just("late"), _contacts, st.integers(0, 200)),
    st.tuples(st.just("tap"), _seats),
    st.tuples(st.just("hold"), _seats),
    st.tuples(st.just("all press")),
    st.tuples(st.just("all hold")),
    st.tuples(st.just("all clear")),
    st.tuples(st.just("start"), st.sampled_from(DEALS)),
    st.tuples(st.sampled_from(("pause", "resume", "void", "end"))),
    st.tuples(st.just("leftover"), _seats, st.integers(0, 3)),
    st.tuples(st.just("wait"), st.sampled_from(WAITS_MS)),
    st.tuples(st.just("wait for the deadline")),
    st.tuples(st.sampled_from(("mask", "unmask")), _slots | st.builds(Button, _seats)),
    st.tuples(st.just("device"), st.sampled_from(DEVICES), st.sampled_from(Condition)),
    st.tuples(st.just("lose edges"), st.sampled_from(WAITS_MS)),
    st.tuples(st.just("interrupt"), st.sampled_from(AwayReason)),
    st.tuples(st.just("while it is away"), _contacts),
)
_CHATTER: list[Deed] = [
    ("mask", Slot(Colour.RED, 1)),
    ("wait", 15),
    ("unmask", Slot(Colour.RED, 1)),
    ("wait", 15),
]
_beginnings = st.sampled_from(
    (
        [],
        [("start", (1, 1)), ("wait", 3000)],
        [("start", (2, 1, 2)), ("wait", 3000)],
        [("start", (1, 1)), ("wait", 3000), ("place", 1, Colour.RED, 30), ("wait", 400)],
        [("start", (1, 1)), ("wait", 3000), ("place", 1, Colour.RED, 30), *_CHATTER, *_CHATTER],
        [("start", (2, 1)), ("device", "left", "lost"), ("wait", 3000), ("resume",)],
        [("start", (2, 1)), ("wait", 3000), ("interrupt", "power")],
    )
)

stories: st.SearchStrategy[list[Deed]] = st.builds(
    lambda beginning, session_logs: [*beginning, *chain(*session_logs)],
    _beginnings,
    st.lists(st.lists(_deeds, max_size=12), min_size=1, max_size=12),
)


def perform(driver: Driver, deed: Deed) -> None:
    """Do one deed."""
    match deed:
        case ("press" | "release" | "fill" | "empty") as verb, (int() | tuple()) as what:
            {"press": driver.press, "release": driver.release, "fill": driver.fill, "empty": driver.empty}[
                verb
            ](what)  # type: ignore[operator]
            driver.wait(1 * MS)
        case "late", (verb, what), int(age_ms):
            t_ns = max(0, driver.now_ns - age_ms * MS)
            driver.late(_late(str(verb), what, Stamp(t_ns, t_ns + 200_000)))
        case "place", int(seat), Colour() as colour, int(slap_ms):
            _place(driver, seat, colour, slap_ms)
        case "tap", int(seat):
            driver.tap(seat)
        case "hold", int(seat):
            driver.hold(seat)
        case ("all press",):
            driver.tap(*sorted(driver.session.seated))
        case ("all hold",):
            driver.hold(*sorted(driver.session.seated))
        case ("all clear",):
            driver.clear_board()
        case ("mask" | "unmask") as verb, (Slot() | Button()) as source:
            (driver.mask if verb == "mask" else driver.unmask)(source)
        case "device", str(name), str(condition):
            driver.device(name, condition, needed=name != "leds")
        case "lose edges", int(within_ms):
            driver.lose_edges(within_ms * MS)
        case "interrupt", str(reason):
            driver.interrupt(reason)
        case "while it is away", (verb, what):
            away = driver.interrupt()
            driver.late(_late(str(verb), what, Stamp(away.earliest_ns + 1, away.latest_ns)))
        case "wait", int(wait_ms):
            driver.wait(wait_ms * MS)
        case ("wait for the deadline",):
            driver.until(max(driver.now_ns, driver.session.state.deadline_ns or 0))
        case _:
            _command(driver, deed)


def _place(driver: Driver, seat: int, colour: Colour, slap_ms: int) -> None:
    """A die goes onto the next place of a row; its slap may come before it."""
    round_ = driver.session.round
    height = round_.position.heights[colour] if isinstance(round_, DiceRound) else 0
    slot = Slot(colour, min(height + 1, 6))
    if slap_ms < 0:
        driver.press(seat)
    else:
        driver.fill(slot)
    driver.wait(abs(slap_ms) * MS)
    if slap_ms < 0:
        driver.fill(slot)
    else:
        driver.press(seat)
    driver.wait(1 * MS)
    driver.release(seat)


def _late(verb: str, what: object, stamp: Stamp) -> Contact:
    if verb == "press" or verb == "release":
        assert isinstance(what, int)
        return (Pressed if verb == "press" else Released)(what, stamp, late=True)
    assert isinstance(what, Slot)
    return (Filled if verb == "fill" else Emptied)(what, stamp, late=True)


def _command(driver: Driver, deed: Deed) -> None:
    now = driver.exactly
    match deed:
        case "start", tuple() as deal:
            driver.command(StartMatch(deal, now))
        case "leftover", int(seat), int(count):
            driver.command(SetLeftover(seat, count, now))
        case ("pause",):
            driver.command(Pause(now))
        case ("resume",):
            driver.command(Resume(now))
        case ("void",):
            driver.command(VoidRound(now))
        case ("end",):
            driver.command(EndMatch(now))
        case _:
            raise AssertionError(f"no such deed: {deed}")
