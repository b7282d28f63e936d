"""From what was seen to findings, one file for each kind of thing that was looked at."""
