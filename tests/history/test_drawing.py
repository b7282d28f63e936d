"""Drawings: well-formed, complete, to scale, and readable in bright and dark surroundings."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_host.history.drawing import LEFT, LETTER, RIGHT, WIDTH, draw_svg
from firmware_host.history.scene import SIGNS, Scene, around, whole
from firmware_host.model import effects as e
from firmware_host.model.effects import Effect, Verdict
from firmware_host.model.states import AwayReason, Condition, Corrector, DeviceCondition, Phase
from firmware_host.model.times import MS, US, S
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    START_NS,
    TIED,
    entered,
    finished,
    judged,
    real_stories,
    scored,
    started,
    told,
)

SVG = "{http://www.w3.org/2000/svg}"


def tell(effect: Effect) -> str:
    """What a sign is said to be; with signs that XML has a meaning for."""
    return f"<{type(effect).__name__}> & more"


def drawn(scene: Scene, title: str = "A round <of> dice & cards") -> ElementTree.Element:
    return ElementTree.fromstring(draw_svg(scene, title, tell))


def signs(svg: ElementTree.Element) -> list[tuple[str, float, float]]:
    """Each sign of a verdict in the lanes: the sign and where it stands."""
    found = []
    for group in svg.findall(f"{SVG}g"):
        circle, text, title = (group.find(f"{SVG}{tag}") for tag in ("circle", "text", "title"))
        if circle is not None and text is not None and title is not None:
            found.append((text.text or "", float(circle.get("cx", "")), float(circle.get("cy", ""))))
    return found


def texts(svg: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in svg.iter(f"{SVG}text")]


def test_every_verdict_stands_in_its_lane_at_its_time() -> None:
    scene = whole(told(CLOSE))
    found = {(sign, round(x), round(y)) for sign, x, y in signs(drawn(scene))}
    width = WIDTH - LEFT - RIGHT
    lanes = {1: 112, 2: 152, 4: 192}
    assert found == {
        (SIGNS[given.judged.verdict], round(LEFT + width * part), lanes[given.judged.seat])
        for given in scene.verdicts
        for part in [(given.t_ns - scene.from_ns) / scene.length_ns]
    }


def test_names_titles_and_the_legend_are_written() -> None:
    svg = drawn(whole(told(CLOSE)))
    assert {"A round <of> dice & cards", "seat 1", "seat 2", "seat 4", "accepted", "too late"} <= set(
        texts(svg)
    )
    assert "end called" in texts(svg) and "illegal" not in texts(svg)
    titles = [each.text for each in svg.iter(f"{SVG}title")]
    assert titles[0] == "A round <of> dice & cards"
    assert titles.count("<Judged> & more") == 4 and "<RoundFinished> & more" in titles


def test_a_dead_heat_is_told_with_the_verdict() -> None:
    titles = [each.text for each in drawn(whole(told(TIED))).iter(f"{SVG}title")]
    assert "<TieBroken> & more. <Judged> & more" in titles


def test_close_stamps_are_as_wide_as_they_are_in_doubt() -> None:
    scene = around(told(TIED), START_NS + 2 * S)
    bars = [each for each in drawn(scene).iter(f"{SVG}rect") if each.get("height") == "14"]
    scale = (WIDTH - LEFT - RIGHT) / scene.length_ns
    assert [float(bar.get("width", "")) for bar in bars] == pytest.approx([200 * US * scale] * 2, abs=0.05)
    first, second = sorted(float(bar.get("x", "")) for bar in bars)
    assert second - first == pytest.approx(50 * US * scale, abs=0.05)
    assert "50us" in texts(drawn(scene))


def test_a_stamp_that_is_narrow_at_this_scale_can_still_be_seen() -> None:
    scene = around(told(CLOSE), START_NS + 1 * S, 2 * S)
    bars = [each for each in drawn(scene).iter(f"{SVG}rect") if each.get("height") == "14"]
    assert [float(bar.get("width", "")) for bar in bars] == [1.5] * 3


def test_margins_stand_on_the_far_side_of_the_loser() -> None:
    svg = drawn(around(told(CLOSE), START_NS + 1 * S))
    anchors = {each.text: each.get("text-anchor") for each in svg.iter(f"{SVG}text")}
    assert (anchors["400us"], anchors["2.0ms"]) == ("start", "start")
    tied = drawn(around(told(TIED), START_NS + 2 * S))
    assert {each.text: each.get("text-anchor") for each in tied.iter(f"{SVG}text")}["50us"] == "end"


def test_rivals_are_linked() -> None:
    links = [each for each in drawn(whole(told(CLOSE))).iter(f"{SVG}line") if each.get("class") == "link"]
    assert [(each.get("y1"), each.get("y2")) for each in links] == [("112", "152"), ("112", "192")]


def test_where_the_round_stood_still_the_ground_is_another() -> None:
    effects = [
        started(),
        entered(Phase.PAUSED, 2 * S),
        entered(Phase.PLAY, 4 * S),
        finished(1, 8 * S),
        entered(Phase.SETTLE, 8 * S),
        scored(10 * S),
    ]
    story = told(effects)
    boxes = [each for each in drawn(Scene(story, START_NS, START_NS + 10 * S)).iter(f"{SVG}rect")
             if each.get("class") == "still"]  # fmt: skip
    width = (WIDTH - LEFT - RIGHT) / 10
    assert [(float(box.get("x", "")), float(box.get("width", ""))) for box in boxes] == [
        pytest.approx((LEFT + 2 * width, 2 * width)),
        pytest.approx((LEFT + 8 * width, 2 * width)),
    ]
    later = drawn(Scene(story, START_NS + 5 * S, START_NS + 7 * S))
    assert not any(each.get("class") == "still" for each in later.iter(f"{SVG}rect"))


def test_signs_that_matter_most_are_on_top() -> None:
    effects = [started(), judged(Verdict.DEAD_HEAT_LOST, 1, 1 * S, RED_1), judged(ACCEPTED, 1, 1 * S)]
    assert [sign for sign, _, _ in signs(drawn(whole(told(effects))))] == ["o", "~"]


def letters(svg: ElementTree.Element) -> list[tuple[str, float, str]]:
    """Each letter of the table: where it stands, and what it is said to be."""
    found = []
    for group in svg.findall(f"{SVG}g"):
        text, title = group.find(f"{SVG}text"), group.find(f"{SVG}title")
        if text is not None and title is not None and text.get("class") == "letter":
            found.append((text.text or "", float(text.get("x", "")), title.text or ""))
    return found


def test_letters_of_one_moment_stand_side_by_side() -> None:
    effects = [
        started(),
        (START_NS + 5 * S, e.WasInterrupted(AwayReason.POWER, START_NS + 5 * S)),
        entered(Phase.PAUSED, 5 * S),
        entered(Phase.PLAY, 8 * S),
        scored(10 * S),
    ]
    found = letters(drawn(Scene(told(effects), START_NS, START_NS + 10 * S)))
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    assert [(letter, x) for letter, x, _ in found] == [
        ("S", LEFT), ("I", middle), ("P", middle + LETTER)
    ]  # fmt: skip


def test_letters_at_the_end_stay_in_the_picture() -> None:
    effects = [started(), (START_NS + 10 * S, e.Corrected(1, 2, 1, Corrector.PLAYERS)), finished(1, 10 * S)]
    effects += [entered(Phase.PAUSED, 10 * S)]
    found = letters(drawn(Scene(told(effects), START_NS, START_NS + 10 * S)))
    last = WIDTH - RIGHT
    assert {x for _, x, _ in found} == {LEFT, last, last - LETTER, last - 2 * LETTER}


def test_what_happens_again_and_again_is_one_letter_that_tells_all_of_it() -> None:
    lost = [
        (START_NS + n * MS, e.DeviceReported(DeviceCondition(f"pad-{n}", Condition.LOST), True, 0))
        for n in range(1, 9)
    ]
    found = letters(drawn(Scene(told([started(), *lost, scored(9 * S)]), START_NS, START_NS + 10 * S)))
    assert [letter for letter, _, _ in found] == ["S", "D"]
    assert found[1][2] == "\n".join(["<DeviceReported> & more"] * 8)


def test_a_long_legend_takes_several_lines() -> None:
    effects = [started(), *(judged(verdict, 1, n * S) for n, verdict in enumerate(Verdict))]
    effects += [(START_NS + 1 * S, e.Corrected(1, 2, 1, Corrector.PLAYERS))]
    svg = drawn(whole(told(effects)))
    words = [each for each in svg.findall(f"{SVG}text") if each.text in {"dead heat lost", "count corrected"}]
    assert len({each.get("y") for each in words}) == 2
    height = float(svg.get("viewBox", "").split()[3])
    assert all(float(each.get("y", "")) <= height for each in svg.iter(f"{SVG}text"))


def test_colours_are_given_for_both_surroundings_and_nothing_is_loaded() -> None:
    text = draw_svg(whole(told(CLOSE)), "A round", tell)
    assert "@media (prefers-color-scheme: dark)" in text and "var(" not in text
    assert "href" not in text and "url(" not in text and "@import" not in text


def test_contrasts_are_enough_for_reading() -> None:
    from firmware_host.history import drawing

    for colours in (drawing._LIGHT, drawing._DARK):
        for name, colour in colours.items():
            if name not in ("ground", "faint", "still"):
                assert _contrast(colour, colours["ground"]) >= 4.5, name
                assert _contrast(colour, colours["still"]) >= 4, name


def _contrast(one: str, other: str) -> float:
    """The contrast of two colours as accessibility guidelines count it, from 1 to 21."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_real_rounds_can_be_drawn(club: Path) -> None:
    for story in real_stories(club):
        assert len(signs(drawn(whole(story)))) == len(story.verdicts)
        for given in story.verdicts[::9]:
            close = around(story, given.t_ns + 3 * MS)
            assert len(signs(drawn(close))) == len(close.verdicts)
