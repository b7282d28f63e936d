"""Time: debounce, order, dead heats and claims. Pure: time comes in as data."""
