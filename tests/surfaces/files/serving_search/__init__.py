"""Tests of the files of a search of served models."""
