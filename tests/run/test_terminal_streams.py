"""The standard streams while a command runs, and the console for pictures."""

from __future__ import annotations

import ast
import io
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from rich.text import Text

import firmware_host
from firmware_host.cli.terminal import VisibleStream, console, print_for_now, visible_output

HOSTILE = "a\x1b]0;b\x07\x9b2J\u202ec"
SEEN = "a\\u001b]0;b\\u0007\\u009b2J\\u202ec"


class Stream(io.TextIOWrapper):
    """A stream whose bytes can be looked at."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding)


def test_what_is_printed_is_visible_and_afterwards_all_is_as_before() -> None:
    out = Stream()
    with redirect_stdout(out):
        with visible_output():
            print(HOSTILE)
        assert sys.stdout is out and not out.closed
    assert out.bytes.getvalue().decode() == f"{SEEN}\n"


def test_within_itself_it_changes_nothing() -> None:
    with redirect_stdout(Stream()), visible_output():
        inner = sys.stdout
        with visible_output():
            assert sys.stdout is inner
        assert sys.stdout is inner


def test_a_stream_that_is_closed_or_has_no_bytes_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(sys, "stdout", None)
    with visible_output():
        assert sys.stdout is None and isinstance(sys.stderr, io.StringIO)


def test_where_nobody_has_named_an_encoding_it_is_utf_8() -> None:
    real = Stream("ascii")
    stream = VisibleStream(real)
    stream.write("ä\x1b")
    stream.flush()
    assert real.bytes.getvalue() == "ä\\u001b".encode()
    stream.detach()


def test_a_console_has_colours_and_its_texts_none_of_their_own() -> None:
    out, seen = Stream(), SEEN.replace("\\u0007", "")  # rich itself leaves the bell out
    with redirect_stdout(out), visible_output():
        console(force_terminal=True, color_system="standard", width=60).print(Text(HOSTILE, "red"))
    assert out.bytes.getvalue().decode() == f"\x1b[31m{seen}\x1b[0m\n"


def test_a_line_for_now_is_printed_over() -> None:
    out = Stream()
    with redirect_stdout(out), visible_output():
        print("first")
        print_for_now(HOSTILE)
        print("second")
    assert out.bytes.getvalue().decode() == f"first\n{SEEN}\rsecond\n"


def _named(node: ast.Call | ast.ClassDef) -> list[str]:
    """What is called there, or what a class is made of."""
    return [ast.unparse(each) for each in (node.bases if isinstance(node, ast.ClassDef) else [node.func])]


def test_pictures_go_through_that_console_only() -> None:
    """Another one would write its control characters into a stream that makes them visible."""
    root = Path(firmware_host.__file__).parent
    made = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call | ast.ClassDef) and "Console" in _named(node)
    ]
    assert set(made) == {"cli/terminal.py"}
