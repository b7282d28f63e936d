"""What a table that comes back does about all that has changed while it was away, and what it must not do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phases import CheckStep
from firmware_host.model import states
from firmware_host.model.effects import (
    DeviceReported,
    Effect,
    Judged,
    LateSignal,
    MatchEnded,
    SlotChanged,
    TagRefused,
    Verdict,
    WasInterrupted,
)
from firmware_host.model.events import EndMatch, Interrupted, Resume, SourceEdge
from firmware_host.model.places import Button, Call, Card, Colour, DieFace, Pad, Pile, Slot, Source
from firmware_host.model.states import AwayReason, DeviceCondition, Phase, SlotState
from firmware_host.model.times import MS, S, exactly
from firmware_host.run.recorded_sessions import (
    ReplayMismatch,
    away_ns,
    come_back,
    first_difference,
    fits,
    last_phase,
    replay,
    resume,
    resumed,
    standings,
)
from firmware_host.store.store_reader import SessionLog
from hw.ports import Condition
from tests.run.sittings import Sitting, now_text

R1, R2, B1 = Slot(Colour.RED, 1), Slot(Colour.RED, 2), Slot(Colour.BLUE, 1)
RED_3 = Card(2, Colour.RED, 3)


def playing(position: str = "") -> Sitting:
    """Seats 1 and 2 play with dice; seat 1 has placed a red 1."""
    sitting = Sitting()
    sitting.start(12, 12)
    place(sitting, 1, R1)
    return sitting


def cards(position: str = "10,10,-,- r1.2", profile: str = "cards4", dealt: int = 10) -> Sitting:
    sitting = Sitting(profile)
    sitting.start(dealt, dealt, position=position)
    return sitting


def place(sitting: Sitting, seat: int, slot: Slot) -> None:
    sitting.set(slot, True)
    sitting.wait(100 * MS)
    tap(sitting, seat)


def tap(sitting: Sitting, seat: int) -> None:
    sitting.set(Button(seat), True)
    sitting.wait(80 * MS)
    sitting.set(Button(seat), False)
    sitting.wait(200 * MS)


def phase(sitting: Sitting) -> Phase:
    return sitting.shell.referee.session.phase


def state(sitting: Sitting, slot: Slot) -> SlotState:
    round_ = sitting.shell.referee.session.round
    assert isinstance(round_, DiceRound)
    return round_.records.at(slot).visible


def left(sitting: Sitting) -> tuple[int, ...]:
    round_ = sitting.shell.referee.session.round
    assert round_ is not None
    return round_.tally


def heard(sitting: Sitting, kind: type[Effect]) -> list[Effect]:
    return [effect for effect in sitting.effects if isinstance(effect, kind)]


def verdicts(sitting: Sitting) -> list[tuple[int, Verdict, bool]]:
    """(seat, verdict, doubtful) of all that was judged since the table is back."""
    return [(each.seat, each.verdict, each.doubtful) for each in sitting.effects if isinstance(each, Judged)]


# -- time


@pytest.mark.parametrize("off_ns", [0, 1 * MS, 10 * S, 100_000 * S])
def test_the_time_of_the_table_stands_still_however_long_it_is_away(off_ns: int) -> None:
    sitting = playing()
    last_ns = sitting.session_log.last_ns
    sitting.interrupt(off_ns)
    assert sitting.loop.now_ns == last_ns + 1 + away_ns(sitting.head.settings)
    assert sitting.shell.referee.advanced_ns == sitting.loop.now_ns
    (told,) = heard(sitting, WasInterrupted)
    assert told == WasInterrupted(AwayReason.POWER, last_ns + 1)


def test_no_deadline_passes_while_it_is_away() -> None:
    sitting = playing()
    sitting.interrupt(3600 * S)
    sitting.wait(6 * S)
    assert phase(sitting) is Phase.PLAY
    place(sitting, 2, R2)
    assert left(sitting) == (11, 11, 0, 0)


def test_after_service_the_time_goes_on_where_the_game_stood() -> None:
    sitting = playing()
    last_ns = sitting.shell.referee.advanced_ns
    listener = sitting.serve(500 * S)
    assert sitting.shell.referee.advanced_ns == last_ns
    come_back(sitting.shell, sitting.loop, AwayReason.SERVICE, listener.missed)
    assert sitting.loop.now_ns == last_ns + away_ns(sitting.head.settings)
    (told,) = heard(sitting, WasInterrupted)
    assert told == WasInterrupted(AwayReason.SERVICE, last_ns)
    sitting.wait(6 * S)
    place(sitting, 2, R2)
    assert left(sitting) == (11, 11, 0, 0)


# -- contacts


def test_what_lies_as_it_lay_is_not_told_again() -> None:
    sitting = playing()
    sitting.interrupt()
    sitting.wait(6 * S)
    assert phase(sitting) is Phase.PLAY
    assert heard(sitting, SlotChanged) == [] and heard(sitting, LateSignal) == []
    assert state(sitting, R1) is SlotState.COUNTED


def test_dice_that_came_and_went_while_it_was_away_are_found() -> None:
    sitting = playing()

    def hands() -> None:
        sitting.set(R1, False)
        sitting.set(B1, True)

    sitting.interrupt(meanwhile=hands)
    sitting.wait(1 * S)
    assert state(sitting, R1) is SlotState.MISSING and state(sitting, B1) is SlotState.ILLEGAL
    assert heard(sitting, LateSignal) == []  # no wire is to blame for that
    sitting.wait(20 * S)
    assert phase(sitting) is Phase.PAUSED
    sitting.set(R1, True)
    sitting.set(B1, False)
    sitting.wait(4 * S)
    assert phase(sitting) is Phase.PLAY
    assert left(sitting) == (11, 12, 0, 0) and verdicts(sitting) == []


def test_a_button_that_was_let_go_while_it_was_away_can_be_pressed_again() -> None:
    sitting = playing()
    sitting.set(Button(2), True)
    sitting.wait(100 * MS)
    sitting.interrupt(meanwhile=lambda: sitting.set(Button(2), False))
    sitting.wait(6 * S)
    assert sitting.shell.referee.arbiter.active == {R1}
    place(sitting, 2, R2)
    assert verdicts(sitting)[-1] == (2, Verdict.ACCEPTED, False)


def test_a_button_that_went_down_while_it_was_away_slaps_for_nothing() -> None:
    sitting = playing()
    sitting.set(R2, True)
    sitting.wait(100 * MS)
    sitting.interrupt(meanwhile=lambda: sitting.set(Button(2), True))
    sitting.wait(6 * S)
    assert Button(2) in sitting.shell.referee.arbiter.active
    sitting.set(Button(2), False)
    sitting.wait(1 * S)
    assert verdicts(sitting) == []
    assert phase(sitting) is Phase.PLAY


def test_a_button_that_stays_down_is_jammed_in_the_end() -> None:
    sitting = playing()
    sitting.interrupt(meanwhile=lambda: sitting.set(Button(2), True))
    sitting.wait(40 * S)
    assert str(Button(2)) in [trouble.name for trouble in sitting.shell.referee.session.troubles.all]


# -- what was under way


def test_a_slap_that_was_being_judged_is_judged_as_ever_but_doubtful() -> None:
    sitting = playing()
    sitting.set(R2, True)
    sitting.wait(100 * MS)
    sitting.set(Button(2), True)
    sitting.wait(1 * MS)
    sitting.set(Button(1), True)
    sitting.wait(2 * MS)
    assert left(sitting) == (11, 12, 0, 0)
    session_log = sitting.cut()
    going_on = Sitting()
    going_on.return_from(session_log)
    assert verdicts(going_on) == [(2, Verdict.ACCEPTED, True), (1, Verdict.TOO_LATE, True)]
    # ... as it would have been:
    sitting.loop.run(sitting.loop.now_ns + 1 * S)
    assert [(seat, verdict) for seat, verdict, _ in verdicts(sitting)][-2:] == [
        (2, Verdict.ACCEPTED),
        (1, Verdict.TOO_LATE),
    ]


def test_what_was_decided_before_stays_as_it_was() -> None:
    sitting = playing()
    before = sitting.session_log.decisions
    sitting.interrupt(meanwhile=lambda: sitting.set(R1, False))
    sitting.wait(2 * S)
    after = tuple(sitting.playing.journal.decisions)
    assert after[: len(before)] == before
    assert not any(isinstance(each.effect, Judged) for each in after[len(before) :])


def test_a_press_that_was_cut_off_becomes_nothing_longer() -> None:
    """In the leftover check a short press agrees and a long one disputes: this one was neither."""
    sitting = Sitting()
    for slot in (Slot(Colour.RED, number) for number in range(1, 6)):
        sitting.set(slot, True)
    sitting.wait(200 * MS)
    sitting.start(6, 6, position="r5y0g0b0 1/6,6/6,-,-")
    place(sitting, 1, Slot(Colour.RED, 6))
    sitting.wait(3 * S)
    room = sitting.shell.referee.session.state
    assert isinstance(room, Settle) and room.step is CheckStep.CHECK
    sitting.set(Button(2), True)
    sitting.wait(200 * MS)
    sitting.interrupt(meanwhile=lambda: sitting.set(Button(2), False))
    room = sitting.shell.referee.session.state
    assert isinstance(room, Settle) and room.step is CheckStep.CHECK and room.agreed == set()
    tap(sitting, 1)
    tap(sitting, 2)
    assert phase(sitting) is Phase.SCORES


# -- tags


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("after", [True, False])
def test_a_card_is_armed_if_it_lies_on_its_pad_when_the_table_is_back(before: bool, after: bool) -> None:
    sitting = cards()
    if before:
        sitting.tag(Pad(2), RED_3, True)
        sitting.wait(1 * S)
    sitting.interrupt(meanwhile=lambda: sitting.tag(Pad(2), RED_3, after) if after != before else None)
    sitting.wait(6 * S)
    assert heard(sitting, TagRefused) == []
    tap(sitting, 2)
    sitting.wait(400 * MS)  # until no card can be read for it any more
    assert verdicts(sitting) == [(2, Verdict.ACCEPTED if after else Verdict.FALSE_CLAIM, False)]


def test_a_card_that_was_played_and_lies_on_its_pad_still_is_refused_no_second_time() -> None:
    sitting = cards()
    sitting.tag(Pad(2), RED_3, True)
    sitting.wait(1 * S)
    tap(sitting, 2)
    sitting.interrupt()
    sitting.wait(6 * S)
    assert heard(sitting, TagRefused) == []


def test_cards_that_lie_on_their_piles_are_refused_no_second_time() -> None:
    sitting = cards("10,10 r1", "cards2-piles")
    sitting.tag(Pile(1), Card(2, Colour.RED, 2), True)
    sitting.wait(2 * S)
    assert verdicts(sitting) == [(2, Verdict.ACCEPTED, False)]
    sitting.interrupt()
    sitting.wait(6 * S)
    assert heard(sitting, TagRefused) == [] and verdicts(sitting) == []
    assert phase(sitting) is Phase.PLAY


def test_a_card_that_was_laid_while_it_was_away_is_not_played() -> None:
    sitting = cards("10,10 r1", "cards2-piles")
    sitting.interrupt(meanwhile=lambda: sitting.tag(Pile(1), Card(2, Colour.RED, 2), True))
    sitting.wait(2 * S)
    assert [verdict for _, verdict, _ in verdicts(sitting)] == [Verdict.NOT_RUNNING]


def test_a_card_that_lay_on_its_pad_before_the_question_is_no_leftover_after_it() -> None:
    """Only what is shown after the table has asked counts, and it has asked before it was off."""
    sitting = cards("1,1,-,- r1.2", dealt=1)
    sitting.tag(Pad(2), RED_3, True)
    sitting.wait(1 * S)
    sitting.set(Call(1), True)
    sitting.wait(100 * MS)
    sitting.set(Call(1), False)
    sitting.wait(4 * S)
    room = sitting.shell.referee.session.state
    assert isinstance(room, Settle) and room.step is CheckStep.CHECK
    assert room.counts == [0, 0, 0, 0]
    sitting.interrupt()
    sitting.wait(1 * S)
    room = sitting.shell.referee.session.state
    assert isinstance(room, Settle) and room.counts == [0, 0, 0, 0]


def test_dice_with_tags_lie_as_they_lay() -> None:
    sitting = Sitting("dice4-rfid")
    sitting.start(6, 6)
    sitting.set(R1, True)
    sitting.tag(R1, DieFace(1, 1), True)
    sitting.wait(100 * MS)
    tap(sitting, 1)
    sitting.wait(3 * S)
    assert left(sitting) == (5, 6, 0, 0)
    sitting.interrupt()
    sitting.wait(8 * S)
    assert phase(sitting) is Phase.PLAY and state(sitting, R1) is SlotState.COUNTED
    assert heard(sitting, TagRefused) == []


# -- devices


def test_a_device_that_was_lost_and_has_nothing_to_complain_of_is_back() -> None:
    """A driver that starts and finds its device in order says nothing at all."""
    sitting = cards()
    sitting.health("pad-1", Condition.LOST, "no answer")
    sitting.wait(1 * S)
    assert phase(sitting) is Phase.PAUSED
    sitting.interrupt()
    sitting.wait(3 * S)
    assert phase(sitting) is Phase.COUNTDOWN
    (told,) = heard(sitting, DeviceReported)
    assert isinstance(told, DeviceReported)
    assert (told.device, told.needed) == (DeviceCondition("pad-1", states.Condition.OK), True)


@pytest.mark.parametrize("before", [True, False])
def test_a_device_that_is_lost_when_the_table_is_back_is_waited_for(before: bool) -> None:
    sitting = cards()
    if before:
        sitting.health("pad-1", Condition.LOST, "no answer")
        sitting.wait(1 * S)
    sitting.interrupt(told=lambda: sitting.health("pad-1", Condition.LOST, "no answer"))
    sitting.wait(10 * S)
    assert phase(sitting) is Phase.PAUSED
    assert [trouble.name for trouble in sitting.shell.referee.session.troubles.all] == ["pad-1"]
    sitting.health("pad-1", Condition.OK)
    sitting.wait(1 * S)
    assert phase(sitting) is Phase.COUNTDOWN


def test_a_device_that_went_and_came_while_the_table_listened_is_back() -> None:
    sitting = cards()

    def shaky() -> None:
        sitting.health("pad-1", Condition.LOST, "is being set up")
        sitting.health("pad-1", Condition.OK)

    sitting.interrupt(told=shaky)
    sitting.wait(3 * S)
    assert phase(sitting) is Phase.COUNTDOWN


def test_a_button_that_chattered_before_is_listened_to_when_it_is_calm() -> None:
    sitting = playing()
    for _ in range(300):
        sitting.set(Button(4), True)
        sitting.wait(8 * MS)
        sitting.set(Button(4), False)
        sitting.wait(8 * MS)
    assert str(Button(4)) in [trouble.name for trouble in sitting.shell.referee.session.troubles.all]
    sitting.interrupt()
    sitting.wait(10 * S)
    assert sitting.shell.referee.session.troubles.all == ()


# -- again and again


def test_a_session_that_was_cut_several_times_is_one_session() -> None:
    sitting = playing()
    for slot, seat in ((R2, 2), (B1, 1)):
        sitting.interrupt()
        sitting.wait(6 * S)
        place(sitting, seat, slot)
    sitting.interrupt()
    sitting.wait(1 * S)
    assert left(sitting) == (10, 11, 0, 0)
    assert_lived_again(sitting)
    told = [each for each in sitting.session_log.entries if isinstance(each.seen, Interrupted)]
    assert len(told) == 3


def assert_lived_again(sitting: Sitting) -> None:
    """The whole session comes to the same decisions, the same lamps and the same words, at the same time."""
    session_log = sitting.session_log
    again = replay(session_log, sitting.audits, now_text)
    again.shell.advance(sitting.shell.referee.advanced_ns)
    assert first_difference(session_log.decisions, again.journal.decisions) == ""
    assert first_difference(again.journal.decisions, session_log.decisions) == ""
    assert again.journal.shown.digest == sitting.playing.journal.shown.digest
    assert again.shell.referee.page == sitting.shell.referee.page
    assert again.shell.referee.frame == sitting.shell.referee.frame


DICE_SOURCES: list[Source] = [Button(1), Button(2), Button(3), R1, R2, B1]
CARD_SPOTS = [(Pad(1), Card(1, Colour.RED, 1)), (Pad(2), RED_3), (Pad(2), Card(2, Colour.BLUE, 1))]

deeds = st.one_of(
    st.tuples(st.just("set"), st.sampled_from(DICE_SOURCES)),
    st.tuples(st.just("wait"), st.sampled_from([1, 8, 60, 200, 1200, 4000])),
    st.tuples(st.just("cut"), st.lists(st.sampled_from(DICE_SOURCES), max_size=3)),
    st.tuples(st.just("serve"), st.lists(st.sampled_from(DICE_SOURCES), max_size=3)),
    st.tuples(st.just("resume")),
    st.tuples(st.just("device"), st.sampled_from(list(Condition))),
    st.tuples(st.just("late"), st.lists(st.sampled_from(DICE_SOURCES), max_size=4), st.integers(0, 400)),
)


def turn(sitting: Sitting, source: Source, age_ns: int = 0) -> None:
    """A contact that is open closes, and a closed one opens."""
    sitting.set(source, sitting.lines.highs[sitting.profile.line_of(source)], age_ns)


def turn_all(sitting: Sitting, sources: list[Source]) -> None:
    for source in sources:
        turn(sitting, source)


def do(sitting: Sitting, deed: tuple[object, ...]) -> None:
    match deed:
        case "set", (Button() | Slot()) as source:
            turn(sitting, source)
        case "wait", int(wait_ms):
            sitting.wait(wait_ms * MS)
        case "cut", list(changed):
            sitting.interrupt(meanwhile=lambda: turn_all(sitting, changed))
        case "serve", list(changed):
            turn_all(sitting, changed)
            come_back(sitting.shell, sitting.loop, AwayReason.SERVICE, sitting.serve().missed)
        case ("resume",):
            sitting.shell.command(Resume(exactly(sitting.loop.now_ns)))
        case "device", Condition() as condition:
            sitting.health("gpio", condition)
        case "late", list(changed), int(age_ms):  # all of it is told at once
            for n, each in enumerate(changed):
                turn(sitting, each, (age_ms - n) * MS if age_ms > n else 0)
            sitting.lose(age_ms * MS)
            sitting.health("gpio", Condition.LOST)
            sitting.health("bus", Condition.LOST)
            sitting.wait(1 * MS)


@settings(max_examples=60, deadline=None)
@given(st.lists(deeds, max_size=25))
def test_however_often_it_was_cut_the_session_comes_to_the_same_again(
    story: list[tuple[object, ...]],
) -> None:
    sitting = Sitting()
    sitting.start(2, 2)
    for deed in story:
        before = sitting.session_log.decisions
        last_ns = sitting.shell.referee.advanced_ns
        do(sitting, deed)
        assert tuple(sitting.playing.journal.decisions[: len(before)]) == before
        assert deed[0] == "cut" or sitting.shell.referee.advanced_ns >= last_ns
    sitting.wait(1 * S)
    assert_lived_again(sitting)
    active = {sitting.profile.lines[line] for line, high in sitting.lines.highs.items() if not high}
    assert sitting.shell.referee.arbiter.active == active


card_deeds = st.one_of(
    st.tuples(st.just("tag"), st.sampled_from(CARD_SPOTS)),
    st.tuples(st.just("tap"), st.integers(1, 2)),
    st.tuples(st.just("wait"), st.sampled_from([1, 60, 300, 4000])),
    st.tuples(st.just("cut"), st.lists(st.sampled_from(CARD_SPOTS), max_size=3, unique=True)),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(card_deeds, max_size=15))
def test_a_session_of_cards_too(story: list[tuple[object, ...]]) -> None:
    sitting = cards()

    changed_tags: list[tuple[Pad, Card]] = []

    def turn_tag(at: Pad, card: Card) -> None:
        sitting.tag(at, card, (at, card) not in sitting.lying)

    def turn_tags() -> None:
        while changed_tags:
            turn_tag(*changed_tags.pop())

    for deed in story:
        match deed:
            case "tag", (Pad() as at, Card() as card):
                turn_tag(at, card)
                sitting.wait(50 * MS)
            case "tap", int(seat):
                tap(sitting, seat)
            case "wait", int(wait_ms):
                sitting.wait(wait_ms * MS)
            case "cut", list(changed):
                changed_tags.extend(changed)
                sitting.interrupt(meanwhile=turn_tags)
    sitting.wait(1 * S)
    assert_lived_again(sitting)
    lying = {(at, tag) for at, tags in sitting.shell.referee.session.tags.everywhere.items() for tag in tags}
    assert lying == sitting.lying


# -- another history


def test_a_session_that_comes_to_something_else_is_not_gone_on_with() -> None:
    session_log = playing().session_log
    at = next(n for n, each in enumerate(session_log.decisions) if isinstance(each.effect, Judged))
    judged = session_log.decisions[at]
    assert isinstance(judged.effect, Judged)
    other = replace(judged, effect=replace(judged.effect, seat=2))
    decisions = (*session_log.decisions[:at], other, *session_log.decisions[at + 1 :])
    changed, words = replace(session_log, decisions=decisions), "the journal was written by 1: decision"
    with pytest.raises(ReplayMismatch, match=f"{words} {at} was Judged"):
        resume(changed, Sitting().audits, now_text)
    (reason,) = refused(changed, Sitting())
    assert reason.startswith(f"{words} {at} was Judged")


def test_a_session_that_was_shown_otherwise_is_not_gone_on_with() -> None:
    session_log = playing().session_log
    at = max(n for n, each in enumerate(session_log.decisions) if each.shown)
    other = replace(session_log.decisions[at], shown="0123456789abcdef")
    changed = (*session_log.decisions[:at], other, *session_log.decisions[at + 1 :])
    with pytest.raises(ReplayMismatch, match="with 0123456789abcdef shown by then"):
        resume(replace(session_log, decisions=changed), Sitting().audits, now_text)


def test_a_session_with_a_decision_that_never_comes_is_not_gone_on_with() -> None:
    session_log = playing().session_log
    more = (*session_log.decisions, session_log.decisions[-1])
    with pytest.raises(ReplayMismatch, match="now there is none"):
        resume(replace(session_log, decisions=more), Sitting().audits, now_text)


def test_decisions_that_were_not_written_any_more_are_made_again() -> None:
    session_log = playing().session_log
    short = replace(session_log, decisions=session_log.decisions[:2])
    assert tuple(resume(short, Sitting().audits, now_text).journal.decisions) == session_log.decisions


# -- what becomes of it at a start


def test_what_the_table_did_last() -> None:
    sitting = Sitting()
    assert last_phase(sitting.session_log) is Phase.ATTRACT
    sitting.start(12, 12)
    assert last_phase(sitting.session_log) is Phase.PLAY
    sitting.shell.command(EndMatch(exactly(sitting.loop.now_ns)))
    sitting.wait(1 * S)
    assert last_phase(sitting.session_log) is Phase.ATTRACT


def refused(session_log: SessionLog, sitting: Sitting) -> list[str]:
    """Why that session can't go on at that table."""
    reasons: list[str] = []
    assert resumed(session_log, sitting.head.table, sitting.audits, now_text, reasons.append) is None
    return reasons


