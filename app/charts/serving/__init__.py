"""What the detailed views of a served model draw."""
