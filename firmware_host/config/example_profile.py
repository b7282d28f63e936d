"""A profile of one's own to begin with: a copy of another one, with every key explained."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from firmware_host.config.build_choices import (
    BOARD_SETTINGS,
    BUILD_SETTINGS,
    BoardSize,
    BuildSetting,
    Choices,
)
from firmware_host.config.printing import quoted
from firmware_host.config.profile import Profile
from firmware_host.config.profile_keys import PROFILE_KEYS, allowed, written

_KEY_COMMENT_AT = 35
_OVERLAYS = 'overlays = ["disable-bt"]'
_HEAD = (
    "# A profile of your own. After a change: ligretto-table wiring FILE, and ligretto-table check for",
    "# the table.toml that names it. All that can be set is explained at the end.",
)
_REFERENCE = "# All keys of a profile, with examples:"
_OWN = re.compile(
    rf"^{re.escape(_HEAD[0])}\n{re.escape(_HEAD[1])}\n\n?|^{re.escape(_REFERENCE)}\n(?:#.*\n)*", re.MULTILINE
)
"""What this module has written into a profile that is copied once more."""
_BUILD = re.compile(r"^\[build(?:\.[a-z-]+)?\].*?(?=^\[(?!build)|\Z)", re.MULTILINE | re.DOTALL)
"""The sections that only building needs."""


def example_profile(text: str, profile: Profile) -> str:
    """The text of the new profile; `text` is that of the profile to begin with."""
    own = _BUILD.sub("", _OWN.sub("", text)).strip("\n")
    parts = ((*_HEAD, "", own, ""), _reference(), _build(profile.build))
    return "".join(f"{line}\n" for part in parts for line in part)


def _reference() -> Iterator[str]:
    """All keys with their meanings, as comments."""
    yield _REFERENCE
    section = None
    for key in PROFILE_KEYS:
        if key.section != section:
            section = key.section
            yield "#"
            yield f"# [{section}]" if section else "# above all sections"
        yield f"#   {f'{key.name} = {key.example}':{_KEY_COMMENT_AT}} # {key.meaning}"


def _build(build: Choices) -> Iterator[str]:
    """The sections for building: what the profile states, and the rest as comments."""
    yield ""
    yield "[build]  # only for building: parts, cables, the board. Lines with a # show the default"
    yield from _settings(BUILD_SETTINGS, build, build.given, "")
    yield _template_line(
        _overlays(build), "lines of config.txt that take GPIO lines or ports", "overlays" in build.given
    )
    yield ""
    yield "[build.board]  # where things lie, in mm"
    yield from _settings(BOARD_SETTINGS, build.board, build.given, "board.")
    places = {name: f"[{x}, {y}]" for name, (x, y) in build.board.places_mm.items()}
    yield from _named("places", "own positions: across and down", places, '"seat 1" = [120, 80]')
    yield from _named("cables", "lengths in mm", _texts(build.cables_mm), '"seat 1" = 900')
    pull_ups = _texts(build.pull_ups_ohm)
    yield from _named(
        "pull-ups", "those of SDA and SCL on a breakout, in ohm; 0: removed", pull_ups, "rows = 10000"
    )


def _settings(
    settings: Mapping[str, BuildSetting], values: Choices | BoardSize, given: frozenset[str], inside: str
) -> Iterator[str]:
    for key, row in settings.items():
        words = f" ({allowed(row)})" if allowed(row) else ""
        text = f"{key} = {written(getattr(values, row.field))}"
        yield _template_line(text, f"{row.meaning}{words}", f"{inside}{row.field}" in given)


def _overlays(build: Choices) -> str:
    texts = ", ".join(map(quoted, build.overlays))
    return f"overlays = [{texts}]" if "overlays" in build.given else _OVERLAYS


def _texts(numbers: Mapping[str, int]) -> dict[str, str]:
    return {name: str(number) for name, number in numbers.items()}


def _named(section: str, meaning: str, values: Mapping[str, str], example: str) -> Iterator[str]:
    yield ""
    yield f"[build.{section}]  # {meaning}"
    yield from (f"{_key(name)} = {value}" for name, value in values.items())
    yield from () if values else (f"# {example}",)


def _key(name: str) -> str:
    """A name as a key: one with spaces needs quotes."""
    return quoted(name) if " " in name else name


def _template_line(text: str, meaning: str, stated: bool) -> str:
    whole = text if stated else f"# {text}"
    return f"{whole:{_KEY_COMMENT_AT}} # {meaning}"
