"""Pages of a design's power and cooling: from the chip to the utility and from the cold plate to the sky."""
