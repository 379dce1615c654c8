"""Charts of searches: many layouts, pods or scale-up domains of one scenario beside each other."""
