"""The cash flow of a pod as files: a table, text, and a workbook whose every cell computes."""
