"""Spreadsheets that people upload or download: opened within limits, and text that stays text."""
