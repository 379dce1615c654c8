"""Published fabrics against the engine: counts of switches and cables, computed from what their rows give."""
