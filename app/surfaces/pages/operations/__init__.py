"""Pages of a design's failures, spares and checkpoints."""
