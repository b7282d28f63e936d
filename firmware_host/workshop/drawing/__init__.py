"""The drawings of a table: sheets of A4 and the board to scale, in millimetres. Pure."""
