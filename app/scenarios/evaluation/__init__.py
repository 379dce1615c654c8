"""What a resolved scenario is evaluated to."""
