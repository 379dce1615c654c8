"""Year by year: what a pod takes in and pays out over the life of its equipment, and what that is worth.

Columns are years, on the last axis: 0 is the day of purchase, 1 the end of the first year, and so on to the end
of the life. A life that ends within a year has a last year of that share of revenue and cost, and is settled
at the end of it.
"""
