"""Carbon of a run in detail: boundaries, parts, hours, waiting, and the same run elsewhere."""
