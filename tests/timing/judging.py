"""A round of dice that is given what happens, and what it rules; times are milliseconds.

Everything is known as it happens, and the round is asked at every moment that is due. What was ruled
can be read as lines such as `2 too-late red 1 +20`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from firmware_host.games.dice.calls import NoneLeftCall
from firmware_host.games.dice.dice import DicePosition
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.round import Outbox
from firmware_host.model.effects import Judged, SlotChanged, TieBroken
from firmware_host.model.events import Emptied, Filled, Pressed
from firmware_host.model.places import Colour, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, Stamp, exactly
from firmware_host.timing.lanes import StampQueue
from firmware_host.timing.ties import TieBreaker

SETTINGS = Settings(stamp_uncertainty_ns=0)
STRICT = replace(SETTINGS, locks="strict")
"""The first false claim locks already."""
FOUR: tuple[int, ...] = (6, 6, 6, 6)


def at(ms: float, width_ms: float = 0) -> Stamp:
    """A stamp that begins at that millisecond."""
    return Stamp(round(ms * MS), round((ms + width_ms) * MS))


@dataclass(frozen=True, slots=True)
class Place:
    """A die comes down, or is set down again."""

    slot: Slot
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Lift:
    """A die is lifted off its place."""

    slot: Slot
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Hit:
    """A seat slaps its button; if it is held it says after a while that it has none left."""

    seat: int
    stamp: Stamp
    held: bool = False


Act = Place | Lift | Hit | NoneLeftCall


@dataclass(frozen=True, slots=True)
class Judgement:
    """One ruling, and the tie that it came of."""

    judged: Judged
    tie: TieBroken | None

    @property
    def now_ns(self) -> int:
        return self.judged.decided_ns

    def __str__(self) -> str:
        judged = self.judged
        place = f" {judged.what}" if judged.what else ""
        margin = "" if judged.margin_ns is None else f" {judged.margin_ns / MS:+g}"
        return f"{judged.seat} {judged.verdict.value}{place}{margin}"


class Court:
    """Knows each act as it happens, and rules whenever something is due."""

    def __init__(
        self, acts: Sequence[Act], settings: Settings, ties: TieBreaker, position: DicePosition
    ) -> None:
        self.out = Outbox()
        self.round = DiceRound(settings, position, ties, self.out)
        self.round.go(0)
        self.acts = acts
        self.judgements: list[Judgement] = []
        self.changes: list[SlotChanged] = []
        self._held: list[NoneLeftCall] = []
        self._acts: StampQueue[Act] = StampQueue()
        for rank, act in enumerate(acts):
            self._acts.put(act.stamp, (isinstance(act, Hit), rank), act)
            if isinstance(act, Hit) and act.held:
                call = NoneLeftCall(act.seat, act.stamp)
                self._acts.put(exactly(act.stamp.latest_ns + settings.hold_ns), (2, rank), call)

    @property
    def end(self) -> Stamp | None:
        """When the round has ended."""
        return None if self.round.end is None else self.round.end.stamp

    def sit(self, until_ns: int, extra_ns: Sequence[int] = ()) -> None:
        """Rule whenever something is due, and at the extra moments as well."""
        now_ns = -1
        while True:
            moments = (self._acts.first_ns, self.round.awaits_after_ns(now_ns))
            due = [ns for ns in moments if ns is not None]
            before_ns = now_ns
            now_ns = min([*due, *(ns for ns in extra_ns if ns > before_ns)], default=until_ns + 1)
            assert now_ns > before_ns, "what is due was not done"
            if now_ns > until_ns:
                break
            for act in self._acts.take(now_ns):
                self._hear(act, now_ns)
            self.round.calls.presses = self._held
            self.round.decide(now_ns, now_ns)
            self._note()

    def _hear(self, act: Act, now_ns: int) -> None:
        if isinstance(act, NoneLeftCall):
            self.round.say_none_left([act], now_ns)
            self.round.judge_press(act.seat)
            self._held.remove(act)
        elif isinstance(act, Hit):
            self.round.slapped(Pressed(act.seat, act.stamp), now_ns)
            if act.held:
                self._held.append(NoneLeftCall(act.seat, act.stamp))
        else:
            self.round.landed((Filled if isinstance(act, Place) else Emptied)(act.slot, act.stamp))

    def _note(self) -> None:
        tie: TieBroken | None = None
        for effect in self.out.take():
            if isinstance(effect, TieBroken):
                tie = effect
            elif isinstance(effect, Judged):
                self.judgements.append(Judgement(effect, tie))
                tie = None
            elif isinstance(effect, SlotChanged):
                self.changes.append(effect)


def court(
    *acts: Act,
    left: tuple[int, ...] = FOUR,
    dealt: tuple[int, ...] = (),
    red: int = 0,
    ties: TieBreaker | None = None,
    settings: Settings = SETTINGS,
    extra_ns: Sequence[int] = (),
) -> Court:
    """The court after all these acts are judged; so many dice are left, and lie in the red row before."""
    position = DicePosition((red, 0, 0, 0), dealt or left, left)
    session = Court(acts, settings, ties or TieBreaker(Random(1)), position)
    session.sit(60_000 * MS, extra_ns)
    return session


_ACT = re.compile(r"(-?)(?:([rygb])([1-6])|([1-4]))(!?)@([0-9.]+)(?:\+([0-9.]+))?")


def heard(text: str) -> Court:
    """The court after the acts of a text such as `strict left=1,6 r1@1000 -r1@1050 2@1100+10 1!@1200`.

    `r1` puts a die on red 1, `-r1` lifts it, `2` is a slap of seat 2, and `1!` a press that is held; then
    come the millisecond, and the width of the stamp. Words before that say what differs from usual.
    """
    left, dealt, red = FOUR, FOUR[:0], 0
    settings, acts = SETTINGS, list[Act]()
    for word in text.split():
        name, _, value = word.partition("=")
        if name == "strict":
            settings = STRICT
        elif name == "left":
            left = _hands(value)
        elif name == "dealt":
            dealt = _hands(value)
        elif name == "red":
            red = int(value)
        elif name == "blur":
            settings = replace(settings, stamp_uncertainty_ns=round(float(value) * MS))
        elif name == "early":
            settings = replace(settings, claim_early_ns=int(value) * MS)
        else:
            acts.append(_act(word))
    return court(*acts, left=left, dealt=dealt, red=red, settings=settings)


def _hands(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _act(word: str) -> Act:
    match = _ACT.fullmatch(word)
    assert match is not None, word
    lifted, row, number, seat, held, ms, width_ms = match.groups()
    stamp = at(float(ms), float(width_ms or 0))
    if seat:
        return Hit(int(seat), stamp, held=bool(held))
    return (Lift if lifted else Place)(Slot(Colour("rygb".index(row)), int(number)), stamp)


def what_came_of(text: str) -> str:
    """Each ruling on these acts and when it was made, then the end of the round, and how it stood."""
    session = heard(text)
    said = [f"{each} @{_ms(each.now_ns)}" for each in session.judgements]
    if session.end is not None:
        said.append(f"end @{_ms(session.end.earliest_ns)} {session.round.position}")
    return "; ".join(said)


def _ms(t_ns: int) -> str:
    return f"{t_ns / MS:.6f}".rstrip("0").rstrip(".")
