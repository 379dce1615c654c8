"""Published costs, hours, energy and carbon of runs, each computed by the method that its source used."""
