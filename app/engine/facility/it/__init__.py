"""What the servers draw: rated, mean, peak and idle, by part."""
