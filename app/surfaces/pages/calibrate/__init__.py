"""The page that corrects a design by one's own measured runs."""
