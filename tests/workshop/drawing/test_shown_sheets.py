"""The sheets in the docs are those that the program draws now: `make docs` draws them again."""

import importlib.util
from pathlib import Path
from types import ModuleType

import wiring

DOCS = Path(__file__).parents[3] / "docs"


def _script() -> ModuleType:
    """docs/drawings.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("docs_drawings", DOCS / "drawings.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_sheet_of_the_docs_is_stale() -> None:
    stale = [file.name for file, text in _script().shown_sheets() if file.read_text(encoding="utf-8") != text]
    assert stale == []


def test_no_sheet_of_the_docs_is_left_over() -> None:
    shown = {file for file, _ in _script().shown_sheets()}
    there = {file for name in wiring.profile_names() for file in (DOCS / "drawings" / name).glob("*")}
    assert there == shown
