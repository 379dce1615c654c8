"""Charts of scaling laws: loss and tokens a parameter over compute, and the valley of equal compute."""
