"""Charts of failures, spares and checkpoints."""
