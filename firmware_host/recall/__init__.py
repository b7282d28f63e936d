"""A round as it was decided: its story, its contests, and pictures of both."""
