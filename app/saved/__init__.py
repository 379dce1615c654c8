"""Saved work: scenarios and designs that last, every save an immutable revision."""
