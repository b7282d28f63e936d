"""How wide a text is when it is drawn, so that labels can be placed where no wire is.

The widths are those of DejaVu Sans. Where that font is missing, browsers take one of the others in `FONT`,
whose letters are as wide or less.
"""

from __future__ import annotations

FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"
SMALLEST = 3.1
"""The smallest font size in mm: its capital letters are 2.26 mm high."""
ASCENT, DESCENT = 0.8, 0.24
"""The height of the highest letter and the depth of 'g', for font size 1."""

_PLAIN = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
    500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)  # fmt: skip
_BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365,
    696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580,
    1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
    733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500,
    500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
    716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
)  # fmt: skip
_OTHER = 1000
"""The width of any letter outside ASCII; few are wider."""


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is, in the unit of its font size."""
    widths = _BOLD if bold else _PLAIN
    known = (widths[ord(c) - 32] if 32 <= ord(c) < 127 else _OTHER for c in text)
    return sum(known) * size / 1000


def shortened(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """The text, or as much of it as fits into a width."""
    if text_width(text, size, bold=bold) <= width:
        return text
    while text and text_width(f"{text}…", size, bold=bold) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def text_lines(text: str, width: float, size: float) -> list[str]:
    """The text in lines that fit into a width; a word that is wider has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
