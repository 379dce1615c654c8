"""Growth: trends of dated figures beside published rates, their projection, and the gap between two devices."""
