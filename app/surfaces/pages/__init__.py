"""Pages: thin routes, what they show, and the look around it."""
