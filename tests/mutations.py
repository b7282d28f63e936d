"""Texts that are nearly right."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

LONGEST = 20_000


@st.composite
def mutated(draw: st.DrawFn, text: str, pieces: Sequence[str]) -> str:
    """A text with some parts taken out, doubled, repeated many times, or replaced by one of the pieces."""
    for _ in range(draw(st.integers(1, 6))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.integers(0, 40)))
        piece = draw(st.sampled_from(pieces) | st.just(text[begin:end]))
        times = draw(st.sampled_from([1, 1, 1, 2, 20, 5000]))
        text = text[:begin] + piece * min(times, LONGEST // max(1, len(piece))) + text[end:]
    return text
