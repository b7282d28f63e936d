"""The light language: what can be told by rhythm, and that frames are pure."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.places import ALL_SLOTS, Colour, Slot
from firmware_host.show.lamps import (
    BEATS,
    CHASE,
    CUE_LAMP,
    DARK,
    LAMPS_A_PILE,
    ROW_SYMBOL,
    ROW_TINT,
    TICK_NS,
    VERDICT_LAMP,
    Beat,
    Lamp,
    Tint,
    beat_name,
    frame,
    frame_length,
    lamp_names,
    panel_lamp_index,
    pile_chase,
    pile_lamp_index,
    slot_lamp_index,
)

SECOND_NS = BEATS * TICK_NS
SHOWN = {verdict: lamp for verdict, lamp in VERDICT_LAMP.items() if verdict is not Verdict.REPEATED}

lamps = st.one_of(st.just(DARK), st.builds(Lamp, st.sampled_from(list(Tint)[1:]), st.integers(0, 255)))


def rhythm(beat: int) -> int:
    """The beat as somebody sees it who begins to look at any moment."""
    return min(((beat << turn | beat >> (BEATS - turn)) & 0xFF) for turn in range(BEATS))


# -- nothing is told by colour only


def test_every_verdict_has_its_own_light() -> None:
    assert set(VERDICT_LAMP) == set(Verdict)
    assert len(set(VERDICT_LAMP.values())) == len(Verdict)


def test_the_rhythm_alone_tells_all_verdicts_apart() -> None:
    assert len({rhythm(lamp.beat) for lamp in SHOWN.values()}) == len(SHOWN)


def test_only_the_second_slap_of_a_hand_and_no_cue_is_dark() -> None:
    assert VERDICT_LAMP[Verdict.REPEATED] == DARK
    assert all(lamp.tint and lamp.beat for lamp in (*SHOWN.values(), *CUE_LAMP.values()))


def test_every_cue_can_be_told_from_every_other_and_from_all_verdicts_by_rhythm_alone() -> None:
    assert set(CUE_LAMP) == set(Cue)
    rhythms = [rhythm(lamp.beat) for lamp in (*CUE_LAMP.values(), *SHOWN.values())]
    assert len(set(rhythms)) == len(rhythms) == len(Cue) + len(SHOWN)


def test_no_cue_looks_like_a_card_that_is_known() -> None:
    """A card that is known is told by a steady light or a slow one."""
    assert not {Beat.STEADY, Beat.SLOW} & {lamp.beat for lamp in CUE_LAMP.values()}


def test_no_two_beats_are_one_rhythm_begun_at_another_moment() -> None:
    assert len({rhythm(beat) for beat in Beat}) == len(Beat)


def test_every_row_has_its_own_symbol_and_colour() -> None:
    assert set(ROW_SYMBOL) == set(ROW_TINT) == set(Colour)
    assert len(set(ROW_SYMBOL.values())) == len(set(ROW_TINT.values())) == len(Colour)
    assert all(len(symbol) == 1 for symbol in ROW_SYMBOL.values())


# -- where each lamp is


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_lamp_has_a_place_of_its_own_in_the_frame(seats: int) -> None:
    places = [
        *map(slot_lamp_index, ALL_SLOTS),
        *range(24, 28),  # the symbols
        *(panel_lamp_index(seat) for seat in range(1, seats + 1)),
    ]
    assert sorted(places) == list(range(frame_length(seats)))


@pytest.mark.parametrize("seats", [2, 3, 12])
def test_every_lamp_of_a_table_of_cards_has_a_place_of_its_own(seats: int) -> None:
    piles = 4 * seats
    places = [pile_lamp_index(pile, number) for pile in range(1, piles + 1) for number in range(11)]
    places += [panel_lamp_index(seat, piles) for seat in range(1, seats + 1)]
    assert places == list(range(frame_length(seats, piles)))


def test_every_lamp_has_a_name_of_its_own_in_its_place() -> None:
    for seats, piles in ((2, 0), (4, 0), (2, 8), (12, 48)):
        names = lamp_names(seats, piles)
        assert len(set(names)) == len(names) == frame_length(seats, piles)
        assert names[panel_lamp_index(seats, piles)] == f"seat {seats}"
    assert lamp_names(4)[slot_lamp_index(Slot(Colour.YELLOW, 3))] == "yellow 3"
    assert lamp_names(4)[len(ALL_SLOTS)] == "red symbol"
    cards = lamp_names(4, 16)
    assert [cards[pile_lamp_index(2, number)] for number in (0, 10)] == ["pile 2 head", "pile 2 10"]


def test_where_the_lamps_are_is_fixed_by_the_wiring() -> None:
    assert (pile_lamp_index(1, 0), pile_lamp_index(1, 10), pile_lamp_index(2, 0)) == (0, 10, 11)
    assert (panel_lamp_index(1, 8), frame_length(2, 8)) == (88, 90)
    assert (panel_lamp_index(1), frame_length(4)) == (28, 32)


# -- frames


@given(st.lists(lamps), st.integers(0, 10 * SECOND_NS))
def test_a_lamp_burns_in_its_tint_or_not_at_all(burning: list[Lamp], t_ns: int) -> None:
    shown = frame(burning, t_ns)
    assert len(shown) == len(burning)
    assert all(byte in (0, lamp.tint) for byte, lamp in zip(shown, burning, strict=True))


@given(st.lists(lamps), st.integers(0, 10 * SECOND_NS))
def test_the_same_lamps_at_the_same_time_are_the_same_frame(burning: list[Lamp], t_ns: int) -> None:
    assert frame(burning, t_ns) == frame(list(burning), t_ns) == frame(burning, t_ns + SECOND_NS)


@given(st.integers(0, 255))
def test_a_beat_is_played_from_its_highest_bit_on(beat: int) -> None:
    played = [frame([Lamp(Tint.WHITE, beat)], tick * TICK_NS)[0] for tick in range(BEATS)]
    assert played == [Tint.WHITE if bit == "1" else 0 for bit in f"{beat:08b}"]


def test_the_chase_runs_along_each_row() -> None:
    for place, following in combinations(range(6), 2):
        for row in Colour:
            here, there = CHASE[row * 6 + place], CHASE[row * 6 + following]
            assert here.tint == there.tint == ROW_TINT[row]
            ticks = following - place
            assert there.beat == (here.beat >> ticks or here.beat << (BEATS - ticks))
    assert {lamp.beat.bit_count() for lamp in CHASE} == {1}


def test_the_chase_runs_up_each_pile() -> None:
    chase = pile_chase(8)
    assert len(chase) == 8 * LAMPS_A_PILE
    assert {lamp.beat.bit_count() for lamp in chase} == {1}
    for number, lamp in enumerate(chase):
        if number % LAMPS_A_PILE:
            below = chase[number - 1]
            assert below.tint == lamp.tint
            assert rhythm(lamp.beat) == rhythm(below.beat)
            assert lamp.beat == (below.beat >> 1 or 0x80)
    heads = chase[::LAMPS_A_PILE]
    assert [lamp.tint for lamp in heads] == 2 * list(ROW_TINT.values())
    assert len({lamp.beat for lamp in heads}) == 8


# -- names


def test_a_lamp_is_written_as_tint_and_beat() -> None:
    assert str(VERDICT_LAMP[Verdict.TOO_LATE]) == "yellow slow"
    assert str(DARK) == "off dark"


def test_a_beat_without_a_name_is_a_chase() -> None:
    assert [beat_name(beat) for beat in (Beat.WINK, Beat.BLIP, 0b00010000)] == ["wink", "blip", "chase"]
