"""Studies: requirements in, ranked alternatives out."""
