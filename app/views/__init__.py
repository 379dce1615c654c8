"""What can be asked of a design: each question declared once, for REST and the command line."""
