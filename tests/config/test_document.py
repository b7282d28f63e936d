"""What is said of texts that are no TOML."""

from __future__ import annotations

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.config.document import parse_document
from firmware_host.config.scan import MOST_SLIPS
from firmware_host.errors import BadSettings

VALUES = "a text in quotes, a number, or a list in [ ]"
AFTER = "allowed: nothing, or a comment after #"
STATEMENT = "allowed: NAME = VALUE, or [SECTION]"
NAME = "allowed: a-z, 0-9 and -"


def faults_of(text: str) -> list[str]:
    try:
        document = parse_document(text, "table.toml", ("rounds", "event", "lock"))
    except BadSettings as error:
        return error.faults
    return [f"table.toml:{slip.line}: {slip.words}" for slip in document.slips]


def fault_of(text: str) -> str:
    (fault,) = faults_of(text)
    return fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("wiring = dice4", f'1: wiring is dice4; allowed: {VALUES}; did you mean "dice4"?'),
        ("a = Summer party # x", f'1: a is Summer party; allowed: {VALUES}; did you mean "Summer party"?'),
        ("a = “x”", f'1: a is “x”; allowed: {VALUES}; did you mean "x"?'),
        ("a = 007", f"1: a is 007; allowed: {VALUES}; did you mean 7?"),
        ("[windows]\nlock = 2s", f'2: windows.lock is 2s; allowed: {VALUES}; did you mean "2s"?'),
        ("a = [1, red]", f'1: a[2] is red; allowed: {VALUES}; did you mean "red"?'),
        ("a = [1,,2]", f"1: a[2] has no value; allowed: {VALUES}"),
        ("\na =", f"2: a has no value; allowed: {VALUES}"),
        ("a = # later", f"1: a has no value; allowed: {VALUES}"),
        ("a = 'x\nb = 1", "1: a is 'x; allowed: a text that ends with ' in its line"),
        ('a = "x # y', '1: a is "x; allowed: a text that ends with " in its line'),
        ("a = '''x\n\n", "1: a begins with '''; allowed: ''' at its end as well"),
        ('b = 1\na = """x\n', '2: a begins with """; allowed: """ at its end as well'),
        ("a = 'it's'", f"1: 's'' follows a; {AFTER}"),
        ("a = 1 2", f"1: '2' follows a; {AFTER}"),
        ("[a] b = 1", f"1: 'b = 1' follows the section [a]; {AFTER}"),
        ("rounds 12", f"1: 'rounds 12' is no setting; {STATEMENT}"),
        ("rounds: 12", f"1: 'rounds: 12' is no setting; {STATEMENT}"),
        ("a\x00 = 1", f"1: 'a\\x00' is no name; {NAME}"),
        ("a. = 1", f"1: 'a.' is no name; {NAME}"),
        ("two words=1", f"1: 'two words' is no name; {NAME}"),
        ("a = { größe = 1 }", f"1: 'größe' is no name; {NAME}"),
        ("a: b = 1", f"1: 'a: b = 1' is no setting; {STATEMENT}"),
        ("'a = 1", f"1: ''a = 1' is no setting; {STATEMENT}"),
        ("[windows\nlock = 1", "1: '[windows' is no section; allowed: a name in [ ], as in [windows]"),
        ("[]", "1: '[]' is no section; allowed: a name in [ ], as in [windows]"),
        ("[[a]\n", "1: '[[a]' is no section; allowed: a name in [ ], as in [windows]"),
        ("a = 1\n\na = 2", "3: a is there a second time, first in line 1; allowed: once"),
        ("[a]\n[b]\n[a]", "3: [a] is there a second time, first in line 1; allowed: once"),
        ("[[a]]\n[a]", "2: [a] is there a second time, first in line 1; allowed: once"),
        ("a = { b = 1, b = 2 }", "1: a.b is there a second time, first in line 1; allowed: once"),
        ("a = [1,\n2\n\nb = 3", "1: a has no end; allowed: ] after its last entry"),
        ("a = [1,\n2,\n[windows]\n", "1: a has no end; allowed: ] after its last entry"),
        ("a = [1, 2", "1: a has no end; allowed: ] after its last entry"),
        ("a = [", "1: a has no end; allowed: ] after its last entry"),
        ("a = [1 2]", "1: '2]' follows an entry of a; allowed: a comma before it"),
        ("a = { b = 1\nc = 2", "1: a has no end; allowed: } after its last entry"),
        ("a = { b = 1 c = 2 }", "1: 'c = 2 }' follows an entry of a; allowed: a comma before it"),
        ("a = { 1 }", "1: '1 }' is no setting; allowed: NAME = VALUE between { and }"),
        ('a = "C:\\temp\\q"', "1: a text has a single \\; allowed: \\\\, or the text in ' instead of \""),
        ('"\\q" = 1', "1: a text has a single \\; allowed: \\\\, or the text in ' instead of \""),
        ("a = 2026-13-01\nb = 1",
         "1: this is no TOML: Expected newline or end of document after a statement"),
        ("b = 1\na.c = 1\n[a]", "3: this is no TOML: Cannot declare ('a',) twice"),
    ],
)  # fmt: skip
def test_a_slip_is_told_in_plain_words(text: str, fault: str) -> None:
    assert fault_of(text) == f"table.toml:{fault}"
    assert fault_of(text.replace("\n", "\r\n")) == f"table.toml:{fault}"
    assert fault_of(f"\ufeff{text}") == f"table.toml:{fault}"


