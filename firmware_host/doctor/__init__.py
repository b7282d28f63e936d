"""What a table's hardware lacks, and what to do next: findings, and walks from part to part.

`judging` makes findings of what probes have seen, `walking` of what comes while a person walks through
the parts. Both are pure; `practice` is where the work is done.
"""
