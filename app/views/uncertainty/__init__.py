"""How sure the figures of a scenario are: its ranges, and what they make of the answer."""
