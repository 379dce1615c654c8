"""Tests of the search of served models."""
