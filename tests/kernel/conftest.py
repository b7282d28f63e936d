"""The guest's tests are for the guest: they make GPIO chips and load modules."""

import os

from tests.kernel.machine import IN_GUEST

collect_ignore = [] if IN_GUEST in os.environ else ["guest"]
