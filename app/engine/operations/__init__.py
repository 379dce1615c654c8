"""How often a run fails, what that costs in time, and what keeps the cost small."""
