"""A test that fails, beside one that does not."""


def test_that_is_well() -> None:
    assert True


def test_that_fails() -> None:
    assert 1 + 1 == 3, "as it should"
