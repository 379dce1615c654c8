"""Hourly years that somebody uploads: read, mended where little is missing, and made ready to be kept."""
