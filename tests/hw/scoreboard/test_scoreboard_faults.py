"""Everything that goes wrong between a scoreboard and its sign, in virtual time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.ports import Condition, Health
from hw.scoreboard.alpha import AlphaSign
from hw.scoreboard.serial_sign import REPAINT_NS
from hw.scoreboard.text import TextSign
from hw.serial_port import STALLED
from hw.sim.alpha_sign import AlphaModel
from hw.sim.text_displays import TextModel
from tests.hw.scoreboard.sign_rigs import PAIRS, PlainRig, ScoreboardRig, SignOnCable
from tests.thoroughness import tries

SECOND = 1_000_000_000
REPAINT_S = REPAINT_NS / SECOND
PAGE = ("Runde 1/12", "1:3 2:4 3:10 4:9")
OTHER = ("3 zählt grün 7", "1:3 2:4 3:9 4:9")
ALL = list(PAIRS)


@pytest.fixture(params=ALL)
def rig(request: pytest.FixtureRequest) -> SignOnCable:
    rig = SignOnCable(PAIRS[request.param]())
    rig.board.show(PAGE)
    rig.run(20)
    assert rig.lines == rig.expected(PAGE)
    assert rig.reported == []
    return rig


def test_unplugged_and_plugged_in_again_it_is_painted_again(rig: SignOnCable) -> None:
    rig.cable.unplug()
    rig.run(3)
    assert not any(rig.lines)
    rig.board.show(OTHER)
    rig.cable.plug()
    rig.run(20)
    assert rig.lines == rig.expected(OTHER)
    conditions = [each.condition for each in rig.reported]
    assert set(conditions[:-1]) == {Condition.LOST}
    assert conditions[-1] is Condition.OK


def test_it_may_be_plugged_in_only_later() -> None:
    rig = SignOnCable(PAIRS["cd5220"]())
    rig.cable.unplug()
    rig.board.show(PAGE)
    rig.run(60)
    assert rig.reported[-1].seen == "is not plugged in"
    rig.cable.plug()
    rig.run(6)  # it is tried every four seconds by now
    assert rig.lines == rig.expected(PAGE)


def test_unplugged_while_a_page_is_under_way(rig: SignOnCable) -> None:
    for step in range(10):
        rig.board.show((str(step), OTHER[1]))
        rig.run(0.01 * step)
        rig.cable.unplug()
        rig.run(0.5)
        rig.cable.plug()
        rig.run(20)
        assert rig.lines == rig.expected((str(step), OTHER[1]))


def test_a_sign_that_had_no_power_for_a_moment_is_painted_anew_without_having_said_a_word(
    rig: SignOnCable,
) -> None:
    rig.lose_power(seconds=2)
    rig.run(REPAINT_S + 1)
    assert rig.lines == rig.expected(PAGE)
    assert rig.reported == []


def test_an_alpha_sign_that_lost_its_memory_is_set_up_anew_in_the_end() -> None:
    rig = SignOnCable((AlphaSign(), AlphaModel(keeps_memory=False)))
    rig.board.show(PAGE)
    rig.run(20)
    rig.lose_power()
    rig.run(REPAINT_S + 1)
    assert not any(rig.lines)
    rig.run(rig.sign.set_up_every_ns / SECOND)
    assert rig.lines == rig.expected(PAGE)


def test_a_line_that_garbles_everything_for_a_while_is_survived(rig: SignOnCable) -> None:
    chance = Random(7)
    rig.cable.garble = lambda data: bytes(
        chance.randrange(256) if chance.random() < 0.2 else byte for byte in data
    )
    for turn in range(40):
        rig.board.show((f"garbled {turn}", "x" * 20))
        rig.run(1)
    rig.cable.garble = None
    rig.board.show(OTHER)
    rig.run(rig.sign.set_up_every_ns / SECOND + REPAINT_S + 15)
    assert rig.lines == rig.expected(OTHER)
    assert rig.reported == []


def test_lost_bytes_are_made_up_for_by_the_repaint(rig: SignOnCable) -> None:
    rig.cable.garble = lambda data: b""
    rig.board.show(OTHER)
    rig.run(2)
    assert rig.lines != rig.expected(OTHER)
    rig.cable.garble = None
    rig.run(2 * REPAINT_S)
    assert rig.lines == rig.expected(OTHER)


@pytest.mark.parametrize("baud", [300, 1200, 9600])
@pytest.mark.parametrize("name", ALL)
def test_on_a_slow_line_the_newest_page_is_there_soon(name: str, baud: int) -> None:
    sign, model = PAIRS[name]()
    sign.baud = baud
    rig = SignOnCable((sign, model), baud=baud)
    rig.run(20)
    for turn in range(500):  # a page every ten milliseconds
        rig.board.show((f"page {turn}", "y" * 20))
        rig.run(0.01)
    two_pages_s = 2 * 64 * 10 / baud
    rig.run(two_pages_s + 4 * 0.3 + 6 * 60 * 10 / baud * (name in ("alpha", "betabrite")))
    assert rig.lines == rig.expected(("page 499", "y" * 20))


class Recorded(TextModel):
    """Keeps what came over the line."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = b""

    def received(self, data: bytes, now_ns: int) -> None:
        self.heard += data
        super().received(data, now_ns)


