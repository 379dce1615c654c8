"""Many designs beside one: layouts, job sizes and scale-up domains."""
