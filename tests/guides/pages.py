"""Quotes in the pages of the docs: a comment that names one, and the block below it."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
_QUOTE = re.compile(
    r"(<!-- shown: (?P<name>[^>]+) -->\n```\n)(?P<text>.*?)(?=^```)", re.DOTALL | re.MULTILINE
)


def quoted() -> dict[str, list[tuple[Path, str]]]:
    """Where each quote stands, and what is there."""
    found: dict[str, list[tuple[Path, str]]] = {}
    for page in sorted(DOCS.glob("*.md")):
        for match in _QUOTE.finditer(page.read_text(encoding="utf-8")):
            found.setdefault(match["name"], []).append((page, match["text"].rstrip()))
    return found


def rewrite(name: str, text: str) -> None:
    """Put a text into all pages that show it."""
    for page, _ in quoted().get(name, []):
        old = page.read_text(encoding="utf-8")
        page.write_text(
            _QUOTE.sub(lambda match: f"{match[1]}{text}\n" if match["name"] == name else match[0], old),
            encoding="utf-8",
        )
