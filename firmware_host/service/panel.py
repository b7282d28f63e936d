"""Service mode while it is open: buttons and time in, two lines and lamps out, and an outcome at the end.

Two buttons do everything, since a table may have no more. The first seat's goes on, or back when it is held;
the second seat's enters or changes something. A short press counts when the button is let go, since only
then it is certain that it was no long one. A press counts only on the page on which it began: nobody
confirms anything with a button that was down before the question was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from firmware_host.durations import S
from firmware_host.places import Button, Call, Slot, Source, Spot
from firmware_host.service.info import Outcome, PanelInfo
from firmware_host.service.menu import main_menu
from firmware_host.service.page import FIRST, SECOND
from firmware_host.service.panel_context import PanelContext
from firmware_host.show.lamps import frame_length
from firmware_host.show.lines import TurningLine
from firmware_host.show.pages import TURN_NS
from firmware_host.states import DeviceCondition

HOLD_NS = 1 * S
"""A button that is held for so long is no short press; the first one leads back then."""
CONFIRM_NS = 2 * S
"""The second button says yes when it is held for so long."""
ALONE_NS = 60 * S
"""If nobody presses anything for so long, service mode is left."""


class Panel:
    """Opens with the main menu. When `outcome` is there it is over, and nothing has a meaning any more."""

    def __init__(self, info: PanelInfo, now_ns: int) -> None:
        self._desk = PanelContext(info, now_ns)
        self._desk.open(main_menu(self._desk))
        self._down: dict[int, int] = {}
        self._edges: Counter[Source] = Counter()

    # -- what comes in

    def press(self, seat: int, call: bool, now_ns: int) -> None:
        """A seat's button went down: its race button, or its call button."""
        if not self._goes_on(now_ns):
            return
        self._desk.stir()
        self._button(seat, call, down=True)
        if not call and seat in (FIRST, SECOND):
            self._down[seat] = self._desk.now_ns

    def release(self, seat: int, call: bool, now_ns: int) -> None:
        """A seat's button came up again."""
        if not self._goes_on(now_ns):
            return
        self._button(seat, call, down=False)
        down_ns = None if call else self._down.pop(seat, None)
        if down_ns is not None and self._desk.now_ns < down_ns + HOLD_NS:
            page = self._desk.page
            self._act(page.first if seat == FIRST else page.second)

    def contact(self, source: Source, active: bool, now_ns: int) -> None:
        """A raw change of any contact; those of buttons are counted, to tell how they bounce."""
        if not self._goes_on(now_ns):
            return
        if isinstance(source, Slot):
            self._notice(source, "", active)
        else:
            self._edges[source] += 1

    def tag(self, at: Spot, tag_text: str, present: bool, now_ns: int) -> None:
        """A tag came to a reader, or went away."""
        if self._goes_on(now_ns):
            self._notice(at, tag_text, present)

    def health(self, device: DeviceCondition) -> None:
        """A device is in that condition from now on."""
        self._desk.health[device.name] = device

    def tick(self, now_ns: int) -> None:
        """Let everything happen that time alone brings, by that moment."""
        context = self._desk
        while context.outcome is None:
            moment_ns, _, happen = self._awaited()
            if moment_ns > now_ns:
                context.now_ns = max(context.now_ns, now_ns)
                return
            context.now_ns = max(context.now_ns, moment_ns)
            self._act(happen)

    # -- what comes out

    @property
    def due_ns(self) -> int | None:
        """When `tick` is needed next and may change lines or lamps; None when it is over."""
        context = self._desk
        if context.outcome is not None:
            return None
        turns = (context.now_ns - context.told_ns) // TURN_NS
        moments = [self._awaited()[0], context.told_ns + (turns + 1) * TURN_NS]
        page_ns = context.page.due_ns
        return min(moments if page_ns is None else [*moments, page_ns])

    @property
    def language(self) -> str:
        """The language of the lines."""
        return self._desk.language

    def lines(self, columns: int) -> tuple[str, str]:
        """The two lines of the scoreboard."""
        above, below = self._desk.page.lines(columns)
        return self._in_turn(above, columns), self._in_turn(below, columns)

    def frame(self) -> bytes:
        """All lamps: a byte a lamp; bit 2 is red, bit 1 green, bit 0 blue."""
        info, lit = self._desk.info, self._desk.page.lit()
        return bytes(lit.get(lamp, 0) for lamp in range(frame_length(info.seats, info.piles)))

    @property
    def brightness(self) -> int | None:
        """How bright the lamps shall burn now, confirmed or only tried; None as the profile says."""
        return self._desk.choices.tried.brightness

    @property
    def outcome(self) -> Outcome | None:
        """What was decided; None as long as service mode is open."""
        return self._desk.outcome

    # -- how it works

    def _goes_on(self, now_ns: int) -> bool:
        self.tick(now_ns)
        return self._desk.outcome is None

    def _button(self, seat: int, call: bool, down: bool) -> None:
        source = Call(seat) if call else Button(seat)
        bounces = max(0, self._edges.pop(source, 0) - 1)
        self._desk.page.button(source, down, bounces)

    def _notice(self, at: Spot, what: str, there: bool) -> None:
        lying = self._desk.lying[at]
        (lying.add if there else lying.discard)(what)
        self._desk.page.noticed(at, what, there)

    def _awaited(self) -> tuple[int, int, Callable[[], None]]:
        """What happens next if nothing comes in: when, its place among others then, and what."""
        context = self._desk
        awaited = [(context.alive_ns + ALONE_NS, 2, self._give_up)]
        if FIRST in self._down:
            awaited.append((self._down[FIRST] + HOLD_NS, 0, context.back))
        if SECOND in self._down:
            awaited.append((self._down[SECOND] + CONFIRM_NS, 1, self._confirm))
        return min(awaited)

    def _act(self, act: Callable[[], None]) -> None:
        page = self._desk.page
        act()
        if self._desk.page is not page:
            self._down.clear()

    def _confirm(self) -> None:
        del self._down[SECOND]
        self._desk.page.confirmed()

    def _give_up(self) -> None:
        self._desk.choices.drop()
        self._desk.close()

    def _in_turn(self, line: TurningLine, columns: int) -> str:
        texts = (line,) if isinstance(line, str) else line
        turn = (self._desk.now_ns - self._desk.told_ns) // TURN_NS
        return texts[turn % len(texts)][:columns]
