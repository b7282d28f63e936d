"""Photo finishes as drawings and as lines: the same facts, in every language, inside the sheet."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from firmware_host.history.finish import Finish, finish_of, finish_scale
from firmware_host.history.finish_drawing import NARROW, WIDE, Sheet, draw_finish
from firmware_host.history.finish_words import (
    FinishText,
    finish_lines,
    finish_sentences,
    margin_words,
    seats_text,
    time_text,
    what_text,
    when_text,
)
from firmware_host.model.phrases import LANGUAGES
from firmware_host.model.places import Card, Colour
from firmware_host.model.times import MS, US, Stamp
from tests.history.finishes import ALL, CLOSE, EARLY, FEWEST, OVERLAP, TIED, finish, only_contest

SVG = "{http://www.w3.org/2000/svg}"


def drawn(of: Finish, language: str = "en", sheet: Sheet = WIDE, **more: object) -> ElementTree.Element:
    return ElementTree.fromstring(draw_finish(of, language, sheet, **more))  # type: ignore[arg-type]


def words(picture: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in picture.iter(f"{SVG}text")]


def bars(picture: ElementTree.Element) -> list[tuple[float, float]]:
    """The outlines of the bars, from left to right edge."""
    return [
        (float(each.attrib["x"]), float(each.attrib["x"]) + float(each.attrib["width"]))
        for each in picture.iter(f"{SVG}rect")
        if each.get("fill") == "none"
    ]


# -- texts


@pytest.mark.parametrize("text", FinishText)
def test_every_language_has_every_text_with_the_same_parts(text: FinishText) -> None:
    parts = [{name.lower() for _, name, *_ in string.Formatter().parse(cell) if name} for cell in text.value]
    assert all(text.value)
    assert all(each == parts[0] for each in parts)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ALL)
def test_every_contest_can_be_said_in_every_language(kind: str, language: str) -> None:
    of = finish(ALL[kind], "21" if kind != "close" else "421")
    sentences = finish_sentences(language, of)
    assert len(sentences) == (3 if kind == "overlap" else 2)
    assert not any("{" in each for each in sentences)
    assert drawn(of, language, NARROW).get("width") == "480"
    assert "".join(finish_lines(of, language))


def test_the_rule_of_a_dead_heat_is_said_with_the_wins_before() -> None:
    assert finish_sentences("en", finish(FEWEST, "214")) == [
        "Dead heat: seat 1 and seat 2. Seat 1 had won the fewest dead heats of this match (0 : 3).",
        "By order of arrival seat 2 would have won; that order never counts.",
    ]
    assert finish_sentences("en", finish(TIED, "12"))[1].endswith("ended the same way.")
    assert "not known" in finish_sentences("en", finish(TIED))[1]
    assert finish_sentences("en", finish(EARLY))[0].startswith("Seat 2 slapped before it lay there.")
    assert seats_text("en", [1, 2, 4]) == "seat 1, seat 2 and seat 4"


def test_an_early_slap_is_named() -> None:
    assert finish_sentences("en", finish(EARLY))[0].startswith("Seat 2 slapped before it lay there.")


@pytest.mark.parametrize(
    ("time_ns", "english", "german"),
    [
        (50 * US, "50 µs", "50 µs"),
        (3_100 * US, "3.1 ms", "3,1 ms"),
        (420 * MS, "0.42 s", "0,42 s"),
    ],
)
def test_times_are_written_as_people_of_that_language_do(time_ns: int, english: str, german: str) -> None:
    assert (time_text("en", time_ns), time_text("de", time_ns)) == (english, german)


def test_margins_say_on_which_side_and_how_much_is_certain() -> None:
    late = finish(CLOSE).losers[0]
    assert margin_words("en", late) == ("400 µs later", "at least 200 µs")
    assert margin_words("en", finish(TIED).losers[0]) == ("50 µs earlier", "overlaps by 150 µs")
    assert margin_words("en", replace(late, margin_ns=999, apart_ns=-1))[0] == "at the same moment"
    # what is certain is rounded down
    assert margin_words("en", replace(late, apart_ns=1_999_999))[1] == "at least 1.9 ms"


def test_what_was_raced_for_has_the_symbol_of_its_row() -> None:
    assert what_text("de", Card(2, Colour.BLUE, 7)) == "◆ blau 7"
    assert what_text("en", None) == "end of the round"


def test_when_it_was_is_said_as_far_as_it_is_known() -> None:
    assert when_text("en", finish(CLOSE)) == "round 2, after 1.000 s"
    assert when_text("en", finish_of(only_contest(CLOSE), 1, {})) == ""


def test_seats_are_listed() -> None:
    assert seats_text("en", [1, 2, 4]) == "seat 1, seat 2 and seat 4"


# -- scale


def test_one_that_is_far_behind_does_not_squeeze_the_others() -> None:
    of = finish(FEWEST)
    scale = finish_scale(of)
    assert [scale.holds(each) for each in of.rivals] == [True, True, False]
    assert scale.place(of.zero_ns) == pytest.approx(0.5, abs=0.2)


@pytest.mark.parametrize("most", [2, 4, 8])
@pytest.mark.parametrize("kind", ALL)
def test_ticks_are_inside_and_not_too_many(kind: str, most: int) -> None:
    scale = finish_scale(finish(ALL[kind]))
    ticks = scale.ticks(most)
    assert 1 <= len(ticks) <= most + 1
    assert all(scale.from_ns <= t_ns <= scale.to_ns for t_ns, _ in ticks)
    assert "0" in [name for _, name in ticks]


def test_exact_stamps_at_one_moment_have_a_scale_too() -> None:
    of = finish(CLOSE)
    at = Stamp(of.zero_ns, of.zero_ns)
    exact = replace(of, rivals=tuple(replace(each, stamp=at) for each in of.rivals))
    assert finish_scale(exact).length_ns > 0
    assert len(bars(drawn(exact))) == 3
    assert len(finish_lines(exact, "en", 60)) >= 5


# -- drawing


@pytest.mark.parametrize("sheet", [WIDE, NARROW])
@pytest.mark.parametrize("kind", ALL)
def test_bars_are_to_scale_and_on_the_axis(kind: str, sheet: Sheet) -> None:
    of = finish(ALL[kind])
    scale = finish_scale(of)
    shown = [each for each in of.rivals if scale.holds(each)]
    found = bars(drawn(of, "en", sheet))
    assert len(found) == len(shown)
    for (first, last), rival in zip(found, shown, strict=True):
        assert sheet.left <= first < last <= sheet.width - sheet.right
        span = (scale.place(rival.stamp.latest_ns) - scale.place(rival.stamp.earliest_ns)) * (
            sheet.width - sheet.left - sheet.right
        )
        assert last - first == pytest.approx(max(3.0, span), abs=0.02)


def test_who_is_beyond_the_picture_has_an_arrow_to_that_side() -> None:
    (arrow,) = drawn(finish(FEWEST)).iter(f"{SVG}path")
    assert re.match(rf"M{WIDE.width - WIDE.right - 6} \d+ l-14", arrow.attrib["d"])
    of = finish(FEWEST)
    before = replace(of.rivals[2], stamp=Stamp(of.zero_ns - 50 * MS, of.zero_ns - 49 * MS))
    early = replace(of, rivals=(*of.rivals[:2], before))
    (arrow,) = drawn(early).iter(f"{SVG}path")
    assert arrow.attrib["d"].startswith(f"M{WIDE.left + 6} ")
    assert any(line.rstrip().endswith("<") for line in finish_lines(early, "en"))


def test_the_time_that_the_tied_share_is_a_band_behind_their_bars() -> None:
    picture = drawn(finish(TIED))
    band = [each for each in picture.iter(f"{SVG}rect") if each.get("class") == "f-band"]
    assert len(band) == 1
    assert not [each for each in drawn(finish(CLOSE)).iter(f"{SVG}rect") if each.get("class") == "f-band"]


def test_names_are_written_if_they_are_given_and_cut_to_fit() -> None:
    names = {1: "Ada <3", 2: "Bartholomäus der Große"}
    told = words(drawn(finish(CLOSE), names=names))
    assert "Ada <3" in told
    assert any(each.startswith("Barth") and each.endswith("…") for each in told)
    assert "Ada <3" not in words(drawn(finish(CLOSE)))


def test_the_order_of_arrival_stands_beside_the_lanes_if_it_is_known() -> None:
    assert [each for each in words(drawn(finish(TIED, "21"))) if re.fullmatch(r"\d\.", each)] == ["2.", "1."]
    assert not [each for each in words(drawn(finish(TIED))) if re.fullmatch(r"\d\.", each)]


def test_the_drawing_loads_nothing_and_says_all_of_it_to_a_screen_reader() -> None:
    text = draw_finish(finish(OVERLAP), "en")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "Doubtful" in (ElementTree.fromstring(text).findtext(f"{SVG}desc") or "")


# -- lines


def test_the_lines_show_bars_and_reasons() -> None:
    assert finish_lines(finish(TIED, "21"), "en", 72) == [
        "Photo finish: ▲ red 1 (round 2, after 2.000 s)",
        "                           −100µs             0                  +100µs",
        "seat 1                     [=====================================]",
        "            DEAD HEAT won, arrival: 2.",
        "seat 2            [------------------~------------------]",
        "            DEAD HEAT lost, 50 µs earlier, overlaps by 150 µs, arrival:",
        "            1.",
        "Dead heat: seat 1 and seat 2. As many won before, so lots were drawn:",
        "seat 1.",
        "By order of arrival seat 2 would have won; that order never counts.",
    ]


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("kind", ALL)
def test_no_line_is_wider_than_it_may_be(kind: str, columns: int) -> None:
    for language in LANGUAGES:
        assert max(map(len, finish_lines(finish(ALL[kind], "21"[: len(kind)]), language, columns))) <= max(
            columns, 54
        )


def test_one_far_behind_is_an_arrow_in_a_line() -> None:
    lines = finish_lines(finish(FEWEST), "en")
    assert any(line.startswith("seat 4") and line.endswith(">") for line in lines)
    assert finish_lines(finish_of(only_contest(CLOSE), 1, {}), "en")[0] == "Photo finish: ▲ red 1"
