"""Someone at the panel: presses, holds and waits, and looks all the while whether all is right."""

from __future__ import annotations

from firmware_host.model.phrases import Phrase
from firmware_host.model.places import Button, Call
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.model.times import MS, S
from firmware_host.service.page import Outcome, PanelInfo
from firmware_host.service.panel import Panel
from firmware_host.show.lamps import frame_length

PAGE_NS = 10 * S
"""Long enough for all texts of a page to have had their turns."""

HEALTH = (
    DeviceCondition("scoreboard", Condition.DEGRADED, "garbled", "look at the plug"),
    DeviceCondition("i2c", Condition.OK),
    DeviceCondition("pad 12", Condition.LOST, "no answer", "check its cable and the supply"),
)
AUDITS = (("matches", "12"), ("dead heats", "123"), ("unused buttons", "2 3 5 7 11 12"), ("hours", "9999"))

DICE = PanelInfo(
    seats=4,
    volume=7,
    games=("dice", "cards"),
    audits=AUDITS,
    health=HEALTH,
    round_running=True,
    match_running=True,
)
CARDS = PanelInfo(
    seats=12,
    piles=48,
    game="cards",
    games=("cards",),
    audits=AUDITS,
    health=HEALTH,
    match_running=True,
    slots=False,
    readers=True,
    call_buttons=True,
)
SMALL = PanelInfo(seats=2, piles=8, game="cards", games=("cards",), slots=False)
TABLES = {"dice for four": DICE, "cards for twelve": CARDS, "cards for two": SMALL}


class Operator:
    """Drives a panel by whole deeds; time passes from one due moment to the next."""

    def __init__(self, info: PanelInfo = DICE, columns: int = 20, panel: type[Panel] = Panel) -> None:
        self.info = info
        self.columns = columns
        self.now_ns = 1000 * S
        self.panel = panel(info, self.now_ns)

    # -- deeds

    def tap(self, seat: int, times: int = 1) -> str:
        """Press shortly; the first line after that."""
        for _ in range(times):
            self.hold(seat, 100 * MS)
        return self.above

    def hold(self, seat: int, for_ns: int = 1 * S) -> str:
        """Press, and let go after that time; the first line then."""
        self.panel.press(seat, False, self.now_ns)
        self.wait(for_ns)
        self.panel.release(seat, False, self.now_ns)
        self.look()
        self.wait(50 * MS)
        return self.above

    def wait(self, for_ns: int) -> None:
        """Let time pass; nothing may look different before the panel said so."""
        until_ns = self.now_ns + for_ns
        while (due_ns := self.panel.due_ns) is not None and due_ns <= until_ns:
            assert due_ns > self.now_ns
            self._nothing_new_until(due_ns - 1)
            self._tick(due_ns)
        self._nothing_new_until(until_ns)

    def go(self, *titles: Phrase) -> None:
        """Go down the menus, by the titles of their entries in whatever language."""
        for title in titles:
            ring = self.ring()
            assert set(ring) & set(title.value), f"{title} is not among {ring}"
            self.tap(1, next(place for place, text in enumerate(ring) if text in title.value))
            self.tap(2)

    def ring(self) -> list[str]:
        """The titles of the menu, from the present one on; back at that in the end."""
        titles = [self.above]
        while self.tap(1) != titles[0]:
            titles.append(self.above)
            assert len(titles) < 40
        return titles

    def bounce(self, seat: int, edges: int, call: bool = False, down: bool = True) -> None:
        """A button changes with so many raw edges."""
        for edge in range(edges):
            active = down if edge % 2 == 0 else not down
            self.panel.contact(Call(seat) if call else Button(seat), active, self.now_ns)
        (self.panel.press if down else self.panel.release)(seat, call, self.now_ns)
        self.look()

    # -- what can be seen

    @property
    def above(self) -> str:
        return self.panel.lines(self.columns)[0]

    @property
    def below(self) -> str:
        return self.panel.lines(self.columns)[1]

    @property
    def outcome(self) -> Outcome | None:
        return self.panel.outcome

    def over(self) -> bool:
        """Whether service mode has been left."""
        return self.panel.outcome is not None

    @property
    def burning(self) -> dict[int, int]:
        """The lamps that burn, and how."""
        return {lamp: tint for lamp, tint in enumerate(self.panel.frame()) if tint}

    def said(self, line: int, for_ns: int = PAGE_NS) -> list[str]:
        """All texts that take turns in a line, in their order."""
        texts: list[str] = []
        until_ns = self.now_ns + for_ns
        while self.now_ns < until_ns:
            text = self.panel.lines(self.columns)[line]
            if text not in texts:
                texts.append(text)
            self.wait(500 * MS)
        return texts

    def look(self) -> tuple[object, ...]:
        """Everything there is to see, after a look at whether it is right."""
        frame = self.panel.frame()
        assert len(frame) == frame_length(self.info.seats, self.info.piles)
        assert max(frame) <= 7
        narrow, wide = self.panel.lines(20), self.panel.lines(40)
        for lines, columns in ((narrow, 20), (wide, 40)):
            assert all(0 < len(line) <= columns and "{" not in line for line in lines)
        return narrow, wide, frame, self.panel.brightness, self.outcome

    def _nothing_new_until(self, now_ns: int) -> None:
        before = self.look()
        self._tick(now_ns)
        assert self.look() == before

    def _tick(self, now_ns: int) -> None:
        self.now_ns = now_ns
        self.panel.tick(now_ns)
