"""All that a rule of Ligretto Dice touches."""
