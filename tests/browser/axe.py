"""What axe finds on a page that would keep somebody from using it."""

from __future__ import annotations

from typing import Any

import pytest

axe_api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

SERIOUS = ("serious", "critical")
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def serious_faults(page: Any) -> list[str]:
    """Its serious findings on a dark screen, and those of colours on a light one."""
    page.emulate_media(color_scheme="dark")
    found = _found(page, {})
    page.emulate_media(color_scheme="light")
    return found + _found(page, {"runOnly": OF_COLOURS})


def _found(page: Any, options: dict[str, Any]) -> list[str]:
    options = {"resultTypes": ["violations"], **options}
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in axe_api.Axe().run(page, options=options).response["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]
