"""Host firmware of an electronic Ligretto table: a pure referee in a thin shell."""

__version__ = "0.1.0"
