"""What can be expected of the table, and how it is looked up.

Each subject is a row: how to read the wanted text, and how to find the same text on the
table. Both sides are texts of one form, so a mismatch shows what differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NamedTuple

from firmware_host.durations import format_duration, parse_duration
from firmware_host.effects import (
    Corrected,
    EdgesLost,
    Effect,
    Judged,
    LateSignal,
    Noise,
    Refused,
    TieBroken,
    Verdict,
)
from firmware_host.engine.dice import parse_position
from firmware_host.errors import MalformedText
from firmware_host.event_text import parse_seat, parse_slot
from firmware_host.places import Colour
from firmware_host.runtime.pipeline import Pipeline
from firmware_host.scenario.statements import SEATS
from firmware_host.show.lamps import Beat, Tint, panel_lamp_index, slot_lamp_index
from firmware_host.table.phases import Phase
from firmware_host.table.round import SlotState
from firmware_host.table.settling import Settle


@dataclass(slots=True)
class Observed:
    """What the table has said since the scenario began."""

    pipeline: Pipeline
    lines: Callable[[], tuple[str, ...]]
    verdicts: list[Judged] = field(default_factory=list)
    ties: list[TieBroken] = field(default_factory=list)
    corrections: list[Corrected] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    late: int = 0
    noise: int = 0
    lost: int = 0

    def observe(self, t_ns: int, effects: Iterable[Effect]) -> None:
        """Remember what is of interest to a scenario."""
        for effect in effects:
            match effect:
                case Judged():
                    self.verdicts.append(effect)
                case TieBroken():
                    self.ties.append(effect)
                case Corrected():
                    self.corrections.append(effect)
                case Refused():
                    self.refused.append(effect)
                case LateSignal():
                    self.late += 1
                case Noise():
                    self.noise += 1
                case EdgesLost():
                    self.lost += effect.count
                case _:
                    pass


_TROUBLE = r"([\w-]+|\w+ \d+ (chatters|stuck))"
_BETWEEN = (Phase.SCORES, Phase.CLEAR, Phase.RESULT)


class Subject(NamedTuple):
    """One thing that can be expected: `read` splits the words, `find` looks at the table."""

    read: Callable[[list[str]], tuple[str, str]]
    find: Callable[[Observed, str], str]
    example: str


def parse_expectation(words: list[str]) -> tuple[str, str, str]:
    """Subject, argument and wanted text of the words after `expect`."""
    subject = words[0] if words else ""
    if subject not in SUBJECTS:
        near = get_close_matches(subject, SUBJECTS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(SUBJECTS)}"
        raise MalformedText(f"'{subject}' can't be expected; {hint}")
    try:
        argument, wanted = SUBJECTS[subject].read(words[1:])
    except MalformedText as error:
        raise MalformedText(f"{error} (as in: expect {subject} {SUBJECTS[subject].example})") from None
    return subject, argument, wanted


def check_seat(seat: int) -> int:
    """The seat, if the table has it."""
    if seat > SEATS:
        raise MalformedText(f"there is no seat {seat}: this table has {SEATS}")
    return seat


def verdict_text(judged: Judged) -> str:
    """`2 too-late red 1 margin 300us`."""
    words = [str(judged.seat), judged.verdict.value]
    if judged.slot is not None:
        words.append(str(judged.slot))
    if judged.margin_ns is not None:
        words.append(f"margin {format_duration(judged.margin_ns)}")
    if judged.doubtful:
        words.append("doubtful")
    return " ".join(words)


def tie_text(tie: TieBroken) -> str:
    """`1,2,3 drawn`."""
    how = "drawn" if tie.drawn else "by-fewest-won"
    return f"{','.join(map(str, tie.seats))} {how}"


def _read_verdict(words: list[str]) -> tuple[str, str]:
    if words == ["none"]:
        return "", "none"
    seat = check_seat(parse_seat(words[:1]))
    if len(words) < 2 or words[1] not in {verdict.value for verdict in Verdict}:
        found = f"'{words[1]}' is no verdict" if len(words) > 1 else "the verdict is missing"
        raise MalformedText(f"{found}; known: {', '.join(v.value for v in Verdict)}")
    wanted, rest = [str(seat), words[1]], words[2:]
    if rest and rest[0] in {colour.word for colour in Colour}:
        wanted.append(str(parse_slot(rest[:2])))
        rest = rest[2:]
    if rest and rest[0] == "margin":
        wanted.append(f"margin {format_duration(parse_duration(' '.join(rest[1:2])))}")
        rest = rest[2:]
    if rest == ["doubtful"]:
        wanted.append("doubtful")
        rest = []
    if rest:
        raise MalformedText(f"'{' '.join(rest)}' is too much here")
    return "", " ".join(wanted)


def _find_verdict(observed: Observed, argument: str) -> str:
    return verdict_text(observed.verdicts.pop(0)) if observed.verdicts else "none"


def _read_phase(words: list[str]) -> tuple[str, str]:
    if len(words) != 1 or words[0] not in Phase.__members__:
        raise MalformedText(f"'{' '.join(words)}' is no phase; known: {', '.join(Phase.__members__)}")
    return "", words[0]


def _read_position(words: list[str]) -> tuple[str, str]:
    if not words:
        raise MalformedText("the position is missing")
    return "", str(parse_position(" ".join(words)).at_table_of(SEATS))


def _read_form(form: str, what: str) -> Callable[[list[str]], tuple[str, str]]:
    """A reader of words that must look a certain way."""
    pattern = re.compile(form)

    def read(words: list[str]) -> tuple[str, str]:
        text = " ".join(words)
        if not pattern.fullmatch(text):
            raise MalformedText(f"'{text}' is no {what}" if text else f"the {what} is missing")
        return "", text

    return read


def _read_slot(words: list[str]) -> tuple[str, str]:
    states = [state.word for state in SlotState]
    if len(words) != 3 or words[2] not in states:
        raise MalformedText(f"'{' '.join(words)}' is no state of a slot; known: {', '.join(states)}")
    return str(parse_slot(words[:2])), words[2]


def _read_lamp(words: list[str]) -> str:
    text = " ".join(words)
    if not text:
        raise MalformedText("the light is missing")
    if text == "off":
        return "off dark"
    tints = [tint.name.lower() for tint in Tint if tint]
    beats = [*(beat.name.lower() for beat in Beat if beat), "chase"]
    if len(words) != 2 or words[0] not in tints or words[1] not in beats:
        raise MalformedText(
            f"'{text}' is no light; write 'off', or one of {', '.join(tints)} with one of {', '.join(beats)}"
        )
    return text


def _read_led(words: list[str]) -> tuple[str, str]:
    return str(parse_slot(words[:2])), _read_lamp(words[2:])


def _read_panel(words: list[str]) -> tuple[str, str]:
    return str(check_seat(parse_seat(words[:1]))), _read_lamp(words[1:])


def _read_line(words: list[str]) -> tuple[str, str]:
    text = " ".join(words[1:])
    if not words or words[0] not in ("1", "2") or len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise MalformedText("write the number of the line and its text in quotes")
    return words[0], text


def _find_board(observed: Observed, argument: str) -> str:
    round_ = observed.pipeline.session.round
    return str(round_.position).split()[0] if round_ is not None else "no round"


def _find_left(observed: Observed, argument: str) -> str:
    session = observed.pipeline.session
    if isinstance(session.room, Settle):
        return ",".join(map(str, session.room.counts))
    if session.phase in _BETWEEN and session.last_round is not None:
        return ",".join(map(str, session.last_round.leftovers))
    return ",".join(map(str, session.round.position.left)) if session.round else "no round"


def _find_scores(observed: Observed, argument: str) -> str:
    match = observed.pipeline.session.match
    return ",".join(f"{score:+d}" for score in match.scores[-1]) if match and match.scores else "none"


def _find_totals(observed: Observed, argument: str) -> str:
    match = observed.pipeline.session.match
    return ",".join(f"{total:+d}" for total in match.totals) if match else "none"


def _find_winners(observed: Observed, argument: str) -> str:
    last = observed.pipeline.session.last_match
    return ",".join(map(str, last.winners)) if last else "none"


def _find_position(observed: Observed, argument: str) -> str:
    round_ = observed.pipeline.session.round
    return str(round_.position) if round_ is not None else "no round"


def _find_slot(observed: Observed, argument: str) -> str:
    round_ = observed.pipeline.session.round
    return round_.state(parse_slot(argument.split())).word if round_ is not None else "no round"


def _find_tie(observed: Observed, argument: str) -> str:
    if not observed.ties:
        return "none"
    return tie_text(observed.ties.pop(0))


def _find_correction(observed: Observed, argument: str) -> str:
    if not observed.corrections:
        return "none"
    corrected = observed.corrections.pop(0)
    return f"{corrected.seat} {corrected.before} to {corrected.after} by {corrected.by}"


def _find_refused(observed: Observed, argument: str) -> str:
    return observed.refused.pop(0).reason if observed.refused else "none"


def _find_troubles(observed: Observed, argument: str) -> str:
    found = observed.pipeline.session.troubles.all
    return ", ".join(t.name if t.source is None else f"{t.name} {t.words}" for t in found) or "none"


def _find_led(observed: Observed, argument: str) -> str:
    return str(observed.pipeline.lamps[slot_lamp_index(parse_slot(argument.split()))])


def _find_panel(observed: Observed, argument: str) -> str:
    return str(observed.pipeline.lamps[panel_lamp_index(int(argument))])


def _find_line(observed: Observed, argument: str) -> str:
    return f'"{observed.lines()[int(argument) - 1]}"'


SUBJECTS: dict[str, Subject] = {
    "phase": Subject(_read_phase, lambda o, _: o.pipeline.session.phase.name, "PLAY"),
    "verdict": Subject(_read_verdict, _find_verdict, "2 too-late red 1 margin 300us"),
    "tie": Subject(_read_form(r"none|\d(,\d)+ (drawn|by-fewest-won)", "dead heat"), _find_tie, "1,2,3 drawn"),
    "position": Subject(_read_position, _find_position, "r1y0g0b0 5/6,6/6,6/6,6/6"),
    "board": Subject(_read_form(r"r\dy\dg\db\d", "board"), _find_board, "r1y0g0b0"),
    "left": Subject(_read_form(r"\d+(,\d+)*", "list of dice left"), _find_left, "5,6,6,6"),
    "scores": Subject(_read_form(r"none|[+-]\d+(,[+-]\d+)*", "list of scores"), _find_scores, "+8,-3,-1,-4"),
    "totals": Subject(_read_form(r"none|[+-]\d+(,[+-]\d+)*", "list of totals"), _find_totals, "+8,-3,-1,-4"),
    "winners": Subject(_read_form(r"none|\d(,\d)*", "list of seats"), _find_winners, "1,3"),
    "slot": Subject(_read_slot, _find_slot, "red 1 counted"),
    "led": Subject(_read_led, _find_led, "red 1 white fast"),
    "panel": Subject(_read_panel, _find_panel, "2 green steady"),
    "line": Subject(_read_line, _find_line, '1 "Start Ligretto"'),
    "correction": Subject(
        _read_form(r"none|\d \d+ to \d+ by (players|operator)", "correction"),
        _find_correction,
        "3 4 to 3 by players",
    ),
    "refused": Subject(_read_form(r".+", "reason"), _find_refused, "Pause is not possible in ATTRACT"),
    "late": Subject(_read_form(r"\d+", "count"), lambda o, _: str(o.late), "0"),
    "noise": Subject(_read_form(r"\d+", "count"), lambda o, _: str(o.noise), "0"),
    "lost": Subject(_read_form(r"\d+", "count"), lambda o, _: str(o.lost), "0"),
    "troubles": Subject(
        _read_form(rf"none|{_TROUBLE}(, {_TROUBLE})*", "list of troubles"),
        _find_troubles,
        "left, red 3 chatters, seat 1 stuck",
    ),
}
