"""Claims by topic: which calculation belongs to which."""
