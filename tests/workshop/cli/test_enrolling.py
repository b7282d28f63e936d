"""Enrolling with the real drivers at simulated readers, by somebody who does what the scoreboard says."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random

import pytest

from firmware_host.model.places import Card, Colour, DieFace
from firmware_host.model.times import S
from firmware_host.profile.tags import Enrolled, parse_registry, simulated_uid
from firmware_host.workshop.cli.tag_readers import ChangedMeanwhile
from hw.sim.pn532 import SimTag
from tests.hw.rfid.reader_rigs import garbler
from tests.thoroughness import some, tries
from tests.workshop.enrolling.enrolling_bench import Bench, Obedient

REDS = [Card(1, Colour.RED, number) for number in range(1, 6)]
ONE, TWO, THREE, *_ = REDS
HOUR = 3600 * S


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tags.csv"


def enrolled(path: Path) -> dict[str, Enrolled]:
    """What the file says now."""
    return dict(parse_registry(path.read_text(encoding="utf-8"), path.name)) if path.exists() else {}


def truth(*items: Enrolled) -> dict[str, Enrolled]:
    return {simulated_uid(item).hex(): item for item in items}


@pytest.mark.parametrize("language", some(2, ["en", "de", "fr", "it", "nl", "es"]))
def test_the_scoreboard_alone_leads_through_it(path: Path, language: str) -> None:
    cards = [Card(1, colour, number) for colour, number in product((Colour.RED, Colour.GREEN), (1, 2))]
    bench = Bench(path, cards, language=language)
    Obedient(bench)
    bench.run(HOUR)
    assert bench.over
    assert enrolled(path) == truth(*cards)
    bench.close()
    assert bench.site.sign.lines == ("", "")
    assert not bench.reader.field_on


def test_a_tag_is_in_the_file_before_the_scoreboard_says_so(path: Path) -> None:
    bench = Bench(path, REDS)
    bench.run(1 * S)
    bench.put(ONE)
    bench.run_until("Saved: take it off")
    assert enrolled(path) == truth(ONE)
    bench.close()


def _misread(bench: Bench) -> None:
    chance = Random(1)
    bench.reader.misreads = lambda uid: chance.random() < 0.3


def _deaf(bench: Bench) -> None:
    bench.reader.deaf_every = 7
    bench.reader.error_every = 23


def _garbled(bench: Bench) -> None:
    bench.cable.garble = garbler(Random(2), 0.002)


def _forgetful(bench: Bench) -> None:
    def forget() -> None:
        bench.reader.forget()
        bench.agenda.after(3 * S, forget)

    bench.agenda.after(2 * S, forget)


def _loose_plug(bench: Bench) -> None:
    def pull() -> None:
        bench.cable.unplug()
        bench.agenda.after(1 * S, bench.cable.plug)
        bench.agenda.after(7 * S, pull)

    bench.agenda.after(2 * S, pull)


def _loose_sign(bench: Bench) -> None:
    cable = bench.site.cables["scoreboard"]

    def pull() -> None:
        cable.unplug()
        bench.agenda.after(1 * S, cable.plug)
        bench.agenda.after(5 * S, pull)

    bench.agenda.after(2 * S, pull)


@pytest.mark.parametrize("trouble", [_misread, _deaf, _garbled, _forgetful, _loose_plug, _loose_sign])
def test_whatever_goes_wrong_with_the_devices_every_tag_is_the_right_one(
    path: Path, trouble: Callable[[Bench], None]
) -> None:
    bench = Bench(path, REDS)
    trouble(bench)
    Obedient(bench)
    bench.run(HOUR)
    assert bench.over
    assert enrolled(path) == truth(*REDS)
    bench.close()


def test_cards_that_stick_together_are_told_although_one_is_found_later(path: Path) -> None:
    bench = Bench(path, REDS)
    bench.run(1 * S)
    bench.put(ONE)
    bench.agenda.after(S // 10, lambda: bench.put(TWO))
    bench.run_until("two at once")
    assert enrolled(path) == {}
    bench.close()


def test_a_reader_that_was_never_there_is_named_and_another_one_will_do(path: Path) -> None:
    bench = Bench(path, REDS, reader="pad-2")
    bench.site.cables["pad-1"].unplug()
    Obedient(bench)
    bench.run(HOUR)
    assert any("pad-1 is lost" in line for line in bench.told)
    assert enrolled(path) == truth(*REDS)
    bench.close()


def test_a_card_that_lay_there_from_the_start_is_not_taken(path: Path) -> None:
    bench = Bench(path, REDS, chosen=True)
    bench.put(THREE)
    bench.run_until("Please take it off")
    bench.run(10 * S)
    assert enrolled(path) == {}
    bench.take(THREE)
    bench.run_until("Hold to pad 1")
    bench.close()


def test_dice_on_the_board_do_not_matter(path: Path) -> None:
    faces = [DieFace(5, face) for face in range(1, 4)]
    bench = Bench(path, faces, profile="dice4-rfid")
    for number, reader in enumerate(("red-1", "red-2", "blue-6"), start=7):
        bench.site.readers[reader].put(SimTag(simulated_uid(DieFace(number, 1))))
    Obedient(bench)
    bench.run(HOUR)
    assert enrolled(path) == truth(*faces)
    assert bench.said("die 5: 2 up")
    bench.close()


def test_a_place_of_the_board_may_be_chosen(path: Path) -> None:
    faces = [DieFace(5, face) for face in range(1, 3)]
    bench = Bench(path, faces, profile="dice4-rfid", reader="blue-6", chosen=True)
    Obedient(bench)
    bench.run(HOUR)
    assert enrolled(path) == truth(*faces)
    assert bench.said("Hold to blue 6")
    bench.close()


def test_keys_skip_go_back_and_end_it(path: Path) -> None:
    bench = Bench(path, REDS)
    bench.keys.plan = [(1 * S, "s"), (2 * S, "sb"), (3 * S, "?q")]
    bench.run(HOUR)
    assert bench.over and bench.station.clock.now_ns() < 4 * S
    assert [line.split("  ")[0].strip() for line in bench.told] == [
        "card 1 red 1",
        "",
        "card 1 red 2",
        "",
        "card 1 red 3",
        "card 1 red 2",
    ]
    bench.close()


@pytest.mark.parametrize("seed", range(tries(2, 20)))
def test_it_can_be_interrupted_at_any_moment_and_goes_on_where_it_was(path: Path, seed: int) -> None:
    chance = Random(seed)
    for _ in range(30):
        bench = Bench(path, REDS)
        if not bench.worklist.items:
            break
        Obedient(bench)
        bench.run(chance.randrange(6 * S))
        bench.close()
        known = enrolled(path)
        assert known == truth(*REDS[: len(known)])
    assert enrolled(path) == truth(*REDS)


def test_changes_of_somebody_else_are_not_overwritten(path: Path) -> None:
    bench = Bench(path, REDS)
    bench.run(1 * S)
    path.write_text("uid,tag\n00000001,card 1 red 1\n", encoding="utf-8")
    bench.put(ONE)
    with pytest.raises(ChangedMeanwhile, match="was changed by somebody else in the meantime; start again"):
        bench.run(10 * S)
    assert enrolled(path) == {"00000001": ONE}
    bench.close()
