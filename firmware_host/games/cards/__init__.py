"""All that a rule of Ligretto cards touches."""
