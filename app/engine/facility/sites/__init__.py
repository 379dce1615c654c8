"""Sites: humid air, warmer years, and places ranked against each other."""