def test_a_slip_at_the_end_is_told_in_the_last_line_that_says_anything() -> None:
    assert fault_of("a.b = 1\na = { c = 2 }\n\n\n").startswith("table.toml:2: this is no TOML: ")


def test_lists_within_lists_have_an_end() -> None:
    deep = "is nested too deeply; allowed: up to 16 [ or { in each other"
    assert fault_of("x = 1\na.b = " + 5000 * "[") == f"table.toml:2: a.b {deep}"
    assert fault_of("x = 1\na =" + 99 * "[" + 99 * "]") == f"table.toml:2: a {deep}"
    assert fault_of("a =" + 99 * " {a =" + "1" + 99 * "}") == f"table.toml:1: a {deep}"
    assert parse_document("a =" + 16 * "[" + 16 * "]", "table.toml").data["a"]


def test_keys_have_an_end() -> None:
    many = ".".join(1000 * ["a"])
    for text in (f"x = 1\n{many} = 1", f"x = 1\n[{many}]", f"x = 1\n[[{many}]]"):
        start = f"{16 * 'a.'}"[:-1]
        assert fault_of(text) == f"table.toml:2: the key '{start}' goes on; allowed: up to 16 names with dots"


def test_all_slips_are_told_and_the_rest_is_read() -> None:
    document = parse_document("a = x\nb = 2\nc: 3\n[d]\ne = 4", "table.toml")
    assert document.data == {"b": 2, "d": {"e": 4}}
    assert [slip.line for slip in document.slips] == [1, 3]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[a]\nb = 1\nc = 2\nb = 1\nc = 2", 4),  # the header between them was lost
        ("a = [\na = [1, 2]", 1),
        ("a = { b = 1\nd = 2, e = 3 }\nf = 4", 1),
        ("a =\nb = 2, c = 3 }", 1),
        ('a = "b\nc"\nd = 1', 1),
        ("rounds 3\nrounds = 4", 1),
        ('event x = "a"\nevent = "b"', 1),
        ('[windows]\nlock "2s"\nlock = "2s"', 2),
    ],
)
def test_what_may_come_of_a_slip_is_not_told(text: str, line: int) -> None:
    assert fault_of(text).startswith(f"table.toml:{line}: ")


def test_a_text_that_is_hardly_toml_is_given_up() -> None:
    faults = faults_of("\n".join(f"n{n} = x" for n in range(MOST_SLIPS + 5)))
    assert len(faults) == MOST_SLIPS


def test_where_the_rest_is_none_either_the_slips_are_told() -> None:
    """That there is no such day only the reader itself can tell."""
    assert fault_of("a = x\nb = 2026-13-01\n").startswith("table.toml:1: a is x; ")


def test_numbers_have_an_end() -> None:
    for number in (5000 * "9", "0x" + 5000 * "f", "-1." + 5000 * "3"):
        fault = fault_of(f"x = 1\na = {number}\n")
        assert fault == f"table.toml:2: a is {number[:57]}...; allowed: up to 100 digits"


@given(st.sampled_from(wiring.profile_names()), st.data())
def test_a_text_with_a_slip_is_refused_in_one_of_its_lines(name: str, data: st.DataObject) -> None:
    text = wiring.profile_file(name).read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text) - 1))
    slip = data.draw(st.sampled_from(["", '"', "'", "=", "[", "]", "{", ",", "\n", "#", "é", "\\"]))
    text = text[:at] + slip + text[at + 1 :]
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        match = re.fullmatch(r"table\.toml:([0-9]+): .+", fault_of(text))
        assert match and 1 <= int(match[1]) <= text.count("\n") + 1
    else:
        assert parse_document(text, "table.toml").data == tomllib.loads(text)
