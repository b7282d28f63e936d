"""The order of arrival made irrelevant: lanes, debouncing, and dead heats. Pure."""