def test_a_match_goes_on_at_the_same_table() -> None:
    sitting = playing()
    reasons: list[str] = []
    going_on = resumed(sitting.session_log, sitting.head.table, sitting.audits, now_text, reasons.append)
    assert going_on is not None and reasons == []
    assert going_on.shell.referee.session.phase is Phase.PLAY


@pytest.mark.parametrize(
    "change", [{"rounds": 9}, {"handicap": (1, 2)}, {"closed": frozenset({3})}, {"deal": (6, 6, 6, 6)}]
)
def test_what_may_differ_from_match_to_match_does_not_keep_it_from_going_on(
    change: dict[str, object],
) -> None:
    sitting = playing()
    table = replace(sitting.head.table, **change)  # type: ignore[arg-type]
    assert fits(sitting.session_log, table)
    assert resumed(sitting.session_log, table, sitting.audits, now_text, print) is not None


def refused_with(people: set[int], sitting: Sitting) -> list[str]:
    """Why what went on there can't go on with these people."""
    reasons: list[str] = []
    table, audits = sitting.head.table, sitting.audits
    going_on = resumed(sitting.session_log, table, audits, now_text, reasons.append, frozenset(people))
    assert (going_on is None) == bool(reasons)
    return reasons


def test_a_match_goes_on_only_with_its_own_people() -> None:
    sitting = playing()
    assert refused_with({1, 2}, sitting) == []
    assert refused_with({1, 2, 3}, sitting) == ["it began with seats 1, 2, and now seats 1, 2, 3 play"]


