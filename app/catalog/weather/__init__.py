"""Hourly years that someone uploads: read, repaired where little is missing, and made ready to be kept."""
