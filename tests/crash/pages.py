"""What pages of the scoreboard tell of the table: its phase, and the verdicts and refusals on them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from firmware_host.lab.bots.page_reading import PageReader, Wish
from firmware_host.lab.surface import ShownPage
from firmware_host.model.effects import Judged, TagRefused, Verdict
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from firmware_host.show.pages import CALL_NS, cue_text, verdict_text
from firmware_host.store.store_reader import Decision

_READER = PageReader("en", str)
_OF_WISH = {
    Wish.PLAY: Phase.PLAY,
    Wish.STOP: Phase.SETTLE,
    Wish.CHECK: Phase.SETTLE,
    Wish.TAKE_OFF: Phase.CLEAR,
    Wish.DEAL: Phase.CLEAR,
    Wish.HOLD: Phase.PAUSED,
}
_STARTS = (
    (say("en", Phrase.PRESS_TO_PLAY), Phase.ATTRACT),
    (say("en", Phrase.PRESS_TO_SIT), Phase.JOIN),
    (say("en", Phrase.WAS_OFF), Phase.PAUSED),
    (say("en", Phrase.REFUTED), Phase.COUNTDOWN),
    (say("en", Phrase.WINNER, seats=""), Phase.RESULT),
    ("Check:", Phase.PAUSED),
)
_SCORES = re.compile(r"Seat \d+ is done|Nobody can play on")
_COUNTING = re.compile(r"[321]")
_QUIET = re.compile(r"Round \d+/\d+|Start Ligretto")
_UNSAID = (Verdict.LOCKED, Verdict.NOT_RUNNING)


def phase_of(lines: tuple[str, ...]) -> Phase | None:
    """The phase that shows such a page, if that can be told."""
    first, second = lines
    for start, phase in _STARTS:
        if first.startswith(start):
            return phase
    if _SCORES.fullmatch(first):
        return Phase.SCORES
    if first.startswith("Round") and _COUNTING.fullmatch(second):
        return Phase.COUNTDOWN
    return _OF_WISH.get(_READER.read(lines).wish)


def news_of(lines: tuple[str, ...]) -> str | None:
    """The verdict or refusal that a page of a running round tells of."""
    if phase_of(lines) is not Phase.PLAY or _QUIET.fullmatch(lines[0]):
        return None
    return lines[0]


def told(decisions: Iterable[Decision], columns: int, by_pads: bool) -> list[str]:
    """All verdicts and refusals of a journal, as the scoreboard says them, in their order."""
    texts = []
    for decision in decisions:
        effect = decision.effect
        if isinstance(effect, Judged) and effect.verdict not in _UNSAID:
            texts.append(verdict_text("en", effect, columns, by_pads=by_pads))
        elif isinstance(effect, TagRefused):
            texts.append(cue_text("en", effect.at, effect.cue, columns))
    return texts


def first_untold(pages: Iterable[ShownPage], texts: list[str]) -> str | None:
    """The first news that was shown though it is not in these texts, or not in that order.

    A verdict may come back for the rest of its time, when what was told after it has gone; and what a
    daemon shows first may be what the one before it showed last.
    """
    place, daemon = 0, 0
    since: dict[str, int] = {}
    for page in pages:
        begins, daemon = page.daemon not in (0, daemon), page.daemon or daemon
        news = news_of(page.lines)
        if news is None:
            continue
        if news in since and (begins or page.t_ns < since[news] + CALL_NS):
            continue
        if news in texts[place:]:
            place = texts.index(news, place) + 1
        elif not (begins and news in texts[:place]):
            after = texts[place - 1] if place else "the beginning"
            return f"'{news}' was shown at {page.t_ns / S:.3f} s, and is not in the journal after '{after}'"
        since[news] = page.t_ns
    return None
