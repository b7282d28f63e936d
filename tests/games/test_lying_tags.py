"""What lies on a reader at which stamp."""

from firmware_host.games.round import Tags
from firmware_host.model.events import TagSeen, Withdrawn
from firmware_host.model.places import Card, Colour, Pad, Stranger
from firmware_host.model.times import MS, S, Stamp, exactly

PAD = Pad(1)
RED_ONE = Card(1, Colour.RED, 1)
RED_TWO = Card(1, Colour.RED, 2)
SOMETHING = Stranger("04a1b2c3")
WHEN = exactly(0)


def tags(*deeds: tuple[int, str, Card | Stranger], pad: Pad = PAD) -> Tags:
    """Tags that come (`+`) and go (`-`) at those milliseconds; they are remembered for a second."""
    found = Tags(1 * S)
    for ms, sign, tag in deeds:
        found.take((TagSeen if sign == "+" else Withdrawn)(pad, tag, WHEN), ms * MS)
    return found


def ms(first: float, last: float | None = None) -> Stamp:
    return Stamp(round(first * MS), round((first if last is None else last) * MS))


def test_nothing_lies_on_a_reader_that_has_told_nothing() -> None:
    assert tags().lying(PAD) == [] and tags().at(PAD, ms(5)) == []
    assert not tags().gone_within(PAD, ms(5), 1 * S)


def test_a_tag_counts_from_when_it_is_taken_until_it_has_gone() -> None:
    found = tags((10, "+", RED_ONE), (20, "-", RED_ONE))
    assert found.lying(PAD) == []
    counted = [at for at in range(5, 26) if found.at(PAD, ms(at))]
    assert counted == list(range(10, 21))
    assert found.lying(Pad(2)) == [] and found.at(Pad(2), ms(15)) == []


def test_where_a_stamp_leaves_a_doubt_the_tag_may_have_been_there() -> None:
    found = tags((10, "+", RED_ONE), (20, "-", RED_ONE))
    assert found.at(PAD, ms(9.8, 10)) == [RED_ONE]
    assert found.at(PAD, ms(9.8, 9.999)) == []
    assert found.at(PAD, ms(20, 20.2)) == [RED_ONE]
    assert found.at(PAD, ms(20.001, 20.2)) == []


def test_a_tag_that_has_gone_and_come_back_is_there_once() -> None:
    found = tags((10, "+", RED_ONE), (20, "-", RED_ONE), (20, "+", RED_ONE))
    assert found.at(PAD, ms(19, 21)) == [RED_ONE]
    found = tags((10, "+", RED_ONE), (20, "-", RED_ONE), (21, "+", RED_ONE), (30, "-", RED_ONE))
    assert found.at(PAD, ms(15, 25)) == [RED_ONE]


def test_one_tag_in_the_place_of_another() -> None:
    found = tags((10, "+", RED_ONE), (20, "-", RED_ONE), (20, "+", RED_TWO))
    assert found.at(PAD, ms(19)) == [RED_ONE]
    assert found.at(PAD, ms(21)) == [RED_TWO]
    assert set(found.at(PAD, ms(19.9, 20.1))) == {RED_ONE, RED_TWO}
    assert found.lying(PAD) == [RED_TWO]


def test_several_tags_lie_in_the_order_in_which_they_came() -> None:
    found = tags((10, "+", SOMETHING), (20, "+", RED_TWO), (30, "+", RED_ONE))
    assert found.lying(PAD) == [SOMETHING, RED_TWO, RED_ONE]


def test_what_is_told_twice_is_no_news() -> None:
    found = Tags(1 * S)
    shown, gone = TagSeen(PAD, RED_ONE, WHEN), Withdrawn(PAD, RED_ONE, WHEN)
    assert not found.take(gone, 5 * MS)
    assert found.take(shown, 10 * MS) and not found.take(shown, 20 * MS)
    assert found.at(PAD, ms(10)) == [RED_ONE]
    assert found.take(gone, 30 * MS) and not found.take(gone, 40 * MS)
    assert found.at(PAD, ms(35)) == []


def test_what_went_away_long_ago_is_forgotten() -> None:
    found = tags((10, "+", RED_ONE), (20, "-", RED_ONE), (500, "+", RED_TWO), (1020, "-", RED_TWO))
    assert found.at(PAD, ms(15)) == [RED_ONE]
    found = tags((10, "+", RED_ONE), (20, "-", RED_ONE), (500, "+", RED_TWO), (1021, "-", RED_TWO))
    assert found.at(PAD, ms(15)) == []


def test_gone_a_moment_ago() -> None:
    found = tags((10, "+", RED_ONE), (20, "-", RED_ONE))
    assert not found.gone_within(PAD, ms(20), 100 * MS)
    assert found.gone_within(PAD, ms(21), 100 * MS)
    assert found.gone_within(PAD, ms(120), 100 * MS)
    assert not found.gone_within(PAD, ms(121), 100 * MS)
    assert not found.gone_within(Pad(2), ms(21), 100 * MS)


def test_all_that_lies_anywhere_reader_by_reader() -> None:
    found = tags((10, "+", RED_ONE), (20, "+", RED_TWO))
    found.take(TagSeen(Pad(2), SOMETHING, WHEN), 30 * MS)
    assert found.everywhere == {PAD: {RED_ONE, RED_TWO}, Pad(2): {SOMETHING}}
    found.take(Withdrawn(Pad(2), SOMETHING, WHEN), 40 * MS)
    assert found.everywhere == {PAD: {RED_ONE, RED_TWO}}
