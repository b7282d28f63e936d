"""Planted faults: which there are, that they are found again, and what counts as seen."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

import pytest

from tests.planted.__main__ import Row, read, write
from tests.planted.endless import ENDLESS, MARK
from tests.planted.faults import PACKAGES, SHARE, Fault, draw, faults_in, planted
from tests.planted.trials import GONE, NEVER, ROOT, SEEN, SURVIVED, TIMED_OUT, Copy, Result, near_tests, tried
from tests.planted.trials import wider_tests as wider

FILE = "firmware_host/games/dice/counting.py"
SOURCE = dedent('''
    """Of 3 things."""
    from typing import TypeVar

    T = TypeVar("T")
    MOST_NS = 4 * 1

    class Counting:
        """Counts to 7."""

        def __init__(self) -> None:
            self.seen = 0

        def count(self, stamp: "Stamp | None", least: int = 2) -> int:
            """Up to 9."""
            if stamp is None or not stamp.known:
                raise ValueError(f"there are {5 + 1} of {least}")
            log.info("3 are %s", 3 + 4)
            self.seen = min(self.seen, stamp.earliest_ns)
            for each in self.all:
                if each > 2:
                    continue
                self.seen += 1
            assert self.seen < 11
            self.forget(0x1f)
            return self.seen
''')


def changes(line: str) -> set[str]:
    """What becomes of a line."""
    return {each.after for each in faults_in(SOURCE, "dice", FILE) if each.before == line}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MOST_NS = 4 * 1", {f"MOST_NS = {new}" for new in ("5 * 1", "3 * 1", "4 * 2", "4 * 0", "4 // 1")}),
        (
            "if stamp is None or not stamp.known:",
            {
                "if stamp is not None or not stamp.known:",
                "if stamp is None and not stamp.known:",
                "if stamp is None or stamp.known:",
                "if not (stamp is None or not stamp.known):",
            },
        ),
        (
            "self.seen = min(self.seen, stamp.earliest_ns)",
            {
                "self.seen = max(self.seen, stamp.earliest_ns)",
                "self.seen = min(self.seen, stamp.latest_ns)",
                "pass",
            },
        ),
        ("if each > 2:", {"if each >= 2:", "if each > 3:", "if each > 1:", "if not (each > 2):"}),
        ("continue", {"break"}),
        ("self.forget(0x1f)", {"self.forget(0x20)", "self.forget(0x1e)", "pass", "return"}),
        ("return self.seen", {"return None"}),
        # A parameter's default is code, its hint is not.
        (
            'def count(self, stamp: "Stamp | None", least: int = 2) -> int:',
            {
                'def count(self, stamp: "Stamp | None", least: int = 3) -> int:',
                'def count(self, stamp: "Stamp | None", least: int = 1) -> int:',
            },
        ),
        ("self.seen = 0", {"self.seen = 1"}),  # without it every test would fail
        ('raise ValueError(f"there are {5 + 1} of {least}")', set()),
        ('log.info("3 are %s", 3 + 4)', set()),
        ("assert self.seen < 11", set()),
        ('T = TypeVar("T")', set()),
        ('"""Up to 9."""', set()),
    ],
)
def test_a_line_can_be_changed_in_these_ways(line: str, expected: set[str]) -> None:
    assert changes(line) == expected


def a_tree(root: Path) -> None:
    """A source with a module in each package."""
    for package, (place, *_) in PACKAGES.items():
        folder = root / place.removesuffix("/*.py")
        folder.mkdir(parents=True)
        (folder / f"{package}_counting.py").write_text(SOURCE)


def test_a_seed_draws_the_same_faults_and_each_package_has_its_share(tmp_path: Path) -> None:
    a_tree(tmp_path)
    count = 3 * SHARE
    faults = draw(tmp_path, count, 7)
    assert faults == draw(tmp_path, count, 7) != draw(tmp_path, count, 8)
    assert len(faults) == count
    shares = Counter(each.package for each in faults)
    assert min(shares[package] for package in PACKAGES) >= 3
    lines = [(each.file, each.function, each.before) for each in faults]
    assert len(set(lines)) == count
    for fault in faults:
        found = planted(tmp_path, fault)
        assert found is not None
        assert ast.dump(ast.parse(found[1])) != ast.dump(ast.parse(SOURCE))


def a_fault() -> Fault:
    return next(each for each in faults_in(SOURCE, "dice", FILE) if each.after == "if each >= 2:")


def test_a_fault_is_planted_again_where_its_line_is_now(tmp_path: Path) -> None:
    there = tmp_path / FILE
    there.parent.mkdir(parents=True)
    moved = f"# The same line in another function.\ndef other():\n    if each > 2:\n        pass\n{SOURCE}"
    there.write_text(moved)
    found = planted(tmp_path, a_fault())
    assert found == (there, moved.replace("            if each > 2:", "            if each >= 2:"))
    there.rename(tmp_path / "table.py")
    assert planted(tmp_path, a_fault()) is None
    elsewhere = tmp_path / "firmware_host/games/adding.py"
    elsewhere.write_text(SOURCE)
    found = planted(tmp_path, a_fault())
    assert found is not None and found[0] == elsewhere
    elsewhere.write_text(SOURCE.replace("each > 2", "each > 1"))
    assert planted(tmp_path, a_fault()) is None


def test_the_tests_of_its_module_come_first_and_all_come_once() -> None:
    fault = Fault("dice", "comparison", "firmware_host/games/dice/slaps.py", "f", 0, "a", "b")
    near, others = near_tests(fault), wider(fault)
    assert "slaps" in near[0]
    assert near.index("tests/games/test_session.py") < near.index("tests/recordings/test_recordings.py")
    assert others[-1] == "tests/test_wheel.py"
    assert not set(near) & set(others)
    everything = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")}
    left_out = everything - set(near) - set(others)
    assert all(file.startswith(NEVER) for file in left_out)


class _Scripted(Copy):
    """A copy whose tests fail as a script says: with the fault, and without it."""

    def __init__(self, bad: dict[str, bool], good: Sequence[str] = (), there: bool = True) -> None:
        self._bad = bad
        """What fails with the fault, and whether it does so again."""
        self._good = good
        self._there = there
        self._with_fault = False

    @contextmanager
    def fault(self, fault: Fault) -> Iterator[bool]:
        self._with_fault = True
        yield self._there
        self._with_fault = False

    def run(self, tests: Sequence[str], skipped: Sequence[str], most_s: int) -> str | None:
        if tests == ["all"]:
            return next((each for each in self._bad if each not in skipped), "")
        (test,) = tests
        return test if (self._bad[test] if self._with_fault else test in self._good) else ""


class _Endless(_Scripted):
    def run(self, tests: Sequence[str], skipped: Sequence[str], most_s: int) -> str | None:
        return None


@pytest.mark.parametrize(
    ("copy", "outcome", "test"),
    [
        (_Scripted({"a.py::one": True}), SEEN, "a.py::one"),
        (_Scripted({"a.py::flaky": False, "a.py::two": True}), SEEN, "a.py::two"),
        (_Scripted({"a.py::broken": True, "a.py::two": True}, ["a.py::broken"]), SEEN, "a.py::two"),
        (_Scripted({"a.py": True}), SEEN, "a.py"),
        (_Scripted({}), SURVIVED, ""),
        (_Scripted({}, there=False), GONE, ""),
        (_Endless({}), TIMED_OUT, ""),
    ],
)
def test_a_fault_is_seen_by_a_test_that_fails_because_of_it(copy: Copy, outcome: str, test: str) -> None:
    result = tried(copy, a_fault(), ["all"], 1)
    assert (result.outcome, result.test) == (outcome, test)


def test_a_test_that_does_not_end_is_named(tmp_path: Path) -> None:
    plugin = "from tests.planted import endless\nendless.MOST_S = 0.05\n"
    (tmp_path / "conftest.py").write_text(
        f"{plugin}from tests.planted.endless import pytest_runtest_protocol\n"
    )
    (tmp_path / "test_loop.py").write_text(
        dedent("""
            def test_one():
                pass

            def test_two():
                while True:
                    try:
                        while True:
                            pass
                    except BaseException:
                        pass
        """)
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ended.returncode == ENDLESS
    assert ended.stdout.endswith("test_loop.py::test_two\n") and MARK in ended.stdout


def test_a_fault_that_only_shaky_tests_see_has_survived() -> None:
    shaky = {f"a.py::{n}": False for n in range(20)}
    result = tried(_Scripted(shaky), a_fault(), ["all"], 1)
    assert result.outcome == SURVIVED
    assert result.test.startswith("tests that fail without it: a.py::0, a.py::1")


def test_a_table_reads_as_it_was_written(tmp_path: Path) -> None:
    faults = [each for each in faults_in(SOURCE, "dice", FILE) if "stamp" in each.before][:3]
    rows = [
        Row(faults[0], Result(SEEN, "a.py::one[x y]", 3.5)),
        Row(faults[1], Result(SURVIVED, "", 60.0), Result(SEEN, "b.py::two", 600.0)),
        Row(faults[2]),
    ]
    table = tmp_path / "new" / "faults.tsv"
    write(table, rows)
    assert read(table) == rows
    assert [row.outcome for row in rows] == [SEEN, SEEN, "not tried"]
