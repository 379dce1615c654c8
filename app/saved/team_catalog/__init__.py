"""The catalog of a team: its own rows asked for, changed and imported by those who may."""
