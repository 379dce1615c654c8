"""Growth: exponential trends through dated figures, their uncertainty, and where they meet a limit."""
