"""The line of each setting, compared with what tomllib finds in the same text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.profile.document import KeyPath, find_lines, name_of, parse_document
from firmware_host.profile.keys import example_table
from tests.profile.documents import documents


def paths(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    """Every path in what tomllib made of a text, and what is there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key), each
        yield from paths(each, (*path, key))


def first_with(mark: str, lines: list[str]) -> int:
    return next(number for number, line in enumerate(lines, start=1) if re.search(rf"{mark}(?![0-9])", line))


@given(documents())
def test_every_setting_has_a_line_and_that_holds_it(text: str) -> None:
    found = dict(paths(tomllib.loads(text)))
    lines = find_lines(text)
    assert set(lines) == set(found)
    written = text.split("\n")
    for path, value in found.items():
        name, line = path[-1], written[lines[path] - 1]
        if isinstance(name, str):
            assert lines[path] == first_with(rf"(?:k|u006b){name[1:]}", written)
        elif isinstance(value, str):
            assert lines[path] == first_with(value.split()[0], written)
        elif isinstance(value, dict):
            assert "{" in line or re.search(rf"\[\[.*(?:k|u006b){str(path[-2])[1:]}['\"\]]", line)
        else:
            assert value != [] or "[" in line


PROFILES = [wiring.profile_file(name).read_text(encoding="utf-8") for name in wiring.profile_names()]
EXAMPLE = re.sub(r"(?m)^# (?=[a-z-]+ = )(?!wiring)", "", example_table(wiring.profile_names()))
GUIDE = (Path(__file__).parents[2] / "docs" / "configuring.md").read_text(encoding="utf-8")
GUIDED = re.findall(r"(?s)```toml\n(.*?)```", GUIDE)


@pytest.mark.parametrize("text", [*PROFILES, EXAMPLE, *GUIDED])
def test_all_lines_of_a_file_that_ships_are_known(text: str) -> None:
    found, lines, written = dict(paths(tomllib.loads(text))), find_lines(text), text.split("\n")
    assert set(lines) == set(found)
    for path, line in lines.items():
        here = written[line - 1]
        if isinstance(path[-1], int):
            value = found[path]
            assert f'"{value}"' in here if isinstance(value, str) else re.search(rf"\b{value}\b", here)
        else:
            assert re.match(rf"\s*(\[.*\b)?{path[-1]}\b", here) or f" {path[-1]} = " in here


def test_entries_of_a_list_of_sections_have_lines_of_their_own() -> None:
    lines = find_lines("[[a.b]]\nc = 1\n[a.b.d]\ne = 2\n[[a.b]]\n[a.b.d]\n")
    assert lines == {
        ("a",): 1,
        ("a", "b"): 1,
        ("a", "b", 0): 1,
        ("a", "b", 0, "c"): 2,
        ("a", "b", 0, "d"): 3,
        ("a", "b", 0, "d", "e"): 4,
        ("a", "b", 1): 5,
        ("a", "b", 1, "d"): 6,
    }


def test_a_quoted_key_is_what_it_means() -> None:
    lines = find_lines('\n"a b".\'c.d\' = 1\n["\\u0065"]\n')
    assert lines == {("a b",): 2, ("a b", "c.d"): 2, ("e",): 3}


def test_what_is_missing_would_be_in_its_section() -> None:
    document = parse_document("x = 1\n[a]\nb = [\n1,\n2]\n", "table.toml")
    assert document.line_near(("a", "b", 1)) == 5
    assert document.line_near(("a", "b", 7)) == 3
    assert document.line_near(("a", "c")) == 2
    assert document.line_near(("d", "e")) == 1
    assert document.line_near(()) == 1


def test_paths_are_named_as_people_write_them() -> None:
    assert name_of(("slots", "red", 0)) == "slots.red[1]"
    assert name_of(("a b", "c", 1, "d.e")) == "'a b'.c[2].'d.e'"
    assert name_of(("x\ny",)) == r"'x\ny'"


@given(st.text(alphabet="ab.='\"[]{}#,\n 12_-\\tu", max_size=40))
def test_whatever_is_toml_has_lines(text: str) -> None:
    try:
        found = {path for path, _ in paths(tomllib.loads(text))}
    except tomllib.TOMLDecodeError:
        return
    assert set(find_lines(text)) == found
