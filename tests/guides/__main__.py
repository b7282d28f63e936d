"""Put what the commands print now into the guides: `make docs`."""

from tests.guides.pages import rewrite
from tests.guides.quotes import QUOTES

for name, produce in QUOTES.items():
    rewrite(name, produce().rstrip())
