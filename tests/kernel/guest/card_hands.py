"""Hands that play cards: they hold them to pads, slap when the lamps say so, and call stop.

How the piles grow they know from the rules: a one goes onto the first free place, any other card onto
the first pile that wants it. So they know where a lamp has to burn, and whose cards lie there.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from tests.kernel.guest.hands import TAP_S, Hands, attend

OFF, GREEN, RED, YELLOW, WHITE = 0, 2, 4, 6, 7
"""Red is bit 2, green bit 1, blue bit 0."""
DARK_S = 0.6
"""A lamp that blinks is never dark for so long."""
BETWEEN_S = 0.03
POINTS_LOST_A_CARD = 2


class Piles:
    """The centre: for each place the colour of its pile, and whose its cards are."""

    def __init__(self, places: int) -> None:
        self._piles: list[tuple[str, list[int]]] = [("", []) for _ in range(places)]

    def place_for(self, card: str) -> int | None:
        """The first place that wants this card."""
        colour, number = card.split()
        for place, (its_colour, owners) in enumerate(self._piles):
            if len(owners) + 1 == int(number) and (not owners or its_colour == colour):
                return place
        return None

    def lay(self, seat: int, card: str) -> None:
        """A seat lays its card where it belongs."""
        place = self.place_for(card)
        assert place is not None, f"{card} fits nowhere"
        self._piles[place] = (card.split()[0], [*self._piles[place][1], seat])

    @property
    def heights(self) -> list[int]:
        return [len(owners) for _, owners in self._piles]

    def cards_of(self, seat: int) -> int:
        """How many of a seat's cards lie here."""
        return sum(owners.count(seat) for _, owners in self._piles)


