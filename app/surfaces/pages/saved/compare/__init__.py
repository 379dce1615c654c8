"""Two scenarios side by side: what differs, and by how much."""
