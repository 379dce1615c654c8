"""Views of a design, each declared once for all surfaces."""
