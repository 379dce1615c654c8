"""An evaluation as an Excel workbook: figures with units, sources and, for the cost, formulas that compute."""
