"""One contract for every scoreboard: whatever is shown, in the end a person reads the last page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hw.scoreboard.sign_rigs import PAIRS, PlainRig, ScoreboardRig, SignOnCable
from tests.thoroughness import tries

NAMES = ["plain", *PAIRS]
PAGES = [
    ("Zum Spielen drücken", ""),
    ("Runde 1/12", "1:10 2:10 3:10 4:10"),
    ("¿Sitio 2 tiene 3?", "Otros: pulsa = sí"),
    ("Place 3 a terminé", "1:+5 2:-10 3:+12 4:+0"),
    ("", "only below"),
    ("a line that is longer than any display is wide, by far", "ÄÖÜß ▲●■◆ 骰子 ~ \x1b\x0c\x00"),
]
pages = st.lists(st.text(max_size=30), max_size=3).map(tuple)


def rig_of(name: str) -> PlainRig | SignOnCable:
    return PlainRig() if name == "plain" else SignOnCable(PAIRS[name]())


@pytest.fixture(params=NAMES)
def rig(request: pytest.FixtureRequest) -> ScoreboardRig:
    return rig_of(request.param)


def test_it_says_how_wide_it_is(rig: ScoreboardRig) -> None:
    assert rig.board.columns >= 20


def test_it_shows_each_page_cut_to_its_columns(rig: ScoreboardRig) -> None:
    for page in PAGES[-4:]:
        rig.board.show(page)
        rig.settle(page)
        assert rig.lines == rig.expected(page)


def test_of_many_pages_the_last_one_stands(rig: ScoreboardRig) -> None:
    for turn in range(50):
        rig.board.show(("Pause", str(turn)))
        rig.board.show(PAGES[turn % len(PAGES)])
    rig.settle(PAGES[49 % len(PAGES)])
    assert rig.lines == rig.expected(PAGES[49 % len(PAGES)])


def test_closing_leaves_it_blank_and_can_be_done_again(rig: ScoreboardRig) -> None:
    rig.board.show(PAGES[1])
    rig.settle(PAGES[1])
    assert rig.lines == rig.expected(PAGES[1])
    rig.board.close()
    rig.board.close()
    rig.settle(())
    assert rig.lines == rig.expected(())
    assert not any(rig.lines)
    rig.board.close()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=tries(10, 60), deadline=None)
@given(shown=st.lists(st.tuples(pages, st.floats(0, 3)), min_size=1, max_size=8))
def test_whatever_is_shown_and_when(name: str, shown: list[tuple[tuple[str, ...], float]]) -> None:
    rig = rig_of(name)
    for page, pause_s in shown:
        rig.board.show(page)
        if isinstance(rig, SignOnCable):
            rig.run(pause_s)
    rig.settle(page)
    assert rig.lines == rig.expected(page)
    rig.close()
