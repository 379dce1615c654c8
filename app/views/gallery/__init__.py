"""The gallery: reference designs evaluated, with published figures."""
