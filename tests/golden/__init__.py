"""The golden record: a short hash of every answer that the product gives on its examples and gallery designs.

`make golden` records again and shows what differs from `tests/golden/record.csv`.
"""
