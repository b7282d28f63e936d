"""What was decided and shown in forty matches is decided and shown again."""

from __future__ import annotations

import lzma
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from firmware_host.model import events
from firmware_host.model.effects import Effect, Refused
from firmware_host.model.events import SourceEdge
from tests.recordings.matches import MATCHES
from tests.recordings.playing import record
from tests.recordings.recording import (
    WORDS,
    NotRecorded,
    Recording,
    differences,
    effect_line,
    names,
    path_of,
    read,
    replayed,
    write,
)

pytestmark = pytest.mark.no_cover

SHORT = "dice-4-begun-by-hand"


@pytest.mark.parametrize("name", MATCHES)
def test_the_match_replays_to_what_was_recorded(name: str) -> None:
    recording = read(path_of(name))
    difference = differences(recording, replayed(recording.head, recording.entries, recording.end_ns))
    if difference:
        pytest.fail(difference, pytrace=False)


def test_every_match_is_recorded_and_nothing_else() -> None:
    assert names() == sorted(MATCHES)


def test_every_effect_has_a_word_of_its_own() -> None:
    assert set(WORDS) == set(get_args(Effect))
    assert len(set(WORDS.values())) == len(WORDS)


def test_a_recording_and_its_digests_contain_no_name_of_a_class() -> None:
    classes = {
        kind.__name__ for kind in (*get_args(Effect), *vars(events).values()) if isinstance(kind, type)
    }
    for name in ("dice-4-operator", "cards-4-devices-fail"):
        text = lzma.decompress(path_of(name).read_bytes()).decode()
        assert not classes & set(re.findall(r"\w+", text))
        recording = read(path_of(name))
        told = replayed(recording.head, recording.entries, recording.end_ns).of_kind["effects"]
        assert not classes & {word for each in told for word in re.findall(r"\w+", each.text)}


def test_a_refused_command_is_told_by_its_word() -> None:
    line = effect_line(Refused("VoidRound", "VoidRound is not possible in CLEAR"))
    assert line == '{"command":"void","is":"refused","reason":"void is not possible in CLEAR"}'


def test_a_match_is_recorded_in_the_same_way_again(tmp_path: Path) -> None:
    files = [path_of(SHORT, tmp_path / number) for number in ("1", "2")]
    for file in files:
        file.parent.mkdir()
        write(record(SHORT, MATCHES[SHORT]), file)
    assert files[0].read_bytes() == files[1].read_bytes()


# -- what is told of a difference


def a_recording() -> Recording:
    """One with the digests of today, whatever has changed since it was recorded."""
    recording = read(path_of("dice-2"))
    now = replayed(recording.head, recording.entries, recording.end_ns)
    return replace(recording, digests=now.digests())


def test_another_decision_is_told_with_its_time_and_what_came_before() -> None:
    recording = a_recording()
    presses = [
        n for n, each in enumerate(recording.entries) if type(each.seen) is SourceEdge and each.seen.active
    ]
    n = presses[len(presses) // 2]
    entries = [*recording.entries[:n], *recording.entries[n + 1 :]]
    told = differences(recording, replayed(recording.head, entries, recording.end_ns)).splitlines()
    assert told[0] == "dice-2 (dice for 2: nothing wrong) does not replay to what was recorded:"
    count = len(recording.digests["effects"])
    first = re.fullmatch(
        rf"effects: entry (\d+) \({count} recorded, \d+ now\) differs first, at (\d+\.\d+) s in step \d+",
        told[1],
    )
    assert first is not None
    assert recording.entries[n].arrived_ns / 1e9 <= float(first[1])
    assert told[2] == "  is now:"
    assert told[3].startswith('  {"')
    assert "  the last inputs by then:" in told
    assert told[-1] == "  python -m tests.recordings make --only dice-2"


def test_what_is_only_shown_otherwise_is_told_so() -> None:
    recording = a_recording()
    counts = {kind: len(digests) for kind, digests in recording.digests.items()}
    head = replace(recording.head, settings=replace(recording.head.settings, language="de"))
    told = differences(recording, replayed(head, recording.entries, recording.end_ns)).splitlines()
    assert told[1] == f"effects: all {counts['effects']} as recorded"
    assert told[2] == f"frames: all {counts['frames']} as recorded"
    assert told[3].startswith("pages: entry 0 (")
    assert told[3].endswith(" differs first, at 0.0 s in step 0")
    assert told[5].startswith('  ["')


def test_a_replay_that_ends_too_soon_or_goes_on_is_told() -> None:
    recording = a_recording()
    half = recording.entries[: len(recording.entries) // 2]
    end_ns = half[-1].arrived_ns
    short = replayed(recording.head, half, end_ns)
    assert "the replay ends after entry" in differences(recording, short)
    ended = replace(recording, digests=short.digests())
    longer = differences(ended, replayed(recording.head, recording.entries, recording.end_ns))
    assert "is now, which is not recorded:" in longer


def test_an_error_of_the_referee_says_when_it_came() -> None:
    recording = read(path_of("dice-2"))
    broken = [*recording.entries[:100], replace(recording.entries[100], seen=None)]  # type: ignore[arg-type]  # that is the error
    with pytest.raises(AttributeError) as caught:
        replayed(recording.head, broken, recording.end_ns)
    assert re.fullmatch(r"after step \d+, \d+\.\d+ s", caught.value.__notes__[0])


def test_a_damaged_file_is_told() -> None:
    with pytest.raises(NotRecorded, match=r"nothing-here.* is no recording"):
        read(path_of("nothing-here"))
