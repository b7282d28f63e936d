"""Which tags are there, and the moments between which they came and went."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import TagRead
from hw.rfid.frames import Target
from hw.rfid.presence import Presence

MS = 1_000_000
READER = 3
TAGS = {name: Target(bytes((ord(name),) * 4), b"\x00\x04", 0x08) for name in "ABC"}


class Polls:
    """Polls of 30 ms each, 20 ms apart; the first begins at 1 s."""

    def __init__(self) -> None:
        self.presence = Presence(READER)
        self.begun_ns = 950 * MS

    def poll(self, listed: str, *, asked_twice: bool = False) -> list[TagRead]:
        self.begun_ns += 50 * MS
        tags = [TAGS[name] for name in listed]
        return self.presence.polled(tags, self.begun_ns, self.begun_ns + 30 * MS, asked_twice=asked_twice)

    def run(self, steps: str) -> str:
        """Poll after poll: the names that each lists, `-` for none, `!` if asked twice; `lost` for 5 s.

        What is reported: +A or -A, since when and until when in milliseconds.
        """
        reported = []
        for step in steps.split():
            if step == "lost":
                self.presence.interrupted()
                self.begun_ns += 5_000 * MS
                continue
            for read in self.poll(step.strip("-!"), asked_twice=step.endswith("!")):
                assert read.reader == READER
                sign = "+" if read.present else "-"
                reported.append(f"{sign}{chr(read.uid[0])} {read.earliest_ns // MS}..{read.latest_ns // MS}")
        return ", ".join(reported)


@pytest.mark.parametrize(
    ("steps", "reported"),
    [
        # A tag is believed at its second read, and stamped with its first, whatever is missed between them.
        ("- A", ""),
        ("- A A A A", "+A 1000..1080"),
        ("- A - A", "+A 1000..1080"),
        ("- A - - - -", ""),
        # One that was there from the start came nobody knows when.
        ("A A", "+A 0..1030"),
        # It is gone after three misses in a row, and told again when it comes back.
        ("- A A - -", "+A 1000..1080"),
        ("- A A - - - - -", "+A 1000..1080, -A 1100..1280"),
        ("- A A - - A - - A", "+A 1000..1080"),
        ("- A A - - - A A", "+A 1000..1080, -A 1100..1280, +A 1250..1330"),
        ("- A AB AB", "+A 1000..1080, +B 1050..1130"),
        ("- A AB AB B B B", "+A 1000..1080, +B 1050..1130, -A 1150..1330"),
        # A full poll does not say that others have gone, nor that they have come since.
        ("- A A BC BC BC BC BC BC BC BC BC", "+A 1000..1080, +B 1100..1180, +C 1100..1180"),
        ("- A A BC BC BC B B B", "+A 1000..1080, +B 1100..1180, +C 1100..1180, -A 1100..1430, -C 1250..1430"),
        ("A A AB AB AB AC AC", "+A 0..1030, +B 1050..1130, +C 1050..1280"),
        # What was looked for since it came keeps its stamp below two others.
        ("- A BC BC A", "+B 1050..1130, +C 1050..1130, +A 1000..1080"),
        # A poll that was asked for twice says nothing of others: neither that they went nor that they came.
        ("- A A - - -! -", "+A 1000..1080, -A 1100..1330"),
        ("- -! A A", "+A 1000..1130"),
        # After a loss: what is there is reported again, what is gone went since it was last seen, what came
        # meanwhile came since the last look, and misses from before don't count.
        ("- A A lost A A A A", "+A 1000..1080, +A 1100..6180"),
        ("- A A lost - - -", "+A 1000..1080, -A 1100..6280"),
        ("- - lost A A", "+A 1050..6130"),
        ("- A A - - lost - -", "+A 1000..1080"),
        ("- A lost A", "+A 1000..1080"),
    ],
)
def test_what_is_reported(steps: str, reported: str) -> None:
    assert Polls().run(steps) == reported


def test_misses_that_come_too_quickly_are_not_enough() -> None:
    presence, gone = Presence(READER), []
    for start_ms in range(0, 150, 10):
        listed = [TAGS["A"]] if start_ms < 30 else []
        gone += [
            (start_ms, read.earliest_ns // MS, read.latest_ns // MS)
            for read in presence.polled(listed, start_ms * MS, (start_ms + 5) * MS)
            if not read.present
        ]
    assert gone == [(130, 20, 135)]


def test_numbers_that_are_made_up_for_every_poll_are_forgotten() -> None:
    polls = Polls()
    polls.run("- A A")
    for number in range(1000):
        TAGS["X"] = Target(number.to_bytes(4, "big"), b"\x00\x04", 0x20)
        assert polls.poll("AX") == []
    assert len(polls.presence._tags) <= 2


@given(st.lists(st.sampled_from(["", *"ABC", "AB", "AC", "BC"]), max_size=40), st.sets(st.integers(0, 39)))
def test_comings_and_goings_take_turns(lists: list[str], losses: set[int]) -> None:
    """Going needs a coming; between two comings without a going there was a loss."""
    polls = Polls()
    there: dict[bytes, bool] = {}
    lost: set[bytes] = set()
    for index, listed in enumerate(lists):
        if index in losses:
            polls.presence.interrupted()
            lost = {uid for uid, present in there.items() if present}
        for read in polls.poll(listed):
            assert read.earliest_ns < read.latest_ns <= polls.begun_ns + 30 * MS
            if there.get(read.uid, False) == read.present:
                assert read.present
                assert read.uid in lost
            there[read.uid] = read.present
            lost.discard(read.uid)
