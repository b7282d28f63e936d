"""Where wiring profiles come from."""

from __future__ import annotations

import wiring
from firmware_host.config.files import Unreadable
from firmware_host.config.profile import Profile
from firmware_host.config.profile_reading import parse_profile
from firmware_host.errors import BadSettings
from firmware_host.files.input_files import read_text


def load_profile(name: str) -> Profile:
    """A profile that comes with the package, by its name; or one of your own, by its path."""
    text = profile_text(name)
    return parse_profile(text, f"wiring/{name}.toml" if name in wiring.profile_names() else name)


def profile_text(name: str) -> str:
    """Its text; BadSettings says why it can't be had."""
    if name in wiring.profile_names():
        return wiring.profile_file(name).read_text(encoding="utf-8")
    if not name.endswith(".toml"):
        known = ", ".join(wiring.profile_names())
        raise BadSettings([f"profile '{name}' is unknown; known: {known}, or the path of a .toml file"])
    try:
        return read_text(name)
    except Unreadable as error:
        raise BadSettings([str(error)]) from None
