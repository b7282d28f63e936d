"""How faults show what was found."""

from __future__ import annotations

import tomllib

import pytest

from firmware_host.model.plain_text import both, clean, either, in_a_line, meant, nearest, only_near, shown


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("true", "true"),
        ("5", "5"),
        ("16.0", "16.0"),
        ("'x'", "'x'"),
        ("'''x\ny'''", "'x\\ny'"),
        ("{ a = 1 }", "a section"),
        ("[1, 'x', true]", "[1, 'x', true]"),
        ("[[1, 2], []]", "[[1, 2], []]"),
        (f"[{'1, ' * 30}]", "a list of 30"),
        ("2026-11-18", "2026-11-18"),
        (f"'{'x' * 100}'", f"'{'x' * 57}...'"),
    ],
)
def test_a_value_is_shown_as_the_file_has_it(written: str, seen: str) -> None:
    assert shown(tomllib.loads(f"value = {written}")["value"]) == seen


def test_nothing_begins_another_line() -> None:
    assert in_a_line("a\nb\r\x1b[0m\u2028") == "a\\nb\\r\\x1b[0m\\u2028"
    assert clean("\n" + "x" * 100) == "\\n" + "x" * 56 + "..."


def test_choices_read_as_people_say_them() -> None:
    assert (either(["a"]), either(["a", "b"]), either(["a", "b", "c"])) == ("a", "a or b", "a, b or c")
    assert both(["a", "b", "c"]) == "a, b and c"


def test_the_nearest_name_is_found_whatever_its_case() -> None:
    assert nearest(" Verdict", ["rounds", "verdicts"]) == "verdicts"
    assert nearest("zzz", ["rounds"]) is None
    assert nearest(5, ["5"]) is None
    assert only_near("lft", ["left", "right"]) == "left"
    assert only_near("piles-x", ["piles-1", "piles-2"]) is None
    assert (meant("left"), meant(None)) == ("; did you mean 'left'?", "")