class CardHands(Hands):
    """Plays waves of cards, scans what is left, and remembers which pads need a rest."""

    deal_words = "Sort, deal, press"

    def __init__(self, plan: dict[str, Any]) -> None:
        super().__init__(plan)
        self._unrested: set[int] = set()

    def round(self, plan: dict[str, Any]) -> list[int]:
        piles = Piles(len(self.plan["piles"]))
        for wave in plan["waves"]:
            self._play(wave, piles)
        self._call_stop(plan["caller"])
        # A card that is read late may open its pile after the next one.
        self.wait("the piles as they are", lambda: sorted(self._numbers()) == sorted(piles.heights))
        self._scan(plan["left"])
        return [
            piles.cards_of(seat) - POINTS_LOST_A_CARD * len(left)
            for seat, left in enumerate(plan["left"], start=1)
        ]

    def deal(self, plan: dict[str, Any], last: bool) -> None:
        if not last:
            self.read_sign(self.deal_words)
            self.ready()

    # -- a wave

    def _play(self, wave: dict[str, Any], piles: Piles) -> None:
        """All hold their cards to their pads; when the table knows them, they slap, and take them away."""
        held = {seat: (uid, card) for seat, uid, card in wave["held"]}
        lying = {seat: uid for seat, (uid, _) in held.items()}
        tints = dict.fromkeys(held, WHITE)
        if wave["wrong"]:
            pad, uid, words = wave["wrong"]
            lying[pad], tints[pad] = uid, RED
            self._unrested.add(pad)  # the same card may have been played from there
        self._hold(lying)
        if wave["wrong"]:
            self.read_sign(words)
        self._see(tints)
        if wave["silent"]:
            self._fall_silent(wave["silent"])
            self._see(tints)
        self._see_place(piles, held[wave["slaps"][0][0]][1])
        verdicts = self._slap(wave["slaps"], held, piles)
        self._see(verdicts)
        for seat, uid in lying.items():
            self.take(f"pad-{seat}", uid)
        self._unrested |= {seat for seat in lying if verdicts.get(seat) != GREEN}

    def _hold(self, lying: Mapping[int, str]) -> None:
        """Cards come to the pads; what was not played from some of them has to be forgotten there before."""
        later = self._unrested & lying.keys()
        for seat in lying.keys() - later:
            self.put(f"pad-{seat}", lying[seat])
        self._rest(later)
        for seat in later:
            self.put(f"pad-{seat}", lying[seat])

    def _slap(
        self, slaps: list[tuple[int, int]], held: Mapping[int, tuple[str, str]], piles: Piles
    ) -> dict[int, int]:
        """One after the other, rivals a moment later; how each one's panel has to burn then."""
        verdicts = {}
        for seat, rival in slaps:
            self.press(seat, *[rival] * bool(rival))
            piles.lay(seat, held[seat][1])
            verdicts[seat] = GREEN
            if rival:
                assert piles.place_for(held[rival][1]) is None, "the rival's card would fit, too"
                verdicts[rival] = YELLOW
            time.sleep(BETWEEN_S)
        return verdicts

    def _fall_silent(self, reader: str) -> None:
        """A reader says nothing until the table asks to look at it; then the round goes on by itself."""
        self.ends[reader].silent = True
        self.read_sign(f"Check: {reader}")
        self.ends[reader].silent = False
        self.read_sign("Start Ligretto")

    def _rest(self, seats: set[int]) -> None:
        """Wait until the table knows that nothing lies on these pads any more."""
        since = time.monotonic()

        def dark() -> bool:
            nonlocal since
            if any(self._panel(seat) != OFF for seat in seats):
                since = time.monotonic()
            return time.monotonic() >= since + DARK_S

        if seats:
            self.wait(f"dark panels of {seats}", dark)
            self._unrested -= seats

    # -- what can be seen

    def _see(self, tints: Mapping[int, int]) -> None:
        """Wait until each of these seats' panels has burnt so at some time."""
        missing = dict(tints)

        def seen() -> bool:
            for seat in [seat for seat, tint in missing.items() if self._panel(seat) == tint]:
                del missing[seat]
            return not missing

        self.wait(f"panels that burn so: {missing}", seen)

    def _see_place(self, piles: Piles, card: str) -> None:
        """Wait for the light of the number that this card would be, where it would go."""
        place = piles.place_for(card)
        assert place is not None, f"{card} fits nowhere"
        led = self.plan["piles"][place][int(card.split()[1]) - 1]
        self.wait(f"the light for {card}", lambda: self.burning([led])[0])

    def _panel(self, seat: int) -> int:
        red, green, blue = self.burning(self.plan["panels"][seat - 1])
        return red << 2 | green << 1 | blue

    def _numbers(self) -> list[int]:
        """How many lights of each pile burn."""
        lit = iter(self.burning(led for pile in self.plan["piles"] for led in pile))
        return [sum(next(lit) for _ in pile) for pile in self.plan["piles"]]

    # -- the end of a round

    def _call_stop(self, seat: int) -> None:
        line = self.plan["calls"][seat - 1]
        self.pulls.drive(line, False)
        time.sleep(TAP_S)
        self.pulls.drive(line, True)
        self.wait("the stop call", lambda: self.sign.lines == ("Ligretto, stop!", f"Seat {seat} called stop"))

    def _scan(self, left: list[list[str]]) -> None:
        """Seats show what they have left, card after card, and all agree."""
        self.read_sign("Ligretto left? Scan")
        lying: dict[int, str] = {}
        counts = [0] * self.seats
        for turn in range(max(map(len, left))):
            for seat, uids in enumerate(left, start=1):
                if seat in lying:
                    self.take(f"pad-{seat}", lying.pop(seat))
                if turn < len(uids):
                    self.put(f"pad-{seat}", uids[turn])
                    lying[seat] = uids[turn]
                    counts[seat - 1] += 1
            self.wait(f"the counts {counts}", lambda: _figures(self.sign.lines[1]) == counts)
        for seat, uid in lying.items():
            self.take(f"pad-{seat}", uid)
        self._unrested = set()  # until the next round they are long forgotten
        self.tap_all()


def _figures(text: str) -> list[int]:
    """The numbers of a line such as `1:3 2:0`."""
    return [int(word.rpartition(":")[2]) for word in text.split() if word.rpartition(":")[2].isdigit()]


if __name__ == "__main__":
    attend(CardHands)
