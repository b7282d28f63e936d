"""The characters on a simulated display."""

from __future__ import annotations

BLANK = " "


class CharacterGrid:
    """Rows and columns of characters, both counted from 0."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self._cells = [[BLANK] * columns for _ in range(rows)]

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads: each row without the blanks at its end."""
        return tuple("".join(row).rstrip() for row in self._cells)

    def put(self, row: int, column: int, letter: str) -> None:
        """Show a character in one cell."""
        self._cells[row][column] = letter

    def write_row(self, row: int, text: str) -> None:
        """Show a text in a row from its start, cut to the row; the rest of the row is blank."""
        self._cells[row] = list(text[: self.columns].ljust(self.columns))

    def clear(self) -> None:
        """Blank everything."""
        for row in range(self.rows):
            self.write_row(row, "")

    def clear_cells(self, row: int, start: int, end: int) -> None:
        """Blank some cells of a row, `end` not included."""
        for column in range(max(start, 0), min(end, self.columns)):
            self._cells[row][column] = BLANK

    def scroll_up(self) -> None:
        """Every row goes one higher; the last one is blank."""
        self._cells = [*self._cells[1:], [BLANK] * self.columns]

    def shift_left(self, row: int) -> None:
        """Everything in a row goes one cell to the left."""
        self._cells[row] = [*self._cells[row][1:], BLANK]
