"""What a table tells the world."""
