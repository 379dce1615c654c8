"""Text and files in, values and messages out."""
