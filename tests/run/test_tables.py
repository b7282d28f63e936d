"""What a profile means for the settings of its table."""

from __future__ import annotations

import pytest

from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.run.table_files import load_profile, settings_for


@pytest.mark.parametrize(
    ("profile", "tag_settle_ms", "identify_ms"),
    [
        ("dice4-direct", 150, 0),
        ("cards4", 150, 0),
        ("dice4-rfid", 150, 6 * 40 + 2 * 40 + 150),
        ("cards2-piles", 4 * 40 + 40, 0),
    ],
)
def test_readers_have_the_time_that_they_need(profile: str, tag_settle_ms: int, identify_ms: int) -> None:
    settings = settings_for(load_profile(profile), Settings())
    assert (settings.tag_settle_ns, settings.identify_ns) == (tag_settle_ms * MS, identify_ms * MS)


def test_times_that_are_longer_anyway_stay() -> None:
    longer = Settings(tag_settle_ns=400 * MS, identify_ns=900 * MS)
    assert settings_for(load_profile("dice4-rfid"), longer) == longer
