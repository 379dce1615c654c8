"""Charts of scaling laws: loss and tokens per parameter over compute, and the valley of equal compute."""
