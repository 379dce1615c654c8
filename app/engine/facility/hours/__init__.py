"""A pod's power, water and free cooling in every hour of the year, and what is told from them."""
