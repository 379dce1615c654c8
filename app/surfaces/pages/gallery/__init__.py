"""The pages of the gallery of reference designs."""
