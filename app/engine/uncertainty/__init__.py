"""How far a figure may be off: from the errors of measured runs, those most like it first."""
