"""The pages of published claims, checked."""