def test_on_a_slow_line_every_page_that_is_sent_is_whole() -> None:
    sign, model = TextSign(), Recorded()
    sign.baud = 300
    rig = SignOnCable((sign, model), baud=300)
    pages = {f"page {turn}\r\n{turn:020}\r\n".encode() for turn in range(2000)}
    for turn in range(2000):
        rig.board.show((f"page {turn}", f"{turn:020}"))
        rig.run(0.01)
    rig.run(5)
    sent = [page for page in model.heard.split(b"\x0c") if page not in (b"", b"\r\n\r\n")]
    assert 10 < len(sent) < 25
    assert set(sent) <= pages
    assert rig.lines == rig.expected(("page 1999", f"{1999:020}"))


def test_a_port_that_takes_nothing_is_reported_and_recovers_with_the_newest_page(rig: SignOnCable) -> None:
    rig.cable.baud = 0
    for turn in range(20):
        rig.board.show((f"stalled {turn}", ""))
        rig.run(1)
    assert rig.lines == rig.expected(PAGE)
    assert rig.reported == [Health("scoreboard", Condition.LOST, *STALLED)]
    rig.cable.baud = 9600
    rig.run(5)
    assert rig.lines == rig.expected(("stalled 19", ""))
    assert rig.reported[-1].condition is Condition.OK
    assert len(rig.reported) == 2


def test_closing_the_port_in_the_middle_of_a_page_leaves_the_sign_blank(rig: SignOnCable) -> None:
    rig.board.show(OTHER)
    rig.run(0.011)
    rig.close_port()
    rig.run(10)
    assert not any(rig.lines)


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
def shown_by(request: pytest.FixtureRequest) -> ScoreboardRig:
    return rig_of(request.param)


def test_it_says_how_wide_it_is(shown_by: ScoreboardRig) -> None:
    assert shown_by.board.columns >= 20


def test_it_shows_each_page_cut_to_its_columns(shown_by: ScoreboardRig) -> None:
    for page in PAGES[-4:]:
        shown_by.board.show(page)
        shown_by.settle(page)
        assert shown_by.lines == shown_by.expected(page)


def test_of_many_pages_the_last_one_stands(shown_by: ScoreboardRig) -> None:
    for turn in range(50):
        shown_by.board.show(("Pause", str(turn)))
        shown_by.board.show(PAGES[turn % len(PAGES)])
    shown_by.settle(PAGES[49 % len(PAGES)])
    assert shown_by.lines == shown_by.expected(PAGES[49 % len(PAGES)])


def test_closing_leaves_it_blank_and_can_be_done_again(shown_by: ScoreboardRig) -> None:
    shown_by.board.show(PAGES[1])
    shown_by.settle(PAGES[1])
    assert shown_by.lines == shown_by.expected(PAGES[1])
    shown_by.board.close()
    shown_by.board.close()
    shown_by.settle(())
    assert shown_by.lines == shown_by.expected(())
    assert not any(shown_by.lines)
    shown_by.board.close()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=tries(10, 60), deadline=None)
@given(shown=st.lists(st.tuples(pages, st.floats(0, 3)), min_size=1, max_size=8))
def test_whatever_is_shown_and_when(name: str, shown: list[tuple[tuple[str, ...], float]]) -> None:
    shown_by = rig_of(name)
    for page, pause_s in shown:
        shown_by.board.show(page)
        if isinstance(shown_by, SignOnCable):
            shown_by.run(pause_s)
    shown_by.settle(page)
    assert shown_by.lines == shown_by.expected(page)
    shown_by.close()
