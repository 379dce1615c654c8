"""The pages of a served model: a tab each."""
