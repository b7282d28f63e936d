"""The profiles that come with the package."""

import wiring


def test_profiles_are_known_by_name_and_can_be_read() -> None:
    assert "dice4" in wiring.profile_names()
    for name in wiring.profile_names():
        assert wiring.profile_file(name).is_file()
