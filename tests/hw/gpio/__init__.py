"""Registers the contract suite of edge sources with pytest before anything imports it."""

import pytest

pytest.register_assert_rewrite("tests.hw.gpio.edge_contract")
