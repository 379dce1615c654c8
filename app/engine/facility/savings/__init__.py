"""What another plant, another hour or another source of electricity saves, against a baseline."""
