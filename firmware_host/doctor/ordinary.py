"""Words that say nothing of anybody: a user or a machine of such a name keeps it.

To replace them everywhere would spoil what is to be read: the journal of a table whose host is called
`table` could not be replayed any more.
"""

from __future__ import annotations

_OF_SYSTEMS = """
admin debian fedora guest home kiosk localdomain localhost nobody none operator pi raspberry raspberrypi root
test ubuntu user users
"""
_OF_TABLES = """
arcade board button buttons call chatters card cards centre chapter cable connected count degraded device
devices dice die edge effects empty end event false fill free game games gpio group host i2c id inputs
interrupted is lamp lamps late leftover led left ligretto line lines log lost machine mask match matches
name needed node null open pad pads pause phase pile piles place play player players plugged port ports
power press pressed read reader readers release reset resume right round rounds row score scoreboard seat
seats serial service show sign slot slots start state store stuck table tag tags text time true uid unknown
unmask unplugged usb version void withdraw
black blue green orange purple red white yellow
fail note ok warn
"""
_OF_ENGLISH = """
a an and any are as at be been but by can do each for from had has have how if in it its may me must my no
not of off on one or other our out see set so than that the their then there they this to too two up us was
we were what when where which who why with yes you your ms ns
"""
_OF_ADAPTERS = """
adapter address bridge cable console controller converter device disabled enabled none number port serial
uart usb
"""
ORDINARY = frozenset(f"{_OF_SYSTEMS} {_OF_TABLES} {_OF_ENGLISH}".split())
NO_SERIALS = frozenset(_OF_ADAPTERS.split())
"""How the names of adapters end that have no serial number."""
