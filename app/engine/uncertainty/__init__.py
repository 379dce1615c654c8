"""Prediction intervals from the errors of comparable measured runs."""
