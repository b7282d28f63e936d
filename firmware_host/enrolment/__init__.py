"""Enrolling: which tag is asked for next, what a tag that comes means, and what the tags file says then.

`course` knows the way through cards and dice, `flow` what happens at the readers, `page` what the
scoreboard says of it. `book` is the file, `merging` two files as one, `report` what is there and what is not.
"""
