"""Enrolling tags: which item is asked for next, what a tag on a reader means, and the text of the registry.

`enroller` is the state machine; `worklist` chooses the next item, edits the file, serves the other commands.
"""
