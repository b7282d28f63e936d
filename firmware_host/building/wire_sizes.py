"""What wires carry, by their thickness."""

from __future__ import annotations

_WIRES = ((4, 24), (2.5, 18), (1.5, 13), (1, 10), (0.75, 8), (0.5, 5), (0.25, 2.5), (0.14, 1))
"""What wires of so many mm2 carry in a bundle, in amperes: cautious values for PVC."""
_THINNEST_AMPS = 0.4
_COPPER_OHM = 0.0178
"""A metre of 1 mm2 at room temperature."""


def wire_amps(mm2: float) -> float:
    """What a wire carries."""
    return next((amps for least, amps in _WIRES if mm2 >= least), _THINNEST_AMPS)


def wire_mm2(amps: float) -> float:
    """The thinnest usual wire that carries so much; the thickest if none does."""
    return next((mm2 for mm2, carried in reversed(_WIRES) if carried >= amps), _WIRES[0][0])


def wire_ohm(mm2: float, length_mm: float) -> float:
    """The resistance of a wire."""
    return _COPPER_OHM * length_mm / 1000 / mm2
