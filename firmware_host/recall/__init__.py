"""A round told again from what was decided in it: its story, its contests, and pictures of both."""
