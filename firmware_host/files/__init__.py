"""Files written whole or not at all, and read with care."""
