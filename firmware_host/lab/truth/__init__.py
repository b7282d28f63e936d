"""What the rule sheets give for what hands really did, and how often the table's points differ from it."""
