"""Enrolling tags: which item is asked for next, what a tag on a reader means, and the text of the registry.

`enroller` is the state machine, and `worklist` chooses the next item. `scoreboard_lines` gives the
scoreboard's text. `registry_text` edits the file. `wanted` and `overview` serve the other commands for tags.
"""
