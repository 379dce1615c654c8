"""Fleets as documents: classes of jobs or a trace, pods, policies and questions."""
