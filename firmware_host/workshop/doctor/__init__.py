"""What a table's hardware lacks, and what to do next: findings, and walks from part to part.

`device_look` and `system` see what there is, `_findings` judge it; `checks` does all of that in order.
`walking` makes findings of what comes while a person goes through the parts. Findings and walks are pure.
"""
