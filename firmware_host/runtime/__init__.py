"""The thin shell: the loop, the intake, the outputs, and the assembly of a table."""
