"""The studio: a scenario as a form on the left, its evaluation on the right, recalculated as inputs change."""
