"""Carbon of a run: of its electricity by two boundaries, of waiting, and of making the hardware."""
