"""Claims checked: their claims, and what the engine says of each."""
