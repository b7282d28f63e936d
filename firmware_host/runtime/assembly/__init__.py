"""Puts a table together: the only place that names concrete drivers.

Simulated tables end at the contacts, scripted ones at the edges. Those of `chips` and `real`
have every device of the profile with its driver: simulated to the register, or real. Each is imported
where it is needed, and nothing by default: a real table is started without any simulated chip.
"""
