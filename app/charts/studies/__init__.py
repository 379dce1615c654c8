"""Charts of a study's board."""
