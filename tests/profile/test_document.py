"""What is said of texts that are not TOML, or too large for a setting."""

from __future__ import annotations

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.model.errors import BadSettings
from firmware_host.profile.document import parse_document

VALUE = "expected a text in quotes, a number, or a list in [ ]"
PAIR = "expected NAME = VALUE, with a name of a-z, 0-9 and -"
TWICE = "it is there a second time"
HEADER = "expected a name in [ ], as in [timing]"
INLINE = (
    "expected a name; { and } have to be in one line, with NAME = VALUE between them and no comma at the end"
)
ENTRY = "expected a comma, or ] after the last entry of a list"
END = "table.toml: syntax error at the end of the file: "


def fault_of(text: str) -> str:
    with pytest.raises(BadSettings) as error:
        parse_document(text, "table.toml")
    (fault,) = error.value.faults
    return fault


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("wiring = dice4", 1, f"""{VALUE}; did you mean 'wiring = "dice4"'?"""),
        ("a = Summer party # x", 1, f"""{VALUE}; did you mean 'a = "Summer party"'?"""),
        ("a = “x”", 1, f"""{VALUE}; did you mean 'a = "x"'?"""),
        ("[timing]\nlock = 2s", 2, f"""{VALUE}; did you mean 'lock = "2s"'?"""),
        ("a = [1, red]", 1, VALUE),
        ("a = 007", 1, VALUE),
        (f"{50 * 'a'} = b", 1, VALUE),
        ("a = [1,\n2,\n[timing]\n", 3, f"{VALUE}; or a list further up has no ]"),
        ("a = [1,,2]", 1, VALUE),
        ("\na =", 2, VALUE),
        ("a = # later", 1, VALUE),
        ('a = "x" 2', 1, VALUE),
        ('a = "x # y', 1, "the quote at the end of a text is missing"),
        ("rounds 12", 1, PAIR),
        ("rounds: 12", 1, PAIR),
        ("two words=1", 1, PAIR),
        ("größe = 1", 1, PAIR),
        ("= 1", 1, PAIR),
        ("[timing\nlock = 1", 1, HEADER),
        ("[]", 1, INLINE),
        ("a = {\nb = 1 }", 1, INLINE),
        ("a = 1\n\na = 2", 3, TWICE),
        ("[a]\n[b]\n[a]", 3, TWICE),
        ("a = { b = 1, b = 2 }", 1, TWICE),
        ("a = 1\na.b = 2", 2, TWICE),
        ("a = [1,\n2\n\nb = 3", 4, ENTRY),
        ("a = [1 2]", 1, ENTRY),
        ("a = { b = 1\nc = 2", 1, "expected a comma, or } in the same line"),
        ('a = "C:\\temp\\q"', 1, "write \\\\ for \\, or put the text in ' instead of \""),
        ('a = "\x07"', 1, "Illegal character '\\x07'"),
    ],
)
def test_an_error_is_reported_in_plain_words(text: str, line: int, words: str) -> None:
    found = text.split("\n")[line - 1].replace("\x07", "\\x07")
    for each in (text, text.replace("\n", "\r\n"), f"\ufeff{text}", f"{text}\n"):
        assert fault_of(each) == f"table.toml:{line}: syntax error in '{found}': {words}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = [1, 2\n\n", ENTRY),
        ("b = 1\na = '''x\n\n", "Expected \"'''\""),
        ('a = """x\nb = 1\n', "Unterminated string"),
    ],
)
def test_of_an_error_that_only_the_end_shows_the_line_is_not_guessed(text: str, words: str) -> None:
    assert fault_of(text) == f"{END}{words}"


def test_brackets_and_names_have_an_end() -> None:
    deep = "is nested too deeply; allowed: up to 16 names and brackets"
    assert fault_of("x = 1\na.b = " + 99 * "[" + 99 * "]") == f"table.toml:2: a.b {deep}"
    assert fault_of("a =" + 99 * " {a =" + "1" + 99 * "}") == f"table.toml:1: a.a {deep}"
    assert fault_of("x = 1\na.b = " + 5000 * "[") == (
        "table.toml: lists are nested too deeply; allowed: up to 16 brackets"
    )
    many = ".".join(1000 * ["a"])
    for text in (f"x = 1\n{many} = 1", f"x = 1\n[{many}]", f"x = 1\n[[{many}]]"):
        assert fault_of(text) == f"table.toml:2: a.a {deep}"
    assert parse_document("a =" + 16 * "[" + 16 * "]", "table.toml").data["a"]


def test_numbers_have_an_end() -> None:
    for number in ("0x" + 5000 * "f", "-1." + 5000 * "3", 101 * "9"):
        fault = fault_of(f"x = 1\na = {number}\n")
        assert fault == f"table.toml:2: a is {number[:57]}...; allowed: up to 100 digits"
    assert (
        fault_of(f"x = 1\na = {5000 * '9'}") == "table.toml: a number is too long; allowed: up to 100 digits"
    )
    assert parse_document(f"a = '{5000 * '9'}'", "table.toml").data["a"] == 5000 * "9"


def test_a_section_can_have_a_new_name() -> None:
    document = parse_document("x = 1\n[old]\na = 2\n", "table.toml")
    renamed = document.renamed("old", "new")
    assert renamed.data == {"x": 1, "new": {"a": 2}}
    assert renamed.line_near(("new", "a")) == 3
    both = parse_document("[old]\na = 2\n[new]\nb = 3\n", "table.toml").renamed("old", "new")
    assert both.data == {"new": {"b": 3}}
    assert (both.line_near(("new", "b")), both.line_near(("old",))) == (4, 1)


@given(st.sampled_from(wiring.profile_names()), st.data())
def test_a_text_with_a_slip_is_refused_once(name: str, data: st.DataObject) -> None:
    text = wiring.profile_file(name).read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text) - 1))
    slip = data.draw(st.sampled_from(["", '"', "'", "=", "[", "]", "{", ",", "\n", "#", "é", "\\"]))
    text = text[:at] + slip + text[at + 1 :]
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line ([0-9]+)", str(error))
        assert fault_of(text).startswith(f"table.toml:{line[1]}: " if line else "table.toml: ")
    else:
        assert parse_document(text, "table.toml").data == expected
