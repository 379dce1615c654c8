"""A site that is built and powered in phases, month by month, and the ways to pay for it.

Arrays are phases by months. Column 0 is the day of the first order, column m the end of month m. Money is nominal;
prices step up once a year, as in the yearly cash flow.
"""
