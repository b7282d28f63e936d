"""What a table's hardware lacks, and what to do next: findings, and walks from part to part.

`subjects` has two files for each thing that is examined: `_look` sees what there is, `_findings` judge it.
`walking` makes findings of what comes while a person walks through the parts. Findings and walks are pure;
`practice` is where the work is done, and `system` is the machine that it is done on.
"""
