"""What the scoreboard says on a table of cards, with up to twelve seats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model.effects import Cue, Judged, TagRefused, Verdict
from firmware_host.model.events import TagSeen, Withdrawn
from firmware_host.model.phrases import Phrase, say
from firmware_host.model.places import Button, Call, Card, Pad, Pile, Slot, Spot, Stranger
from firmware_host.model.settings import LANGUAGES, Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, Stamp, exactly
from firmware_host.show.lamps import CUE_LAMP, DARK, pile_lamp_index
from firmware_host.show.pages import (
    CALL_NS,
    TURN_NS,
    cue_text,
    headline,
    page,
    page_lines,
    takes_turns,
    verdict_text,
)
from firmware_host.show.picture import CUE_NS, lamps
from tests.games.card_driver import CardDriver
from tests.games.driver import BLUE, GREEN, RED, YELLOW, Driver, reach
from tests.show.cards import FITTING, NOT_FITTING, card_table, finish, lay, lift, playing

ALL_TWELVE = "10,10,10,10,10,10,10,10,10,10,10,10"


def turns(driver: Driver, count: int, columns: int = 20) -> list[tuple[str, ...]]:
    """The pages of so many turns from a first one on."""
    first_ns = (driver.now_ns // (60 * TURN_NS) + 1) * 60 * TURN_NS
    return [page(driver.view, first_ns + turn * TURN_NS, columns) for turn in range(count)]


# -- sitting down


def test_seats_that_are_taken_are_told_in_ranges() -> None:
    driver = card_table(12)
    for seat in (2, 12, 5, 1, 7, 11, 8, 4):
        driver.tap(seat)
    assert driver.lines() == ("Press to sit down", "1-2 4-5 7-8 11-12")


# -- while playing


def test_below_stands_what_each_seat_has_in_the_centre(cards: CardDriver) -> None:
    assert cards.lines() == ("Start Ligretto", "1:2 2:1 3:2")
    cards.play_card(FITTING[1])
    assert cards.lines() == ("1 counts red 3", "1:3 2:1 3:2")
    cards.wait(CALL_NS)
    assert cards.lines() == ("Round 1/2", "1:3 2:1 3:2")


def test_the_counts_of_twelve_seats_take_turns() -> None:
    driver = playing(f"{ALL_TWELVE} r1.12.12", seats=12)
    driver.wait(CALL_NS)
    assert takes_turns(page_lines(driver.view, driver.now_ns))
    shown = turns(driver, 6)
    assert {first for first, _ in shown} == {"Round 1/2"}
    assert shown[:3] == shown[3:]
    assert [second for _, second in shown[:3]] == [
        "1:1 2:0 3:0 4:0",
        "5:0 6:0 7:0 8:0",
        "9:0 10:0 11:0 12:2",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slap_that_plays_no_card_says_what_is_wrong_in_other_words_than_for_dice(language: str) -> None:
    driver = playing(language=language)
    lay(driver, Pad(1), NOT_FITTING)
    driver.tap(1)
    driver.tap(2)
    driver.wait(300 * MS)
    assert driver.verdicts == [(1, Verdict.ILLEGAL), (2, Verdict.FALSE_CLAIM)]
    first, second = (driver.news.judged[seat] for seat in (1, 2))
    assert driver.lines()[0] == f"2 {say(language, Phrase.NO_CARD)}"
    assert verdict_text(language, first, 20, by_pads=True).startswith(
        f"1 {say(language, Phrase.FITS_NOWHERE)}"
    )
    assert verdict_text(language, first, 20) != verdict_text(language, first, 20, by_pads=True)
    assert verdict_text(language, second, 20) != verdict_text(language, second, 20, by_pads=True)


def test_where_piles_have_readers_a_card_may_lie_in_the_wrong_place() -> None:
    driver = playing(pads=False)
    driver.news.fold([Judged(Verdict.ILLEGAL, 1, driver.exactly, driver.now_ns, Card(1, RED, 7))])
    assert driver.lines()[0] == "1 wrong place red 7"


# -- what is wrong with a tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_tag_is_told_to_its_seat(language: str) -> None:
    driver = playing(f"{ALL_TWELVE} r1.12.12", seats=12, language=language)
    driver.wait(CALL_NS)
    lay(driver, Pad(12), Card(11, RED, 4))
    text = driver.lines()[0]
    assert text == f"12: {say(language, Cue.NOT_YOURS)}" and len(text) <= 20
    driver.wait(CALL_NS)
    assert driver.lines()[0] == say(language, Phrase.ROUND, n=1, of=2)


def test_a_refused_tag_is_no_news_when_it_is_gone(cards: CardDriver) -> None:
    cards.wait(CALL_NS)
    lay(cards, Pad(1), Stranger("04aabb"))
    assert cards.lines()[0] == "1: unknown tag"
    lift(cards, Pad(1), Stranger("04aabb"))
    assert cards.lines()[0] == "Round 1/2"


def test_the_newest_of_verdicts_and_refusals_is_the_headline(cards: CardDriver) -> None:
    lay(cards, Pad(2), Card(1, RED, 4))
    cards.wait(10 * MS)
    lay(cards, Pad(3), Stranger("04aabb"))
    assert cards.lines()[0] == "3: unknown tag"
    cards.tap(1)
    cards.wait(300 * MS)
    assert cards.lines()[0] == "1 no card"
    latest = headline(cards.news, cards.now_ns)
    assert isinstance(latest, Judged)
    lay(cards, Pad(2), Card(2, RED, 4))
    assert isinstance(headline(cards.news, cards.now_ns), TagRefused)
    assert cards.lines()[0] == "2: two at once"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cue", Cue)
def test_a_verdict_with_a_cue_says_why(language: str, cue: Cue) -> None:
    judged = Judged(Verdict.ILLEGAL, 12, exactly(0), 0, Card(12, GREEN, 10), cue=cue)
    for by_pads in (False, True):
        assert verdict_text(language, judged, 20, by_pads=by_pads) == f"12: {say(language, cue)}"


def test_a_slap_after_the_card_was_taken_away_came_too_late_for_it(cards: CardDriver) -> None:
    lay(cards, Pad(1), FITTING[1])
    lift(cards, Pad(1), FITTING[1])
    cards.miss(1)
    assert cards.lines()[0] == "1: gone too soon"


# -- the end of a round


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_stop_call_says_who_called(language: str) -> None:
    driver = playing(language=language)
    driver.hold(3)
    assert driver.lines() == (say(language, Phrase.STOP_CARDS), say(language, Phrase.CALLED, seat=3))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_that_is_stuck_says_so_instead_of_stop(language: str) -> None:
    driver = playing(language=language)
    driver.wait(1 * MS)
    driver.press(1, 2, 3)
    driver.wait(driver.settings.all_hold_ns + 100 * MS)
    assert driver.phase() is Phase.SETTLE
    stuck = say(language, Phrase.STUCK)
    assert driver.lines() == (stuck, "")
    driver.until_deadline()
    assert driver.lines() == (say(language, Phrase.SCAN_LEFT), "1:0 2:0 3:0")
    driver.release(1, 2, 3)
    driver.until_deadline()
    assert driver.lines() == (stuck, "1:+2 2:+1 3:+2")


@pytest.mark.parametrize("language", LANGUAGES)
def test_leftovers_are_scanned_and_counted(language: str) -> None:
    driver = playing(language=language)
    finish(driver)
    lay(driver, Pad(2), Card(2, RED, 9))
    assert driver.lines() == (say(language, Phrase.SCAN_LEFT), "1:0 2:1 3:0")
    driver.until_deadline()
    assert driver.lines() == (say(language, Phrase.DONE, seat=1), "1:+2 2:-1 3:+2")
    driver.until_deadline()
    assert set(turns(driver, 2)) == {
        (say(language, Phrase.DEAL_CARDS), say(language, Phrase.EACH, n=10)),
        (say(language, Phrase.DEAL_CARDS), "1:+2 2:-1 3:+2"),
    }


def test_without_pads_leftovers_can_only_be_entered() -> None:
    driver = playing(pads=False)
    finish(driver)
    assert driver.lines() == ("Wrong? Hold button!", "1:0 2:0 3:0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dispute_is_about_cards(language: str) -> None:
    driver = playing(f"{ALL_TWELVE} r1.12.12", seats=12, language=language)
    finish(driver)
    driver.hold(12)
    driver.tap(12)
    driver.tap(12)
    assert driver.lines() == (say(language, Phrase.ENTER_CARDS, seat=12), "2")
    driver.until_deadline()
    holds = say(language, Phrase.HOLDS, seat=12, n=2)
    assert driver.lines() == (holds, say(language, Phrase.CONFIRM))


@pytest.mark.parametrize("seats", range(2, 13))
def test_a_list_of_any_number_of_seats_tells_of_each_of_them_once(seats: int) -> None:
    driver = playing(",".join(["10"] * seats) + " r1.1.1", seats)
    finish(driver)
    driver.until_deadline()
    assert driver.phase() is Phase.SCORES
    told = " ".join(dict.fromkeys(second for _, second in turns(driver, 60)))
    assert told.split() == ["1:+3", *(f"{seat}:+0" for seat in range(2, seats + 1))]


# -- after the match


def ended(text: str, seats: int) -> Driver:
    """A match of one round that began with that centre is over."""
    driver = card_table(seats, rounds=1)
    driver.start_cards(text)
    finish(driver)
    driver.until_deadline()
    driver.until_deadline()
    assert driver.phase() is Phase.RESULT
    return driver


def test_several_winners_are_told_in_ranges() -> None:
    driver = ended(f"{ALL_TWELVE} r1 r2 r3 r12", 12)
    shown = turns(driver, 12)
    assert {first for first, _ in shown} == {"Winner: 1-3 12"}
    assert len({second for _, second in shown}) == 4


def test_more_winners_than_fit_into_a_line_take_turns() -> None:
    driver = ended(f"{ALL_TWELVE} r2 r4 r6 r8 r10 r12", 12)
    assert {first for first, _ in turns(driver, 2)} == {"Winner: 2 4 6", "Winner: 8 10 12"}


# -- what is broken


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_call_button_has_a_name_of_its_own(language: str) -> None:
    driver = card_table(12, language=language, call_buttons=True)
    driver.start_cards(ALL_TWELVE)
    driver.mask(Call(12))
    driver.wait(100 * MS)
    check = say(language, Phrase.CHECK, what=say(language, Phrase.CALL_BUTTON, seat=12))
    assert driver.lines() == (check, say(language, Phrase.HOLD_TO_GO_ON))
    driver.unmask(Call(12))
    driver.mask(Button(12))
    driver.wait(100 * MS)
    driver.wait(10 * S)
    seat = say(language, Phrase.SEAT, seat=12)
    assert driver.lines()[0] == say(language, Phrase.CHECK, what=seat)


# -- what has not changed


def test_a_table_of_dice_takes_no_turns_while_somebody_plays() -> None:
    for phase in Phase:
        driver = reach(phase, Settings())
        assert not takes_turns(page_lines(driver.view, driver.now_ns))


def test_the_winners_of_a_match_of_dice_are_told_one_by_one() -> None:
    driver = reach(Phase.RESULT)
    last = driver.news.last_match
    assert last is not None
    driver.news.last_match = replace(last, winners=(1, 2))
    assert driver.lines()[0] == "Winner: 1 2"


# -- what is wrong with a tag, wherever it is


@pytest.mark.parametrize(
    ("at", "text"),
    [(Pad(12), "12: unknown tag"), (Pile(48), "#48: unknown tag"), (Slot(YELLOW, 3), "unknown tag")],
)
def test_a_cue_names_its_place_where_that_fits(at: Spot, text: str) -> None:
    assert cue_text("en", at, Cue.UNKNOWN) == text
    assert cue_text("en", Slot(YELLOW, 3), Cue.WRONG_DIE) == "yellow 3: wrong die"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_at_a_pad_or_a_pile_always_fits(language: str) -> None:
    for cue in Cue:
        assert cue_text(language, Pad(12), cue).startswith("12: ")
    for cue in (Cue.UNKNOWN, Cue.NOT_YOURS, Cue.TWO_TAGS, Cue.IN_CENTRE, Cue.WRONG_KIND):
        assert cue_text(language, Pile(48), cue).startswith("#48: ")


def test_what_is_wrong_on_a_pile_shows_at_its_head() -> None:
    driver = Driver(Table(game=CARD_GAME, seats=2, expert=True))
    driver.start(10, 10)
    driver.wait(10 * S)
    view, now_ns = driver.view, driver.now_ns
    driver.late(TagSeen(Pile(3), Stranger("04a1"), Stamp(now_ns - 40 * MS, now_ns)))
    assert page(view, now_ns)[0] == "#3: unknown tag"
    head = pile_lamp_index(3, 0)
    assert lamps(view, now_ns)[head] == CUE_LAMP[Cue.UNKNOWN]
    assert lamps(view, now_ns + CUE_NS)[head] == DARK
    driver.late(Withdrawn(Pile(3), Stranger("04a1"), Stamp(now_ns, now_ns)))
    assert lamps(view, now_ns)[head] == DARK


def test_a_wrong_stop_call_is_said_while_it_counts_down_again() -> None:
    driver = playing(f"{ALL_TWELVE} r1.12.12", seats=12)
    finish(driver)
    lay(driver, Pad(1), Card(1, BLUE, 9))
    driver.until_deadline()
    assert driver.phase() is Phase.COUNTDOWN
    assert driver.lines() == ("Wrong stop: go on", "3")
