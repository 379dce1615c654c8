"""Heat from the racks to the outdoors, hour by hour."""
