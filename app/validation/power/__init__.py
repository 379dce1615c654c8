"""Published power, PUE, water and flow against the engine, and regions of cloud providers by their climate."""
