"""A small share of what `python -m tests.damage` does: bytes of a store are flipped."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.damage import __main__ as program
from tests.damage.flips import Flip, Outcome, bench, choose, choose_schema
from tests.damage.readings import COMMANDS, Reading, fault_of
from tests.damage.stores import log_of
from tests.thoroughness import tries

pytestmark = pytest.mark.no_cover  # what a flipped byte comes to is chance


def test_the_flips_are_those_that_were_asked_for() -> None:
    flips = choose(100_000, pages=2, others=50, readings=20, seed=1)
    assert [each.offset for each in flips[:8192]] == list(range(8192))
    assert len(flips) == 8242 and all(8192 <= each.offset < 100_000 for each in flips[8192:])
    assert sum(each.closely for each in flips) == 20
    assert sum(each.closely for each in flips[8192:]) == 10
    assert all(1 <= each.mask <= 255 for each in flips)
    assert flips == choose(100_000, 2, 50, 20, seed=1) != choose(100_000, 2, 50, 20, seed=2)
    assert Flip(1, 0x80).of(b"abc") == b"a\xe2c"
    assert Flip(1, 0).of(b"abc") == b"a"


def test_the_schema_is_damaged_bit_by_bit_alone_and_beside_a_log() -> None:
    flips = choose_schema(100_000, bits=30, cuts=10, seed=1)
    assert [each.logged for each in flips] == [False, True] * 40
    assert all(100 <= each.offset < 4096 and each.mask.bit_count() == 1 for each in flips[:60])
    assert all(0 < each.offset < 100_000 and each.offset % 4096 == 0 for each in flips[60:])
    assert str(flips[61]) == f"cut at byte {flips[60].offset} beside a log"


def test_commands_say_what_is_lost(sound: Path) -> None:
    flips = choose(
        len(data := sound.read_bytes()), pages=2, others=20, readings=tries(14, 40), seed=4, step=140
    )
    closely = [flip for flip in flips if flip.closely]
    with bench(data) as place:
        outcomes = [place.read(flip) for flip in closely]
    assert [fault for each in outcomes for fault in each.faults] == []
    codes = [code for each in outcomes for code in each.codes]
    assert len(codes) == len(closely) * len(COMMANDS) and set(codes) == {0, 1, 2}


def test_commands_say_what_is_lost_of_the_schema_and_beside_a_log(sound: Path, tmp_path: Path) -> None:
    data = sound.read_bytes()
    log = log_of(data, tmp_path)
    flips = choose_schema(len(data), bits=tries(9, 25), cuts=3, seed=6)
    with bench(data, log) as place:
        outcomes = [place.try_flip(flip) for flip in flips if flip.logged]
        outcomes += [place.read(flip) for flip in flips if not flip.logged]
    assert [fault for each in outcomes for fault in each.faults] == []
    assert {code for each in outcomes for code in each.codes} == {0, 1, 2}


def test_the_daemon_starts_and_plays_where_data_is_damaged(sound: Path) -> None:
    data = sound.read_bytes()
    flips = choose(len(data), pages=2, others=12, readings=4, seed=4, step=4000)[3:]
    with bench(data) as place:
        faults = [fault for flip in flips for fault in place.start(flip).faults]
    assert faults == []


def test_a_loss_that_is_not_said_is_a_fault() -> None:
    sound = Reading("recall", 0, "1 one\n2 two\nand\n", "")
    assert not fault_of(sound, sound)
    assert not fault_of(Reading("recall", 1, "1 one\n", "one is lost"), sound)
    assert fault_of(Reading("recall", 0, "1 one\nand more\n", ""), sound) == (
        "recall: it tells less than before, and not why"
    )
    assert fault_of(Reading("recall", 1, "", "", "IndexError"), sound) == "recall: IndexError"


def test_what_failed_is_told_by_kind_with_the_bytes() -> None:
    outcomes = [
        Outcome(Flip(offset, 1), (f"the daemon: byte {offset} is wrong",) if offset > 1 else (), (0, 2))
        for offset in range(20)
    ]
    assert program.faults(outcomes) == [
        "FAILED 18 times: the daemon: byte 2 is wrong",
        "  at bytes 2 3 4 5 6 7 8 9 10 11 12 13 and 6 more",
    ]
    assert "flips after which something failed                  18" in program.summary(outcomes)
    assert "  exit code 2                                       20" in program.summary(outcomes)


def test_the_program_says_how_it_is_asked() -> None:
    told = CliRunner().invoke(program.damage, ["--help"]).output
    for name in ("--pages", "--others", "--readings", "--offset", "python -m tests.damage"):
        assert name in told