def test_more_people_may_join_than_have_joined() -> None:
    sitting = Sitting()
    sitting.wait(1 * S)
    tap(sitting, 1)
    assert last_phase(sitting.session_log) is Phase.JOIN
    assert refused_with({1, 2}, sitting) == []
    assert refused_with({2, 3}, sitting) == ["it began with seat 1, and now seats 2, 3 play"]


def test_a_match_does_not_go_on_at_another_table() -> None:
    assert refused(playing().session_log, Sitting("cards4")) == ["the wiring of the table has changed"]
    assert refused(playing().session_log, Sitting("dice4-rfid")) == ["the wiring of the table has changed"]


def test_nothing_is_said_of_a_table_at_which_nobody_played() -> None:
    assert refused(Sitting().session_log, Sitting("cards4")) == []
    idle = Sitting()
    tampered = replace(idle.session_log, head=replace(idle.head, seed=99))
    assert refused(tampered, Sitting()) == []


def test_a_match_that_went_home_before_anybody_saw_it_does_not_go_on() -> None:
    """Its end was not written any more, but all that led to it was."""
    sitting = playing()
    before = len(sitting.session_log.decisions)
    sitting.shell.command(EndMatch(exactly(sitting.loop.now_ns)))
    sitting.wait(10 * MS)
    tap(sitting, 4)
    short = replace(sitting.session_log, decisions=sitting.session_log.decisions[:before])
    assert last_phase(short) is Phase.PLAY
    going_on = resume(short, sitting.audits, now_text)
    assert going_on.shell.referee.session.phase is Phase.JOIN
    home = replace(short, entries=short.entries[:-2])
    assert home.last_ns < sitting.loop.now_ns
    later = replace(home.entries[-1], seen=Resume(exactly(home.last_ns)), advanced_ns=sitting.loop.now_ns)
    assert refused(replace(home, entries=(*home.entries, later)), sitting) == []


def test_a_mistake_in_the_program_does_not_end_it_at_each_start_again() -> None:
    sitting = playing()
    first = sitting.session_log.entries[0]
    strange = replace(first, seen=SourceEdge(Button(77), True, exactly(first.arrived_ns), 1))
    session_log = replace(sitting.session_log, entries=(strange, *sitting.session_log.entries))
    with pytest.raises(KeyError):
        resume(session_log, sitting.audits, now_text)
    (reason,) = refused(session_log, sitting)
    assert reason.startswith("internal error: KeyError")


def test_the_standings_of_the_last_match_are_shown_on() -> None:
    ended = MatchEnded((1, 2), (4, -4, 0, 0), (1,))
    earlier = MatchEnded((1, 2), (0, 0, 0, 0), (1, 2))
    sitting = Sitting()
    session_log = replace(sitting.session_log, head=replace(sitting.head, last_match=earlier))
    table = sitting.head.table
    assert standings(session_log, table) == earlier
    first = sitting.session_log.decisions
    decision = replace(playing().session_log.decisions[0], effect=ended, shown=None)
    assert standings(replace(session_log, decisions=(*first, decision)), table) == ended
    assert standings(session_log, Sitting("cards4").head.table) is None
