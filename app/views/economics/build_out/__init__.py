"""The build-out of a scenario: phases, power, cash and emissions by month, and the ways to pay for it."""
