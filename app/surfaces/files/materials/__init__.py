"""The detailed bill of materials as files."""
