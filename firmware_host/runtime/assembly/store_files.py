"""What a table.toml says of its results, whatever else is wrong in it: they can be read all the same."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from firmware_host.config.files import Unreadable
from firmware_host.config.table import StoreConfig
from firmware_host.errors import BadSettings
from firmware_host.files.input_files import read_bytes
from firmware_host.runtime.assembly.configs import load_config

_SECTION = re.compile(r"^(?=[ \t]*\[)", re.MULTILINE)


def store_file(path: Path) -> tuple[str, list[str]]:
    """The file of the store, and the faults of the table.toml; BadSettings if nobody can tell which it is."""
    try:
        return load_config(path, tags=False).config.store.file, []
    except BadSettings as error:
        faults = error.faults
    if not path.is_file():
        raise BadSettings(faults)
    named = _named(path)
    if "\0" in named:  # no file can be called that
        raise BadSettings(faults)
    if named:
        return str(path.parent / named), faults
    usual = StoreConfig().file
    if not os.path.exists(usual):
        raise BadSettings(faults)
    return usual, faults


def _named(path: Path) -> str:
    """What is named there as the file of the store; empty if it can't be read, or is none."""
    text = _text(path)
    for part in (text, *_SECTION.split(text)):
        store = _read(part).get("store")
        file = store.get("file") if isinstance(store, dict) else None
        if isinstance(file, str) and file:
            return file
    return ""


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8-sig", errors="replace")
    except Unreadable:
        return ""


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
