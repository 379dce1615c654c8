"""The published runs as they are shown: by which fit they are predicted, in which groups, beside which others."""
