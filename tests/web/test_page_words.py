"""The words of the pages: every text in every language, and no page asks for one that is not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.phrases import LANGUAGES, TEXTS
from firmware_host.model.places import Colour
from firmware_host.model.states import Condition, Phase, SlotState, VoidReason
from firmware_host.web.page_files import PHRASES, shared_rows, texts_module
from firmware_host.web.web_table import PAGES

Rows = dict[str, dict[str, str]]

WORD_FILES = sorted(PAGES.glob("*_words.js"))
SAID = re.compile(
    r"""\b(?:say|titled|heading)\(\s*["']([^"']+)["']|data-(?:say|label)["']?\s*[:=]\s*["']([^"'$]+)["']"""
)


STRING = r'"(?:[^"\\]|\\.)*"'
SHORT_ROW = re.compile(rf"^ +({STRING}|[a-z]+): row\(\s*((?:{STRING},?\s*)+)\),$", re.MULTILINE)


def rows_of(module: str) -> Rows:
    """The rows of a module: JSON after its first brace, or `row("Platz", "seat", …)`."""
    if "row(" in module:
        pairs = [
            (key.strip('"'), json.loads(f"[{cells.strip().rstrip(',')}]"))
            for key, cells in SHORT_ROW.findall(module)
        ]
        assert len(pairs) == module.count("row("), "each row is read"
        return _without_doubles([(key, dict(zip(LANGUAGES, cells, strict=True))) for key, cells in pairs])
    rows: Rows = json.loads(
        module[module.index("{") :].rstrip().rstrip(";"), object_pairs_hook=_without_doubles
    )
    return rows


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"twice: {[key for key in keys if keys.count(key) > 1]}"
    return dict(pairs)


def all_rows() -> Rows:
    rows = rows_of(texts_module())
    for file in WORD_FILES:
        rows |= rows_of(file.read_text("utf-8"))
    return rows


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"{\w+}|[{}]", text))


@pytest.mark.parametrize("file", WORD_FILES, ids=lambda file: str(file.name))
def test_every_text_is_there_in_every_language(file: Path) -> None:
    rows = rows_of(file.read_text("utf-8"))
    assert rows
    for key, row in rows.items():
        assert tuple(row) == LANGUAGES, key
        assert all(text.strip() for text in row.values()), key
        assert {tuple(placeholders(text)) for text in row.values()} == {tuple(placeholders(row["en"]))}, key


def test_no_two_files_have_the_same_key() -> None:
    keys = [key for file in WORD_FILES for key in rows_of(file.read_text("utf-8"))]
    assert not set(keys) & set(rows_of(texts_module()))
    assert [key for key in keys if keys.count(key) > 1] == []


def test_the_pages_know_the_languages_of_the_table() -> None:
    words = (PAGES / "words.js").read_text("utf-8")
    listed = re.search(r"export const LANGUAGES = (\[.*\]);", words)
    assert listed is not None and tuple(json.loads(listed[1])) == LANGUAGES
    assert all(f"  {language}: " in words for language in LANGUAGES), "each has a name of its own"


def code(file: Path) -> str:
    """What a script does, without its comments."""
    lines = file.read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("//"))


def said() -> Iterator[tuple[str, str]]:
    """Every key that a page names as it stands, with the file."""
    for file in sorted(PAGES.glob("*.js")):
        if file not in WORD_FILES:
            for found in SAID.finditer(code(file)):
                yield file.name, found[1] or found[2]


def test_every_text_that_a_page_asks_for_is_there() -> None:
    rows, asked = all_rows(), list(said())
    assert len(asked) > 50
    assert [(file, key) for file, key in asked if key not in rows] == []


def test_no_text_is_there_that_no_page_asks_for() -> None:
    """A key stands there as it is, or begins as those that a page puts together."""
    own = "\n".join(code(file) for file in sorted(PAGES.glob("*.js")) if file not in WORD_FILES)
    beginnings = {*re.findall(r"`([a-z][\w -]*[ -])\${", own), *("game ", "choice ")}
    literal = set(re.findall(r'"[^"\n]*"', re.sub(r'[=!]== "[^"]*"', "", own)))
    rows = all_rows()
    assert len(rows) > 200
    assert [
        key for key in rows if f'"{key}"' not in literal and not any(map(key.startswith, beginnings))
    ] == []


def test_every_text_that_is_made_of_a_state_is_there() -> None:
    rows = all_rows()
    wanted = [
        *(f"verdict {verdict.value}" for verdict in Verdict),
        *(f"cue {cue.value}" for cue in Cue),
        *(f"colour {colour.word}" for colour in Colour),
        *(f"phase {phase.value}" for phase in Phase),
        *(f"hint {phase.value}" for phase in Phase),
        *(f"state {state.word}" for state in SlotState if state is not SlotState.FREE),
        *(f"void-{reason.value}" for reason in VoidReason),
        *(f"phrase device-{condition.value}" for condition in Condition if condition is not Condition.OK),
        "state lying",
        "phase away",
        "hint away",
    ]
    assert [key for key in wanted if key not in rows] == []


def test_shared_texts_are_those_of_the_table() -> None:
    shared = rows_of(texts_module())
    assert len(shared) == len(Verdict) + len(Cue) + len(Colour) + len(PHRASES)
    for key, row in shared_rows():
        assert shared[key] == row._asdict()
        assert row in TEXTS.values()
