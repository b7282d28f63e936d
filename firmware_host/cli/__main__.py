"""`python -m firmware_host.cli`, for where the command is not on the path."""

from firmware_host.cli import main

main(prog_name="ligretto-table")
