"""Growth: exponential trends through dated figures, how sure they are, and where they meet a limit."""
