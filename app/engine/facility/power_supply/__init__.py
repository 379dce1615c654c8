"""Where the electricity of a site comes from: grid, own plant, batteries and contracts, hour by hour."""
