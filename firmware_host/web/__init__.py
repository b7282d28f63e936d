"""The table in a browser: a process of its own, a client of the table's sockets. docs/web.md describes it.

The daemon never imports this package. A crash in here is seen by nobody at the table.
"""
