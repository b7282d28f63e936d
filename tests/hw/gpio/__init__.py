"""The contract suite of edge sources is told to pytest before anything imports it."""

import pytest

pytest.register_assert_rewrite("tests.hw.gpio.edge_contract")
