"""The electrical chain from the utility feed to the racks."""
