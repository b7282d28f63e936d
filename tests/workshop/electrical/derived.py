"""Profiles that are derived from shipped ones: what a small file says is put in place of what is there.

Its `base` is the shipped profile; `without` are the sections that are left out.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import wiring
from firmware_host.profile.profile import Profile
from firmware_host.profile.profile_reading import parse_profile


def derived(text: str) -> str:
    """The text of a whole profile."""
    changes = tomllib.loads(text)
    base = tomllib.loads(wiring.profile_file(changes.pop("base")).read_text(encoding="utf-8"))
    kept = {name: value for name, value in base.items() if name not in changes.get("without", ())}
    changes.pop("without", None)
    return "\n".join(_written(_merged(kept, changes)))


def derived_profile(text: str) -> Profile:
    """That profile."""
    return parse_profile(derived(text), "derived.toml")


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in changes.items():
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = _merged(merged[name], value) if both else value
    return merged


def _written(data: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The lines of a TOML document; text and lists look the same in JSON."""
    sections = {name: value for name, value in data.items() if isinstance(value, dict)}
    yield from (
        f"{json.dumps(name)} = {json.dumps(value)}" for name, value in data.items() if name not in sections
    )
    for name, section in sections.items():
        yield f"[{path}{json.dumps(name)}]"
        yield from _written(section, f"{path}{json.dumps(name)}.")
