"""What `make test-versions` asks pip for."""

import pytest

from tests.versions.__main__ import COMBINATIONS, lowest_versions, main


def test_each_library_has_a_lowest_version() -> None:
    lowest = list(lowest_versions())
    assert "click==8.2" in lowest and "pyserial==3.5" in lowest
    assert 'gpiod==2.3; platform_machine != "armv6l" and platform_machine != "armv7l"' in lowest
    assert all("==" in each for each in lowest)


def test_both_versions_of_python_and_both_ends_are_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert [str(each) for each in COMBINATIONS] == [
        "3.11-lowest",
        "3.11-newest",
        "3.13-lowest",
        "3.13-newest",
    ]
    with pytest.raises(SystemExit):
        main(["3.12-newest"])
    assert "3.12-newest is not one of 3.11-lowest, 3.11-newest" in capsys.readouterr().err
