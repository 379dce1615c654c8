"""What must be computed: parameters, FLOPs and shapes of a transformer."""
