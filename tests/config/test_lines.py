"""The line of each setting, compared with what tomllib finds in the same text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.config.lines import KeyPath, name_of
from firmware_host.config.scan import find_lines
from firmware_host.config.tape import Slip
from tests.config.documents import documents


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


@pytest.mark.parametrize("name", wiring.profile_names())
def test_all_lines_of_a_profile_are_known(name: str) -> None:
    text = wiring.profile_file(name).read_text(encoding="utf-8")
    lines = find_lines(text)
    assert set(lines) == {path for path, _ in paths(tomllib.loads(text))}
    written = text.split("\n")
    for path, line in lines.items():
        if isinstance(path[-1], str):
            assert path[-1] in written[line - 1]


def test_entries_of_a_list_of_sections_have_lines_of_their_own() -> None:
    lines = find_lines("[[a.b]]\nc = 1\n[a.b.d]\ne = 2\n[[a.b]]\n[a.b.d]\n")
    assert dict(lines) == {
        ("a",): 1,
        ("a", "b"): 1,
        ("a", "b", 0): 1,
        ("a", "b", 0, "c"): 2,
        ("a", "b", 0, "d"): 3,
        ("a", "b", 0, "d", "e"): 4,
        ("a", "b", 1): 5,
        ("a", "b", 1, "d"): 6,
    }
    assert len(lines) == 8


def test_a_quoted_key_is_what_it_means() -> None:
    lines = find_lines('\n"a b".\'c.d\' = 1\n["\\u0065"]\n')
    assert dict(lines) == {("a b",): 2, ("a b", "c.d"): 2, ("e",): 3}


def test_what_is_missing_would_be_in_its_section() -> None:
    lines = find_lines("x = 1\n[a]\nb = [\n1,\n2]\n")
    assert lines.near(("a", "b", 1)) == 5
    assert lines.near(("a", "b", 7)) == 3
    assert lines.near(("a", "c")) == 2
    assert lines.near(("d", "e")) == 1
    assert lines.near(()) == 1


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


def test_what_is_no_toml_has_none() -> None:
    with pytest.raises(Slip, match="line 2: b is x"):
        find_lines("a = 1\nb = x\n")


def slip_of(text: str) -> Slip | None:
    try:
        find_lines(text)
    except Slip as slip:
        return slip
    return None


@given(st.sampled_from(wiring.profile_names()), st.data())
def test_a_text_with_a_slip_is_read_or_refused_in_one_of_its_lines(name: str, data: st.DataObject) -> None:
    text = wiring.profile_file(name).read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text) - 1))
    text = (
        text[:at]
        + data.draw(st.sampled_from(["", '"', "'", "=", "[", "]", "{", ",", "\n", "#", "é"]))
        + text[at + 1 :]
    )
    slip = slip_of(text)
    if slip is not None:
        assert 1 <= slip.line <= text.count("\n") + 1
        with pytest.raises(tomllib.TOMLDecodeError):
            tomllib.loads(text)
